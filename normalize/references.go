package normalize

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// References decodes the HTML character references of one text until nothing
// changes (rules N-10, N-12) and returns s itself when there are none (N-11).
// Passes is how many times the whole text would have had to be decoded, one
// level at a time, to get there; the work is linear in the text however many
// that are (N-13). A number that names no character becomes U+FFFD.
func References(s string) (decoded string, passes int) {
	r := rewriting{}
	return r.fixpoint(s), r.passes
}

// references applies one field's policy to one text.
func references(s string, p policy, keep bool) (decoded string, passes int) {
	switch p {
	case decodeNever:
		return s, 0
	case decodeOnce:
		return onePass(s, keep)
	}
	r := rewriting{keep: keep}
	return r.fixpoint(s), r.passes
}

// A rewriting is one text on its way to its fixpoint.
//
// References cannot overlap: each has one & at its start, one ; at its end and
// neither inside. So the order of rewriting does not matter, only a semicolon
// can complete a reference, and all text is settled up to one that does not,
// or up to a character that no reference can hold. That is why one scan with
// the text written so far as a stack does the work of all passes. Each byte it
// looks back at is either removed with its reference or settled by it, so
// looking back is linear as well.
type rewriting struct {
	keep    bool
	out     []byte
	settled int // the part of out that no reference can begin in any more
	passes  int
	marks   []mark // what was decoded in out[settled:], in order
	looked  int    // bytes looked at, for the test that work is linear
}

// A mark says in which pass the text at a place in the output would have
// come to be. Text as it was sent has none; it was there before the first.
type mark struct{ at, pass int }

func (r *rewriting) fixpoint(s string) string {
	at, end := r.next(s, 0)
	if end == 0 {
		return s
	}
	r.out = append(make([]byte, 0, len(s)), s[:at]...)
	r.settleFrom(0)
	r.write(s[at : end-1])
	r.semicolon()
	for {
		i := strings.IndexByte(s[end:], ';')
		if i < 0 {
			return string(append(r.out, s[end:]...))
		}
		r.write(s[end : end+i])
		r.semicolon()
		end += i + 1
	}
}

// write puts text without a semicolon on the output.
func (r *rewriting) write(s string) {
	from := len(r.out)
	r.out = append(r.out, s...)
	r.looked += len(s) + 1
	r.settleFrom(from)
}

// settleFrom settles the output up to its last character that no reference
// can hold, which may be in out[from:].
func (r *rewriting) settleFrom(from int) {
	for i := len(r.out); i > from; i-- {
		r.looked++
		if !mayBeInside(r.out[i-1]) {
			r.settled = i
			r.marks = r.marks[:0]
			return
		}
	}
}

func mayBeInside(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '#' || c == '&'
}

// next returns where the first reference at or after from begins and ends.
func (r *rewriting) next(s string, from int) (at, end int) {
	for {
		i := strings.IndexByte(s[from:], ';')
		if i < 0 {
			r.looked += len(s) - from
			return 0, 0
		}
		r.looked += 2 * (i + 1)
		if at = strings.LastIndexByte(s[from:from+i], '&'); at >= 0 {
			if _, _, ok := character(s[from+at+1:from+i], r.keep); ok {
				return from + at, from + i + 1
			}
		}
		from += i + 1
	}
}

// semicolon puts a semicolon on the output, or instead of the reference that
// it completes the character it stands for: again a semicolon, perhaps.
func (r *rewriting) semicolon() {
	pass := 0
	for {
		at := r.settled + bytes.LastIndexByte(r.out[r.settled:], '&')
		ok := false
		var first, second rune
		if at >= r.settled {
			first, second, ok = character(r.out[at+1:], r.keep)
			r.looked += 2 * (len(r.out) - at)
		}
		if !ok {
			r.looked += len(r.out) - r.settled
			r.out = append(r.out, ';')
			r.settleFrom(len(r.out) - 1)
			return
		}
		// The reference is whole after the pass that made its last part and
		// goes in the one after.
		for len(r.marks) > 0 && r.marks[len(r.marks)-1].at >= at {
			pass = max(pass, r.marks[len(r.marks)-1].pass)
			r.marks = r.marks[:len(r.marks)-1]
		}
		pass++
		r.passes = max(r.passes, pass)
		r.out = r.out[:at]
		if first == ';' {
			continue
		}
		r.out = appendCharacter(r.out, first, second)
		if r.settleFrom(at); r.settled <= at {
			r.marks = append(r.marks, mark{at, pass})
		}
		return
	}
}

// onePass decodes every reference of s and nothing that this makes (rule
// N-15, once).
func onePass(s string, keep bool) (decoded string, passes int) {
	r := rewriting{keep: keep}
	var out []byte
	from := 0
	for {
		at, end := r.next(s, from)
		if end == 0 {
			break
		}
		if out == nil {
			out = make([]byte, 0, len(s))
		}
		first, second, _ := character(s[at+1:end-1], keep)
		out = appendCharacter(append(out, s[from:at]...), first, second)
		from = end
	}
	if out == nil {
		return s, 0
	}
	return string(append(out, s[from:]...)), 1
}

func appendCharacter(dst []byte, first, second rune) []byte {
	dst = utf8.AppendRune(dst, first)
	if second != 0 {
		dst = utf8.AppendRune(dst, second)
	}
	return dst
}
