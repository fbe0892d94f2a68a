package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/drafts"
	"github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/serve/metrics"
	"github.com/fwgo/fwgo/serve/rest"
	"github.com/fwgo/fwgo/serve/token"
	"github.com/fwgo/fwgo/serve/web"
	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/bolt"
)

type serveCmd struct {
	MCP     bool   `name:"mcp" help:"Serve MCP on standard input and output." xor:"way"`
	HTTP    string `name:"http" help:"Serve REST, MCP at /mcp and metrics at /metrics on an address such as 127.0.0.1:8000." placeholder:"ADDR" xor:"way"`
	OpenAPI bool   `name:"openapi" help:"Print the OpenAPI document and end." xor:"way"`

	Drafts   bool `help:"Take drafts too: callers propose, operators approve."`
	Operator bool `help:"With --drafts: the user of --mcp is an operator and may approve, or over HTTP without --jwt-key whoever says so."`

	Profile    string `help:"The form of the tools' schemas: ${profiles}." placeholder:"P"`
	Store      string `help:"Keep sessions in this file; without it they end with the process." placeholder:"FILE" type:"path"`
	JWTKey     string `name:"jwt-key" help:"Sign tokens with this RSA private key (PEM); needed unless ADDR is on loopback." placeholder:"FILE" type:"existingfile"`
	SecretFile string `help:"A file with the secret that requests for tokens must bring." placeholder:"FILE" type:"existingfile"`
	StateKey   string `help:"A file with a secret of 32 bytes or more that signs what MCP clients keep of a call; servers behind one address share it." placeholder:"FILE" type:"existingfile"`
	DumpDir    string `help:"The folder that conversations may be dumped to." placeholder:"DIR" type:"existingdir"`

	Timeout       time.Duration `help:"The longest a call may run." default:"10m"`
	MaxConcurrent int           `help:"How many calls run at once." default:"256"`
	Grace         time.Duration `help:"How long running calls may take to end at shutdown." default:"30s"`
	Host          []string      `help:"A further name that a server on loopback is called by." placeholder:"NAME"`
	Log           string        `help:"The least level to log: debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
}

func (c *serveCmd) Run(s *streams) error {
	if err := c.misused(); err != nil {
		return err
	}
	p, err := c.parts(s)
	if err != nil {
		return err
	}
	defer p.close()
	switch {
	case c.MCP:
		return p.overStdio(s, c.Grace)
	case c.OpenAPI:
		_, err := fmt.Fprintf(s.out, "%s\n", p.service.OpenAPI())
		return err
	default:
		return p.overHTTP(s, c)
	}
}

// served are the parts of a server, made from its flags.
type served struct {
	close      func()
	log        *slog.Logger
	figures    *metrics.Metrics
	dispatcher *serve.Dispatcher
	desk       *drafts.Desk // nil without --drafts
	issuer     *token.Issuer
	tools      *mcp.Server
	service    *rest.Service
}

func (c *serveCmd) parts(s *streams) (*served, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Log)); err != nil {
		return nil, err
	}
	kept, closeStore, err := c.open(s.workflow)
	if err != nil {
		return nil, err
	}
	p := &served{close: closeStore, log: slog.New(slog.NewTextHandler(s.err, &slog.HandlerOptions{Level: level})), figures: metrics.New()}
	p.dispatcher = serve.New(s.workflow, serve.Options{Store: kept, Timeout: c.Timeout, MaxConcurrent: c.MaxConcurrent, Logger: p.log, Observers: []serve.Observer{p.figures}})
	if err := c.fronts(p); err != nil {
		closeStore()
		return nil, err
	}
	return p, nil
}

// fronts makes what stands in front of the dispatcher.
func (c *serveCmd) fronts(p *served) (err error) {
	if c.Drafts {
		if p.desk, err = drafts.New(p.dispatcher, drafts.Options{}); err != nil {
			return err
		}
	}
	if p.issuer, err = c.issuer(); err != nil {
		return err
	}
	state, err := readSecret(c.StateKey)
	if err != nil {
		return err
	}
	o := mcp.Options{Profile: c.Profile, Hosts: c.Host, Drafts: p.desk, Operator: c.Operator && c.MCP}
	if state != "" {
		o.Secret = []byte(state)
	}
	if p.issuer.Signed() {
		o.Verify = p.issuer.Verify
	}
	if p.tools, err = mcp.New(p.dispatcher, o); err != nil {
		return err
	}
	secret, err := readSecret(c.SecretFile)
	if err != nil {
		return err
	}
	p.service, err = rest.New(p.dispatcher, rest.Options{Issuer: p.issuer, Secret: secret, DumpDir: c.DumpDir, Drafts: p.desk})
	return err
}

// overStdio serves one client until it leaves. A draft may run on after it.
func (p *served) overStdio(s *streams, grace time.Duration) error {
	err := p.tools.ServeStdio(s.ctx, s.in, s.out)
	if p.desk == nil {
		return err
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), grace)
	defer cancel()
	return errors.Join(err, p.dispatcher.Drain(ending))
}

// overHTTP serves until it is interrupted.
func (p *served) overHTTP(s *streams, c *serveCmd) error {
	listener, err := (&net.ListenConfig{}).Listen(s.ctx, "tcp", c.HTTP)
	if err != nil {
		return err
	}
	server, err := web.New(p.dispatcher, web.Options{REST: p.service, MCP: p.tools.Handler(), Metrics: p.figures.Handler(),
		Drained: p.tools.Close, Grace: c.Grace, Hosts: c.Host})
	if err != nil {
		_ = listener.Close()
		return err
	}
	p.log.Info("serving", "address", listener.Addr().String(), "signed_tokens", p.issuer.Signed())
	return server.Serve(s.ctx, listener)
}

// misused reports flags whose values, or whose presence, would be passed over.
func (c *serveCmd) misused() error {
	for _, bound := range []struct {
		flag string
		ok   bool
	}{{"--timeout", c.Timeout > 0}, {"--max-concurrent", c.MaxConcurrent > 0}, {"--grace", c.Grace > 0}} {
		if !bound.ok {
			return errors.New(bound.flag + " takes more than 0")
		}
	}
	switch {
	case !c.MCP && !c.OpenAPI && c.HTTP == "":
		return errors.New("serve needs --mcp, --http ADDR or --openapi")
	case c.HTTP != "" && c.JWTKey == "" && !web.IsLoopback(c.HTTP):
		return fmt.Errorf("serve --http %s can be reached from other machines, so it needs --jwt-key FILE; without a key only an address such as 127.0.0.1:8000 is served", c.HTTP)
	case c.Operator && !c.Drafts:
		return errors.New("serve --operator is for --drafts: it says who approves them")
	case c.Operator && c.JWTKey != "":
		return errors.New("serve --operator is for servers without --jwt-key: with it an operator is who has a token with that role")
	case c.SecretFile != "" && c.JWTKey == "" && c.HTTP != "":
		return errors.New("serve --secret-file guards nothing without --jwt-key: tokens that are not signed need not be asked for")
	case !c.MCP:
		return nil
	}
	for _, only := range []struct {
		flag  string
		given bool
	}{{"--jwt-key", c.JWTKey != ""}, {"--secret-file", c.SecretFile != ""}, {"--dump-dir", c.DumpDir != ""}, {"--host", len(c.Host) > 0}} {
		if only.given {
			return errors.New(only.flag + " is for --http: with --mcp whoever has standard input is the caller")
		}
	}
	return nil
}

// open opens the store that the command line names.
func (c *serveCmd) open(w *command.Workflow) (store.Store, func(), error) {
	if c.Store == "" || c.OpenAPI {
		return nil, func() {}, nil
	}
	if err := w.Storable(); err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Dir(c.Store), 0o700); err != nil {
		return nil, nil, err
	}
	kept, err := bolt.Open(c.Store, bolt.Options{})
	if err != nil {
		return nil, nil, err
	}
	return kept, func() { _ = kept.Close() }, nil
}

func (c *serveCmd) issuer() (*token.Issuer, error) {
	if c.JWTKey == "" {
		return token.New(token.Options{TrustRoles: c.Operator})
	}
	key, err := os.ReadFile(c.JWTKey)
	if err != nil {
		return nil, err
	}
	return token.New(token.Options{KeyPEM: key})
}

// readSecret reads a secret from a file, without the line break at its end.
func readSecret(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(text))
	if secret == "" {
		return "", fmt.Errorf("the secret in %s is empty", path)
	}
	return secret, nil
}
