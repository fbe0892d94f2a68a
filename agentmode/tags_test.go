package agentmode

import (
	"strings"
	"testing"
)

// One field f (FW-26 to FW-32); the anti-parroting rows are in parrot_test.go.
func TestTagsOfACommandWithOneField(t *testing.T) {
	check(t, FormTags, []statement{
		{"f:str", "cmd <f>v</f>", "f=v"},
		{"f:list", "cmd <f>v</f>", "f=v"},
		{"f:str", "cmd <anything>v</other>", "declined: unknown_name"},
		{"f:str", "cmd <F>v</F>", "declined: unknown_name"},
		{"f:str", "cmd <f></f>", "f="},
		{"f:int?", "cmd <f></f>", ""},
		{"f:str", "cmd <f> </f>", "f="},
		{"f:str", "cmd <f>v", "declined: unclosed_tag (f)"},
		{"f:str", "cmd <f>a<b>c</b></f>", "f=a<b>c</b>"},
		{"f:list", "cmd <f>a</f><f>b</f>", "f=[a|b]"},
		{"f:str", "cmd <f>a</f><f>b</f>", "declined: given_twice (f)"},
	})
}

func TestTagsOfACommandWithSeveralFields(t *testing.T) {
	check(t, FormTags, []statement{
		{"a:str, b:str", "cmd <b>2</b> <a>1</a>", "b=2; a=1"},
		{"a:str, b:str", "cmd <a>1</a>", "a=1"},
		{"a:str, b:str", "cmd <a>1</a><b></b>", "a=1; b="},
		{"a:str, b:int", "cmd <a>1</a><b></b>", "a=1"},
		{"a:str, b:str", "cmd <a>x</a><a>y</a><b>2</b>", "declined: given_twice (a)"},
		{"a:str, b:str", "cmd <A>1</A><b>2</b>", "declined: unknown_name"},
		{"a:str, b:str", "cmd <a >1</a><b>2</b>", "declined: broken_tag (a)"},
		{"a:str, b:str", "cmd <a>1</a><b>2</b><c>3</c>", "declined: unknown_name"},
	})
}

func TestEverySpellingOfATagThatNamesItsField(t *testing.T) {
	check(t, FormTags, []statement{
		{"a:str, b:int?", `cmd <parameter name="a">1</parameter>`, "a=1"},
		{"a:str, b:int?", `cmd <parameter name='a'>1</parameter>`, "a=1"},
		{"a:str, b:int?", `cmd <parameter name=a>1</parameter>`, "a=1"},
		{"a:str, b:int?", `cmd <parameter name="a" string="true">1</parameter>`, "a=1"},
		{"a:str, b:int?", `cmd <parameter type="x>y" name="a">1</parameter>`, "declined: broken_tag"},
		{"a:str, b:int?", "cmd\n<parameter=a>\n1\n</parameter>\n<parameter=b>\n2\n</parameter>", "a=1; b=2"},
		{"a:str, b:int?", `cmd <a>1</a> <parameter name="b">2</parameter>`, "a=1; b=2"},
		{"a/order:str, b:int?", `cmd <order>1</order>`, "a=1"},
		{"a/order:str, b:int?", `cmd <parameter name="order">1</parameter>`, "a=1"},
		{"a/order:str, b:int?", `cmd <order>1</a>`, "declined: unclosed_tag (a)"},
		{"a/order:str, b:int?", `cmd <order>1</order> <a>2</a>`, "declined: given_twice (a)"},
		{"parameter:str", `cmd <parameter>1</parameter>`, "parameter=1"},
		{"two words:str", `cmd <parameter name="two words">1</parameter>`, "two words=1"},
		{"größe:int", `cmd <größe>1</größe>`, "größe=1"},
	})
}

func TestATagThatClosesItselfGivesNothing(t *testing.T) {
	check(t, FormTags, []statement{
		{"order_id:str, reason:str?", "cmd <order_id>W1</order_id> <reason />", "order_id=W1"},
		{"order_id:str, reason:str?", "cmd <order_id>W1</order_id> <reason/>", "order_id=W1"},
		{"order_id:str, reason:str?", `cmd <parameter name="reason"/> <order_id>W1</order_id>`, "order_id=W1"},
		{"order_id:str, reason:str?", `cmd <parameter=reason /> <order_id>W1</order_id>`, "order_id=W1"},
		{"order_id:str, reason:str?", `cmd <parameter=reason/>`, ""},
		// what such a tag says beside its name would be lost
		{"order_id:str, reason:str?", `cmd <parameter name="order_id" value="W1"/>`, "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", `cmd <parameter name="order_id" default="W1"/>`, "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", `cmd <parameter name="order_id" value="W1">W2</parameter>`, "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", `cmd <order_id value="W1"/>`, "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", "cmd <reason/> <reason>late</reason>", "declined: given_twice (reason)"},
		{"order_id:str, tags:list?", "cmd <tags/> <tags>a, b</tags>", "declined: given_twice (tags)"},
	})
}

func TestAnyDoubtAboutTheEndOfAValueDeclines(t *testing.T) {
	note := "path:str, content:str, tags:list?"
	check(t, FormTags, []statement{
		{note, "cmd <path>a.md</path> <content>A block ends with </content> here.</content>", "declined: two_ends (content)"},
		{note, "cmd <content>A block ends with </content> <path>a.md</path></content>", "declined: two_ends (content)"},
		{note, "cmd <content>a</content> <em>b</em></content>", "declined: two_ends (content)"},
		{note, "cmd <path>a.md</path> <content>long text</body> <tags>[\"x\"]</tags>", "declined: unclosed_tag (content)"},
		{note, "cmd <path>a.md</path> <content>long text", "declined: unclosed_tag (content)"},
		{note, "cmd <path>a.md</path> <content>long text</content", "declined: unclosed_tag (content)"},
		{note, "cmd <path>a.md</content> <content>text</path>", "declined: mismatched_tag (path)"},
		{note, "cmd <content>a <content>b</content> c</content> <path>a.md</path>", "declined: nested_tag (content)"},
		{note, "cmd <content>a <content/> c</content>", "declined: nested_tag (content)"},
		{note, "cmd <content>a <tags>b</tags> c</content>", "declined: tag_inside (content)"},
		{note, "cmd <content>a </tags> c</content>", "declined: mismatched_tag (content)"},
		{note, "cmd <content>text</content >", "declined: unclosed_tag (content)"},
		{note, "cmd <content>text</content > more</content>", "declined: broken_tag (content)"},
		{note, "cmd <content>text</content|> more</content>", "declined: broken_tag (content)"},
		{note, "cmd <path>a.md</|x|path>", "declined: unclosed_tag (path)"},
		{note, "cmd </path>a.md</path>", "declined: mismatched_tag (path)"},
		{note, "cmd <path>a.md</path></path>", "declined: two_ends (path)"},
		{note, "cmd <path>a.md</path> </content>", "declined: mismatched_tag (content)"},
		{note, "cmd <tags>a</tags> b</tags>", "declined: two_ends (tags)"},
		{note, "cmd <tags>a</tags> b <tags>c</tags>", "declined: text_outside_tags (tags)"},
		{note, `cmd <parameter name="content">see </parameter> here</parameter>`, "declined: two_ends (content)"},
		{note, `cmd <parameter name="content">see <parameter name="path">x</parameter></parameter>`, "declined: nested_tag (content)"},
		{note, `cmd <content>see <parameter name="path">x</parameter></content>`, "declined: tag_inside (content)"},
		{note, `cmd <content>text</parameter>`, "declined: unclosed_tag (content)"},
		{note, `cmd <parameter name="content">text</content></parameter>`, "declined: nested_tag (content)"},
		{note, `cmd <parameter name="content">text</path></parameter>`, "declined: mismatched_tag (content)"},
	})
}

func TestAnyDoubtAboutATagItselfDeclines(t *testing.T) {
	check(t, FormTags, []statement{
		{"order_id:str, reason:str?", "cmd <parameter=order_id W1001</parameter>", "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", "cmd <parameter=order_id", "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", "cmd <parameter=>W1001</parameter>", "declined: broken_tag"},
		{"order_id:str, reason:str?", "cmd <parameter>W1001</parameter>", "declined: broken_tag"},
		{"order_id:str, reason:str?", "cmd <parameter", "declined: broken_tag"},
		{"order_id:str, reason:str?", "cmd <order_id W1001</order_id>", "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", "cmd <order_id", "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", "cmd <order_id=W1001>", "declined: broken_tag (order_id)"},
		{"order_id:str, reason:str?", `cmd <order_id type="x">W1001</order_id>`, "declined: broken_tag (order_id)"},
		{"query:str?, limit:int?", `cmd <parameter nam="query">rent</parameter> <parameter name="limit">5</parameter>`, "declined: broken_tag (query)"},
		{"query:str?, limit:int?", `cmd <parameter name="limit">5</parameter> <parameter nam="query">rent</parameter>`, "declined: broken_tag (query)"},
		{"query:str?, limit:int?", `cmd <parameter name="query>rent</parameter>`, "declined: broken_tag (query)"},
		{"query:str?, limit:int?", `cmd <parameter name="query" name="limit">rent</parameter>`, "declined: broken_tag (query)"},
		{"query:str?, limit:int?", `cmd <parameter name="query" required>rent</parameter>`, "declined: broken_tag (query)"},
		{"query:str?, limit:int?", `cmd <parameter name="query"string="true">rent</parameter>`, "declined: broken_tag (query)"},
		{"query:str?, limit:int?", `cmd <parameter name="querry">rent</parameter>`, "declined: unknown_name"},
		{"query:str?, limit:int?", `cmd <parameter=querry>rent</parameter>`, "declined: unknown_name"},
		{"query:str?, limit:int?", `cmd <params><query>rent</query></params>`, "declined: unknown_name"},
		{"query:str?, limit:int?", `cmd <|query>rent</query>`, "declined: unknown_name"},
		{"query:str?, limit:int?", `cmd <>rent</>`, "declined: text_outside_tags"},
		{"query:str?, limit:int?", `cmd <`, "declined: text_outside_tags"},
	})
}

func TestWordsBesideTheTagsDecline(t *testing.T) {
	check(t, FormTags, []statement{
		{"a:str, b:int?", "cmd <a>1</a> and <b>2</b> thanks", "declined: text_outside_tags (a)"},
		{"a:str, b:int?", "cmd <a>1</a>, <b>2</b>", "declined: text_outside_tags (a)"},
		{"a:str, b:int?", "cmd <a>1</a> b=2", "declined: text_outside_tags (a)"},
		{"a:str, b:int?", "cmd please <a>1</a>", "declined: text_outside_tags (a)"},
		{"a:str, b:int?", `cmd please <parameter name="a">1</parameter>`, "declined: text_outside_tags (a)"},
		{"a:str, b:int?", "cmd b=2 <a>1</a>", "declined: text_outside_tags (b)"},
		{"a:str, b:int?", "cmd <!-- both --><a>1</a>", "declined: text_outside_tags"},
		{"a:str, b:int?", "cmd <![CDATA[<a>1</a>]]>", "declined: text_outside_tags"},
		{"a:str, b:int?", "cmd <a>1</a>\n```", "declined: text_outside_tags (a)"},
	})
}

func TestAValueMayHoldMarkupThatIsNotTheCalls(t *testing.T) {
	check(t, FormTags, []statement{
		{"path:str, content:str", "cmd <content><p class=\"x\">a</p><br/></content>", `content=<p class="x">a</p><br/>`},
		{"path:str, content:str", "cmd <content>if a < b && c > d</content>", "content=if a < b && c > d"},
		{"path:str, content:str", "cmd <content>an odd </p> end</content>", "content=an odd </p> end"},
		{"path:str, content:str", "cmd <content><contents>x</contents></content>", "content=<contents>x</contents>"},
		{"path:str, content:str", "cmd <content>&lt;a&gt; &amp;amp;</content>", "content=&lt;a&gt; &amp;amp;"},
		{"path:str, content:str", `cmd <content><parameter name="other">x</parameter></content>`, `content=<parameter name="other">x</parameter>`},
		{"path:str, content:str", "cmd <content>x <![CDATA[y]]> z</content>", "content=x <![CDATA[y]]> z"},
		{"path:str, content:str", "cmd <content>path=a.md</content>", "content=path=a.md"},
		{"path:str, content:str", `cmd <content>{"path": 1}</content>`, `content={"path": 1}`},
	})
}

func TestCDATAIsExact(t *testing.T) {
	check(t, FormTags, []statement{
		{"note:str, pin:bool?", "cmd <note><![CDATA[if a < b && c > d]]></note> <pin>no</pin>", "note=if a < b && c > d; pin=no"},
		{"note:str, pin:bool?", "cmd <note>\n  <![CDATA[ </note> <pin> ]]>\n</note>", "note= </note> <pin> "},
		{"note:str, pin:bool?", "cmd <note><![CDATA[a]]]]><![CDATA[>b]]></note>", "note=a]]>b"},
		{"note:str, pin:bool?", "cmd <note><![CDATA[a]]><![CDATA[b]]><![CDATA[c]]></note>", "note=abc"},
		{"note:str, pin:bool?", "cmd <note><![CDATA[]]></note>", "note="},
		{"note:str, pin:bool?", "cmd <pin><![CDATA[]]></pin>", ""},
		{"note:str, pin:bool?", "cmd <note><![CDATA[a</note>", "declined: unclosed_tag (note)"},
		{"note:str, pin:bool?", "cmd <note><![CDATA[a]]> b</note>", "declined: broken_tag (note)"},
		{"note:str, pin:bool?", "cmd <note><![CDATA[a]]></pin>", "declined: broken_tag (note)"},
		{"note:str, pin:bool?", "cmd <note><![CDATA[a]]>", "declined: broken_tag (note)"},
		{"lines:list", "cmd <lines><![CDATA[<b>x</b>]]></lines>", "lines=<b>x</b>"},
	})
}

func TestOnlyTheLayoutOfAValueIsRemoved(t *testing.T) {
	for _, row := range [][2]string{
		// one line is trimmed (FW-27)
		{"v", "v"},
		{" v ", "v"},
		{"\t a b \u3000", "a b"},
		{"", ""},
		{" \n\t ", ""},
		// several lines keep their indentation (D-6)
		{"\nv\n", "v"},
		{"\r\nv\r\n", "v"},
		{"\n    return x\n", "    return x"},
		{"\n    if x:\n        y\n  ", "    if x:\n        y"},
		{"  \nv\n  ", "v"},
		{"\n\nv\n\n", "\nv\n"},
		{"a\n  b", "a\n  b"},
		{"  a\n  b\n", "  a\n  b"},
		{"a\nb  ", "a\nb  "},
		{"a\rb\r", "a\rb"},
	} {
		r := Bind(command(t, "f:str"), "cmd <f>"+row[0]+"</f>", "cmd")
		if r.Outcome != Bound || r.Values[0].Texts[0] != row[1] {
			t.Errorf("%q is read as %q, want %q", row[0], show(r), row[1])
		}
	}
}

func TestTheThreeWaysToGiveAList(t *testing.T) {
	fields := "start:int?, lines:list?, title:str?"
	check(t, FormTags, []statement{
		// the text of the whole list is for stage 1 to read
		{fields, `cmd <lines>["a", "b"]</lines>`, `lines=["a", "b"]`},
		{fields, "cmd <lines>a, b</lines>", "lines=a, b"},
		// one tag for each item
		{fields, "cmd <lines>a</lines> <start>3</start> <lines>b, c</lines>", "lines=[a|b, c]; start=3"},
		{fields, "cmd <lines> a </lines><lines></lines>", "lines=[a|]"},
		{fields, `cmd <parameter name="lines">a</parameter><parameter name="lines">b</parameter>`, "lines=[a|b]"},
		{fields, "cmd <lines><b>a</b></lines><lines>b</lines>", "lines=[<b>a</b>|b]"},
		// equal child tags
		{fields, "cmd <start>3</start> <lines><item>a</item><item>b</item></lines>", "start=3; lines=[a|b]"},
		{fields, "cmd <lines>\n  <item>a</item>\n  <item> b, c </item>\n</lines>", "lines=[a|b, c]"},
		{fields, "cmd <lines><item>a</item></lines>", "lines=[a]"},
		{fields, "cmd <lines><item></item><item><![CDATA[ <x> ]]></item></lines>", "lines=[| <x> ]"},
		// markup that is neither must not become an item
		{fields, "cmd <lines><item>a</item> and <item>b</item></lines>", "declined: unclear_items (lines)"},
		{fields, "cmd <lines><item>a</item><other>b</other></lines>", "declined: unclear_items (lines)"},
		{fields, "cmd <lines><item>a<item>b</item></item></lines>", "declined: unclear_items (lines)"},
		{fields, "cmd <lines><item>a</lines>", "declined: unclear_items (lines)"},
		{fields, "cmd <lines><item/><item>b</item></lines>", "declined: unclear_items (lines)"},
		{fields, "cmd <lines><title>a</title></lines>", "declined: tag_inside (lines)"},
		{fields, "cmd <lines><lines>a</lines></lines>", "declined: nested_tag (lines)"},
		// blank: nothing given, and the values beside it stay
		{fields, "cmd <lines></lines><start>3</start>", "start=3"},
		{fields, "cmd <start>3</start><lines> </lines><title>x</title>", "start=3; title=x"},
		// text or list: markup may be the text
		{"lines:texts", "cmd <lines><b>a</b></lines>", "lines=<b>a</b>"},
		{"lines:texts", "cmd <lines></lines>", "lines="},
		{"lines:texts", "cmd <lines>a</lines><lines>b</lines>", "lines=[a|b]"},
		{"lines:any", "cmd <lines>a</lines><lines>b</lines>", "declined: given_twice (lines)"},
	})
}

func TestACommandMayHaveAnyNumberOfFields(t *testing.T) {
	for _, n := range []int{5, 8, 9, 32, 33, 100} {
		var fields, text, want []string
		for i := range n {
			name := "f" + string(rune('a'+i/26)) + string(rune('a'+i%26))
			fields = append(fields, name+":list?")
			text = append(text, "<"+name+">1</"+name+">")
			want = append(want, name+"=1")
		}
		text[2], want = "<fac> </fac>", append(want[:2:2], want[3:]...)
		text = append(text, "<faa>2</faa>")
		want[0] = "faa=[1|2]"
		check(t, FormTags, []statement{{strings.Join(fields, ","), "cmd " + strings.Join(text, " "), strings.Join(want, "; ")}})
	}
}

func TestADoubtQuotesTheWordsInQuestion(t *testing.T) {
	sig := command(t, "path:str, content:str, tags:list?")
	for _, row := range [][2]string{
		{"cmd <content>a </content> b</content>", "</content> b</content>"},
		{"cmd <content>x</body> <tags>1</tags>", "<content>x</body> <tags>1</tags>"},
		{"cmd <content>x <tags>1</tags></content>", "<tags>"},
		{"cmd <content>x</body>", "<content>x</body>"},
		{"cmd <contant>x</contant>", "contant"},
		{"cmd <parameter nam=\"path\">x</parameter>", "<parameter nam=\"path\">"},
		{"cmd <path x", "<path x"},
		{"cmd <path>1</path> and so on <tags>", "and so on"},
		{"cmd <path>1</path><path>2</path>", "<path>2</path>"},
		{"cmd path=1 path=2", "path=2"},
		{"cmd path=1 thanks a lot", "thanks a lot"},
		{"cmd colour=1", "colour"},
		{"cmd path= ", "path="},
		{"cmd --force", "--force"},
		{"cmd a.md", "a.md"},
		{"please cmd a.md", "please cmd a.md"},
	} {
		r := Bind(sig, row[0], "cmd")
		if r.Doubt == nil || r.Doubt.Text != row[1] {
			t.Errorf("%s: the doubt is %+v, want the text %q", row[0], r.Doubt, row[1])
		}
	}
	long := Bind(sig, "cmd <path>"+strings.Repeat("\u65e5", 1000), "cmd")
	if n := len(long.Doubt.Text); n > longestExcerpt || n < longestExcerpt-3 || strings.HasSuffix(long.Doubt.Text, "\ufffd") {
		t.Errorf("a long excerpt has %d bytes: %q", n, long.Doubt.Text)
	}
}
