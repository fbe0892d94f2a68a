// Package web puts the handlers of a workflow behind one HTTP server that
// bounds connections, headers and slow bodies, refuses strangers on loopback,
// and shuts down without losing what it has acknowledged.
//
//	server, err := web.New(dispatcher, web.Options{REST: service, MCP: tools.Handler()})
//	listener, err := net.Listen("tcp", "127.0.0.1:8000")
//	err = server.Serve(ctx, listener) // until ctx ends
package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"github.com/fwgo/fwgo/serve"
)

// The bounds of a Server whose Options say nothing.
const (
	DefaultMaxConns     = 4096
	DefaultReadTimeout  = 30 * time.Second
	DefaultWriteTimeout = 30 * time.Second
	DefaultGrace        = 30 * time.Second
	maxHeaderBytes      = 64 << 10
	idleTimeout         = 2 * time.Minute
	// pieceBytes is how much of an answer a client is given WriteTimeout for.
	pieceBytes = 256 << 10
	// answerTime is how long the answers of ended calls may take to be written.
	answerTime = 3 * time.Second
)

// Options are what a Server serves and its bounds.
type Options struct {
	// REST answers everything that the others do not; nil for nothing.
	REST http.Handler
	// MCP answers /mcp, Metrics /metrics; nil for nothing.
	MCP, Metrics http.Handler
	// MaxConns is how many connections are open at once, 0 for
	// DefaultMaxConns. Further ones wait to be accepted.
	MaxConns int
	// ReadTimeout is how long a request's headers and body may take to arrive,
	// 0 for DefaultReadTimeout.
	ReadTimeout time.Duration
	// WriteTimeout is how long a client may take to accept a piece of an answer,
	// 0 for DefaultWriteTimeout. It is not for the call that is answered: that
	// has the time of the Dispatcher.
	WriteTimeout time.Duration
	// Grace is how long running calls may take to end at shutdown, 0 for
	// DefaultGrace.
	Grace time.Duration
	// Drained is called at the end, when every call has been answered, to end
	// streams that nothing more comes on; nil for none.
	Drained func()
	// Hosts are further names that a server on loopback is called by, such as
	// that of a proxy in front of it. A request for any other name than
	// localhost, 127.0.0.1 and [::1] is refused there: it comes from a page that
	// had its own name pointed at this machine.
	Hosts []string
}

// A Server serves one workflow over HTTP.
type Server struct {
	dispatcher *serve.Dispatcher
	options    Options
	mux        *http.ServeMux
}

// New makes a Server. There must be something to serve.
func New(d *serve.Dispatcher, o Options) (*Server, error) {
	if o.REST == nil && o.MCP == nil {
		return nil, errors.New("web: there is nothing to serve: Options have neither REST nor MCP")
	}
	if o.MaxConns <= 0 {
		o.MaxConns = DefaultMaxConns
	}
	if o.ReadTimeout <= 0 {
		o.ReadTimeout = DefaultReadTimeout
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = DefaultWriteTimeout
	}
	if o.Grace <= 0 {
		o.Grace = DefaultGrace
	}
	s := &Server{dispatcher: d, options: o, mux: http.NewServeMux()}
	if o.REST != nil {
		s.mux.Handle("/", o.REST)
	}
	if o.MCP != nil {
		s.mux.Handle("/mcp", o.MCP)
	}
	if o.Metrics != nil {
		s.mux.Handle("GET /metrics", o.Metrics)
	}
	return s, nil
}

// Serve answers on a listener until ctx ends. Then it takes no more calls,
// answers those it has taken, within Options.Grace, and returns nil; or an
// error if some had to be left, or if listening failed.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	var handler http.Handler = s.mux
	if IsLoopback(l.Addr().String()) {
		handler = s.local(handler)
	}
	server := &http.Server{
		Handler:           s.timed(handler),
		ReadHeaderTimeout: s.options.ReadTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.dispatcher.Logger().Handler(), slog.LevelDebug),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(netutil.LimitListener(l, s.options.MaxConns)) }()
	select {
	case err := <-failed:
		return fmt.Errorf("web: %w", err)
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.options.Grace)
	defer cancel()
	// Calls first: a turn may outlive the request that began it.
	left := s.dispatcher.Drain(ending)
	if s.options.Drained != nil {
		s.options.Drained()
	}
	closing, done := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer done()
	if err := server.Shutdown(closing); err != nil {
		_ = server.Close() // what is open now are streams that nothing more comes on
	}
	if left != nil {
		return fmt.Errorf("web: calls were still running %s after the end was asked for: %w", s.options.Grace, left)
	}
	return nil
}

// timed bounds how long a body may take to arrive and an answer to be accepted.
// http.Server.ReadTimeout would also end the context of calls that take longer
// than that to run, and its WriteTimeout their answers and streams.
func (s *Server) timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn := http.NewResponseController(w)
		if r.Body != nil && r.Body != http.NoBody {
			_ = conn.SetReadDeadline(time.Now().Add(s.options.ReadTimeout))
			r.Body = &timedBody{ReadCloser: r.Body, conn: conn}
		}
		next.ServeHTTP(&timedAnswer{w, conn, s.options.WriteTimeout}, r)
	})
}

// timedAnswer gives each piece of an answer its time.
type timedAnswer struct {
	http.ResponseWriter
	conn *http.ResponseController
	time time.Duration
}

func (a *timedAnswer) WriteHeader(status int) {
	a.begin()
	a.ResponseWriter.WriteHeader(status)
}

func (a *timedAnswer) Write(p []byte) (int, error) {
	for written := 0; ; {
		a.begin()
		n, err := a.ResponseWriter.Write(p[written:min(len(p), written+pieceBytes)])
		if written += n; err != nil || written == len(p) {
			return written, err
		}
	}
}

// FlushError is what http.ResponseController calls.
func (a *timedAnswer) FlushError() error {
	a.begin()
	return a.conn.Flush()
}

// Flush is for handlers that look for an http.Flusher.
func (a *timedAnswer) Flush() { _ = a.FlushError() }

// Unwrap lets http.ResponseController find the connection.
func (a *timedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *timedAnswer) begin() { _ = a.conn.SetWriteDeadline(time.Now().Add(a.time)) }

// timedBody lifts the deadline once the body has arrived.
type timedBody struct {
	io.ReadCloser
	conn *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.conn.SetReadDeadline(time.Time{})
	}
	return n, err
}

// local refuses requests for names that are not this machine's.
func (s *Server) local(next http.Handler) http.Handler {
	known := map[string]bool{"localhost": true}
	for _, name := range s.options.Hosts {
		known[strings.ToLower(name)] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(name); err == nil {
			name = host
		}
		name = strings.ToLower(strings.Trim(name, "[]"))
		if ip := net.ParseIP(name); !known[name] && (ip == nil || !ip.IsLoopback()) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			_, _ = w.Write([]byte(`{"detail":"This server is only for its own machine, and was called by another name."}`))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// IsLoopback reports whether only this machine can reach an address such as
// "127.0.0.1:8000". An address without a host is reached by everyone.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		host = addr
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
