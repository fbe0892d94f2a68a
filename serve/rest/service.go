package rest

import (
	"crypto/subtle"
	"net/http"
	"sync"

	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/serve/token"
)

// The bounds of a Service whose Options say nothing.
const (
	DefaultMaxChannels      = 10_000
	DefaultMaxTurns         = 200
	DefaultMaxConversations = 50
)

// Options are what a Service needs beside its Dispatcher. The zero value
// serves unsigned tokens.
type Options struct {
	// Issuer makes and checks the tokens; nil makes unsigned ones.
	Issuer *token.Issuer
	// Secret, if not empty, must come as bearer token with the requests that
	// hand out tokens: /initialize and /admin. Without it anyone who reaches the
	// server is given a token for any channel, as Python's service does.
	Secret string
	// DumpDir is the folder in which /admin/dump_all_conversations may write;
	// without one the endpoint is refused.
	DumpDir string
	// MaxChannels is how many channels are held in memory, 0 for
	// DefaultMaxChannels. Idle ones beyond it are let go of; what they had is in
	// the Store.
	MaxChannels int
	// MaxTurns is how many turns of a conversation are kept, and
	// MaxConversations how many conversations of a channel, the latest; 0 for
	// DefaultMaxTurns and DefaultMaxConversations.
	MaxTurns, MaxConversations int
	// Drafts, if not nil, is served as /drafts. It must be of the same
	// Dispatcher.
	Drafts *drafts.Desk
	// Title and Version are the OpenAPI document's; the workflow's name and "1"
	// if empty.
	Title, Version string
}

// A Service is the HTTP handler of a workflow. It is safe for concurrent use.
type Service struct {
	dispatcher *serve.Dispatcher
	options    Options
	handler    http.Handler
	document   []byte
	bodies     bodies
	// draftBodies are there where drafts are served.
	draftBodies draftBodies

	mu       sync.Mutex
	channels map[string]*channel
}

// New makes the Service of a Dispatcher. The error is about a command whose
// schema cannot be published.
func New(d *serve.Dispatcher, o Options) (*Service, error) {
	if o.Issuer == nil {
		unsigned, err := token.New(token.Options{})
		if err != nil {
			return nil, err
		}
		o.Issuer = unsigned
	}
	if o.MaxChannels <= 0 {
		o.MaxChannels = DefaultMaxChannels
	}
	if o.MaxTurns <= 0 {
		o.MaxTurns = DefaultMaxTurns
	}
	if o.MaxConversations <= 0 {
		o.MaxConversations = DefaultMaxConversations
	}
	if o.Title == "" {
		o.Title = d.Workflow().Name()
	}
	if o.Version == "" {
		o.Version = "1"
	}
	s := &Service{dispatcher: d, options: o, bodies: makeBodies(), channels: map[string]*channel{}}
	if o.Drafts != nil {
		s.draftBodies = draftBodies{bodyOf[proposeBody](), bodyOf[approveBody](), bodyOf[answerBody]()}
	}
	document, err := s.describe()
	if err != nil {
		return nil, err
	}
	s.document = document
	mux := http.NewServeMux()
	for _, e := range s.endpoints() {
		mux.HandleFunc(e.method+" "+e.path, e.serve)
	}
	s.handler = s.framed(mux)
	return s, nil
}

// OpenAPI returns the OpenAPI 3.1 document of the Service.
func (s *Service) OpenAPI() []byte { return s.document }

// ServeHTTP answers a request.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// guarded lets a request through to an endpoint that hands out tokens, or
// writes files, if it brings the secret.
func (s *Service) guarded(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		given, _ := bearer(r)
		if s.options.Secret != "" && subtle.ConstantTimeCompare([]byte(given), []byte(s.options.Secret)) != 1 {
			unauthorized(w, "This endpoint needs the server's secret as bearer token.")
			return
		}
		next(w, r)
	}
}

const accessText = "Not authenticated: send the access token as Authorization: Bearer <access_token>."

// channelled lets a request through that brings an access token, with the
// channel it is for.
func (s *Service) channelled(next func(w http.ResponseWriter, r *http.Request, c *channel)) http.HandlerFunc {
	return s.authorized(func(w http.ResponseWriter, r *http.Request, caller serve.Caller) {
		c, err := s.channel(r.Context(), caller.Channel)
		if err != nil {
			s.failed(w, r, caller.Channel, err)
			return
		}
		if c == nil {
			refuse(w, http.StatusNotFound, "User session not found: "+shown(caller.Channel))
			return
		}
		defer s.release(c)
		next(w, r, c)
	})
}
