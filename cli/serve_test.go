package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// served is a process that serves.
type served struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
	log  *bytes.Buffer
}

var servingAt = regexp.MustCompile(`msg=serving address=(\S+)`)

// serveProcess starts this test binary as the command line; TestMain knows it
// by its name.
func serveProcess(t *testing.T, args ...string) *served {
	t.Helper()
	s := &served{t: t, log: new(bytes.Buffer)}
	s.cmd = &exec.Cmd{Path: os.Args[0], Args: append([]string{"fwgo", "serve", "--http", "127.0.0.1:0"}, args...), Env: os.Environ()}
	out, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	lines := bufio.NewScanner(out)
	for s.base == "" && lines.Scan() {
		fmt.Fprintln(s.log, lines.Text())
		if m := servingAt.FindStringSubmatch(lines.Text()); m != nil {
			s.base = "http://" + m[1]
		}
	}
	if s.base == "" {
		t.Fatalf("it does not serve:\n%s", s.log)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return s
}

func (s *served) post(path, access, body string) (int, string, error) {
	r, err := http.NewRequest("POST", s.base+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	return s.do(r, access)
}

func (s *served) get(path, access string) (int, string, error) {
	r, err := http.NewRequest("GET", s.base+path, nil)
	if err != nil {
		return 0, "", err
	}
	return s.do(r, access)
}

func (s *served) do(r *http.Request, access string) (int, string, error) {
	r.Header.Set("Content-Type", "application/json")
	if access != "" {
		r.Header.Set("Authorization", "Bearer "+access)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// Whatever ends a server, what it has answered with 200 is there when it comes
// back.
func TestNoAcknowledgedTurnIsLostWhenTheServerEnds(t *testing.T) {
	for name, signal := range map[string]os.Signal{"terminated": syscall.SIGTERM, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			kept := filepath.Join(t.TempDir(), "sessions.db")
			s := serveProcess(t, "--store", kept, "--log", "info")
			const channels = 16
			tokens, acknowledged := make([]string, channels), make([]int, channels)
			for i := range channels {
				status, text, err := s.post("/initialize", "", fmt.Sprintf(`{"channel_id":"c%d"}`, i))
				var got struct {
					Access string `json:"access_token"`
				}
				if err := errors.Join(err, json.Unmarshal([]byte(text), &got)); err != nil || status != 200 {
					t.Fatal(status, text, err)
				}
				tokens[i] = got.Access
			}
			var all sync.WaitGroup
			for i := range channels {
				all.Go(func() {
					for {
						status, text, err := s.post("/invoke_agent", tokens[i], `{"user_query":"get_order W1000042"}`)
						switch {
						case err != nil, status == http.StatusServiceUnavailable:
							return // it ends
						case status == http.StatusOK:
							acknowledged[i]++
						default:
							t.Errorf("channel %d: %d %s", i, status, text)
							return
						}
					}
				})
			}
			time.Sleep(500 * time.Millisecond)
			if err := s.cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			all.Wait()
			if err := s.cmd.Wait(); signal == syscall.SIGTERM && err != nil {
				t.Errorf("its end: %v", err)
			}
			again := serveProcess(t, "--store", kept)
			total := 0
			for i := range channels {
				_, text, err := again.get("/conversations", tokens[i])
				var list []struct{ Summary string }
				if err := errors.Join(err, json.Unmarshal([]byte(text), &list)); err != nil || len(list) != 1 {
					t.Errorf("channel %d: %v %s", i, err, text)
					continue
				}
				recorded := 0
				_, _ = fmt.Sscan(list[0].Summary, &recorded)
				// The last turn may have been recorded and its answer lost on the way.
				if recorded < acknowledged[i] || recorded > acknowledged[i]+1 {
					t.Errorf("channel %d: %d turns were acknowledged, %d are recorded", i, acknowledged[i], recorded)
				}
				total += acknowledged[i]
			}
			if total < channels {
				t.Errorf("only %d turns were acknowledged", total)
			}
		})
	}
}
