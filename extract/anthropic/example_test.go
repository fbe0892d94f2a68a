package anthropic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/extract/anthropic"
)

// The endpoint of this example is a server on the spot that always answers the
// same; with a real one, BaseURL is that, or is left out for Anthropic's.
func Example() {
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{
			"type": "message", "role": "assistant", "stop_reason": "end_turn",
			"content": []any{map[string]any{"type": "text", "text": `{"room": "Blue", "days": 7}`}},
		})
	}))
	defer endpoint.Close()

	type booking struct {
		Room string `json:"room"`
		Days int    `json:"days"`
	}
	book := command.Define(command.Spec[booking]{
		Name: "book",
		Run: func(ctx context.Context, s *command.Session, in *booking) (command.Response, error) {
			return command.Say(fmt.Sprintf("%s is yours for %d days.", in.Room, in.Days)), nil
		},
	})
	x, err := anthropic.New(anthropic.Options{BaseURL: endpoint.URL, Model: "claude-haiku-5-5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := command.MustNew(command.Options{Name: "hotel", Extractor: x}, book)
	fmt.Println(w.NewSession().Call(context.Background(), "book the blue room for a week please").Text())
	// Output: Blue is yours for 7 days.
}
