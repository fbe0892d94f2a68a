package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/fwgo/fwgo/internal/quote"
)

// How much of a line is shown around a place, in characters, and how long a
// message may be.
const (
	shownBefore    = 60
	shownAfter     = 40
	longestMessage = 400
	tabStop        = 4
)

// printPlace prints what is wrong at a place of a source, with its line and a
// caret under the character. Lines and columns count as WD-12 has them.
func printPlace(w io.Writer, name, source string, line, column int, message string) error {
	shown, caret := caretLine(lineOf(source, line), column)
	_, err := fmt.Fprintf(w, "%s:%d:%d: %s\n%s\n%s^\n", shownName(name), line, column, quote.Bare(message, longestMessage),
		strings.TrimRight("    "+shown, " "), strings.Repeat(" ", 4+caret))
	return err
}

// lineOf returns a line of a source without its end.
func lineOf(source string, line int) string {
	for range line - 1 {
		_, source, _ = strings.Cut(source, "\n")
	}
	text, _, ended := strings.Cut(source, "\n")
	if ended {
		text = strings.TrimSuffix(text, "\r")
	}
	return text
}

// caretLine returns what to show of a line around a column, and how many cells
// of a terminal stand before that column.
func caretLine(line string, column int) (shown string, caret int) {
	at := 0
	for range column - 1 {
		_, size := utf8.DecodeRuneInString(line[at:])
		at += size
	}
	from := at
	for range shownBefore {
		_, size := utf8.DecodeLastRuneInString(line[:from])
		from -= size
	}
	to := at
	for range shownAfter {
		_, size := utf8.DecodeRuneInString(line[to:])
		to += size
	}
	var b strings.Builder
	cells := 0
	if from > 0 {
		b.WriteString("…")
		cells++
	}
	for i := from; i < to; {
		if i == at {
			caret = cells
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		piece := line[i : i+size]
		i += size
		if r == '\t' {
			piece = strings.Repeat(" ", tabStop-cells%tabStop)
		} else {
			piece = quote.Bare(piece, 1)
		}
		b.WriteString(piece)
		cells += cellsOf(piece)
	}
	if at == to {
		caret = cells
	}
	if to < len(line) {
		b.WriteString("…")
	}
	return b.String(), caret
}

// cellsOf is how many cells a terminal gives a text that holds nothing hidden.
func cellsOf(text string) (cells int) {
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me), r >= 0x1161 && r <= 0x11ff: // drawn over what is before: marks, vowels of Hangul
		case wide(r):
			cells += 2
		default:
			cells++
		}
	}
	return cells
}

func wide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}
