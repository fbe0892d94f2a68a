package agentmode

import "github.com/fwgo/fwgo/signature"

// takesText reports whether an empty text, or the word null, may be a value of
// the type as such.
func takesText(t *signature.Type) bool {
	switch t.Kind {
	case signature.String, signature.Any:
		return true
	case signature.Union:
		for _, m := range t.Members {
			if takesText(m) {
				return true
			}
		}
	}
	return false
}

// isPlainText reports whether the type is what Python annotates str, or
// Optional of it; enums, dates and the like are other types (FW-39).
func isPlainText(t *signature.Type) bool {
	return t.Kind == signature.String && t.Enum == nil && t.Format == nil
}

// takesList reports whether several values may be given one by one.
func takesList(t *signature.Type) bool {
	if t.Kind == signature.Union {
		for _, m := range t.Members {
			if takesList(m) {
				return true
			}
		}
	}
	return t.Kind == signature.List
}

// isClosed reports whether the type is a closed vocabulary, where an example is
// as good a value as any (FW-31, FW-205).
func isClosed(t *signature.Type) bool {
	if t.Kind == signature.List && t.Items != nil {
		return isClosed(t.Items)
	}
	return t.Kind == signature.Boolean || t.Enum != nil
}

// hasWord reports whether a closed vocabulary has exactly the word.
func hasWord(t *signature.Type, word string) bool {
	if t.Enum == nil {
		return false
	}
	for _, w := range t.Enum.Words {
		if w == word {
			return true
		}
	}
	return false
}

// mustBeGiven reports whether a call without the field lacks something
// (FW-68).
func mustBeGiven(f *signature.Field) bool { return !f.Optional && !f.HasDefault() }
