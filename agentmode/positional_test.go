package agentmode

import "testing"

// FW-44's table, except that D-4 has a command without fields refuse what it
// is given instead of dropping it.
func TestABareValue(t *testing.T) {
	check(t, FormPositional, []statement{
		{"name:str", "cmd bob", "name=bob"},
		{"name:str", "cmd bob smith", "declined: several_words (name)"},
		{"name:str@", "cmd bob smith", "name=bob smith"},
		{"name:str, limit:int=10", "cmd bob", "name=bob"},
		{"name:str, age:int", "cmd bob", "declined: others_missing (age)"},
		{"a:str, b:str", "cmd bob", "refused: unnamed_value"},
		{"a:str?, b:str?", "cmd bob", "refused: unnamed_value"},
		{"id:int", "cmd 5", "refused: unnamed_value"},
		{"id:int@", "cmd 5", "id=5"},
		{"a:str, b:str", "cmd x y", "declined: several_words"},
		{"", "cmd bob", "refused: unnamed_value"},
		{"", "cmd bob smith", "refused: unnamed_value"},
		{"", "cmd a=1", "refused: unknown_name"},
		{"", "cmd <a>1</a>", "refused: unknown_name"},
		{"", "cmd(x, y)", "refused: function_call"},
	})
	check(t, FormNone, []statement{
		{"a:str?", "cmd", ""},
		{"a:str", "cmd", ""},
		{"", "cmd", ""},
		{"", " CMD() ", ""},
	})
}

func TestAWordForNothingIsNoValue(t *testing.T) {
	check(t, FormPositional, []statement{
		{"name:str", "cmd null", "declined: null_word (name)"},
		{"name:str", "cmd None", "declined: null_word (name)"},
		{"name:str", "cmd undefined", "declined: null_word (name)"},
		{"name:str", `cmd "null"`, "name=null"},
		{"name:str", "cmd name：bob", "declined: bare_name (name)"},
		{"name:str", "cmd name＝bob", "declined: bare_name (name)"},
	})
}

func TestAListAmongItemsIsInDoubt(t *testing.T) {
	check(t, FormTags, []statement{
		{"tags:list", `cmd <tags>a</tags><tags>["b","c"]</tags>`, "declined: unclear_items (tags)"},
	})
	check(t, FormPairs, []statement{
		{"tags:list", `cmd tags='["b","c"]' tags=a`, "declined: unclear_items (tags)"},
		{"tags:list", `cmd tags=["b","c"] tags=a`, "declined: given_twice (tags)"},
		{"tags:list", `cmd tags=a tags=["b","c"]`, "declined: given_twice (tags)"},
	})
}

func TestOnlyAPlainTextFieldTakesABareValueUnmarked(t *testing.T) {
	check(t, FormPositional, []statement{
		{"name:str?, day:date?, mode:fast|slow?", "cmd bob", "name=bob"},
		{"mode:fast|slow", "cmd fast", "refused: unnamed_value"},
		{"day:date", "cmd 2024-01-01", "refused: unnamed_value"},
		{"tags:list", "cmd a,b", "refused: unnamed_value"},
		{"limit:int=20", "cmd W1001", "refused: unnamed_value"},
		{"order_id:str, reason:str", "cmd W1001", "refused: unnamed_value"},
		{"order_id:str, reason:str", `cmd "W1001 late"`, "refused: unnamed_value"},
	})
}

func TestAMarkedFieldTakesTheWholeRemainder(t *testing.T) {
	check(t, FormPositional, []statement{
		{"query:str@, limit:int=10", "cmd what's a reading lamp", "query=what's a reading lamp"},
		{"query:str@, limit:int=10", `cmd "a" and "b"`, `query="a" and "b"`},
		{"query:str@, limit:int=10", "cmd the dogs' bed - large", "query=the dogs' bed - large"},
		{"query:str@, limit:int=10", "cmd lamps, large", "query=lamps, large"},
		{"query:str@, limit:int=10", "cmd at https://a.example/?b=c", "query=at https://a.example/?b=c"},
		{"query:str@, limit:int=10", "cmd 1 + 1 = 2", "query=1 + 1 = 2"},
		{"query:str@, limit:int=10", "cmd (1+2)*(3+4)", "query=(1+2)*(3+4)"},
		{"query:str@, other:str?", "cmd reading lamp", "query=reading lamp"},
		{"ids:ints@", "cmd 1, 2, -3", "ids=1, 2, -3"},
		{"ids:list@", `cmd ["a", "b"]`, `ids=["a", "b"]`},
		{"delta:int@", "cmd -5", "delta=-5"},
		{"query:str@, age:int", "cmd reading lamp", "declined: others_missing (age)"},
	})
}

func TestOnePairOfQuotesMakesOneWord(t *testing.T) {
	check(t, FormPositional, []statement{
		{"key:str", "cmd 'name'", "key=name"},
		{"key:str", `cmd "two words"`, "key=two words"},
		{"key:str", `cmd("two, words")`, "key=two, words"},
		{"key:str", `cmd "say \"hi\""`, `key=say "hi"`},
		{"key:str", `cmd "'name'"`, "key='name'"},
		{"key:str", `cmd ""`, "key="},
		{"key:str", `cmd "key"`, "key=key"},
		{"key:str", `cmd "a=b c"`, "key=a=b c"},
		{"key:str", `cmd "dGVzdA=="`, "key=dGVzdA=="},
		{"key:str", `cmd "order=a"`, "declined: unknown_name"},
		{"key:str", `cmd dGVzdA==`, "declined: unknown_name"},
		{"key:str", `cmd "key=a"`, "declined: quoted_pair (key)"},
		{"key:str", `cmd "--force"`, "declined: looks_like_option"},
		{"key:str", `cmd 'it's here'`, "declined: unbalanced_quote"},
		{"key:str", `cmd 'name`, "declined: unbalanced_quote"},
		{"key:str", `cmd name"`, "declined: unbalanced_quote"},
		{"key:str@", `cmd a "b c`, "declined: unbalanced_quote"},
	})
}

func TestAnyDoubtAboutABareValueDeclines(t *testing.T) {
	file := "path:str, dry_run:bool?, limit:int?"
	search := "query:str@, dry_run:bool?, limit:int?"
	check(t, FormPositional, []statement{
		{file, "cmd --dry_run", "declined: looks_like_option (dry_run)"},
		{file, "cmd -r", "declined: looks_like_option"},
		{file, "cmd --limit=5", "declined: looks_like_option (limit)"},
		{file, "cmd --", "declined: looks_like_option"},
		{search, "cmd lamps --dry_run", "declined: looks_like_option (dry_run)"},
		{"limit:int=20", "cmd --all", "declined: looks_like_option"},
		{file, "cmd path", "declined: bare_name (path)"},
		{file, "cmd path:a.txt", "declined: bare_name (path)"},
		{file, "cmd path: a.txt", "declined: bare_name (path)"},
		{search, "cmd query reading lamp", "declined: bare_name (query)"},
		{search, "cmd reading lamp limit=5", "declined: unnamed_value (limit)"},
		{search, "cmd reading lamp limit = 5", "declined: unnamed_value (limit)"},
		{search, "cmd reading lamp colour=red", "declined: unknown_name"},
		{search, "cmd colour=red", "declined: unknown_name"},
		{search, `cmd "lamps limit=5"`, "declined: unnamed_value (limit)"},
		{file, "cmd a.txt limit=5", "declined: unnamed_value (limit)"},
		{file, "cmd a.txt;limit=5", "declined: unnamed_value (limit)"},
		{search, "cmd https://a.example/?limit=5", "declined: unnamed_value (limit)"},
		{file, "cmd a<b", "declined: markup"},
		{file, "cmd a>b", "declined: markup"},
		{search, "cmd two\nlines", "declined: several_lines"},
		{search, "cmd two\nlines <b>x</b>", "declined: markup"},
		{file, "cmd NOT_FOUND", "declined: placeholder (path)"},
		{file, `cmd ["a.txt"]`, "declined: looks_like_list (path)"},
		{file, "cmd ['a.txt']", "declined: looks_like_list (path)"},
		{file, "cmd (a.txt)", "declined: function_call"},
		{file, "cmd (file='a.txt'", "declined: function_call"},
		{search, "cmd (reading lamp)", "declined: function_call"},
	})
}

func TestABareValueMayLookOddAsLongAsItIsOneWord(t *testing.T) {
	check(t, FormPositional, []statement{
		{"path:str", "cmd [draft].md", "path=[draft].md"},
		{"path:str", "cmd [draft]", "path=[draft]"},
		{"path:str", "cmd *", "path=*"},
		{"path:str", "cmd #W1001", "path=#W1001"},
		{"path:str", "cmd -", "path=-"},
		{"path:str", "cmd -5", "path=-5"},
		{"path:str", "cmd https://a.example/?b=c", "path=https://a.example/?b=c"},
		{"path:str", "cmd(a.txt)", "path=a.txt"},
		{"path:str", "cmd f(x).md", "path=f(x).md"},
		{"path:str", "cmd \u65e5\u672c", "path=\u65e5\u672c"},
	})
}
