package drafts

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/fwgo/fwgo/draft"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/store"
)

// Propose decodes and reviews a draft and, if every step is a program, keeps it
// for the caller. The text may also be the JSON string of one, as clients send it
// inside other documents. Input is the JSON that its steps find as workflow.input, null
// if it is empty. Nothing runs. The error of a draft that is not taken is an
// *Error of code Rejected, with the review.
func (d *Desk) Propose(ctx context.Context, caller serve.Caller, text []byte, input json.RawMessage) (*Proposal, error) {
	if caller.Channel == "" {
		return nil, refused(NoChannel, "")
	}
	if d.dispatcher.Draining() {
		return nil, refused(Ending, "")
	}
	proposed, err := draft.Decode(unwrapped(text))
	var rejection *draft.Rejection
	if errors.As(err, &rejection) {
		return nil, rejected(&draft.Review{Rejection: rejection}, err)
	}
	review, err := proposed.Review(draft.ReviewOptions{Limits: d.options.Limits, Modules: d.modules})
	if err != nil {
		return nil, rejected(nil, err)
	}
	if !review.Valid() {
		return nil, rejected(review, nil)
	}
	if len(bytes.TrimSpace(input)) == 0 {
		input = json.RawMessage("null")
	}
	data, err := draft.NewData(input)
	if err != nil {
		return nil, invalidInput(err)
	}
	plan, err := d.planner.Plan(proposed)
	if err != nil {
		return nil, rejected(review, err)
	}
	rec := &record{id: newID(caller.Channel), state: state{Channel: caller.Channel, User: caller.User, Created: d.now().UTC().Truncate(time.Microsecond),
		Status: StatusProposed, Plan: plan.Fingerprint(), Steps: len(review.Steps), FirstEvent: 1}}
	if err := d.keep(ctx, rec, proposed, data); err != nil {
		return nil, err
	}
	d.log(ctx, "draft proposed", rec.id, "plan", rec.state.Plan, "steps", rec.state.Steps)
	return &Proposal{View: *d.view(rec), Review: review}, nil
}

// keep stores a new draft, after it has made room for it.
func (d *Desk) keep(ctx context.Context, rec *record, proposed *draft.Draft, data *draft.Data) error {
	wire, err := proposed.Encode()
	if err != nil {
		return d.broken(ctx, rec.id, err)
	}
	text, err := jsontree.Marshal(source{wire, data.Encode()})
	if err != nil {
		return d.broken(ctx, rec.id, err)
	}
	lock := d.channelLock(rec.state.Channel)
	lock.Lock()
	defer lock.Unlock()
	if err := d.makeRoom(ctx, rec.state.Channel); err != nil {
		return err
	}
	r := store.Record{Kind: kindSource, ID: rec.id, Data: text}
	if err := d.dispatcher.Store().Save(ctx, &r); err != nil {
		return d.broken(ctx, rec.id, err)
	}
	return d.change(ctx, rec)
}

// makeRoom removes finished drafts of a channel until there is room for one
// more.
func (d *Desk) makeRoom(ctx context.Context, channel string) error {
	keys, err := d.dispatcher.Store().List(ctx, store.Query{Kind: kindDraft, Prefix: prefix(channel), Limit: store.MaxLimit})
	if err != nil {
		return d.broken(ctx, "", err)
	}
	over := len(keys) + 1 - d.options.MaxDrafts
	if over <= 0 {
		return nil
	}
	slices.SortFunc(keys, func(a, b store.Record) int { return a.Updated.Compare(b.Updated) })
	for _, key := range keys {
		if over == 0 {
			break
		}
		rec, err := d.load(ctx, key.ID)
		if err != nil || d.running(key.ID) != nil || !rec.state.Status.finished() || rec.state.Channel != channel {
			continue
		}
		if err := d.remove(ctx, key.ID, rec.version); err != nil {
			if errors.Is(err, store.ErrConflict) {
				continue
			}
			return d.broken(ctx, key.ID, err)
		}
		over--
	}
	if over > 0 {
		return fullChannel(d.options.MaxDrafts)
	}
	return nil
}

// Forget removes the drafts of a channel that is gone, and ends their runs.
func (d *Desk) Forget(ctx context.Context, channel string) error {
	keys, err := d.dispatcher.Store().List(ctx, store.Query{Kind: kindDraft, Prefix: prefix(channel), Limit: store.MaxLimit})
	if err != nil {
		return err
	}
	for _, key := range keys {
		switch rec, err := d.load(ctx, key.ID); {
		case codeOf(err) == NotFound || err == nil && rec.state.Channel != channel:
			continue
		case err != nil:
			return err
		}
		if r := d.running(key.ID); r != nil {
			if err := r.giveUp(ctx); err != nil && codeOf(err) != Changed {
				return err
			}
		}
		if err := d.remove(ctx, key.ID, 0); err != nil {
			return err
		}
	}
	return nil
}

// unwrapped is the text of a draft that came as a JSON string: no draft is one.
func unwrapped(text []byte) []byte {
	if trimmed := bytes.TrimLeft(text, " \t\r\n"); len(trimmed) == 0 || trimmed[0] != '"' {
		return text
	}
	if doc, fault := jsontree.Parse(string(text), jsontree.Limits{}, nil); fault == nil {
		return []byte(doc.Root.Text)
	}
	return text
}
