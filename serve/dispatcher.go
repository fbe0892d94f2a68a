package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/store"
)

// The bounds of a Dispatcher whose Options say nothing.
const (
	DefaultTimeout       = time.Minute
	DefaultMaxBytes      = 4 << 20
	DefaultMaxConcurrent = 256
	DefaultMaxWait       = 5 * time.Second
)

// Options are what holds for every call that a Dispatcher takes. The zero
// value of each is its default.
type Options struct {
	// Store keeps the sessions, which must then be storable (see
	// command.Workflow.Storable). nil keeps them in memory, as they are.
	Store store.Store
	// Human words messages for people rather than agents (D-8).
	Human bool
	// Timeout ends a call, 0 for DefaultTimeout. A call may bring a shorter one
	// with its context.
	Timeout time.Duration
	// MaxBytes is the longest call, text or arguments, 0 for DefaultMaxBytes.
	// The workflow's own bound holds too.
	MaxBytes int
	// MaxConcurrent is how many calls run at once, 0 for
	// DefaultMaxConcurrent. Further calls wait for MaxWait, 0 for
	// DefaultMaxWait, and are then refused with ErrBusy.
	MaxConcurrent int
	MaxWait       time.Duration
	// Logger receives a line a call; nil means slog.Default(). What callers
	// sent is written at debug level only.
	Logger *slog.Logger
	// Observers watch every call.
	Observers []Observer
}

// A Request is one call.
type Request struct {
	// ID names the request in logs; New gives it one if it is empty.
	ID string
	// Session is the id of the session that the call belongs to. A session
	// that does not exist begins with its first call. Without an id the call has
	// a session of its own that ends with it.
	Session string
	// Text is a call as text (D-6). It counts if Command is empty.
	Text string
	// Told says that a person typed the text, in a session whose other calls an
	// agent makes.
	Told bool
	// Command and Arguments are a call as data: the name simple, qualified
	// ("Context/name") or as tools have it ("Context__name"), the arguments a JSON
	// object byte for byte as it arrived.
	Command   string
	Arguments json.RawMessage
	// Gate, if not nil, decides whether a command that passed every check runs;
	// see command.Session.DoGated. It is for calls as data.
	Gate func(input any) bool
}

// A Dispatcher runs the calls of servers. It is safe for concurrent use.
type Dispatcher struct {
	workflow *command.Workflow
	options  Options
	keeper   *command.Keeper
	running  chan struct{} // holds a token for every call that runs

	mu       sync.Mutex
	draining bool
	ending   chan struct{} // closed when draining is set
	calls    sync.WaitGroup
}

// New makes the Dispatcher of a workflow.
func New(w *command.Workflow, o Options) *Dispatcher {
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	setDefault(&o.Timeout, DefaultTimeout)
	setDefault(&o.MaxBytes, DefaultMaxBytes)
	setDefault(&o.MaxConcurrent, DefaultMaxConcurrent)
	setDefault(&o.MaxWait, DefaultMaxWait)
	keeper := command.Keep(w, o.Store, command.SessionOptions{Human: o.Human})
	if o.Store == nil {
		o.Store = store.Memory() // for what the servers keep beside sessions
	}
	return &Dispatcher{
		workflow: w,
		options:  o,
		keeper:   keeper,
		running:  make(chan struct{}, o.MaxConcurrent),
		ending:   make(chan struct{}),
	}
}

func setDefault[T int | time.Duration](value *T, otherwise T) {
	if *value <= 0 {
		*value = otherwise
	}
}

// Workflow returns the workflow whose calls are run.
func (d *Dispatcher) Workflow() *command.Workflow { return d.workflow }

// Store returns where the sessions are kept.
func (d *Dispatcher) Store() store.Store { return d.options.Store }

// MaxBytes returns the longest call in bytes.
func (d *Dispatcher) MaxBytes() int { return d.options.MaxBytes }

// Logger returns the logger for what servers have to say themselves.
func (d *Dispatcher) Logger() *slog.Logger { return d.options.Logger }

// Do runs a call. Whatever the pipeline makes of it is an Outcome. The error
// is ErrBusy, ErrSessionBusy, ErrDraining or ErrTooLong, after which the call
// did not run, or that of a session which could not be read or stored. In that
// of a call which ran, but is not acknowledged, command.ErrNotStored is found.
func (d *Dispatcher) Do(ctx context.Context, r Request) (*command.Outcome, error) {
	if r.ID == "" {
		r.ID = NewRequestID()
	}
	began := time.Now()
	ctx, seen := d.observe(ctx, &r)
	outcome, err := d.admit(ctx, &r)
	d.log(ctx, &r, outcome, err, time.Since(began))
	seen.done(outcome, err)
	return outcome, err
}

// admit runs a call that the bounds let in.
func (d *Dispatcher) admit(ctx context.Context, r *Request) (*command.Outcome, error) {
	if len(r.Text) > d.options.MaxBytes || len(r.Arguments) > d.options.MaxBytes {
		return nil, ErrTooLong
	}
	if ctx.Value(workKey{}) != d { // work is counted as a whole
		if !d.enter() {
			return nil, ErrDraining
		}
		defer d.calls.Done()
	}
	ctx, cancel := context.WithTimeout(ctx, d.options.Timeout)
	defer cancel()
	if err := d.slot(ctx); err != nil {
		return nil, err
	}
	defer func() { <-d.running }()
	return d.run(ctx, r)
}

// slot waits until fewer calls run than may.
func (d *Dispatcher) slot(ctx context.Context) error {
	select {
	case d.running <- struct{}{}:
		return nil
	default:
	}
	wait := time.NewTimer(d.options.MaxWait)
	defer wait.Stop()
	select {
	case d.running <- struct{}{}:
		return nil
	case <-wait.C:
	case <-ctx.Done():
	}
	return ErrBusy
}

// run is where a call leaves the servers. The pipeline guards what authors
// wrote; what is left to panic is a Store.
func (d *Dispatcher) run(ctx context.Context, r *Request) (outcome *command.Outcome, err error) {
	defer func() {
		if v := recover(); v != nil {
			outcome, err = nil, fmt.Errorf("serve: panic: %v", v)
		}
	}()
	action := command.Action{CommandName: r.Command, Parameters: r.Arguments}
	defer func() { err = waited(ctx, err) }()
	switch {
	case r.Session == "" && r.Command != "":
		return d.session().DoGated(ctx, action, r.Gate), nil
	case r.Session == "" && r.Told:
		return d.session().Tell(ctx, r.Text), nil
	case r.Session == "":
		return d.session().Call(ctx, r.Text), nil
	case r.Command == "" && r.Told:
		return d.keeper.Tell(ctx, r.Session, r.Text)
	case r.Command == "":
		return d.keeper.Call(ctx, r.Session, r.Text)
	default:
		return d.keeper.DoGated(ctx, r.Session, action, r.Gate)
	}
}

// waited names the error of a call whose time ended before its turn came.
func waited(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || !errors.Is(err, ctx.Err()) || errors.Is(err, command.ErrNotStored) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrSessionBusy, err)
}

func (d *Dispatcher) session() *command.Session {
	return d.workflow.NewSession(command.SessionOptions{Human: d.options.Human})
}

// Callable returns the commands that a session can call now, nearest context
// first. An empty id asks for those of a new session.
func (d *Dispatcher) Callable(ctx context.Context, session string) ([]*command.Command, error) {
	if session == "" {
		return d.session().Callable(), nil
	}
	var list []*command.Command
	err := d.keeper.Look(ctx, session, func(s *command.Session) { list = s.Callable() })
	return list, err
}

// Cancel drops what a session has asked a person for and not yet been told,
// and reports whether there was anything. It waits for MaxWait at most, and
// then returns ErrSessionBusy.
func (d *Dispatcher) Cancel(ctx context.Context, session string) (cleared bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, d.options.MaxWait)
	defer cancel()
	cleared, err = d.keeper.Cancel(ctx, session)
	return cleared, waited(ctx, err)
}

// Forget removes a session. It is no error if there is none.
func (d *Dispatcher) Forget(ctx context.Context, session string) error {
	return d.keeper.Delete(ctx, session)
}

// enter counts a call in, unless the Dispatcher drains.
func (d *Dispatcher) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining {
		return false
	}
	d.calls.Add(1)
	return true
}

type workKey struct{}

// Begin counts work that makes several calls, such as the run of a draft, among
// what Drain waits for: calls with the context that it returns are taken also
// after Drain was called. Such work watches Ending and ends at the next good
// place; done says that it has. The error is ErrDraining.
func (d *Dispatcher) Begin(ctx context.Context) (work context.Context, done func(), err error) {
	if !d.enter() {
		return nil, nil, ErrDraining
	}
	return context.WithValue(ctx, workKey{}, d), sync.OnceFunc(d.calls.Done), nil
}

// Ending returns a channel that is closed when Drain is called.
func (d *Dispatcher) Ending() <-chan struct{} { return d.ending }

// Draining reports whether Drain was called.
func (d *Dispatcher) Draining() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.draining
}

// Drain refuses further calls and waits for those that run. It returns ctx's
// error if that ends first.
func (d *Dispatcher) Drain(ctx context.Context) error {
	d.mu.Lock()
	if !d.draining {
		d.draining = true
		close(d.ending)
	}
	d.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		d.calls.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
