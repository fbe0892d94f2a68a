package drafts

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/draft/tools"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/store"
)

// The kinds of the records of a draft. They have the same id: what was proposed
// is written once, and is too long to be written again after every call.
const (
	kindDraft  = "draft"
	kindSource = "draft-source"
)

// saveTime is how long the Store may take for a change that must not be lost
// with the request that led to it.
const saveTime = 30 * time.Second

// source is what was proposed.
type source struct {
	Draft json.RawMessage `json:"draft"`
	Input json.RawMessage `json:"input"` // workflow data that has not begun
}

// state is where a draft stands.
type state struct {
	Channel string    `json:"channel"`
	User    string    `json:"user,omitempty"`
	Created time.Time `json:"created"`
	Status  Status    `json:"status"`
	Plan    string    `json:"plan"`
	Steps   int       `json:"steps"`
	// Done counts the steps that are done. Checkpoint and Data are the engine's,
	// after the last of them; empty before the first.
	Done       int             `json:"done,omitempty"`
	Checkpoint json.RawMessage `json:"checkpoint,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
	// Grants and ApprovedBy are of the last run that began, for those who look at
	// it. They grant nothing.
	Grants     []Grant `json:"grants,omitempty"`
	ApprovedBy string  `json:"approved_by,omitempty"`
	Runs       int     `json:"runs,omitempty"`
	// Reason says why a run is over without having been completed.
	Reason string          `json:"reason,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	// Calls are records of package tools, the last ones that are kept; Begun is a
	// call whose end is not known.
	Calls        []json.RawMessage `json:"calls,omitempty"`
	DroppedCalls int               `json:"dropped_calls,omitempty"`
	Begun        *Begun            `json:"begun,omitempty"`
	// Events are those that are kept; FirstEvent numbers the first of them.
	Events     []json.RawMessage `json:"events,omitempty"`
	FirstEvent int               `json:"first_event"`
}

// record is a state with the version of the Store it was read at.
type record struct {
	id      string
	version int64
	updated time.Time
	state   state
}

// newID makes an id that cannot be guessed, in a channel's part of the ids.
func newID(channel string) string { return prefix(channel) + strings.ToLower(rand.Text()) }

// prefix is what the ids of a channel's drafts begin with.
func prefix(channel string) string {
	sum := sha256.Sum256([]byte(channel))
	return hex.EncodeToString(sum[:8]) + "-"
}

// validID reports whether a text can be an id.
func validID(id string) bool {
	if len(id) != 16+1+26 || id[16] != '-' {
		return false
	}
	for _, c := range []byte(id) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

func (d *Desk) load(ctx context.Context, id string) (*record, error) {
	r, err := d.dispatcher.Store().Load(ctx, kindDraft, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, refused(NotFound, "")
	}
	if err != nil {
		return nil, d.broken(ctx, id, err)
	}
	rec := &record{id: id, version: r.Version, updated: r.Updated}
	if err := json.Unmarshal(r.Data, &rec.state); err != nil {
		return nil, d.broken(ctx, id, err)
	}
	return rec, nil
}

// source reads what was proposed, and checks that it is what the state is of.
func (d *Desk) source(ctx context.Context, rec *record) (*draft.Draft, *draft.Data, error) {
	r, err := d.dispatcher.Store().Load(ctx, kindSource, rec.id)
	if err != nil {
		return nil, nil, d.broken(ctx, rec.id, err)
	}
	var s source
	if err := json.Unmarshal(r.Data, &s); err != nil {
		return nil, nil, d.broken(ctx, rec.id, err)
	}
	proposal, err := draft.Decode(s.Draft)
	if err != nil {
		return nil, nil, d.broken(ctx, rec.id, err)
	}
	data, err := draft.DecodeData(s.Input)
	if err != nil {
		return nil, nil, d.broken(ctx, rec.id, err)
	}
	if fingerprint, err := d.fingerprint(proposal); err != nil || fingerprint != rec.state.Plan {
		return nil, nil, d.broken(ctx, rec.id, errors.New("the draft is not the one of the plan's fingerprint"))
	}
	return proposal, data, nil
}

// fingerprint is that of the plan that a draft becomes.
func (d *Desk) fingerprint(proposal *draft.Draft) (string, error) {
	plan, err := d.planner.Plan(proposal)
	if err != nil {
		return "", err
	}
	return plan.Fingerprint(), nil
}

// broken is the refusal for what the Store holds or says; the reason is for the
// log.
func (d *Desk) broken(ctx context.Context, id string, err error) error {
	d.dispatcher.Logger().ErrorContext(ctx, "draft not read or stored", "draft", id, "error", err)
	e := refused(Unavailable, "")
	e.Err = err
	return e
}

// save stores a state if it is the one that was read. What cannot be stored is
// an error that errors.Is store.ErrConflict, where another was quicker.
func (d *Desk) save(ctx context.Context, rec *record) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("drafts: the store panicked: %v", v)
		}
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	data, err := rec.state.encode()
	if err != nil {
		return err
	}
	r := store.Record{Kind: kindDraft, ID: rec.id, Version: rec.version, Data: data}
	err = d.dispatcher.Store().Save(ctx, &r)
	if err != nil && !definite(err) {
		// It may have been stored all the same.
		if have, found := d.dispatcher.Store().Load(ctx, kindDraft, rec.id); found == nil && have.Version > rec.version && string(have.Data) == string(data) {
			r, err = have, nil
		}
	}
	if err != nil {
		return err
	}
	rec.version, rec.updated = r.Version, r.Updated
	return nil
}

// encode writes a state. Most of it is JSON already, and is not read again each
// time.
func (s *state) encode() ([]byte, error) {
	small := *s
	small.Data, small.Result, small.Calls, small.Events = nil, nil, nil, nil
	text, err := jsontree.Marshal(&small)
	if err != nil {
		return nil, err
	}
	text = text[:len(text)-1]
	for _, part := range []struct {
		name string
		json json.RawMessage
	}{{"data", s.Data}, {"result", s.Result}} {
		if len(part.json) > 0 {
			text = append(append(text, `,"`+part.name+`":`...), part.json...)
		}
	}
	for _, part := range []struct {
		name  string
		items []json.RawMessage
	}{{"calls", s.Calls}, {"events", s.Events}} {
		text = append(text, `,"`+part.name+`":[`...)
		for i, item := range part.items {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(text, item...)
		}
		text = append(text, ']')
	}
	return append(text, '}'), nil
}

// definite reports whether an error of a Store says that nothing was changed.
func definite(err error) bool {
	for _, known := range []error{store.ErrNotFound, store.ErrConflict, store.ErrInvalid, store.ErrTooLarge, store.ErrClosed} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

// change stores a state that a caller asked for.
func (d *Desk) change(ctx context.Context, rec *record) error {
	switch err := d.save(ctx, rec); {
	case errors.Is(err, store.ErrConflict):
		return refused(Changed, "")
	case err != nil:
		return d.broken(ctx, rec.id, err)
	}
	return nil
}

// remove removes a draft. It is no error if there is none.
func (d *Desk) remove(ctx context.Context, id string, version int64) error {
	if err := d.dispatcher.Store().Delete(ctx, kindDraft, id, version); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err := d.dispatcher.Store().Delete(ctx, kindSource, id, 0); err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return nil
}

// addCall keeps what became of a call, and lets older ones go to make room.
func (s *state) addCall(r tools.Record) {
	s.Begun = nil
	text, err := jsontree.Marshal(r)
	if err != nil {
		text, _ = jsontree.Marshal(tools.Record{Call: r.Call, Step: r.Step, Tool: r.Tool, Ran: r.Ran, Success: r.Success, Stage: r.Stage})
	}
	s.Calls = append(s.Calls, text)
	size := 0
	for i := len(s.Calls) - 1; i >= 0; i-- {
		if size += len(s.Calls[i]); size > mostRecordBytes && i < len(s.Calls)-1 {
			s.DroppedCalls += i + 1
			s.Calls = append([]json.RawMessage(nil), s.Calls[i+1:]...)
			return
		}
	}
}

// addEvent keeps an event under the next number.
func (s *state) addEvent(e draft.Event) {
	text, _ := e.MarshalJSON() // never fails
	s.Events = append(s.Events, text)
	if more := len(s.Events) - mostEvents; more > 0 {
		s.FirstEvent += more
		s.Events = append([]json.RawMessage(nil), s.Events[more:]...)
	}
}

// data is the workflow data after the steps that are done.
func (s *state) data(input *draft.Data) (*draft.Data, error) {
	if len(s.Data) == 0 {
		return input, nil
	}
	return draft.DecodeData(s.Data)
}
