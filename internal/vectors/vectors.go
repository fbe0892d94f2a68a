// Package vectors reads recorded outcomes for tests: those that stand beside
// the checkout and are no part of it, and the lists of rows that differ from
// them on purpose.
package vectors

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Rows reads a file of the vectors, a JSON object a line. It skips the test if
// they are not beside the checkout.
func Rows[T any](t testing.TB, name string) []T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "..", "shared", "vectors", name))
	if err != nil {
		t.Skip("the recorded outcomes are not beside this checkout: ", err)
	}
	var rows []T
	for line := range bytes.Lines(text) {
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			t.Fatalf("%s, row %d: %v", name, len(rows)+1, err)
		}
		rows = append(rows, row)
	}
	return rows
}

// root is the folder of the module that the test is of.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			t.Fatalf("no go.mod above %s", dir)
		}
	}
}

// Differences reads a list of rows that differ on purpose: "name: reason" a
// line, # before a comment. It maps names to reasons.
func Differences(t testing.TB, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ":")
		if reason = strings.TrimSpace(reason); !ok || reason == "" {
			t.Fatalf("%s: no reason: %s", file, line)
		}
		rows[name] = reason
	}
	return rows
}
