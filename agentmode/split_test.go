package agentmode

import "testing"

func TestTheCommandsNameIsStrippedOnceAtTheFront(t *testing.T) {
	for _, row := range []struct{ message, remainder string }{
		// FW-24
		{"cmd bob", "bob"},
		{"CMD bob", "bob"},
		{"Ctx/cmd <a>1</a>", "<a>1</a>"},
		{"cmd(bob)", "bob"},
		{"cmd\n<a>1</a>", "<a>1</a>"},
		{"cmd rename cmd", "rename cmd"},
		// the rest of the rule
		{"  cmd  ", ""},
		{"cmd: bob", "bob"},
		{"cmd:", ""},
		{"cmd()", ""},
		{"cmd( bob )", "bob"},
		{"cmd:(bob)", "bob"},
		{"cmd\u00a0bob", "bob"},
		{"cmd (bob)", "(bob)"},
		{`cmd("a)")`, `"a)"`},
		{"cmd(it's (mine))", "it's (mine)"},
		{"cmd(1+2)*(3+4)", "(1+2)*(3+4)"},
		{"cmd(bob", "(bob"},
		{"cmd cmd", "cmd"},
		{"cmd<a>1</a>", "<a>1</a>"},
		{`cmd{"a":1}`, `{"a":1}`},
	} {
		rest, parenthesized, ok := Remainder(row.message, "cmd", "Ctx/cmd")
		if rest != row.remainder || !ok {
			t.Errorf("%q leaves %q, %v; want %q", row.message, rest, ok, row.remainder)
		}
		if want := row.message != "cmd (bob)" && len(row.message) > len("cmd")+len(rest) && row.message[len(row.message)-1] == ')' && rest != "(1+2)*(3+4)"; parenthesized != want {
			t.Errorf("%q: parentheses stripped is %v", row.message, parenthesized)
		}
	}
}

func TestAMessageThatBeginsOtherwiseIsLeftAlone(t *testing.T) {
	for _, message := range []string{"please cmd bob", "cmdx bob", "cmd:bob", "cmd; bob", "", "<cmd>bob</cmd>", "Other/cmd bob", ": cmd"} {
		if rest, _, ok := Remainder(" "+message+"\n", "cmd", "Ctx/cmd"); ok || rest != message {
			t.Errorf("%q leaves %q, %v", message, rest, ok)
		}
	}
}

func TestTheLeadingTokenEndsAtWhiteSpaceOrAParenthesis(t *testing.T) {
	for _, row := range [][3]string{
		{" cancel_order W1 ", "cancel_order", " W1"},
		{"cancel_order(W1)", "cancel_order", "(W1)"},
		{"Orders/cancel_order\tW1", "Orders/cancel_order", "\tW1"},
		{"cancel_order: W1", "cancel_order:", " W1"},
		{"go", "go", ""},
		{"", "", ""},
		{"(W1)", "", "(W1)"},
		{"\u65e5\u672c\u3000x", "\u65e5\u672c", "\u3000x"},
		{"\xff\xfe x", "\xff\xfe", " x"},
	} {
		if token, rest := Split(row[0]); token != row[1] || rest != row[2] {
			t.Errorf("%q splits into %q and %q", row[0], token, rest)
		}
	}
}
