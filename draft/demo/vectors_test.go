package demo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/internal/vectors"
)

// vector is one recorded run of the command line.
type vector struct {
	Name    string          `json:"name"`
	Command string          `json:"command"`
	Args    []string        `json:"args"`
	Stdout  json.RawMessage `json:"stdout_json"`
}

// TestVectorsCatalog compares the listings of the demonstration catalogs, with the descriptions left out: they are ours.
func TestVectorsCatalog(t *testing.T) {
	rows := 0
	for _, v := range vectors.Rows[vector](t, "splash.jsonl") {
		if v.Command != "catalog" && v.Command != "module-catalog" {
			continue
		}
		rows++
		c, err := Catalog(slices.Contains(v.Args, "--allow-echo"), slices.Contains(v.Args, "--allow-json-add"))
		if err != nil {
			t.Fatal(err)
		}
		doc := c.ToolsJSON()
		if v.Command == "module-catalog" {
			doc = c.ModulesJSON()
		}
		got, want := undescribed(t, doc), undescribed(t, v.Stdout)
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", v.Name, got, want)
		}
	}
	if rows != 6 {
		t.Errorf("%d rows", rows)
	}
}

// undescribed returns the tokens of a JSON text, in their order, with every description empty.
func undescribed(t *testing.T, doc []byte) string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var out []string
	for d.More() || len(out) > 0 {
		token, err := d.Token()
		if err != nil {
			break
		}
		text := fmt.Sprint(token)
		if len(out) > 0 && out[len(out)-1] == "description" {
			text = ""
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}
