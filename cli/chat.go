package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/store/bolt"
)

type chatCmd struct {
	Agent          bool   `help:"Talk as an agent: each message is a complete call."`
	Session        string `help:"Keep the conversation under this name and go on with it." placeholder:"NAME"`
	StartupCommand string `help:"A message to begin with." placeholder:"TEXT" xor:"startup"`
	StartupAction  string `help:"A file with a direct action to begin with." placeholder:"FILE" xor:"startup" type:"existingfile"`
	Store          string `help:"The file that sessions are kept in; by default one in the user's configuration folder." placeholder:"FILE" type:"path"`
}

const prompt = "> "

// longestTurn bounds one line of a conversation; the pipeline refuses a
// longer call with its own message.
const longestTurn = command.DefaultMaxBytes + 1<<10

func (c *chatCmd) Run(s *streams) error {
	if c.Store != "" && c.Session == "" {
		return errors.New("--store needs --session NAME")
	}
	talk, done, err := c.open(s)
	if err != nil {
		return err
	}
	defer done()
	answer := func(outcome *command.Outcome, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintln(s.out, strings.TrimRight(outcome.Text(), "\n"))
		return nil
	}
	say := func(message string) error { return answer(talk.Call(s.ctx, message)) }
	switch {
	case c.StartupCommand != "":
		err = say("/" + strings.TrimLeft(c.StartupCommand, "/")) // FW-147
	case c.StartupAction != "":
		var action command.Action
		if action, err = readAction(c.StartupAction); err == nil {
			err = answer(talk.Do(s.ctx, action))
		}
	}
	if err != nil {
		return err
	}
	if in, ok := s.in.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		return c.terminal(s, in, say)
	}
	return plainLines(s.in, say)
}

func readAction(path string) (command.Action, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return command.Action{}, err
	}
	action, err := command.ReadJSON[command.Action](text)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return action, err
}

// talker is the session of a conversation, kept or not.
type talker interface {
	Call(ctx context.Context, text string) (*command.Outcome, error)
	Do(ctx context.Context, a command.Action) (*command.Outcome, error)
}

// passing is a session that ends with the process.
type passing struct{ *command.Session }

func (p passing) Call(ctx context.Context, text string) (*command.Outcome, error) {
	return p.Session.Call(ctx, text), nil
}

func (p passing) Do(ctx context.Context, a command.Action) (*command.Outcome, error) {
	return p.Session.Do(ctx, a), nil
}

// kept is the session of a name in a store.
type kept struct {
	keeper *command.Keeper
	id     string
}

func (k kept) Call(ctx context.Context, text string) (*command.Outcome, error) {
	return k.keeper.Call(ctx, k.id, text)
}

func (k kept) Do(ctx context.Context, a command.Action) (*command.Outcome, error) {
	return k.keeper.Do(ctx, k.id, a)
}

// open returns the session to talk in: a passing one, unless it has a name.
func (c *chatCmd) open(s *streams) (talk talker, done func() error, err error) {
	options := command.SessionOptions{Human: !c.Agent}
	if c.Session == "" {
		return passing{s.workflow.NewSession(options)}, func() error { return nil }, nil
	}
	path := c.Store
	if path == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return nil, nil, fmt.Errorf("there is no folder to keep sessions in: %w; name a file with --store", err)
		}
		path = filepath.Join(folder, s.workflow.Name(), "sessions.db")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, nil, err
		}
	}
	st, err := bolt.Open(path, bolt.Options{})
	if err != nil {
		return nil, nil, err
	}
	return kept{command.Keep(s.workflow, st, options), c.Session}, st.Close, nil
}

// plainLines reads a message a line, from a pipe or file.
func plainLines(in io.Reader, say func(string) error) error {
	lines := bufio.NewReader(in)
	for {
		line, err := nextMessage(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if line != "" || err == nil {
			if err := say(strings.TrimRight(line, "\r\n")); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
	}
}

func nextMessage(r *bufio.Reader) (string, error) {
	var line strings.Builder
	for {
		part, err := r.ReadSlice('\n')
		if line.Len() < longestTurn {
			line.Write(part)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line.String(), err
		}
	}
}

// screen joins the two streams of a terminal.
type screen struct {
	io.Reader
	io.Writer
}

// terminal reads messages with line editing, history and completion.
func (c *chatCmd) terminal(s *streams, in *os.File, say func(string) error) error {
	before, err := term.MakeRaw(int(in.Fd()))
	if err != nil {
		return plainLines(s.in, say)
	}
	defer term.Restore(int(in.Fd()), before)
	t := term.NewTerminal(screen{in, s.out}, prompt)
	t.AutoCompleteCallback = func(line string, pos int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		return complete(s.workflow, line, pos)
	}
	s.out = t // a raw terminal wants its line ends written by term
	for {
		line, err := t.ReadLine()
		if errors.Is(err, io.EOF) || errors.Is(s.ctx.Err(), context.Canceled) {
			return nil
		}
		if err != nil && !errors.Is(err, term.ErrPasteIndicator) {
			return err
		}
		if err := say(line); err != nil {
			return err
		}
	}
}

// complete completes the word before pos: a command's name at the start, a
// parameter's name after it.
func complete(w *command.Workflow, line string, pos int) (string, int, bool) {
	head := line[:pos]
	start := strings.LastIndexAny(head, " \t") + 1
	word := head[start:]
	var choices []string
	if strings.TrimSpace(head[:start]) == "" {
		for _, c := range w.Commands() {
			_, simple, qualified := strings.Cut(c.Name(), "/")
			if !qualified {
				simple = c.Name()
			}
			choices = append(choices, simple+" ")
		}
	} else if c := w.Command(strings.Fields(head)[0]); c != nil {
		for _, f := range c.Signature().Fields() {
			choices = append(choices, f.Name+"=")
		}
	}
	grown := longestCommon(choices, word)
	if grown == word {
		return "", 0, false
	}
	return line[:start] + grown + line[pos:], start + len(grown), true
}

// longestCommon returns what all choices with the prefix begin with.
func longestCommon(choices []string, prefix string) string {
	common := ""
	for _, choice := range choices {
		switch {
		case !strings.HasPrefix(choice, prefix):
		case common == "":
			common = choice
		default:
			for !strings.HasPrefix(choice, common) {
				common = common[:len(common)-1]
			}
		}
	}
	if common == "" {
		return prefix
	}
	return common
}
