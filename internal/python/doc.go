// Package python reads and writes the few pieces of Python text that fwgo keeps for interoperation: what int(), float()
// and the boolean words accept, what counts as a blank, the literals of ast.literal_eval, and the texts of str() and repr().
//
//	digits, ok := python.Int(" 1_000 ")         // "1000", true
//	list, err := python.Literal("['a', 'b',]")  // a KindList of two strings
//	text := python.Str(list)                    // "['a', 'b']"
//
// The model is CPython 3.11. Every reader takes a text and answers with a value or a refusal, in time linear in the text;
// none of them panics, and none of them ever guesses. The package refuses, on purpose:
//
//   - whole numbers of more than 4300 digits, as CPython does, because turning them into text is not linear;
//   - literals nested more than 200 brackets deep, which is CPython's own bound;
//   - texts that are not valid UTF-8 or hold a NUL, as CPython's compiler does;
//   - \N{...} escapes that name a character by an alias, such as \N{LF}: such a literal is refused as a whole, never read
//     as something else.
//
// In two places it differs from CPython without refusing: a set keeps the order written, and a pair of surrogate escapes is
// the character that it encodes.
//
// What a refusal means to a caller is not decided here: its errors carry no position and no advice, and are not to be shown.
package python
