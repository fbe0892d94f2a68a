// Package house holds the rules of the house as tests: which room may use
// which, and what no file of the tree may hold.
package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/fwgo/fwgo/"

// floors says which rooms a room may use. Every room may use internal ones;
// internal rooms use only internal ones.
var floors = map[string][]string{
	"signature":            {},
	"normalize":            {},
	"lookup":               {},
	"internal/misspelt":    {"lookup"},
	"splash":               {},
	"store":                {},
	"store/bolt":           {"store"},
	"store/storetest":      {"store"},
	"validate":             {"signature", "lookup"},
	"agentmode":            {"signature"},
	"command":              {"signature", "normalize", "lookup", "validate", "agentmode", "store"},
	"command/sessiontest":  {"command", "store"},
	"draft":                {"splash"},
	"draft/demo":           {"draft", "splash"},
	"draft/tools":          {"draft", "splash", "command", "validate", "signature"},
	"serve":                {"command", "draft", "draft/tools", "store", "validate", "signature"},
	"serve/token":          {"serve"},
	"serve/metrics":        {"serve", "command", "validate"},
	"serve/drafts":         {"serve", "draft", "draft/tools", "command", "store", "validate", "splash"},
	"serve/web":            {"serve", "serve/rest", "serve/mcp", "serve/token", "serve/metrics"},
	"serve/rest":           {"serve/token", "serve/drafts", "lookup", "serve", "command", "draft", "draft/tools", "store", "validate", "signature"},
	"serve/mcp":            {"serve", "serve/drafts", "command", "draft", "draft/tools", "store", "validate", "signature"},
	"extract":              {"command", "signature", "validate", "lookup"},
	"extract/recorded":     {"extract", "command"},
	"cli":                  {"command", "signature", "normalize", "lookup", "validate", "agentmode", "splash", "draft", "draft/demo", "draft/tools", "serve", "serve/token", "serve/metrics", "serve/rest", "serve/mcp", "serve/drafts", "serve/web", "store", "store/bolt"},
	"cmd/fwgo":             {"cli", "examples/retail/desk"},
	"examples/hello":       {"cli", "command"},
	"examples/messaging":   {"cli", "command", "lookup"},
	"examples/todo":        {"cli", "command"},
	"examples/drafts":      {"draft", "draft/tools", "examples/retail/desk"},
	"examples/retail":      {"cli", "examples/retail/desk"},
	"examples/retail/desk": {"command", "lookup"},
}

func root(t *testing.T) string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// eachFile calls f with every file of the core module, by slash path.
func eachFile(t *testing.T, f func(path string, text []byte)) {
	dir := root(t)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == ".git" || path != dir && exists(filepath.Join(path, "go.mod")) {
				return filepath.SkipDir
			}
			return nil
		}
		if name == ".git" { // a worktree's, which names where the repository is
			return nil
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(rel), text)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func TestImportsRunOneWay(t *testing.T) {
	eachFile(t, func(path string, text []byte) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		room := filepath.ToSlash(filepath.Dir(path))
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		allowed, known := floors[room]
		inner := strings.HasPrefix(room, "internal/")
		if owner, _, nested := strings.Cut(room, "/internal/"); nested {
			// What two rooms of one house share is below them.
			allowed, known = append([]string{owner}, floors[owner]...), true
		}
		if !known && !inner {
			t.Errorf("%s: the room %s has no place in the house; add it to floors", path, room)
		}
		for _, spec := range file.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			other, ours := strings.CutPrefix(name, module)
			owner, _, nested := strings.Cut(other, "/internal/")
			if !ours || strings.HasPrefix(other, "internal/") && !(room == "splash") || nested && strings.HasPrefix(room, owner) {
				continue
			}
			ok := false
			for _, a := range allowed {
				ok = ok || a == other
			}
			if !ok {
				t.Errorf("%s: %s may not use %s", path, room, other)
			}
		}
	})
}

func TestNoFileNamesAMachine(t *testing.T) {
	machine := regexp.MustCompile(`(^|[^A-Za-z0-9._])/(work|farm|home|root|Users)/[A-Za-z0-9]`)
	eachFile(t, func(path string, text []byte) {
		if strings.HasPrefix(path, ".ci/") || strings.HasSuffix(path, ".sum") || path == "internal/house/house_test.go" || strings.Contains(path, "testdata/") {
			return
		}
		if found := machine.Find(text); found != nil {
			t.Errorf("%s holds the path %q", path, found)
		}
	})
}
