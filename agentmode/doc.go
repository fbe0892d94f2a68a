// Package agentmode turns one text call into raw values, or says why it does
// not.
//
// A model that calls commands in text writes the command's name and then the
// parameters, in one of four forms; the first that fits is taken (D-6):
//
//	cancel_order <order_id>W1001</order_id> <reason>no longer needed</reason>
//	cancel_order order_id=W1001 reason="no longer needed"
//	cancel_order {"order_id": "W1001", "reason": "no longer needed"}
//	cancel_order W1001
//
// Bind reads such a text against the command's signature:
//
//	r := agentmode.Bind(sig, text, "cancel_order", "Orders/cancel_order")
//	switch r.Outcome {
//	case agentmode.Bound:    // r.Values, or r.JSON, go to normalization and stage 1
//	case agentmode.Declined: // an extractor may try; without one, r.Doubt goes back to the caller
//	case agentmode.Refused:  // nothing may try: the caller must say it better
//	}
//
// Values are raw text. What they mean is for stage 1 to say, so nothing is
// coerced here, no list is split at its commas and no character reference is
// decoded.
//
// # The forms
//
// Tags are <field>value</field>, <parameter name="field">value</parameter>
// (further attributes allowed) or <parameter=field>value</parameter>. A tag
// that closes itself gives nothing. A list takes one tag that holds the whole
// list, one tag for each item, or one tag that holds equal child tags. A value
// may hold any markup that cannot be confused with the call's own.
//
// A value written on one line is trimmed (FW-27). Of a value of several lines
// only the line break after the opening tag goes, and the one before the
// closing tag with that tag's indentation; indentation and blank lines inside
// are the value's own (D-6). CDATA is exact to the character.
//
// Pairs are name=value, separated by white space or single commas. A value is
// quoted, a balanced [...] or {...}, or a run without white space; in quotes a
// backslash escapes a quote or a backslash and is itself otherwise. A comma in
// a run belongs to the value only where the field is a list.
//
// A text that begins with a brace is JSON whatever follows; its reader says
// what is wrong with it.
//
// A bare value goes to the field that is marked positional, several words
// allowed, or as one word to the only plain text field (FW-39).
//
// # What it refuses
//
// It binds all of a text or nothing of it: leaving out one filter of a search
// widens the search. Any doubt where a value ends, or which field owns it, is a
// Doubt that names the field and the words in question: two possible ends, a
// tag unclosed, misspelt or nested in itself, another field's tag inside a
// value, words beside the tags or pairs, a name that no field has, one value
// too many, an option such as --force, the arguments of a function call. A
// text that does not begin with the command's name is talk about a call, not a
// call. A lone value that no field takes is refused, so that a command never
// runs on its defaults instead (FW-43).
//
// It writes no message; a Doubt is data. It needs one pass over the text, a
// second one for a doubt, and memory only for the values.
package agentmode
