package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/misspelt"
	"github.com/fwgo/fwgo/internal/quote"
)

// longestLine bounds one line of a stream. Longer ones are skipped with an
// answer of their own, and the stream goes on.
const longestLine = 256 << 20

// deepestLine lets a line carry arguments that the pipeline then refuses with
// its own message, rather than the reader of the line.
const deepestLine = 150_000

// mostValues lets a line carry more values than the pipeline accepts.
const mostValues = 1 << 22

// work answers one input: the members of its object in order. An error is for
// an input that cannot be used at all.
type work func(in *jsontree.Value) ([]byte, error)

// each runs the work on one object from the input, or on each line of it. For
// one object it returns whether the answer came from the input at all.
func each(s *streams, lines bool, do work) error {
	if !lines {
		text, err := io.ReadAll(io.LimitReader(s.in, longestLine))
		if err != nil {
			return err
		}
		in, err := readLine(string(text))
		if err != nil {
			return err
		}
		answer, err := do(in)
		if err != nil {
			return err
		}
		_, err = s.out.Write(append(answer, '\n'))
		return err
	}
	reader, writer := bufio.NewReaderSize(s.in, 1<<16), bufio.NewWriter(s.out)
	for {
		line, err := nextLine(reader)
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return nil
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, errLongLine) {
			return err
		}
		if errors.Is(err, errLongLine) || !blank(line) {
			writer.Write(answerLine(string(line), err, do))
			writer.WriteByte('\n')
		}
		// Flushed a line at a time: a program that waits for this answer
		// before it sends more must not wait for ever.
		if err := writer.Flush(); err != nil {
			return err
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

var errLongLine = errors.New("the line is longer than 256 MiB")

// nextLine reads one line without its end.
func nextLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > longestLine {
			for errors.Is(err, bufio.ErrBufferFull) {
				_, err = r.ReadSlice('\n')
			}
			return nil, errLongLine
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return line, err
	}
}

func blank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return false
		}
	}
	return true
}

func answerLine(line string, err error, do work) []byte {
	id := "null"
	if err == nil || errors.Is(err, io.EOF) {
		var in *jsontree.Value
		if in, err = readLine(line); err == nil {
			if v := in.Get("id"); v != nil {
				id = v.JSON()
			}
			var answer []byte
			if answer, err = do(in); err == nil {
				return answer
			}
		}
	}
	out := append([]byte(`{"id":`), id...)
	out = append(out, `,"error":`...)
	return append(jsontree.AppendString(out, err.Error()), '}')
}

// readLine reads one input object. Names may repeat in it: the arguments
// inside are read again, strictly, by the pipeline.
func readLine(text string) (*jsontree.Value, error) {
	doc, fault := jsontree.Parse(text, jsontree.Limits{Depth: deepestLine, KeepRepeated: true}, &jsontree.Arena{Most: mostValues})
	switch {
	case fault != nil:
		return nil, fault
	case doc.Root.Kind != jsontree.Object:
		return nil, errors.New("the input is not a JSON object")
	}
	return &doc.Root, nil
}

// begin starts an answer with the input's id, if it has one.
func begin(in *jsontree.Value) []byte {
	out := []byte{'{'}
	if id := in.Get("id"); id != nil {
		out = append(append(append(out, `"id":`...), id.JSON()...), ',')
	}
	return out
}

// textAt returns a member that must be text.
func textAt(in *jsontree.Value, name string) (string, error) {
	v := in.Get(name)
	if v == nil || v.Kind != jsontree.String {
		return "", errors.New(name + " must be text")
	}
	return v.Text, nil
}

// misspeltIn returns an error for a member of the input whose name is a slip away from one
// that is not given: what it says would be lost. Other members are the sender's own
// affair.
func misspeltIn(in *jsontree.Value, names misspelt.Names) error {
	unknown := 0
	for i := range in.Members {
		name := in.Members[i].Name
		meant := names.Slip(name)
		if meant == name {
			continue
		}
		if unknown++; unknown > misspelt.Most {
			return fmt.Errorf("the input has %s, which is no name of it", quote.Text(name, 60))
		}
		if meant != "" && in.Get(meant) == nil {
			return fmt.Errorf("the input has %s, which is no name of it; did you mean %s?", quote.Text(name, 60), meant)
		}
	}
	return nil
}
