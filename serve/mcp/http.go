package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/serve"
)

// Handler serves clients over streamable HTTP, at whatever path it is mounted.
// What a request says of its version decides whether it belongs to a session
// of the client. Sessions are the handler's own: make one.
//
// Requests that a browser sends from another site are refused, and so are those
// that come in on a loopback address under another name.
func (s *Server) Handler() http.Handler {
	with := &endpoint{Server: s, kept: true, ended: s.ended, sessionOf: func(r sdk.Request) string {
		if channel := channelOf(r); channel != "" {
			return channel
		}
		return "mcp-" + r.GetSession().ID()
	}}
	without := &endpoint{Server: s, ended: s.ended, sessionOf: channelOf}
	limit := int64(s.dispatcher.MaxBytes() + room)
	handler := func(e *endpoint, o sdk.StreamableHTTPOptions) http.Handler {
		server := e.serverOf()
		o.MaxRequestBodyBytes = limit
		o.DisableLocalhostProtection = true // ours knows Options.Hosts
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &o)
	}
	stateful := handler(with, sdk.StreamableHTTPOptions{SessionTimeout: s.options.SessionTTL})
	stateless := handler(without, sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	return http.NewCrossOriginProtection().Handler(s.local(s.authenticated(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version := r.Header.Get("Mcp-Protocol-Version")
		modern := version >= statelessVersion
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
			if err != nil {
				refuse(w, err, limit)
				return
			}
			message, bad := inspect(body)
			if bad != nil {
				write(w, http.StatusBadRequest, bad)
				return
			}
			modern = modern || message.modern && version == "" && r.Header.Get("Mcp-Session-Id") == ""
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		if modern {
			stateless.ServeHTTP(w, r)
			return
		}
		stateful.ServeHTTP(w, r)
	}))))
}

// local refuses requests that come in on a loopback address under a name that
// is not this machine's: a browser makes them for a page that had its own name
// pointed here.
func (s *Server) local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
		if ok && loopback(at.String()) && !loopback(r.Host) && !slices.ContainsFunc(s.options.Hosts, func(name string) bool { return strings.EqualFold(name, hostOf(r.Host)) }) {
			write(w, http.StatusForbidden, &refused{jsonrpc.CodeInvalidRequest, "This server is only for its own machine, and was called by another name.", ""})
			return
		}
		next.ServeHTTP(w, r)
	})
}

func hostOf(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return strings.Trim(address, "[]")
}

func loopback(address string) bool {
	host := hostOf(address)
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// refuse answers a request whose body could not be read.
func refuse(w http.ResponseWriter, err error, limit int64) {
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		write(w, http.StatusRequestEntityTooLarge, &refused{jsonrpc.CodeInvalidRequest, "The message is longer than " + quote.Count(int(limit)) + " bytes.", ""})
		return
	}
	write(w, http.StatusBadRequest, &refused{jsonrpc.CodeInvalidRequest, "The message did not arrive as a whole.", ""})
}

func write(w http.ResponseWriter, status int, r *refused) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(r.response()) // the client may be gone
}

// channelOf returns the session of the token that came with a request, "" if
// none did.
func channelOf(r sdk.Request) string {
	if extra := r.GetExtra(); extra != nil && extra.TokenInfo != nil {
		return extra.TokenInfo.UserID
	}
	return ""
}

// callerExtra is where the caller is in what the SDK keeps of a token.
const callerExtra = "caller"

// caller returns who a request is from: the holder of its token, or else
// whoever has the session.
func (e *endpoint) caller(r sdk.Request) serve.Caller {
	if extra := r.GetExtra(); extra != nil && extra.TokenInfo != nil {
		if caller, ok := extra.TokenInfo.Extra[callerExtra].(serve.Caller); ok {
			return caller
		}
	}
	return serve.Caller{Channel: e.sessionOf(r), Operator: e.local && e.options.Operator}
}

type callerKey struct{}

// authenticated lets requests in whose token the Verifier accepts. The SDK
// holds every session to the channel that began it.
func (s *Server) authenticated(next http.Handler) http.Handler {
	if s.options.Verify == nil {
		return next
	}
	// The SDK takes who the caller is only from its own check.
	inner := auth.RequireBearerToken(func(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
		caller := ctx.Value(callerKey{}).(serve.Caller)
		return &auth.TokenInfo{UserID: caller.Channel, Expiration: caller.Expires, Extra: map[string]any{callerExtra: caller}}, nil
	}, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
		if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
			unauthorized(w, "", "A bearer token is needed.")
			return
		}
		caller, err := s.options.Verify(token)
		switch {
		case err != nil && !errors.Is(err, serve.ErrToken):
			s.dispatcher.Logger().ErrorContext(r.Context(), "token not checked", "error", err)
			http.Error(w, "The token could not be checked. Try again later.", http.StatusServiceUnavailable)
		case err != nil:
			unauthorized(w, "invalid_token", err.Error())
		case caller.Channel == "":
			unauthorized(w, "invalid_token", "The token names no channel.")
		default:
			caller.Bearer = token
			inner.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)))
		}
	})
}

// unauthorized answers with what RFC 6750 has a client read.
func unauthorized(w http.ResponseWriter, code, text string) {
	challenge := "Bearer"
	if code != "" {
		challenge += fmt.Sprintf(` error="%s", error_description="%s"`, code, headerText(text))
	}
	w.Header().Set("WWW-Authenticate", challenge)
	http.Error(w, text, http.StatusUnauthorized)
}

// headerText is a text as it can stand in quotes in a header.
func headerText(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return '\''
		}
		return r
	}, text)
}
