package mcp

import (
	"net/http"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/store"
)

func TestNobodyWatchesTheListOfASessionThatEnded(t *testing.T) {
	s, server, _ := cashier(t, store.Memory(), Options{Verify: byName})
	s.contexts = true
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(),
		&sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: withToken("ada"), DisableStandaloneSSE: true}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if !s.lists.watched("ada") {
		t.Fatal("nobody watches the list that was shown")
	}
	session.Close()
	for range 200 {
		if !s.lists.watched("ada") {
			return
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Error("somebody watches still")
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func withToken(token string) *http.Client { return &http.Client{Transport: bearer(token)} }
