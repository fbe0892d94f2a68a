package lookup_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/fwgo/fwgo/lookup"
)

// A statement is one thing the product promises: this value, among these keys, is
// that key, or is none and these are offered.
type statement struct {
	says  string
	value string
	keys  []string
	is    string   // applied, if not ""
	offer []string // else rejected with these
}

func check(t *testing.T, all []statement) {
	t.Helper()
	for _, s := range all {
		want := lookup.Result{Verdict: lookup.Rejected, Suggestions: s.offer}
		if s.is != "" {
			want = lookup.Result{Verdict: lookup.Applied, Match: s.is}
		}
		for _, by := range []struct {
			name  string
			match func(string, lookup.Options) lookup.Result
		}{
			{"Match", func(v string, o lookup.Options) lookup.Result { return lookup.Match(v, s.keys, o) }},
			{"Keys.Match", lookup.NewKeys(s.keys).Match},
		} {
			if diff := cmp.Diff(want, by.match(s.value, lookup.Options{})); diff != "" {
				t.Errorf("%s: %s(%q, %q) (-want +got):\n%s", s.says, by.name, s.value, s.keys, diff)
			}
		}
	}
}

func list(keys ...string) []string { return keys }

func TestWhatEqualsAKeyIsTheKey(t *testing.T) {
	check(t, []statement{
		{says: "exact first, always", value: "web", keys: list("web-2", "web", "web-20"), is: "web"},
		{says: "exact before folded", value: "Reports", keys: list("reports", "Reports"), is: "Reports"},
		{says: "case folds", value: "Release", keys: list("Never release on Monday", "Release docs", "release"), is: "release"},
		{says: "accents fold, and equality beats containment", value: "zoe", keys: list("Mc Zoe", "Zoë"), is: "Zoë"},
		{says: "the key with the same accents is meant", value: "zoe", keys: list("Zoë", "Zoe"), is: "Zoe"},
		{says: "accents fold the other way", value: "Bób Smith", keys: list("Bob Smith"), is: "Bob Smith"},
		{says: "an accent may be its own rune", value: "Cafe\u0301", keys: list("café"), is: "café"},
		{says: "no-break spaces fold", value: "Task list A", keys: list("Task\u00a0list\u00a0A", "Budget"), is: "Task\u00a0list\u00a0A"},
		{says: "and in the value", value: "Task\u00a0list\u2028A", keys: list("Task list A", "Budget"), is: "Task list A"},
		{says: "zero-width characters fold", value: "Bud\u200bget\ufeff", keys: list("Task list A", "Budget"), is: "Budget"},
		{says: "_ is a space", value: "bob_smith", keys: list("Bob Smith"), is: "Bob Smith"},
		{says: "@ is nothing", value: "@bob", keys: list("Bob", "Al"), is: "Bob"},
		{says: "full case folding", value: "STRASSE", keys: list("Straße"), is: "Straße"},
		{says: "dotted capital I", value: "istanbul", keys: list("İstanbul"), is: "İstanbul"},
		{says: "final sigma", value: "ΟΔΟΣ", keys: list("οδος"), is: "οδος"},
		{says: "Cherokee has case too", value: "Ꭰꭱ", keys: list("ꭰꭱ"), is: "ꭰꭱ"},
		{says: "the same key twice is one key", value: "ANN", keys: list("Ann", "Ann"), is: "Ann"},
		{says: "two keys that fold alike are in doubt", value: "ann", keys: list("Ann", "Bob", "ANN"), offer: list("Ann", "ANN")},
		{says: "NOT_FOUND may be a key", value: "NOT_FOUND", keys: list("NOT_FOUND", "OK"), is: "NOT_FOUND"},
		{says: "a key may be all signs", value: "@", keys: list("@", "#"), is: "@"},
	})
}

func TestAMarkThatMakesAnotherWordIsNoAccent(t *testing.T) {
	for _, s := range []struct{ value, key string }{
		{"कल", "कुल"}, // yesterday, total
		{"はし", "ばし"},
		{"a=b", "a≠b"},
		{"🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"},
	} {
		if r := lookup.Match(s.value, list(s.key, "x"), lookup.Options{}); r.Verdict != lookup.Rejected {
			t.Errorf("%q was taken for %q", s.value, s.key)
		}
	}
}

func TestOneSlipInsideAWordIsCorrected(t *testing.T) {
	check(t, []statement{
		{says: "a letter dropped", value: "render_previw", keys: list("render_preview", "list_fonts"), is: "render_preview"},
		{says: "a letter dropped", value: "pendig", keys: list("pending", "processed"), is: "pending"},
		{says: "a letter added", value: "pendinng", keys: list("pending", "processed"), is: "pending"},
		{says: "a letter replaced", value: "Bob Smyth", keys: list("Bob Smith", "Rob Smith"), is: "Bob Smith"},
		{says: "two letters swapped", value: "render_preveiw", keys: list("render_preview", "list_fonts"), is: "render_preview"},
		{says: "a plural missed", value: "list_font", keys: list("render_preview", "list_fonts"), is: "list_fonts"},
		{says: "five letters are enough", value: "lemn", keys: list("lemon", "apple"), is: "lemon"},
		{says: "words joined, too", value: "RenderPrevew", keys: list("render_preview", "list_fonts"), is: "render_preview"},
		{says: "words parted, too", value: "e mail digset", keys: list("email digest", "print"), is: "email digest"},
		{says: "a longer sibling is no rival", value: "render_previw", keys: list("render_preview", "render_preview_v2"), is: "render_preview"},
		{says: "siblings that differ by a word are no rivals", value: "quaterly_report_north", keys: list("quarterly_report_north", "quarterly_report_south"), is: "quarterly_report_north"},
		{says: "nor is one that takes two slips more", value: "Aaron Lonakamura aag", keys: list("Aaron Lounakamura_aag", "Aaron Denakamura_aak"), is: "Aaron Lounakamura_aag"},
		{says: "two slips in a long word", value: "authentification", keys: list("authentication", "billing"), is: "authentication"},
		{says: "Greek", value: "Θεσσαλονικι", keys: list("Θεσσαλονίκη", "Αθήνα"), is: "Θεσσαλονίκη"},
		{says: "numbers that agree do not hinder", value: "quaterly report 2024", keys: list("quarterly report 2024", "quarterly report 2023"), is: "quarterly report 2024"},
	})
}

func TestPunctuationAloneIsNoDifference(t *testing.T) {
	check(t, []statement{
		{says: "the sign in front of an id", value: "W1234567", keys: list("#W1234567", "#W7654321"), is: "#W1234567"},
		{says: "ids come in sequence", value: "W1234567", keys: list("#W1234567", "#W1234568", "#W12345678"), is: "#W1234567"},
		{says: "a hyphen", value: "Bob-Smith", keys: list("Bob Smith"), is: "Bob Smith"},
		{says: "an apostrophe", value: "Kimmys Bar", keys: list("Kim Doe", "Kimmy's Bar"), is: "Kimmy's Bar"},
		{says: "a curly one", value: "Kimmy’s Bar", keys: list("Kim Doe", "Kimmy's Bar"), is: "Kimmy's Bar"},
		{says: "commas and dots", value: "Lamps Inc", keys: list("Lamps, Inc.", "Desks"), is: "Lamps, Inc."},
		{says: "quotes around", value: "`render_preview`", keys: list("render_preview", "list_fonts"), is: "render_preview"},
		{says: "a hyphen before a number", value: "web20", keys: list("web-20", "db-1"), is: "web-20"},
		{says: "hyphenated or not", value: "e-mail list", keys: list("email list", "print"), is: "email list"},
		{says: "a point makes a number", value: "v12", keys: list("v1.2", "x"), offer: list("v1.2")},
		{says: "a sign makes another number", value: "Zone 5", keys: list("Zone -5", "Yard"), offer: list("Zone -5")},
		{says: "digits grouped otherwise", value: "AB-1-2", keys: list("AB-12", "x"), offer: list("AB-12")},
		{says: "C++ is not C", value: "Visual C", keys: list("Visual C++", "Visual Basic"), offer: list("Visual C++")},
		{says: "C# is not C", value: "Learn C", keys: list("Learn C#", "Java"), offer: list("Learn C#")},
		{says: "a per cent sign counts", value: "Save 10", keys: list("Save 10%", "Java"), offer: list("Save 10%")},
		{says: "not x is not x", value: "ready", keys: list("!ready", "Java"), offer: list("!ready")},
		{says: "a currency counts", value: "100 fee", keys: list("$100 fee", "Java"), offer: list("$100 fee")},
		{says: "one with the sign, one without", value: "C guide", keys: list("C++ guide", "C. Guide"), is: "C. Guide"},
		{says: "an emoji may be left out", value: "Done", keys: list("✅ Done", "Open"), is: "✅ Done"},
		{says: "but not exchanged", value: "❌ Done", keys: list("✅ Done", "Open"), offer: list("✅ Done")},
	})
}

func TestWholeWordsOfOneKeyNameIt(t *testing.T) {
	check(t, []statement{
		{says: "a surname", value: "Garrison", keys: list("Aaron Garrison", "Barry Jones"), is: "Aaron Garrison"},
		{says: "another first letter is another name", value: "Garrison", keys: list("Aaron Garrison", "Bob Harrison"), is: "Aaron Garrison"},
		{says: "signs elsewhere do not count", value: "Bob Smith", keys: list("Bob Smith <home>", "Al Jones"), is: "Bob Smith <home>"},
		{says: "signs on the words do", value: "Visual C", keys: list("Visual C++ guide", "Al Jones"), offer: list("Visual C++ guide")},
		{says: "a curly apostrophe is one", value: "Kimmy’s", keys: list("Kimmy's Bar", "Al Jones"), is: "Kimmy's Bar"},
		{says: "several words", value: "list A", keys: list("Task list A", "Budget"), is: "Task list A"},
		{says: "two keys have it", value: "smith", keys: list("Bob Smith", "Al Smith"), offer: list("Bob Smith", "Al Smith")},
		{says: "a prefix of others", value: "Kim", keys: list("Kim Doe", "Kimson Ltd", "Kimmy's Bar"), offer: list("Kim Doe", "Kimson Ltd", "Kimmy's Bar")},
		{says: "another sounds like it", value: "Jensen", keys: list("Mark Jensen", "Lars Jenson"), offer: list("Mark Jensen", "Lars Jenson")},
		{says: "part of a word is not a word", value: "proces", keys: list("pending", "processed"), offer: list("processed")},
		{says: "two letters are too few", value: "Al", keys: list("Al Smith", "Bob Jones"), offer: list("Al Smith")},
		{says: "one letter", value: "x", keys: list("Max", "Bob"), offer: list("Max")},
		{says: "what is missing is a number", value: "web", keys: list("web-2", "db-1"), offer: list("web-2")},
		{says: "what is missing is a negation", value: "release", keys: list("Never release on Monday", "Budget"), offer: list("Never release on Monday")},
		{says: "what is missing is a negation", value: "gluten", keys: list("Gluten-free bread", "Budget"), offer: list("Gluten-free bread")},
		{says: "what is missing says that it is no longer so", value: "acme corp", keys: list("Acme Corp (closed)", "Budget"), offer: list("Acme Corp (closed)")},
		{says: "a prefix that undoes", value: "activate pump", keys: list("De-activate pump", "Budget"), offer: list("De-activate pump")},
		{says: "the same word as a name's", value: "janeiro", keys: list("Rio de Janeiro", "Budget"), is: "Rio de Janeiro"},
		{says: "in another language", value: "Zucker", keys: list("ohne Zucker", "Budget"), offer: list("ohne Zucker")},
		{says: "all is not a name", value: "all", keys: list("Call all suppliers", "Budget"), offer: list("Call all suppliers")},
		{says: "nor is the", value: "the", keys: list("feed the fish", "water plants"), offer: list("feed the fish")},
		{says: "words apart", value: "Corner Light", keys: list("Corner Lamp", "Corner Shelf Light", "Front Door"), offer: list("Corner Shelf Light", "Corner Lamp")},
		{says: "a word that only points says nothing of the name", value: "for Ada", keys: list("Jon Smith", "Zoë Fàbregas", "Ada Lindqvist"), offer: list("Ada Lindqvist", "Zoë Fàbregas")},
		{says: "words in another order", value: "smith bob", keys: list("Bob Smith", "Al"), offer: list("Bob Smith")},
		{says: "the same with a comma", value: "SMITH, BOB", keys: list("Bob Smith", "Al"), offer: list("Bob Smith")},
		{says: "more than the key", value: "Bob Smith (customer)", keys: list("Bob Smith", "Al"), offer: list("Bob Smith")},
		{says: "a sentence with the key in it", value: "turn on the kitchen light please", keys: list("Kitchen", "Bathroom"), offer: list("Kitchen")},
	})
}

func TestWhatCouldBeAnotherRecordIsOnlyOffered(t *testing.T) {
	long := list("918273645546372819", "918273645546379000")
	check(t, []statement{
		{says: "digits are never corrected", value: "task_4", keys: list("task_41", "task_17"), offer: list("task_41")},
		{says: "digits are never corrected", value: "918273645546372900", keys: long, offer: list(long[1], long[0])},
		{says: "digits are never corrected", value: "#W123456", keys: list("#W1234567", "#W1234568"), offer: list("#W1234567", "#W1234568")},
		{says: "nor the letter of an id", value: "X1234567", keys: list("W1234567", "A"), offer: list("W1234567")},
		{says: "a whole word differs", value: "feed the cat", keys: list("feed the fish", "water plants"), offer: list("feed the fish")},
		{says: "short words are never corrected", value: "Ltx", keys: list("Ltd", "Acme"), offer: list("Ltd")},
		{says: "nor within long keys", value: "feed the fsh", keys: list("feed the fish", "water plants"), offer: list("feed the fish")},
		{says: "nor letters that stand for a section", value: "Section B", keys: list("Section A", "Index"), offer: list("Section A")},
		{says: "joined, too", value: "SectionB", keys: list("SectionA", "Index"), offer: list("SectionA")},
		{says: "nor Roman numbers", value: "World War I", keys: list("World War II", "Index"), offer: list("World War II")},
		{says: "two names as near", value: "Jon Smith", keys: list("John Smith", "Joan Smith"), offer: list("John Smith", "Joan Smith")},
		{says: "two keys as near", value: "render_previe", keys: list("render_previes", "render_previer"), offer: list("render_previes", "render_previer")},
		{says: "one that holds the value", value: "report", keys: list("reports", "Report archive"), offer: list("reports", "Report archive")},
		{says: "one that holds it inside a word", value: "pendin", keys: list("pending", "depending"), offer: list("pending", "depending")},
		{says: "the opposite", value: "employees", keys: list("employers", "Index"), offer: list("employers")},
		{says: "the opposite", value: "unlock door", keys: list("lock door", "open gate"), offer: list("lock door")},
		{says: "the opposite", value: "lock door", keys: list("unlock door", "open gate"), offer: list("unlock door")},
		{says: "the opposite", value: "synchronous mode", keys: list("asynchronous mode", "Index"), offer: list("asynchronous mode")},
		{says: "the opposite", value: "employer", keys: list("employee", "Index"), offer: list("employee")},
		{says: "the opposite", value: "hypoglycemia", keys: list("hyperglycemia", "Index"), offer: list("hyperglycemia")},
		{says: "the opposite", value: "sort ascending", keys: list("sort descending", "Index"), offer: list("sort descending")},
		{says: "a vowel at the end makes another name", value: "Robert", keys: list("Roberta", "Index"), offer: list("Roberta")},
		{says: "and so does another vowel", value: "Mario Rossi", keys: list("Maria Rossi", "Index"), offer: list("Maria Rossi")},
		{says: "two words that are each the other's slip", value: "Ireland office", keys: list("Iceland office", "Index"), offer: list("Iceland office")},
		{says: "and the other way", value: "Iceland office", keys: list("Ireland office", "Index"), offer: list("Ireland office")},
		{says: "a first letter", value: "night light", keys: list("right light", "Index"), offer: list("right light")},
		{says: "the odd word is a word here", value: "Robert Jenson", keys: list("Robert Jensen", "Lars Jenson"), offer: list("Robert Jensen")},
		{says: "a word too many", value: "plan a draft", keys: list("plandraft", "Index"), offer: list("plandraft")},
		{says: "a slip at a new start", value: "pre bview", keys: list("preview", "Index"), offer: list("preview")},
		{says: "nothing but signs", value: "------", keys: list("-----", "Index"), offer: list("-----")},
		{says: "a slip in a splinter", value: "pre vew", keys: list("preview", "Index"), offer: list("preview")},
		{says: "two words are odd", value: "Jonas Hansen", keys: list("Jonah Hanson", "Index"), offer: list("Jonah Hanson")},
		{says: "too far", value: "cancled", keys: list("cancelled", "x"), offer: list("cancelled")},
		{says: "too far", value: "Bobby", keys: list("Bob", "x"), offer: list("Bob")},
		{says: "an address is another person's", value: "jenson@example.com", keys: list("jensen@example.com", "x"), offer: list("jensen@example.com")},
		{says: "a look-alike", value: "paypal", keys: list("p\u0430ypal", "x"), offer: list("p\u0430ypal")},
		{says: "one Han character is a word", value: "東京大学図書館", keys: list("東北大学図書館", "x"), offer: list("東北大学図書館")},
		{says: "one jamo is another name", value: "김지연보고서", keys: list("김지현보고서", "x"), offer: list("김지현보고서")},
		{says: "broken text", value: "caf\xe9teria", keys: list("cafeteria", "x"), offer: list("cafeteria")},
		{says: "broken keys", value: "cafeteria", keys: list("caf\xe9teria", "x"), offer: list("caf\xe9teria")},
	})
}

func sample(more int, keys ...string) lookup.Result {
	return lookup.Result{Verdict: lookup.Rejected, Suggestions: keys, More: more, Sample: true}
}

func TestNothingNearIsRejectedWithSomeKeys(t *testing.T) {
	seven := list("a1", "b2", "c3", "c3", "d4", "e5", "f6", "g7")
	for _, s := range []struct {
		value string
		keys  []string
		want  lookup.Result
	}{
		{"zzzz", list("alpha", "beta"), sample(0, "alpha", "beta")},
		{"zzzz", seven, sample(2, "a1", "b2", "c3", "d4", "e5")},
		{"", list("alpha"), sample(0, "alpha")},
		{"@", list("alpha"), sample(0, "alpha")},
		{" \u00a0\u200b_", list("alpha"), sample(0, "alpha")},
		{"NOT_FOUND", list("alpha", "Not found"), sample(0, "alpha", "Not found")},
		{"x", nil, lookup.Result{Verdict: lookup.Rejected}},
		{"", nil, lookup.Result{Verdict: lookup.Rejected}},
		{strings.Repeat("a", 257), list("alpha"), sample(0, "alpha")},
		{strings.Repeat("ä", 1<<20), list("alpha"), sample(0, "alpha")},
	} {
		for name, got := range map[string]lookup.Result{
			"Match":      lookup.Match(s.value, s.keys, lookup.Options{}),
			"Keys.Match": lookup.NewKeys(s.keys).Match(s.value, lookup.Options{}),
		} {
			if diff := cmp.Diff(s.want, got); diff != "" {
				t.Errorf("%s(%.20q, %q) (-want +got):\n%s", name, s.value, s.keys, diff)
			}
		}
		if got := lookup.Match(s.value, s.keys, lookup.Options{Open: true}); got.Verdict != lookup.Declined || got.Suggestions != nil {
			t.Errorf("an open set must decline %.20q, got %+v", s.value, got)
		}
	}
}

func TestAnOpenSetStillCorrectsAndOffers(t *testing.T) {
	keys, open := list("render_preview", "task_41"), lookup.Options{Open: true}
	if r := lookup.Match("render_previw", keys, open); r.Match != "render_preview" {
		t.Errorf("got %+v", r)
	}
	if r := lookup.Match("task_4", keys, open); r.Verdict != lookup.Rejected || r.Suggestions[0] != "task_41" {
		t.Errorf("got %+v", r)
	}
}

func TestAtMostFiveAreOfferedAndTheRestCounted(t *testing.T) {
	var keys []string
	for i := range 12 {
		keys = append(keys, fmt.Sprintf("item_%02d", i), fmt.Sprintf("item_%02d", i))
	}
	got := lookup.Match("item", keys, lookup.Options{})
	want := lookup.Result{Verdict: lookup.Rejected, More: 7,
		Suggestions: list("item_00", "item_01", "item_02", "item_03", "item_04")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestALongValueIsComparedForEqualityOnly(t *testing.T) {
	long := strings.Repeat("key ", 100)
	if r := lookup.Match(long, list("x", long), lookup.Options{}); r.Match != long {
		t.Errorf("an equal key is a key whatever its length, got %+v", r)
	}
	if r := lookup.NewKeys(list("x", long)).Match(long, lookup.Options{}); r.Match != long {
		t.Errorf("an equal key is a key whatever its length, got %+v", r)
	}
}

func TestThresholds(t *testing.T) {
	keys := list("render_preview", "Aaron Garrison")
	for _, s := range []struct {
		value string
		o     lookup.Options
		want  lookup.Verdict
	}{
		{"render_previw", lookup.Options{AutoApplyThreshold: new(0.0)}, lookup.Rejected},
		{"render_previw", lookup.Options{AutoApplyThreshold: new(0.05)}, lookup.Rejected},
		{"render_previw", lookup.Options{AutoApplyThreshold: new(0.08)}, lookup.Applied},
		{"Garrison", lookup.Options{AutoApplyThreshold: new(0.0)}, lookup.Applied},
		{"Garrison", lookup.Options{AutoApplyThreshold: new(-1.0)}, lookup.Rejected},
		{"Render Preview", lookup.Options{AutoApplyThreshold: new(-1.0)}, lookup.Applied},
		{"remember", lookup.Options{Open: true}, lookup.Rejected},
		{"remember", lookup.Options{Open: true, SuggestThreshold: new(0.2)}, lookup.Declined},
	} {
		if r := lookup.Match(s.value, keys, s.o); r.Verdict != s.want {
			t.Errorf("%q with %+v: got %+v, want %v", s.value, s.o, r, s.want)
		}
	}
}

func TestDifflibIsTheLastResort(t *testing.T) {
	o := lookup.Options{Threshold: new(0.3), SuggestThreshold: new(0.0)}
	want := lookup.Result{Verdict: lookup.Rejected, Suggestions: list("pine", "maple", "apple pie")}
	if diff := cmp.Diff(want, lookup.Match("pineaple", list("apple pie", "zzz", "pine", "maple"), o)); diff != "" {
		t.Error(diff)
	}
	if r := lookup.Match("qqqqq", list("apple pie", "zzz"), o); !r.Sample {
		t.Errorf("got %+v", r)
	}
}
