package agentmode

import "testing"

// Calls that went wrong elsewhere, as people reported them: what ran, or was
// lost, is in the comment.
func TestCallsThatWentWrongElsewhere(t *testing.T) {
	order := "order_id:str, reason:str?"
	note := "path:str, content:str, tags:list?"
	for _, row := range []struct {
		name, fields, text, want string
		form                     Form
	}{
		// the text of a value is for the normalizer to decode, once
		{"run_task", "command:str, note:str?", "run_task <command>cd app &amp;&amp; make</command> <note>&amp;quot;ok&amp;quot;</note>",
			"command=cd app &amp;&amp; make; note=&amp;quot;ok&amp;quot;", FormTags},
		// cut at the first of two ends
		{"write_note", note, "write_note <path>a.md</path> <content>A block ends with </content> here.</content>",
			"declined: two_ends (content)", FormTags},
		// the rest of the call became the content
		{"write_note", note, "write_note <path>a.md</path> <content>long text</body> <tags>[\"x\"]</tags>",
			"declined: unclosed_tag (content)", FormTags},
		// the reader crashed
		{"cancel_order", order, "cancel_order <parameter=order_id W1001</parameter>", "declined: broken_tag (order_id)", FormTags},
		// everything was listed, the filter dropped
		{"read_ledger", "query:str?, limit:int?", `read_ledger <parameter nam="query">rent</parameter> <parameter name="limit">5</parameter>`,
			"declined: broken_tag (query)", FormTags},
		// the inner end was taken for the outer one
		{"add_note", "note:str, pin:bool?", "add_note <note>a <note>b</note> c</note> <pin>true</pin>", "declined: nested_tag (note)", FormTags},
		// the command ran without its value
		{"cancel_order", order, "cancel_order <order_id>W1001</|x|order_id>", "declined: unclosed_tag (order_id)", FormTags},
		// one item held the markup of two
		{"replace_lines", "start:int, lines:list", "replace_lines <start>3</start> <lines><item>a</item><item>b</item></lines>",
			"start=3; lines=[a|b]", FormTags},
		// the last tag won, or the comma split an item
		{"label_ticket", "ticket:str, tags:list", "label_ticket <ticket>T1</ticket> <tags>a</tags> <tags>b, c</tags>",
			"ticket=T1; tags=[a|b, c]", FormTags},
		// talk about a call ran it
		{"cancel_order", order, "To cancel, you would write:\n```\ncancel_order <order_id>W1001</order_id>\n```", "declined: not_a_call", FormNone},
		{"cancel_order", order, `<invoke name="cancel-order"><parameter name="order_id">W1001</parameter></invoke>`, "declined: not_a_call", FormNone},
		// the section's borders arrived with the value
		{"add_note", "note:str, pin:bool?", "add_note <note><![CDATA[if a < b && c > d]]></note> <pin>no</pin>",
			"note=if a < b && c > d; pin=no", FormTags},
		// no end was found for it
		{"cancel_order", order, "cancel_order <order_id>W1001</order_id> <reason />", "order_id=W1001", FormTags},
		// spellings that were not known
		{"cancel_order", order, "cancel_order\n<parameter=order_id>\nW1001\n</parameter>", "order_id=W1001", FormTags},
		{"cancel_order", order, `cancel_order <parameter name="order_id" string="true">W1001</parameter>`, "order_id=W1001", FormTags},
		// split at every space, or at the wrong =
		{"set_prompt", "text:str, mode:fast|slow?", `set_prompt text="think step by step" mode=fast`, "text=think step by step; mode=fast", FormPairs},
		{"run_task", "command:str, timeout:int?", `run_task command="A=1 make B=$X; echo a=b" timeout=30`,
			"command=A=1 make B=$X; echo a=b; timeout=30", FormPairs},
		{"add_note", "note:str, pin:bool?", `add_note note="she said \"it's ok\" = fine" pin=True`, `note=she said "it's ok" = fine; pin=True`, FormPairs},
		{"set_limit", "limit:int, dry_run:bool?, rate:float?", "set_limit limit=5 dry_run=yes rate=0.25", "limit=5; dry_run=yes; rate=0.25", FormPairs},
		{"search_dir", "query:str, types:list?, limit:int?", `search_dir query="holidays" types=yaml,yml limit=3`,
			"query=holidays; types=yaml,yml; limit=3", FormPairs},
		// the next pair became the value
		{"claim_task", "task_id:str, note:str?", `claim_task task_id= note="mine"`, "declined: empty_value (task_id)", FormPairs},
		// the whole argument list became the one value
		{"cancel_order", order, "cancel_order(order_id='W1001', reason=None)", "declined: function_call (order_id)", FormNone},
		{"cancel_order", order, "cancel_order order=W1001", "declined: unknown_name", FormPairs},
		// two readers picked different winners
		{"cancel_order", order, "cancel_order order_id=W1001 order_id=W1002", "declined: given_twice (order_id)", FormPairs},
		// an apostrophe was taken for a quote
		{"search_items", "query:str@, limit:int=10", "search_items what's a reading lamp", "query=what's a reading lamp", FormPositional},
		// the quotes arrived with the value
		{"get_key", "key:str", "get_key 'name'", "key=name", FormPositional},
		// it ran on the defaults, or on half of what it needs
		{"cancel_order", "order_id:str, reason:str", "cancel_order W1001", "refused: unnamed_value", FormPositional},
		{"list_orders", "limit:int=20", "list_orders W1001", "refused: unnamed_value", FormPositional},
		// dropped, because it has no arguments
		{"list_files", "", "list_files", "", FormNone},
		// a file of that name was deleted
		{"delete_file", "path:str, dry_run:bool?", "delete_file --dry_run", "declined: looks_like_option (dry_run)", FormPositional},
	} {
		r := Bind(command(t, row.fields), row.text, row.name)
		if got := show(r); got != row.want || r.Form != row.form {
			t.Errorf("%s\n\tbecomes %s as %s\n\twant    %s as %s", row.text, got, r.Form, row.want, row.form)
		}
	}
}
