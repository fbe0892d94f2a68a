package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// TestEveryDoubtHasAText reads the doubts that binding can have from its
// source, so that a new one cannot come without words for the caller.
func TestEveryDoubtHasAText(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../agentmode/doubt.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := signature.FromSchema([]byte(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`))
	if err != nil {
		t.Fatal(err)
	}
	v, err := validate.New(sig, validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) == 0 {
			return true
		}
		literal, ok := spec.Values[0].(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		doubt, _ := strconv.Unquote(literal.Value)
		found++
		p := v.BindingProblem(doubt, "a", "some text")
		if line := validate.Line(&p); strings.Contains(line, "is not clear") || strings.Contains(line, "cannot be run") {
			t.Errorf("the doubt %q has no words of its own: %s", doubt, line)
		}
		return true
	})
	if found < 20 {
		t.Errorf("only %d doubts were found", found)
	}
}
