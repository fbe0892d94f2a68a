package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/validate"
)

// conversation is a run of turns that a client can list and go back to.
type conversation struct {
	ID        int               `json:"conversation_id"`
	Topic     string            `json:"topic"`
	Summary   string            `json:"summary"`
	CreatedAt command.Timestamp `json:"created_at"`
	UpdatedAt command.Timestamp `json:"updated_at"`
	Turns     int               `json:"turns,omitempty"`
}

// recordedTurn is a turn as it is kept.
type recordedTurn struct {
	Query    string          `json:"user_query"`
	Output   json.RawMessage `json:"turn_output"`
	Feedback *feedbackBody   `json:"feedback,omitempty"`
}

// longestTopic is how much of its first message names a conversation.
const longestTopic = 80

// Ids of conversations and turns sort by their numbers. The channel comes
// first, with its length, so that no channel's ids begin with another's.
func conversationPrefix(channel string) string {
	return strconv.Itoa(len(channel)) + ":" + channel + "/"
}

func conversationID(channel string, number int) string {
	return conversationPrefix(channel) + fmt.Sprintf("%08d", number)
}

func turnID(channel string, conversation, number int) string {
	return conversationID(channel, conversation) + fmt.Sprintf("/%08d", number)
}

// record keeps a turn in the channel's conversation. What cannot be kept is
// logged: the call itself has run and is acknowledged. c.mu is held.
func (s *Service) record(ctx context.Context, c *channel, t *turn) {
	defer func() {
		if v := recover(); v != nil { // a Store's: nothing above this would catch it
			s.dispatcher.Logger().Log(ctx, validate.LevelCritical, "turn not recorded", "turn", t.key, "panic", v, "stack", string(debug.Stack()))
		}
	}()
	if err := s.keep(ctx, c, t); err != nil {
		s.dispatcher.Logger().ErrorContext(ctx, "turn not recorded", "turn", t.key, "error", err)
	}
}

func (s *Service) keep(ctx context.Context, c *channel, t *turn) error {
	if c.state.Conversation == 0 {
		if err := s.change(ctx, c, func(state *channelState) {
			state.Last++
			state.Conversation = state.Last
		}); err != nil {
			return err
		}
		if err := s.dropConversation(ctx, c.id, c.state.Last-s.options.MaxConversations); err != nil {
			return err
		}
	}
	talk, version, err := s.conversation(ctx, c.id, c.state.Conversation)
	if err != nil {
		return err
	}
	now := *command.At(t.ended)
	if version == 0 {
		talk = conversation{ID: c.state.Conversation, Topic: quote.Bare(t.query, longestTopic), CreatedAt: now}
	}
	output, err := t.output.RelayJSON()
	if err != nil {
		return err
	}
	before := talk.Turns
	if talk.Turns, err = s.putTurn(ctx, c.id, talk.ID, before+1, recordedTurn{Query: t.query, Output: output}); err != nil {
		return err
	}
	for number := before + 1; number <= talk.Turns; number++ {
		if old := number - s.options.MaxTurns; old > 0 {
			if err := s.drop(ctx, kindTurn, turnID(c.id, talk.ID, old)); err != nil {
				return err
			}
		}
	}
	talk.UpdatedAt = now
	talk.Summary = strconv.Itoa(talk.Turns) + " turns"
	if talk.Turns == 1 {
		talk.Summary = "1 turn"
	}
	return s.put(ctx, kindConversation, conversationID(c.id, talk.ID), version, talk)
}

// mostTaken is how many numbers of turns may be found taken in a row.
const mostTaken = 100

// putTurn stores a turn under the number given, or the next that is free, and
// returns it. A number is taken without its conversation knowing if an end, or
// a fault of the Store, came between the two.
func (s *Service) putTurn(ctx context.Context, channel string, conversation, number int, t recordedTurn) (int, error) {
	for last := number + mostTaken; ; number++ {
		err := s.put(ctx, kindTurn, turnID(channel, conversation, number), 0, t)
		if !errors.Is(err, store.ErrConflict) || number == last {
			return number, err
		}
	}
}

// dropConversation removes one of a channel's conversations with its turns, if
// there is one of the number.
func (s *Service) dropConversation(ctx context.Context, channel string, number int) error {
	if number < 1 {
		return nil
	}
	turns, err := s.dispatcher.Store().List(ctx, store.Query{Kind: kindTurn, Prefix: conversationID(channel, number) + "/", Limit: store.MaxLimit})
	if err != nil {
		return err
	}
	for _, r := range turns {
		if err := s.drop(ctx, kindTurn, r.ID); err != nil {
			return err
		}
	}
	return s.drop(ctx, kindConversation, conversationID(channel, number))
}

// drop removes a record, if there is one.
func (s *Service) drop(ctx context.Context, kind, id string) error {
	err := s.dispatcher.Store().Delete(context.WithoutCancel(ctx), kind, id, 0)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

func (s *Service) put(ctx context.Context, kind, id string, version int64, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.dispatcher.Store().Save(context.WithoutCancel(ctx), &store.Record{Kind: kind, ID: id, Version: version, Data: data})
}

// conversation reads one of a channel's conversations; version 0 means that
// there is none.
func (s *Service) conversation(ctx context.Context, channel string, number int) (conversation, int64, error) {
	r, err := s.dispatcher.Store().Load(ctx, kindConversation, conversationID(channel, number))
	if errors.Is(err, store.ErrNotFound) {
		return conversation{}, 0, nil
	}
	if err != nil {
		return conversation{}, 0, err
	}
	var talk conversation
	return talk, r.Version, json.Unmarshal(r.Data, &talk)
}

// conversations lists a channel's latest conversations, newest first.
func (s *Service) conversations(ctx context.Context, channel string, last, limit int) ([]conversation, error) {
	list := []conversation{}
	for number := last; number > max(0, last-s.options.MaxConversations) && len(list) < limit; number-- {
		talk, version, err := s.conversation(ctx, channel, number)
		if err != nil {
			return nil, err
		}
		if version > 0 {
			talk.Turns = 0
			list = append(list, talk)
		}
	}
	return list, nil
}

var errNoTurn = errors.New("there is no turn to give feedback on")

// feedback keeps what a user thinks of the last turn. c.mu is held.
func (s *Service) feedback(ctx context.Context, c *channel, b *feedbackBody) error {
	talk, version, err := s.conversation(ctx, c.id, c.state.Conversation)
	if err != nil {
		return err
	}
	if version == 0 || talk.Turns == 0 {
		return errNoTurn
	}
	id := turnID(c.id, talk.ID, talk.Turns)
	r, err := s.dispatcher.Store().Load(ctx, kindTurn, id)
	if err != nil {
		return err
	}
	var kept recordedTurn
	if err := json.Unmarshal(r.Data, &kept); err != nil {
		return err
	}
	kept.Feedback = b
	return s.put(ctx, kindTurn, id, r.Version, kept)
}

// errOutside is a folder that dumps may not be written to.
var errOutside = errors.New("the folder is not inside the one that the server allows")

// dump writes every recorded turn of every channel to a file, one JSON object
// a line, and returns its path.
func (s *Service) dump(ctx context.Context, folder string) (path string, err error) {
	if filepath.IsAbs(folder) {
		if folder, err = filepath.Rel(s.options.DumpDir, folder); err != nil {
			return "", errOutside
		}
	}
	if !filepath.IsLocal(filepath.Clean(folder)) || strings.ContainsRune(folder, 0) {
		return "", errOutside
	}
	// The root follows no link out of it.
	root, err := os.OpenRoot(s.options.DumpDir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := root.MkdirAll(folder, 0o750); err != nil {
		return "", errOutside
	}
	name := filepath.Join(folder, "conversations-"+time.Now().UTC().Format("20060102T150405.000000000Z")+".jsonl")
	file, err := root.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	for after := ""; ; {
		list, err := s.dispatcher.Store().List(ctx, store.Query{Kind: kindTurn, After: after, Limit: store.MaxLimit})
		if err != nil || len(list) == 0 {
			return filepath.Join(s.options.DumpDir, name), err
		}
		for _, r := range list {
			after = r.ID
			if r, err = s.dispatcher.Store().Load(ctx, kindTurn, r.ID); errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return "", err
			}
			line, err := json.Marshal(struct {
				ID   string          `json:"id"`
				Turn json.RawMessage `json:"turn"`
			}{r.ID, r.Data})
			if err != nil {
				return "", err
			}
			if _, err := file.Write(append(line, '\n')); err != nil {
				return "", err
			}
		}
	}
}
