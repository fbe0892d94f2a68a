package python

import "unicode/utf8"

// IsSpace reports whether r is white space to Python's str.strip and str.isspace. Unlike unicode.IsSpace it counts the
// four information separators U+001C to U+001F.
func IsSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIISpace(byte(r)) && r >= 0
	}
	switch r {
	case 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return 0x2000 <= r && r <= 0x200A
}

// TrimSpace removes what Python's str.strip() removes from both ends of text. The result is a part of text.
func TrimSpace(text string) string {
	for text != "" {
		if c := text[0]; c < utf8.RuneSelf {
			if !isASCIISpace(c) {
				break
			}
			text = text[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		if !IsSpace(r) {
			break
		}
		text = text[size:]
	}
	for text != "" {
		if c := text[len(text)-1]; c < utf8.RuneSelf {
			if !isASCIISpace(c) {
				break
			}
			text = text[:len(text)-1]
			continue
		}
		r, size := utf8.DecodeLastRuneInString(text)
		if !IsSpace(r) {
			break
		}
		text = text[:len(text)-size]
	}
	return text
}

func isASCIISpace(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r' || 0x1C <= c && c <= 0x1F
}
