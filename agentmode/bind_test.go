package agentmode

import (
	"testing"
)

func TestATextThatDoesNotBeginWithTheCommandIsNoCall(t *testing.T) {
	for _, text := range []string{
		"",
		"To cancel, you would write:\n```\ncmd <order_id>W1001</order_id>\n```",
		"```\ncmd <order_id>W1001</order_id>\n```",
		`<invoke name="cmd"><parameter name="order_id">W1001</parameter></invoke>`,
		"<order_id>W1001</order_id>",
		"<cmd><order_id>W1001</order_id></cmd>",
		`{"order_id": "W1001"}`,
		"- cmd W1001",
		"`cmd W1001`",
		"please cmd order_id=W1001",
	} {
		r := Bind(command(t, "order_id:str, reason:str?"), text, "cmd", "Orders/cmd")
		if got := show(r); got != "declined: not_a_call" || r.Form != FormNone {
			t.Errorf("%s\n\tbecomes %s, %s", text, got, r.Form)
		}
	}
}

func TestTheArgumentsOfAFunctionCallAreInNobodysGrammar(t *testing.T) {
	order := "order_id:str, reason:str?, tags:list?"
	check(t, FormNone, []statement{
		{order, "cmd(order_id='W1001', reason=None)", "declined: function_call (order_id)"},
		{order, "cmd(order_id='W1001')", "declined: function_call (order_id)"},
		{order, "cmd(order='W1001')", "declined: function_call"},
		{order, `cmd("W1001", "late")`, "declined: function_call"},
		{order, "cmd(W1001,late)", "declined: function_call"},
		{order, `cmd("W1001", reason="late")`, "declined: function_call"},
		{order, "cmd(order_id='W1001'", "declined: function_call (order_id)"},
		{order, "cmd(order_id='W1001');", "declined: function_call (order_id)"},
		{order, "cmd(W1001) please", "declined: function_call"},
		{order, "cmd (order_id='W1001')", "declined: function_call"},
		{"query:str@", "cmd(a)(b)", "declined: function_call"},
		{"query:str@", "cmd(a, b)", "declined: function_call"},
	})
	check(t, FormPositional, []statement{
		{"query:str", "cmd(W1001)", "query=W1001"},
		{"query:str", "cmd('W1, 2')", "query=W1, 2"},
		{"query:str@", "cmd(it's a lamp)", "query=it's a lamp"},
		{"tags:list@", `cmd(["a", "b"])`, `tags=["a", "b"]`},
	})
	check(t, FormTags, []statement{{order, "cmd(<order_id>W1, W2</order_id>)", "order_id=W1, W2"}})
}

func TestWhatBeginsWithABraceIsJSON(t *testing.T) {
	check(t, FormJSON, []statement{
		{"a:str, b:int?", `cmd {"a": "x", "b": 2}`, `{"a": "x", "b": 2}`},
		{"a:str, b:int?", `cmd({"a": "x", "b": 2})`, `{"a": "x", "b": 2}`},
		{"a:str, b:int?", "cmd\n{\n}\n", "{\n}"},
		{"a:str, b:int?", `cmd {"a": "<a>x</a> b=1"}`, `{"a": "<a>x</a> b=1"}`},
		// its reader says what is wrong
		{"a:str@", `cmd {"a": "x`, `{"a": "x`},
		{"a:str@", `cmd {a} and more`, `{a} and more`},
		{"", `cmd {}`, `{}`},
	})
}

func TestTheFormsAreTriedInTheirOrder(t *testing.T) {
	sig := command(t, "a:str, b:int?")
	for text, want := range map[string]Form{
		"cmd <a>b=1</a>": FormTags,
		`cmd a="<a>"`:    FormPairs,
		`cmd {"a":"b"}`:  FormJSON,
		"cmd x":          FormPositional,
		"cmd":            FormNone,
		"cmd <a>":        FormTags,
		"cmd a=":         FormPairs,
		"cmd x y":        FormPositional,
	} {
		if r := Bind(sig, text, "cmd"); r.Form != want {
			t.Errorf("%s is read as %s, want %s", text, r.Form, want)
		}
	}
}

func TestAFollowUpNeedsNoCommandName(t *testing.T) {
	b := New(command(t, "a:str, b:int?"), Options{}, "cmd")
	for text, want := range map[string]string{
		" <a>1</a>\n":     "a=1",
		"a=1, b=2":        "a=1; b=2",
		`{"a": 1} `:       `{"a": 1}`,
		"x":               "a=x",
		"cmd":             "a=cmd",
		"":                "",
		"x and y":         "declined: several_words (a)",
		"(a=1)":           "declined: function_call",
		"thanks <a>1</a>": "declined: text_outside_tags (a)",
	} {
		if got := show(b.BindRemainder(text)); got != want {
			t.Errorf("%q becomes %s, want %s", text, got, want)
		}
	}
}

func TestTheCallAnyNameOfTheCommandBegins(t *testing.T) {
	sig := command(t, "a:str")
	for _, text := range []string{"cmd x", "Cmd x", "Ctx/cmd x", "ctx/CMD x", "cmd: x", "cmd(x)"} {
		if got := show(Bind(sig, text, "cmd", "Ctx/cmd")); got != "a=x" {
			t.Errorf("%s becomes %s", text, got)
		}
	}
	if got := show(Bind(sig, "cmd x")); got != "declined: not_a_call" {
		t.Errorf("a command without a name takes a call: %s", got)
	}
}
