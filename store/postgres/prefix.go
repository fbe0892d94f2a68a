package postgres

import "unicode/utf8"

// prefixEnd returns the least text, in the order of bytes, that is greater than
// every text that begins with prefix; "" if there is none. In UTF-8 the order of
// bytes is that of the code points, so the last one that has a next is raised.
func prefixEnd(prefix string) string {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case last == utf8.MaxRune:
			continue
		case last == 0xd7ff:
			last = 0xe000 // the surrogates between are not text
		default:
			last++
		}
		return prefix + string(last)
	}
	return ""
}
