// Package lookup decides which of a set of known keys a caller meant.
//
// A caller, usually a model, names a record: "render_previw", "zoe", "W1234567".
// The record's own name is one of a set of keys that the program knows. Match
// compares the two and answers with one of three verdicts:
//
//	r := lookup.Match("render_previw", []string{"render_preview", "list_fonts"}, lookup.Options{})
//	// r.Verdict == lookup.Applied, r.Match == "render_preview"
//
// Applied carries the key that was meant, in the key's own spelling. Rejected
// carries the keys the caller may have meant, possibly none. Declined is no
// opinion: the value passes as it is.
//
// A field that is looked up has a [Resolver], usually made by [From] over a
// [Source]. A Source has a name and a version, so what was prepared for its keys
// is kept for as long as they stand; [Static] is the Source for keys in memory.
//
//	users := lookup.Static("list_users", "Bob Smith", "Al Smith")
//	resolver := lookup.From(users, lookup.Options{})
//
// # Many keys
//
// [Match] compares a value with every key. [Keys], and what a Resolver keeps, are
// prepared once: among a million of them, a key or the beginning of one is found in
// about a tenth of a millisecond, a slip in less than one, and what is near to a value
// that is far from all in about a twentieth of the time that comparing every key
// takes, or less (D-14). For the farthest up to four goroutines measure, where there
// are as many processors; with one it is a sixteenth. The answers are the same. An
// answer of hundreds of thousands of keys, as Options.Python gives for two letters, takes
// about as long to write as to find. Keys take about 110 bytes each ([Keys.Stats]) and
// a second or two a million to prepare. A [Set] that changes prepares little more than
// what came, and who reads it meanwhile does not wait.
//
// That holds for names of the usual length, and values of up to 64 characters, white
// space, "_" and "@" aside. Longer values, and keys in scripts with more than a hundred
// different letters, are answered rightly but more slowly.
//
// # What is applied without asking
//
// A wrong record, silently used, is the worst outcome; a suggestion costs the
// caller one more call. So a value is corrected only if there is no doubt, in
// this order (decision D-7):
//
//   - It is a key.
//   - It equals exactly one key but for case, white space, "_", "@" and accents.
//   - Its words are those of exactly one key, or stand together, as whole words,
//     in exactly one key, and it has three letters or digits at least.
//   - It is within 0.2 of exactly one whole key by edit distance, and what
//     differs is a slip of the hand inside one word of five letters or more.
//
// The last two are refused, and the key is only suggested, whenever another key
// could be meant as well: one that holds the value as a part of it, or differs
// from it by a slip too. They are refused when a digit, a sign such as + or $,
// the first letter of a word or a whole word would have to change; when the
// value's odd word is a word of another key; when what the value lacks holds a
// digit or a negation; when the value only points ("all", "last"); in addresses
// (bob@example.com); and in scripts where one letter more or less is another word.
//
// # What it refuses
//
// It never chooses by the order of the keys. It compares a caller's text of more
// than 256 runes only for equality, so a call takes bounded time whatever it is
// sent. Text that is not UTF-8 is never corrected, and never
// causes a panic. It knows nothing of synonyms, sounds or translations.
//
// Options.Python gives the answers of fastWorkflow 3.1.2 instead, to the letter,
// wrong ones included (FW-76 to FW-84).
package lookup
