package mcp

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/store"
)

// A state is what a client keeps of a call that waits for its user. It is
// signed together with what the call is: the session, the tool and the exact
// arguments, so that it fits no other.
type state struct {
	ID      string   `json:"id"`
	Expires int64    `json:"exp"`
	Command string   `json:"command"`
	Round   int      `json:"round"`
	Asked   []string `json:"asked"`
	Answers []answer `json:"answers,omitempty"`
	Said    refusal  `json:"said"`
}

// states signs states, and takes each of them once.
type states struct {
	key   []byte
	store store.Store
	now   func() time.Time
}

var errExpired = errors.New(expiredText)

// longestState bounds what is read as a state.
const longestState = 256 << 10

var errAltered = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: alteredText}

func (t *states) sign(payload []byte, c *toolCall) []byte {
	mac := hmac.New(sha256.New, t.key)
	for _, part := range [][]byte{[]byte(c.session), []byte(c.name), c.arguments, payload} {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		mac.Write(length[:])
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// seal writes the state of a call as a token.
func (t *states) seal(s state, c *toolCall) string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails, by its documentation
	s.ID = hex.EncodeToString(id[:])
	s.Expires = t.now().Add(answerTime).Unix()
	payload, _ := json.Marshal(s) // strings, numbers and JSON texts
	return base64.RawURLEncoding.EncodeToString(payload) + "." + base64.RawURLEncoding.EncodeToString(t.sign(payload, c))
}

// open reads a token. The error is errAltered or errExpired.
func (t *states) open(token string, c *toolCall) (s state, err error) {
	first, second, ok := strings.Cut(token, ".")
	if !ok || len(token) > longestState {
		return s, errAltered
	}
	strict := base64.RawURLEncoding.Strict()
	payload, err := strict.DecodeString(first)
	if err != nil {
		return s, errAltered
	}
	mac, err := strict.DecodeString(second)
	if err != nil || !hmac.Equal(mac, t.sign(payload, c)) {
		return s, errAltered
	}
	if err := json.Unmarshal(payload, &s); err != nil || len(s.Asked) == 0 {
		return s, errAltered
	}
	if t.now().Unix() >= s.Expires {
		return s, errExpired
	}
	return s, nil
}

// stateKind is the kind of the records of states that were used.
const stateKind = "mcp_state"

// use marks a state as used, in the store that all servers of the workflow
// share. It returns store.ErrConflict if it was used before.
func (t *states) use(ctx context.Context, s state) error {
	t.sweep(ctx)
	return t.store.Save(ctx, &store.Record{Kind: stateKind, ID: markOf(s), Data: []byte("{}")})
}

func markOf(s state) string { return fmt.Sprintf("%012d-%s", s.Expires, s.ID) }

// free takes back that a state was used: what it was for did not run.
func (t *states) free(ctx context.Context, s state) {
	// If it fails, the state is of no more use, which is the safe side.
	_ = t.store.Delete(ctx, stateKind, markOf(s), 0)
}

// sweep removes marks of states that are too old to be used at all. Their ids
// begin with when.
func (t *states) sweep(ctx context.Context) {
	old, err := t.store.List(ctx, store.Query{Kind: stateKind, Limit: 16})
	if err != nil {
		return // the next use sweeps
	}
	now := fmt.Sprintf("%012d", t.now().Unix())
	for _, r := range old {
		if r.ID >= now {
			return
		}
		_ = t.store.Delete(ctx, stateKind, r.ID, 0) // another server may have been first
	}
}

// suspend ends a call with a question to the user and what to go on with, or
// with what was said of it if that is too long to be kept by the client.
func (c *toolCall) suspend(q *question, said refusal) *sdk.CallToolResult {
	s := state{Command: c.command.Name(), Round: c.round, Answers: c.answers, Said: said}
	for _, f := range q.fields {
		s.Asked = append(s.Asked, f.Name)
	}
	token := c.states.seal(s, c)
	if len(token) > longestState {
		return said.result("") // answers so long that the client could not bring them back
	}
	return &sdk.CallToolResult{
		InputRequests: sdk.InputRequestMap{s.Asked[0]: &q.params}, // named after its first field
		RequestState:  token,
	}
}

// resume goes on with a call whose user was asked. A state that is not this
// call's is an error of the protocol, as SEP-2322 demands; what a model can act
// on is a result.
func (c *toolCall) resume(ctx context.Context) (*sdk.CallToolResult, error) {
	s, err := c.states.open(c.request.Params.RequestState, c)
	if err == errExpired {
		return failure(expiredText), nil
	}
	if err != nil {
		return nil, err
	}
	switch err := c.states.use(ctx, s); {
	case errors.Is(err, store.ErrConflict):
		return failure(usedText), nil
	case err != nil:
		c.dispatcher.Logger().WarnContext(ctx, "state of a call not marked as used", "error", err)
		return failure(serve.Message(err)), nil
	}
	c.used = &s
	c.command, c.round, c.answers = c.dispatcher.Workflow().Command(s.Command), s.Round, s.Answers
	if c.command == nil { // another version of the workflow asked
		c.answers = nil
		return c.run(ctx)
	}
	var fields []*signature.Field
	for _, name := range s.Asked {
		if at := c.command.Signature().Root().Field(name); at >= 0 {
			fields = append(fields, c.command.Signature().Fields()[at])
		}
	}
	if reply, ok := c.request.Params.InputResponses[s.Asked[0]].(*sdk.ElicitResult); ok {
		if refused := c.take(fields, reply, s.Said); refused != nil {
			return refused, nil
		}
	}
	return c.run(ctx)
}
