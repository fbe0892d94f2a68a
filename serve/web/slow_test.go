package web_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/serve"
	"github.com/fwgo/fwgo/serve/rest"
	"github.com/fwgo/fwgo/serve/web"
)

// A client that reads nothing of a long answer used to hold its connection for
// ever; as many of them as connections are taken, and nobody else was served.
func TestAClientThatDoesNotReadLosesItsConnection(t *testing.T) {
	w, err := command.New(command.Options{Name: "long", Logger: quiet}, command.Define(command.Spec[struct{}]{Name: "long",
		Run: func(context.Context, *command.Session, *struct{}) (command.Response, error) {
			return command.Say(strings.Repeat("a", 8<<20)), nil
		}}))
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, w, serve.Options{}, rest.Options{}, web.Options{WriteTimeout: 200 * time.Millisecond})
	access := r.open(http.DefaultClient, "c")
	conn, err := net.Dial("tcp", r.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body := `{"user_query":"long"}`
	_, _ = io.WriteString(conn, "POST /invoke_agent HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer "+access+"\r\nContent-Length: 21\r\n\r\n"+body)
	_ = conn.SetReadDeadline(time.Now().Add(60 * time.Second))
	if _, err := io.ReadFull(conn, make([]byte, 100)); err != nil { // the answer has begun
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second)
	n, err := io.Copy(io.Discard, conn)
	if n >= 16<<20 || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the server still wrote after the client had not read: %d bytes, %v", n, err)
	}
}

// The time is for each piece of an answer, not for the call in front of it.
func TestAClientThatReadsIsNotCutOff(t *testing.T) {
	wait := make(chan struct{})
	r := start(t, notes(t, wait), serve.Options{}, rest.Options{}, web.Options{WriteTimeout: 200 * time.Millisecond})
	access := r.open(http.DefaultClient, "c")
	for range 2 {
		done := time.AfterFunc(600*time.Millisecond, func() { wait <- struct{}{} })
		if status, text := r.post(http.DefaultClient, "/perform_action", access, "application/json", `{"action":{"command_name":"wait"}}`); status != 200 || !strings.Contains(text, "waited") {
			t.Errorf("%d %s", status, text)
		}
		done.Stop()
	}
}
