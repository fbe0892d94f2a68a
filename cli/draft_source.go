package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/fwgo/fwgo/internal/quote"
)

// standardInput is how a command line names it instead of a file.
const standardInput = "-"

var errInterrupted = errors.New("interrupted")

// inputOnce refuses to read standard input for two purposes: the second would
// find it empty.
func inputOnce(names ...string) error {
	seen := false
	for _, name := range names {
		if name == standardInput && seen {
			return errors.New("standard input (-) can be read only once")
		}
		seen = seen || name == standardInput
	}
	return nil
}

// readBounded reads a whole file of at most that many bytes. It never takes in
// more, whatever the file is, and an interrupt ends it even while it waits for
// input that does not come.
func readBounded(s *streams, name string, most int) (string, error) {
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := readFile(s.in, name, most)
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-s.ctx.Done():
		return "", errInterrupted
	}
}

func readFile(in io.Reader, name string, most int) (string, error) {
	if name != standardInput {
		file, err := os.Open(name)
		if err != nil {
			return "", cannotRead(name, err)
		}
		defer file.Close()
		in = file
	}
	var text strings.Builder
	n, err := io.Copy(&text, io.LimitReader(in, int64(most)+1))
	switch {
	case err != nil:
		return "", cannotRead(name, err)
	case n > int64(most):
		return "", cannotRead(name, fmt.Errorf("it is longer than %s bytes", quote.Count(most)))
	}
	return text.String(), nil
}

// cannotRead leaves the name to quote, not to the error of the system.
func cannotRead(name string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("cannot read %s: %w", shownName(name), err)
}

// shownName is a file's name as messages show it.
func shownName(name string) string { return quote.Bare(name, 4096) }
