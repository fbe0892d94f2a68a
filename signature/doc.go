// Package signature says what a command's Input is: its fields in order, their
// types, constraints and metadata, as one model that everything else works on.
//
// The model comes from a Go struct or from a JSON schema alone:
//
//	s, err := signature.For[CancelOrder](signature.TypeOptions{})
//	s, err := signature.FromSchema(schemaBytes)
//
// and is made once, at registration. A call only walks it: names are in maps,
// patterns and vocabularies compiled, and for a Go struct there is a setter a
// field, so that no reflection happens per call.
//
// # Struct tags
//
//	json                    the parameter's name; omitempty = not required
//	jsonschema              title, description, default, example, enum, pattern,
//	                        minLength, maxLength, minimum, maximum,
//	                        exclusiveMinimum, exclusiveMaximum, multipleOf,
//	                        minItems, maxItems, uniqueItems, format, deprecated
//	jsonschema_description  the description, commas and all
//	jsonschema_extras       db_lookup, positional, available_from, alias,
//	                        references, and keys of your own
//	validate                go-playground/validator rules; what JSON Schema can
//	                        say is derived from them, the rest is checked on the
//	                        filled struct
//
// A pointer is an Optional: null is a value of it. A comma inside a jsonschema
// value is written \\, and a backslash is doubled, as in every Go tag.
//
// Schema publishes JSON Schema 2020-12, deeply equal to what pydantic v2 prints
// for the same class; Profile gives it in the forms that vendors accept.
//
// What it refuses, at registration and all at once: recursive types, unknown or
// misspelt tag words, patterns that RE2 cannot compile, defaults that fail their
// own rules, two positional fields, and whatever else could surprise a caller.
package signature
