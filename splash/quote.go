package splash

import "strconv"

// quoteShort quotes a piece of program or data for a message: control, bidirectional and invisible characters as
// escapes, and never more than 60 characters of it.
func quoteShort(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n == most {
			q := strconv.Quote(s[:i])
			return q[:len(q)-1] + `..."`
		}
		n++
	}
	return strconv.Quote(s)
}
