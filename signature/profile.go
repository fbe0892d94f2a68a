package signature

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A vendor is what one consumer of schemas can read. No one schema is good
// for all of them, so the published schema is rewritten for each.
type vendor struct {
	name string
	// inline replaces every $ref by what it leads to; inlineBeside only one
	// that has siblings.
	inline, inlineBeside bool
	// keeps are the keywords left in place; the others become words of the
	// description. nil keeps all of JSON Schema.
	keeps map[string]bool
	// formats are those left in place, nil for all.
	formats map[string]bool
	// plain wants one type for each schema, and anyOf for everything else.
	plain bool
	// closed says additionalProperties false of every object with declared
	// members, which is what the pipeline does with unknown names (D-4).
	closed bool
	// strict wants every property required; one that may be left out admits
	// null instead.
	strict bool
	// asked lists the properties with a NOT_FOUND default as required: the
	// pipeline asks for them (FW-14).
	asked bool
	// extras says which keywords of the author's own stay.
	extras func(key string) bool
}

// The keywords that carry structure or annotation for every vendor.
var commonKeywords = []string{"$defs", "definitions", "$ref", "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "title", "description"}

func keywords(more ...string) map[string]bool { return setOf(append(more, commonKeywords...)...) }

var vendors = []*vendor{
	{name: "mcp", extras: func(string) bool { return true }},
	{name: "openapi", inline: true, extras: func(key string) bool { return strings.HasPrefix(key, "x-") }},
	{
		name: "openai-strict", inlineBeside: true, plain: true, closed: true, strict: true, asked: true,
		keeps:   keywords("pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems"),
		formats: setOf("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"),
		extras:  func(string) bool { return false },
	},
	{
		name: "anthropic", inline: true, plain: true, closed: true, asked: true,
		keeps:   keywords("format", "default", "minItems"),
		formats: setOf("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"),
		extras:  func(string) bool { return false },
	},
}

// pydanticProfile is the published schema itself.
const pydanticProfile = "pydantic"

// Profiles returns the names that Signature.Profile knows:
//
//   - pydantic, or "": the published schema itself, extras included.
//   - mcp: the same for MCP hosts; the root is a plain object.
//   - openapi: one schema without references, to stand inside an OpenAPI 3.1
//     document. Extras whose names begin with x- stay.
//   - openai-strict: for strict function calling. Every property is required,
//     and one that may be left out admits null instead; a map is a text that
//     holds a JSON object; a value of any type is a scalar.
//   - anthropic: for tool use, strict or not. No references; a map stays a
//     map, which strict tool use refuses.
//
// In all but the first, the extras of the pipeline are taken out, and what a
// model can use of them is said in the description, as are constraints that
// the vendor refuses: there a profile accepts more than the published schema.
// It accepts less in these cases: openai-strict and anthropic require the
// fields whose default is NOT_FOUND, which the pipeline asks for anyway
// (FW-14), and refuse unknown names, as the pipeline does (D-4);
// openai-strict closes an object that has declared members and allows others,
// and takes no list or object for a value of any type.
//
// A schema that the vendor's hosts would drop whole, such as one with a choice
// at its root, is an error that says so, as is recursion where references are
// not read.
func Profiles() []string {
	names := []string{pydanticProfile}
	for _, v := range vendors {
		names = append(names, v.name)
	}
	return names
}

// applyProfile rewrites a schema for a vendor.
func applyProfile(schema []byte, profile string) ([]byte, error) {
	if profile == "" || profile == pydanticProfile {
		return slices.Clone(schema), nil
	}
	for _, v := range vendors {
		if v.name == profile {
			return v.apply(schema)
		}
	}
	return nil, fmt.Errorf("signature: there is no profile %q%s; the profiles are %s", profile, meant(profile, Profiles()), strings.Join(Profiles(), ", "))
}

func (v *vendor) apply(schema []byte) ([]byte, error) {
	doc, fault := jsontree.Parse(string(schema), jsontree.Limits{}, nil)
	if fault != nil {
		return nil, fmt.Errorf("signature: profile %s: the schema cannot be read: %w", v.name, fault)
	}
	p := &profiler{vendor: v, root: &doc.Root}
	root := p.rootSchema()
	if err := errors.Join(p.errs...); err != nil {
		return nil, err
	}
	root = sortKeys(root, "")
	return root.Append(nil), nil
}

// A profiler rewrites one schema.
type profiler struct {
	vendor    *vendor
	root      *jsontree.Value
	active    []string // references being inlined
	inlinings int
	errs      []error
}

func (p *profiler) fail(path, format string, args ...any) {
	if path == "" {
		path = "the root"
	}
	p.errs = append(p.errs, fmt.Errorf("signature: profile %s: %s: %s", p.vendor.name, path, fmt.Sprintf(format, args...)))
}

// rootSchema sees to what every vendor wants of the root: an object, and no
// choice beside it. Some hosts drop a tool of another form without a word.
func (p *profiler) rootSchema() jsontree.Value {
	root := *p.root
	for range deepestSchema {
		ref := root.Get("$ref")
		if ref == nil {
			break
		}
		target := p.resolve(ref.Text, "")
		if target == nil {
			return null()
		}
		root = merge(*target, root, "$ref")
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf"} {
		if choice := root.Get(word); choice != nil && !(word == "allOf" && len(choice.Items) == 1) {
			p.fail("", "%s beside the parameters is dropped by hosts, command and all; check the choice in the validation hook", word)
			return null()
		}
	}
	if word := wordAt(&root, "type"); word == "" && root.Get("properties") != nil || root.Kind == jsontree.Object && len(root.Members) == 0 {
		root = with(root, "type", jsontree.Text("object"))
	} else if word != "object" {
		p.fail("", "the type must be object, not %s", orNothing(root.Get("type")))
		return null()
	}
	if root.Get("properties") == nil {
		root = with(root, "properties", jsontree.Value{Kind: jsontree.Object})
	}
	out, words := p.schema(&root, "")
	out = describe(out, words)
	return p.prune(out)
}

func orNothing(v *jsontree.Value) string {
	if v == nil {
		return "nothing"
	}
	return v.JSON()
}

func (p *profiler) resolve(ref, path string) *jsontree.Value {
	target := (&schemaReader{root: p.root}).resolve(ref)
	if target == nil {
		p.fail(path, "the reference %s leads nowhere", ref)
	}
	return target
}

// merge lays the members of over upon base, except those named.
func merge(base, over jsontree.Value, except ...string) jsontree.Value {
	var o object
	for _, m := range base.Members {
		o.set(m.Name, m.Value)
	}
	for _, m := range over.Members {
		if !slices.Contains(except, m.Name) {
			o.set(m.Name, m.Value)
		}
	}
	return o.value()
}

func with(v jsontree.Value, name string, member jsontree.Value) jsontree.Value {
	var o object
	o.set(name, member)
	return merge(v, o.value())
}

func unlike(v jsontree.Value, names ...string) jsontree.Value {
	return merge(jsontree.Value{Kind: jsontree.Object}, v, names...)
}

// prune removes definitions that nothing refers to any more.
func (p *profiler) prune(root jsontree.Value) jsontree.Value {
	for _, word := range []string{"$defs", "definitions"} {
		defs := root.Get(word)
		if defs == nil {
			continue
		}
		used := map[string]bool{}
		rest := unlike(root, word)
		for work := []*jsontree.Value{&rest}; len(work) > 0; work = work[1:] {
			for _, name := range referred(work[0], "#/"+word+"/") {
				if !used[name] && defs.Get(name) != nil {
					used[name] = true
					work = append(work, defs.Get(name))
				}
			}
		}
		var kept object
		for _, m := range defs.Members {
			if used[m.Name] {
				kept.set(m.Name, m.Value)
			}
		}
		root = rest
		if len(kept.members) > 0 {
			root = with(root, word, kept.value())
		}
	}
	return root
}

// referred lists the names that references below a value lead to.
func referred(v *jsontree.Value, prefix string) []string {
	var names []string
	if v.Kind == jsontree.Object {
		if name, ok := strings.CutPrefix(wordAt(v, "$ref"), prefix); ok {
			name, _, _ = strings.Cut(name, "/")
			names = append(names, strings.NewReplacer("~1", "/", "~0", "~").Replace(percentDecoded(name)))
		}
	}
	for i := range v.Members {
		names = append(names, referred(&v.Members[i].Value, prefix)...)
	}
	for i := range v.Items {
		names = append(names, referred(&v.Items[i], prefix)...)
	}
	return names
}
