package agentmode

import "testing"

func TestPairs(t *testing.T) {
	check(t, FormPairs, []statement{
		{"id:int", "cmd id=5", "id=5"},
		{"text:str, mode:fast|slow?", `cmd text="think step by step" mode=fast`, "text=think step by step; mode=fast"},
		{"limit:int, dry_run:bool?, rate:float?", "cmd limit=5 dry_run=yes rate=0.25", "limit=5; dry_run=yes; rate=0.25"},
		{"a:str, b:str?", "cmd a=1, b=2", "a=1; b=2"},
		{"a:str, b:str?", "cmd a=1,b=2", "a=1; b=2"},
		{"a:str, b:str?", "cmd a=1 , b=2", "a=1; b=2"},
		{"a:str, b:str?", "cmd\na = 1\nb = 2\n", "a=1; b=2"},
		{"a:str, b:str?", "cmd b=2", "b=2"},
		{"a:str, b:str?", "cmd: a='1' b='2'", "a=1; b=2"},
		{"a/order:str, b:str?", "cmd order=1", "a=1"},
		{"a/order:str, b:str?", "cmd order=1 a=2", "declined: given_twice (a)"},
		{"größe:int", "cmd größe=1", "größe=1"},
		{"a/b:str, x-y:str?", "cmd x-y=1", "x-y=1"},
	})
}

func TestTheFirstEqualsSignOutsideQuotesSeparates(t *testing.T) {
	check(t, FormPairs, []statement{
		{"command:str, timeout:int?", `cmd command="A=1 make B=$X; echo a=b" timeout=30`, "command=A=1 make B=$X; echo a=b; timeout=30"},
		{"url:str, n:int?", "cmd url=https://a.example/?b=c&d=e n=1", "url=https://a.example/?b=c&d=e; n=1"},
		{"url:str, n:int?", `cmd url="https://a.example/?b=c&n=1"`, "url=https://a.example/?b=c&n=1"},
		{"url:str, n:int?", "cmd url=https://a.example/?b=c&n=1", "declined: pair_inside (url)"},
		{"url:str, n:int?", "cmd url= https://a.example/?b=c n=1", "url=https://a.example/?b=c; n=1"},
	})
}

func TestQuotedValues(t *testing.T) {
	check(t, FormPairs, []statement{
		{"note:str, pin:bool?", `cmd note="she said \"it's ok\" = fine" pin=True`, `note=she said "it's ok" = fine; pin=True`},
		{"note:str, pin:bool?", `cmd note='it\'s \\ \n'`, `note=it's \ \n`},
		{"note:str, pin:bool?", `cmd note="C:\temp\new"`, `note=C:\temp\new`},
		{"note:str, pin:bool?", `cmd note=""`, "note="},
		{"note:str, pin:bool?", `cmd note=" a "`, "note= a "},
		{"note:str, pin:bool?", "cmd note=\"two\nlines\"", "note=two\nlines"},
		{"note:str, pin:bool?", `cmd note="<note>a</note> pin=1"`, "note=<note>a</note> pin=1"},
		{"note:str, pin:bool?", `cmd note=O'Brien pin=no`, "note=O'Brien; pin=no"},
		{"note:str, pin:bool?", `cmd note="None" pin=no`, "note=None; pin=no"},
		{"note:str, pin:bool?", `cmd note="a`, "declined: unbalanced_quote (note)"},
		{"note:str, pin:bool?", `cmd note="C:\"`, "declined: unbalanced_quote (note)"},
		{"note:str, pin:bool?", `cmd note='it's ok'`, "declined: unbalanced_quote (note)"},
		{"note:str, pin:bool?", `cmd note="a"pin=no`, "declined: unbalanced_quote (note)"},
		{"note:str, pin:bool?", `cmd note="""a"""`, "declined: unbalanced_quote (note)"},
		{"note:str, pin:bool?", `cmd note=--f="x y"`, "declined: unbalanced_quote (note)"},
		{"note:str, pin:bool?", "cmd note=\u201ca b\u201d", "declined: stray_words (note)"},
	})
}

func TestListsInPairs(t *testing.T) {
	search := "query:str, types:list?, limit:int?"
	check(t, FormPairs, []statement{
		{search, `cmd query="holidays" types=yaml,yml limit=3`, "query=holidays; types=yaml,yml; limit=3"},
		{search, `cmd types=yaml,yml,limit=3`, "types=yaml,yml; limit=3"},
		{search, `cmd types=yaml,yml, limit=3`, "types=yaml,yml; limit=3"},
		{search, `cmd types=yaml, limit=3`, "types=yaml; limit=3"},
		{search, `cmd types=["a b", "c]"] limit=3`, `types=["a b", "c]"]; limit=3`},
		{search, `cmd types=[it's, [b], 'c ]'], limit=3`, "types=[it's, [b], 'c ]']; limit=3"},
		{search, `cmd types="a, b"`, "types=a, b"},
		{search, `cmd types=a limit=3 types="b, c"`, "types=[a|b, c]; limit=3"},
		{search, `cmd types=a,b types=c`, "declined: given_twice (types)"},
		{search, `cmd types=c types=[a,b]`, "declined: given_twice (types)"},
		{search, `cmd types=[a,b`, "declined: unbalanced_bracket (types)"},
		{search, `cmd types=[a],[b]`, "declined: stray_words (types)"},
		{search, `cmd types=[a]b`, "declined: unbalanced_bracket (types)"},
		{search, `cmd types=yaml, yml`, "declined: comma_in_value (types)"},
		{search, `cmd types=yaml,`, "declined: comma_in_value (types)"},
		{search, `cmd types=yaml,,limit=3`, "declined: comma_in_value (types)"},
		{search, `cmd types=a,b=c`, "declined: unknown_name"},
		{"o:object, n:int?", `cmd o={"a": 1, "b": "}"} n=2`, `o={"a": 1, "b": "}"}; n=2`},
		{"o:object, n:int?", `cmd o={"a": 1`, "declined: unbalanced_bracket (o)"},
	})
}

func TestAnyDoubtInPairsDeclines(t *testing.T) {
	order := "order_id:str, reason:str?, amount:int?, dry_run:bool?"
	check(t, FormPairs, []statement{
		{order, "cmd order=W1001", "declined: unknown_name"},
		{order, "cmd order_id=W1001 why=late", "declined: unknown_name"},
		{order, "cmd Order_ID=W1001", "declined: unknown_name"},
		{order, "cmd order_id=W1001 order_id=W1002", "declined: given_twice (order_id)"},
		{order, "cmd order_id=W1001 order_id=W1001", "declined: given_twice (order_id)"},
		{order, `cmd order_id= reason="mine"`, "declined: empty_value (order_id)"},
		{order, "cmd order_id=", "declined: empty_value (order_id)"},
		{order, "cmd order_id=, reason=x", "declined: empty_value (order_id)"},
		{order, "cmd order_id==W1", "declined: empty_value (order_id)"},
		{order, "cmd amount=1,000 order_id=W1", "declined: comma_in_value (amount)"},
		{order, "cmd amount=1, 000", "declined: comma_in_value (amount)"},
		{order, "cmd order_id=W1,", "declined: comma_in_value (order_id)"},
		{order, "cmd order_id=W1 , , amount=1", "declined: comma_in_value (order_id)"},
		{order, `cmd order_id="W1",`, "declined: comma_in_value (order_id)"},
		{order, "cmd order_id=W1 and that is all", "declined: stray_words (order_id)"},
		{order, "cmd reason=too late order_id=W1", "declined: stray_words (reason)"},
		{order, "cmd order_id=W1 dry_run", "declined: bare_name (dry_run)"},
		{order, "cmd order_id=W1 --dry_run", "declined: looks_like_option (dry_run)"},
		{order, "cmd order_id=W1 --force=yes", "declined: looks_like_option"},
		{order, "cmd order_id=W1 <reason>x</reason>", "declined: text_outside_tags (order_id)"},
		{order, "cmd order_id=<reason>x</reason>", "declined: text_outside_tags (order_id)"},
		{order, `cmd order_id=<parameter=reason>x</parameter>`, "declined: text_outside_tags (order_id)"},
		{order, "cmd order_id=W1 => ok", "declined: stray_words (order_id)"},
		{order, "cmd x == y", "declined: unknown_name"},
		{order, "cmd reason=late;order_id=W1", "declined: pair_inside (reason)"},
		{order, "cmd reason=late&order_id=W1", "declined: pair_inside (reason)"},
	})
}

func TestTheWordsThatMayMeanNothing(t *testing.T) {
	check(t, FormPairs, []statement{
		{"a:str, n:int?, m:int", "cmd a=1 n=None", "a=1; n=null"},
		{"a:str, n:int?, m:int", "cmd a=1 n=null", "a=1; n=null"},
		{"a:str, n:int?, m:int", "cmd m=None", "m=None"},
		{"a:str?, n:int?", "cmd a=None", "declined: null_word (a)"},
		{"a:id?, n:int?", "cmd a=null", "declined: null_word (a)"},
		{"a:any?, n:int?", "cmd a=null", "declined: null_word (a)"},
		{"mode:None|fast, n:int?", "cmd mode=None", "mode=None"},
		{"a:str?, n:int?", "cmd a=none", "a=none"},
	})
}
