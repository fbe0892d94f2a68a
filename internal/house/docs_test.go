package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryExportedNameIsDocumented holds that what users can see says what
// it is for. Methods that implement a well-known interface of the standard
// library need no words of their own.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	plain := map[string]bool{"MarshalJSON": true, "UnmarshalJSON": true, "MarshalText": true, "UnmarshalText": true, "String": true, "Error": true, "Unwrap": true}
	packageDoc := map[string]bool{}
	eachFile(t, func(path string, text []byte) {
		room := filepath.ToSlash(filepath.Dir(path))
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, text, parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		packageDoc[room] = packageDoc[room] || file.Doc != nil
		if file.Name.Name == "main" {
			return
		}
		missing := func(what string, at token.Pos) {
			t.Errorf("%s: %s has no doc comment", set.Position(at), what)
		}
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && !(d.Recv != nil && (plain[d.Name.Name] || !exportedReceiver(d))) {
					missing(d.Name.Name, d.Pos())
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() && s.Doc == nil && d.Doc == nil {
							missing(s.Name.Name, s.Pos())
						}
					case *ast.ValueSpec:
						for _, name := range s.Names {
							if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
								missing(name.Name, s.Pos())
							}
						}
					}
				}
			}
		}
	})
	for room, documented := range packageDoc {
		if !documented {
			t.Errorf("%s: the package has no doc comment", room)
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	at := d.Recv.List[0].Type
	if star, ok := at.(*ast.StarExpr); ok {
		at = star.X
	}
	if index, ok := at.(*ast.IndexExpr); ok {
		at = index.X
	}
	name, ok := at.(*ast.Ident)
	return ok && name.IsExported()
}
