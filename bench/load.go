package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	servemcp "github.com/fwgo/fwgo/serve/mcp"
	"github.com/fwgo/fwgo/serve/rest"
	"github.com/fwgo/fwgo/serve/web"
)

// A Load is a bounded load on a server on loopback: how many connections call
// it, one call after the other, for how long.
type Load struct {
	Connections int
	Duration    time.Duration
}

// A LoadResult is what a load on one server gave.
type LoadResult struct {
	Name          string
	Calls, Failed int
	// First is the first failure, "" for none.
	First    string
	PerSec   float64
	P50, P99 time.Duration
	// Goroutines and Heap are how many more there were after the load than
	// before, once the connections were closed.
	Goroutines int
	Heap       int64
}

// loadTarget is a server to be loaded.
type loadTarget struct {
	name string
	// start serves on loopback until stop is called; request makes the request
	// of a connection.
	start func() (base string, stop func(), err error)
	// open is called once a connection, for what its requests need.
	open    func(client *http.Client, base string, connection int) (request func() *http.Request, err error)
	success []byte // what a good answer holds
}

// RunLoad loads the servers one after the other: the bare go-sdk, fwgo's MCP
// with the same call, and fwgo's REST.
func RunLoad(ctx context.Context, l Load) ([]LoadResult, error) {
	var results []LoadResult
	for _, t := range loadTargets() {
		r, err := l.run(ctx, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		results = append(results, r)
	}
	return results, nil
}

func (l Load) run(ctx context.Context, t loadTarget) (LoadResult, error) {
	base, stop, err := t.start()
	if err != nil {
		return LoadResult{}, err
	}
	defer stop()
	// A first round warms the server up, so that what stays is not counted as
	// growth.
	if _, err := l.round(ctx, t, base, time.Second/2); err != nil {
		return LoadResult{}, err
	}
	goroutines, heap := settled(0)
	r, err := l.round(ctx, t, base, l.Duration)
	if err != nil {
		return r, err
	}
	after, heapAfter := settled(goroutines)
	r.Goroutines, r.Heap = after-goroutines, heapAfter-heap
	return r, nil
}

// settled counts goroutines and live bytes once connections have closed.
func settled(want int) (goroutines int, heap int64) {
	for range 50 {
		time.Sleep(20 * time.Millisecond)
		if goroutines = runtime.NumGoroutine(); want > 0 && goroutines <= want {
			break
		}
	}
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return goroutines, int64(m.HeapAlloc)
}

func (l Load) round(ctx context.Context, t loadTarget, base string, lasts time.Duration) (LoadResult, error) {
	ctx, cancel := context.WithTimeout(ctx, lasts+10*time.Second)
	defer cancel()
	r := LoadResult{Name: t.name}
	var mu sync.Mutex
	var times []time.Duration
	var failed error
	var all sync.WaitGroup
	began := time.Now()
	for i := range l.Connections {
		all.Go(func() {
			transport := &http.Transport{MaxIdleConnsPerHost: 1, MaxConnsPerHost: 1}
			defer transport.CloseIdleConnections()
			client := &http.Client{Transport: transport}
			request, err := t.open(client, base, i)
			if err != nil {
				mu.Lock()
				failed = err
				mu.Unlock()
				return
			}
			var own []time.Duration
			bad, first := 0, ""
			for time.Since(began) < lasts {
				at := time.Now()
				if text := once(client, request().WithContext(ctx), t.success); text != "" {
					bad++
					first = text
					continue
				}
				own = append(own, time.Since(at))
			}
			mu.Lock()
			defer mu.Unlock()
			times = append(times, own...)
			r.Failed += bad
			if first != "" {
				r.First = first
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	if failed != nil {
		return r, failed
	}
	r.Calls = len(times)
	r.PerSec = float64(r.Calls) / took.Seconds()
	slices.Sort(times)
	if len(times) > 0 {
		r.P50, r.P99 = times[len(times)/2], times[len(times)*99/100]
	}
	return r, nil
}

// once makes one request; the text says what was wrong with its answer.
func once(client *http.Client, r *http.Request, success []byte) string {
	resp, err := client.Do(r)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return err.Error()
	case resp.StatusCode != http.StatusOK || !bytes.Contains(text, success):
		return fmt.Sprintf("%d %.300s", resp.StatusCode, text)
	}
	return ""
}

// answerOrder is what the command of a load answers.
const answerOrder = "the order is placed"

func loadTargets() []loadTarget {
	quiet := slog.New(slog.DiscardHandler)
	served := func(o web.Options, d *serve.Dispatcher) (string, func(), error) {
		server, err := web.New(d, o)
		if err != nil {
			return "", nil, err
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", nil, err
		}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- server.Serve(ctx, l) }()
		return "http://" + l.Addr().String(), func() { cancel(); <-ended }, nil
	}
	dispatcher := func() *serve.Dispatcher {
		w := command.MustNew(command.Options{Name: "bench", Logger: quiet}, command.Define(command.Spec[order]{
			Name: "order",
			Run: func(context.Context, *command.Session, *order) (command.Response, error) {
				return command.Say(answerOrder), nil
			},
		}))
		return serve.New(w, serve.Options{Logger: quiet})
	}
	return []loadTarget{
		{"go-sdk, raw tool, nothing checked", func() (string, func(), error) {
			server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
			server.AddTool(&mcp.Tool{Name: "order", InputSchema: json.RawMessage(orderSchema)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: answerOrder}}}, nil
			})
			return bare(server)
		}, openMCP, []byte(answerOrder)},
		{"go-sdk, typed tool", func() (string, func(), error) {
			server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
			mcp.AddTool(server, &mcp.Tool{Name: "order", InputSchema: json.RawMessage(orderSchema)},
				func(context.Context, *mcp.CallToolRequest, plainOrder) (*mcp.CallToolResult, any, error) {
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: answerOrder}}}, nil, nil
				})
			return bare(server)
		}, openMCP, []byte(answerOrder)},
		{"fwgo, MCP", func() (string, func(), error) {
			d := dispatcher()
			tools, err := servemcp.New(d, servemcp.Options{})
			if err != nil {
				return "", nil, err
			}
			return served(web.Options{MCP: tools.Handler()}, d)
		}, openMCP, []byte(answerOrder)},
		{"fwgo, REST (a session and a record of each turn)", func() (string, func(), error) {
			d := dispatcher()
			service, err := rest.New(d, rest.Options{MaxTurns: 10})
			if err != nil {
				return "", nil, err
			}
			return served(web.Options{REST: service}, d)
		}, openREST, []byte(answerOrder)},
	}
}

// bare serves a go-sdk server without sessions.
func bare(server *mcp.Server) (string, func(), error) {
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	s := httptest.NewServer(mux)
	return s.URL, s.Close, nil
}

func openMCP(_ *http.Client, base string, _ int) (func() *http.Request, error) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"order","arguments":` + payload + `,"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`)
	return poster(base+"/mcp", body, map[string]string{
		"Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "order",
	})
}

func openREST(client *http.Client, base string, connection int) (func() *http.Request, error) {
	resp, err := client.Post(base+"/initialize", "application/json", bytes.NewReader(fmt.Appendf(nil, `{"channel_id":"channel-%d"}`, connection)))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var got struct {
		Access string `json:"access_token"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		return nil, err
	}
	return poster(base+"/perform_action", []byte(`{"action":{"command_name":"order","parameters":`+payload+`}}`), map[string]string{"Authorization": "Bearer " + got.Access})
}

func poster(url string, body []byte, headers map[string]string) (func() *http.Request, error) {
	if _, err := http.NewRequest(http.MethodPost, url, nil); err != nil {
		return nil, err
	}
	return func() *http.Request {
		r, _ := http.NewRequest(http.MethodPost, url, bytes.NewReader(body)) // checked above
		r.Header.Set("Content-Type", "application/json")
		for name, value := range headers {
			r.Header.Set(name, value)
		}
		return r
	}, nil
}
