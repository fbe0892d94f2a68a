package agentmode

import (
	"strings"
	"testing"
)

// show writes a result as the tables below state it: "a=1; tags=[x|y]" for
// what was bound, "declined: kind (field)" or "refused: kind" otherwise.
func show(r Result) string {
	if r.Doubt != nil {
		text := r.Outcome.String() + ": " + string(r.Doubt.Kind)
		if r.Doubt.Field != "" {
			text += " (" + r.Doubt.Field + ")"
		}
		return text
	}
	if r.Form == FormJSON {
		return r.JSON
	}
	var parts []string
	for _, v := range r.Values {
		text := strings.Join(v.Texts, "|")
		if v.Repeated {
			text = "[" + text + "]"
		}
		parts = append(parts, v.Field+"="+text)
	}
	return strings.Join(parts, "; ")
}

// statement is one row of a table: what a command with these fields makes of a
// call.
type statement struct {
	fields, text, want string
}

func check(t *testing.T, form Form, rows []statement) {
	t.Helper()
	for _, row := range rows {
		r := Bind(command(t, row.fields), row.text, "cmd", "Ctx/cmd")
		if got := show(r); got != row.want {
			t.Errorf("%s\n\twith %s\n\tbecomes %s\n\twant    %s", row.text, row.fields, got, row.want)
		} else if r.Outcome == Bound && r.Form != form {
			t.Errorf("%s is bound as %s, want %s", row.text, r.Form, form)
		}
		if r.Doubt != nil && (r.Values != nil || r.JSON != "") {
			t.Errorf("%s is in doubt and yet gives %v", row.text, r.Values)
		}
	}
}
