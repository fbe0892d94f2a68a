package draft

import (
	"bytes"
	"unicode/utf8"
)

// Decode reads a draft, strictly and with the checks of WD-3 in their order. Steps beyond MaxSteps take no memory, however
// many there are (WD-5). The error is a *Rejection.
func Decode(wire []byte) (*Draft, error) { return DecodeWithin(wire, MaxWireBytes) }

// DecodeWithin is [Decode] for a host that accepts fewer bytes than MaxWireBytes. It never accepts more.
func DecodeWithin(wire []byte, maxBytes int) (*Draft, error) {
	maxBytes = min(maxBytes, MaxWireBytes)
	if len(wire) > maxBytes {
		return nil, &Rejection{Code: RejectedInputTooLarge, Actual: len(wire), Maximum: maxBytes}
	}
	var doc document
	s := scanner{text: wire}
	if s.pos = validUTF8(wire); s.pos == len(wire) {
		s.pos = 0
		if doc.read(&s) {
			return doc.draft()
		}
	}
	line, column := place(wire, s.pos)
	return nil, &Rejection{Code: RejectedInvalidEncoding, Line: line, Column: column}
}

// validUTF8 returns how many bytes from the start are UTF-8.
func validUTF8(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	n := 0
	for {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size == 1 {
			return n
		}
		n += size
	}
}

// place returns the line and the column of an offset.
func place(text []byte, offset int) (line, column int) {
	before := text[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

// draft makes the checks that are about what a text says (WD-3).
func (doc *document) draft() (*Draft, error) {
	if doc.version != formatVersion {
		return nil, &Rejection{Code: RejectedUnsupportedVersion, Actual: doc.version, Maximum: formatVersion}
	}
	if doc.surplus {
		return nil, &Rejection{Code: RejectedTooManySteps, Maximum: MaxSteps}
	}
	if err := checkSteps(doc.steps); err != nil {
		return nil, err
	}
	return &Draft{steps: doc.steps}, nil
}

// document is what a text in the shape of a draft says (WD-1).
type document struct {
	version int
	steps   []Step
	surplus bool // there were more than MaxSteps
}

// read reads the whole text. It reports false for everything that WD-4 calls an invalid encoding.
func (d *document) read(s *scanner) bool {
	ok := s.object([2]string{"format_version", "steps"}, func(name string) bool {
		if name == "steps" {
			return d.readSteps(s)
		}
		text, ok := s.number()
		if ok {
			d.version, ok = versionOf(text)
		}
		return ok
	})
	return ok && s.end()
}

// readSteps reads the array of steps. The surplus need only be JSON, and is not kept (WD-5).
func (d *document) readSteps(s *scanner) bool {
	if !s.take('[') {
		return false
	}
	if s.take(']') {
		return true
	}
	for {
		if len(d.steps) == MaxSteps {
			d.surplus = true
			if !s.skip() {
				return false
			}
		} else {
			var step Step
			if !step.read(s) {
				return false
			}
			d.steps = append(d.steps, step)
		}
		if !s.take(',') {
			return s.take(']')
		}
	}
}

func (step *Step) read(s *scanner) bool {
	return s.object([2]string{"id", "source"}, func(name string) bool {
		place := &step.Source
		if name == "id" {
			place = &step.ID
		}
		var ok bool
		*place, ok = s.string()
		return ok
	})
}

// object reads an object of exactly two members, each once and in any order; value reads the value of a member.
func (s *scanner) object(names [2]string, value func(name string) bool) bool {
	if !s.take('{') {
		return false
	}
	var seen [2]bool
	for i := range names {
		if i > 0 && !s.take(',') {
			return false
		}
		s.peek()
		start := s.pos
		at := s.name(names)
		if at < 0 || seen[at] {
			s.pos = start // the name is what is wrong, not what comes after it
			return false
		}
		if !s.take(':') || !value(names[at]) {
			return false
		}
		seen[at] = true
	}
	return s.take('}')
}

// name reads a member's name and returns which of two it is, or -1. Escaped spellings count (WD-1).
func (s *scanner) name(names [2]string) int {
	name, ok := s.string()
	for i := range names {
		if ok && name == names[i] {
			return i
		}
	}
	return -1
}

// checkSteps makes the checks of WD-3 that are about steps as values, which those of a plan pass too (WD-9, WD-28). The
// error is a *Rejection; RejectedInvalidEncoding is that of a source that is not UTF-8, which no decoded one is.
func checkSteps(steps []Step) error {
	if len(steps) > MaxSteps {
		return &Rejection{Code: RejectedTooManySteps, Maximum: MaxSteps}
	}
	if len(steps) == 0 {
		return &Rejection{Code: RejectedEmptyPlan}
	}
	size := 0
	for i := range steps {
		size += len(steps[i].Source)
	}
	if size > MaxSourceBytes {
		return &Rejection{Code: RejectedSourceTooLarge, Actual: size, Maximum: MaxSourceBytes}
	}
	seen := make(map[string]bool, len(steps))
	for i := range steps {
		id := steps[i].ID
		if !validID(id) {
			return &Rejection{Code: RejectedInvalidStepID, Step: i + 1}
		}
		if seen[id] {
			return &Rejection{Code: RejectedDuplicateStepID, Step: i + 1}
		}
		seen[id] = true
		if !utf8.ValidString(steps[i].Source) {
			return &Rejection{Code: RejectedInvalidEncoding, Step: i + 1}
		}
	}
	return nil
}
