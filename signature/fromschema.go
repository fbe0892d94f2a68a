package signature

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// placeholder is the default by which fastWorkflow marks a required string
// (FW-14); as a value it means "nothing was found" (FW-55).
const placeholder = "NOT_FOUND"

// FromSchema makes a Signature from a JSON schema alone: the parameters of a
// command whose body lives elsewhere. Its Input is a *Record. The schema's
// title is the command's name. Beside JSON Schema's own keywords a property
// may carry the extras positional, available_from, db_lookup, references,
// aliases, x-keys and x-enum-varnames.
//
// The error names every author mistake found: the property, the rule and what
// was declared.
func FromSchema(schema []byte) (*Signature, error) {
	doc, fault := jsontree.Parse(string(schema), jsontree.Limits{}, nil)
	if fault != nil {
		return nil, fmt.Errorf("signature: the schema cannot be read: %w", fault)
	}
	r := &schemaReader{root: &doc.Root, active: map[string]bool{}}
	if doc.Root.Kind != jsontree.Object {
		return nil, errors.New("signature: the schema is not a JSON object")
	}
	t := r.read(&doc.Root, "", 0)
	if t.Kind == Any && len(t.Fields) == 0 {
		t.Kind = Object // a schema that says nothing of its root describes no parameters
	}
	if t.Kind != Object {
		r.fail("", "the root of a command's schema must have type object (D-10), not %s", t.Kind)
	}
	if t.Nullable {
		r.fail("", "the root of a command's schema cannot be null (D-10)")
	}
	s := &Signature{root: t, schema: append([]byte(nil), schema...), positional: -1}
	s.title = wordAt(&doc.Root, "title")
	s.description = wordAt(&doc.Root, "description")
	for i, f := range t.Fields {
		if !f.Positional {
			continue
		}
		if s.positional >= 0 {
			r.fail(f.Name, "is the second positional field after %s; a command has at most one (FW-41)", t.Fields[s.positional].Name)
		}
		s.positional = i
	}
	if err := errors.Join(r.errs...); err != nil {
		return nil, err
	}
	if r.beyond {
		var err error
		if s.whole, err = compileWhole(schema); err != nil {
			return nil, err
		}
	}
	t.describe(map[*Type]bool{})
	return s, nil
}

type schemaReader struct {
	beyond bool // the schema says more than the model holds
	root   *jsontree.Value
	active map[string]bool // $ref pointers being read, to find recursion
	errs   []error
}

func (r *schemaReader) fail(path, format string, args ...any) {
	where := "the schema"
	if path != "" {
		where = "field " + path
	}
	r.errs = append(r.errs, fmt.Errorf("signature: %s: %s", where, fmt.Sprintf(format, args...)))
}

func wordAt(schema *jsontree.Value, key string) string {
	if v := schema.Get(key); v != nil && v.Kind == jsontree.String {
		return v.Text
	}
	return ""
}

func wordsAt(schema *jsontree.Value, key string) []string {
	v := schema.Get(key)
	switch {
	case v == nil:
		return nil
	case v.Kind == jsontree.String:
		return []string{v.Text}
	}
	var words []string
	for i := range v.Items {
		if v.Items[i].Kind == jsontree.String {
			words = append(words, v.Items[i].Text)
		}
	}
	return words
}

func trueAt(schema *jsontree.Value, key string) bool {
	v := schema.Get(key)
	return v != nil && v.Kind == jsontree.Bool && v.True
}

// deepestSchema bounds nesting that no person writes.
const deepestSchema = 64

// read turns one schema into a Type. References are followed and their
// siblings apply as well; a definition that reaches itself is refused, since
// its Input could not be described to a caller in finite words (D-10).
func (r *schemaReader) read(s *jsontree.Value, path string, depth int) *Type {
	t := &Type{Length: Count{Max: -1}}
	if s.Kind == jsontree.Bool || depth > deepestSchema {
		r.beyond = r.beyond || s.Kind == jsontree.Bool && !s.True
		if depth > deepestSchema {
			r.fail(path, "the schema is nested deeper than %d", deepestSchema)
		}
		return t
	}
	if s.Kind != jsontree.Object {
		r.fail(path, "a schema must be an object, not %s", s.Kind)
		return t
	}
	if ref := s.Get("$ref"); ref != nil {
		return r.reference(s, ref, path, depth)
	}
	if all := s.Get("allOf"); all != nil && len(all.Items) == 1 {
		base := *r.read(&all.Items[0], path, depth+1)
		t = &base
	} else if all != nil && len(all.Items) > 1 {
		r.fail(path, "allOf with several schemas is not supported; write one schema")
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if branches := s.Get(word); branches != nil && !hasAny(s, "type", "properties") {
			r.branches(t, branches, path, depth)
		}
	}
	r.kind(t, s, path, depth)
	r.constraints(t, s, path)
	r.beyond = r.beyond || isBeyond(s, t) || s.Get("properties") != nil && hasAny(s, "anyOf", "oneOf")
	return t
}

func (r *schemaReader) reference(s, ref *jsontree.Value, path string, depth int) *Type {
	t := &Type{Length: Count{Max: -1}}
	if r.active[ref.Text] {
		r.fail(path, "%s refers to itself; a recursive type cannot be an Input (D-10)", ref.Text)
		return t
	}
	target := r.resolve(ref.Text)
	if target == nil {
		r.fail(path, "the reference %s leads nowhere; only references into the same schema are followed", ref.JSON())
		return t
	}
	r.active[ref.Text] = true
	t = r.read(target, path, depth+1)
	delete(r.active, ref.Text)
	if t.Name == "" {
		t.Name = ref.Text[strings.LastIndexByte(ref.Text, '/')+1:]
	}
	r.constraints(t, s, path)
	r.beyond = r.beyond || isBeyond(s, t)
	return t
}

// resolve follows a JSON pointer into the schema itself.
func (r *schemaReader) resolve(ref string) *jsontree.Value {
	rest, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := r.root
	for rest != "" {
		if rest[0] != '/' {
			return nil
		}
		token, next := rest[1:], ""
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token, next = token[:i], token[i:]
		}
		token = strings.NewReplacer("~1", "/", "~0", "~").Replace(percentDecoded(token))
		switch at.Kind {
		case jsontree.Object:
			at = at.Get(token)
		case jsontree.List:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(at.Items) {
				return nil
			}
			at = &at.Items[i]
		default:
			return nil
		}
		if at == nil {
			return nil
		}
		rest = next
	}
	return at
}

func percentDecoded(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// branches reads anyOf or oneOf: null branches make the type nullable, one
// other branch is the type, several are a union in declared order. oneOf is
// read as anyOf: which branch a value took is the body's affair.
func (r *schemaReader) branches(t *Type, branches *jsontree.Value, path string, depth int) {
	var members []*Type
	for i := range branches.Items {
		b := &branches.Items[i]
		if wordAt(b, "type") == "null" || b.Get("const") != nil && b.Get("const").Kind == jsontree.Null {
			t.Nullable = true
			continue
		}
		m := r.read(b, path, depth+1)
		if m.Nullable {
			t.Nullable = true
		}
		if m.Kind == Union {
			members = append(members, m.Members...)
		} else {
			members = append(members, m)
		}
	}
	switch len(members) {
	case 0:
	case 1:
		nullable := t.Nullable
		*t = *members[0]
		t.Nullable = t.Nullable || nullable
	default:
		t.Kind, t.Members = Union, members
	}
}

var kindsByWord = map[string]Kind{"string": String, "integer": Integer, "number": Number, "boolean": Boolean, "array": List, "object": Object}

// kind reads type, and what hangs on it: items, properties, enum.
func (r *schemaReader) kind(t *Type, s *jsontree.Value, path string, depth int) {
	var words []string
	switch v := s.Get("type"); {
	case v == nil:
	case v.Kind == jsontree.String:
		words = []string{v.Text}
	case v.Kind == jsontree.List:
		words = wordsAt(s, "type")
	default:
		r.fail(path, "type must be a word or a list of words, not %s", v.Kind)
	}
	var kinds []Kind
	for _, word := range words {
		k, known := kindsByWord[word]
		switch {
		case word == "null":
			t.Nullable = true
		case !known:
			r.fail(path, "type %q is not one of string, integer, number, boolean, array, object, null", word)
		default:
			kinds = append(kinds, k)
		}
	}
	if len(kinds) == 0 && t.Kind == Any {
		kinds = impliedKinds(s)
	}
	switch {
	case len(kinds) == 1:
		t.Kind = kinds[0]
		r.shape(t, s, path, depth)
	case len(kinds) > 1:
		t.Kind = Union
		for _, k := range kinds {
			m := &Type{Kind: k, Length: Count{Max: -1}}
			r.shape(m, s, path, depth)
			r.constraints(m, s, path)
			t.Members = append(t.Members, m)
		}
	}
	if title := s.Get("title"); title != nil && path == "" {
		t.Name = title.Text
	}
}

// impliedKinds reads a shape from the keywords of a schema without type.
func impliedKinds(s *jsontree.Value) []Kind {
	switch {
	case s.Get("properties") != nil:
		return []Kind{Object}
	case s.Get("items") != nil || s.Get("prefixItems") != nil:
		return []Kind{List}
	case s.Get("enum") != nil || s.Get("const") != nil:
		return nil
	}
	return nil
}

func (r *schemaReader) shape(t *Type, s *jsontree.Value, path string, depth int) {
	switch t.Kind {
	case List:
		if items := s.Get("items"); items != nil && items.Kind == jsontree.List {
			r.fail(path, "items must be one schema; prefixItems gives the first items theirs")
		} else if items != nil && items.Kind == jsontree.Object {
			t.Items = r.read(items, path+"[]", depth+1)
		}
		if prefix := s.Get("prefixItems"); prefix != nil {
			for i := range prefix.Items {
				t.Prefix = append(t.Prefix, r.read(&prefix.Items[i], jsontree.ItemPath(path, i), depth+1))
			}
		}
	case Object:
		r.object(t, s, path, depth)
	}
}

func (r *schemaReader) object(t *Type, s *jsontree.Value, path string, depth int) {
	switch rest := s.Get("additionalProperties"); {
	case rest == nil:
		t.Open = s.Get("properties") == nil && path != ""
	case rest.Kind == jsontree.Object:
		t.Rest, t.Open = r.read(rest, path+".*", depth+1), true
	default:
		t.Open = rest.Kind == jsontree.Bool && rest.True
	}
	if s.Get("patternProperties") != nil {
		t.Rest, t.Open = nil, true // which names may be here, the schema as a whole says
	}
	required := map[string]bool{}
	for _, name := range wordsAt(s, "required") {
		required[name] = true
	}
	properties := s.Get("properties")
	if properties == nil {
		return
	}
	t.index = make(map[string]int, len(properties.Members))
	for i := range properties.Members {
		m := &properties.Members[i]
		f := r.field(m.Name, &m.Value, required[m.Name], jsontree.MemberPath(path, m.Name), depth+1)
		t.index[f.Name] = len(t.Fields)
		t.Fields = append(t.Fields, f)
	}
	for i, f := range t.Fields {
		for _, alias := range f.Aliases {
			if _, taken := t.index[alias]; taken {
				r.fail(jsontree.MemberPath(path, f.Name), "the alias %q is already the name of a field (D-4)", alias)
				continue
			}
			t.index[alias] = i
		}
	}
}

func (r *schemaReader) field(name string, s *jsontree.Value, required bool, path string, depth int) *Field {
	f := &Field{Name: name, Required: required, Type: r.read(s, path, depth)}
	f.Description = wordAt(s, "description")
	f.Aliases = wordsAt(s, "aliases")
	f.AvailableFrom = wordsAt(s, "available_from")
	f.Keys = wordsAt(s, "x-keys")
	f.DBLookup = trueAt(s, "db_lookup") || f.Keys != nil && s.Get("db_lookup") == nil
	f.Positional = trueAt(s, "positional")
	if items := s.Get("items"); items != nil && !f.DBLookup && (trueAt(items, "db_lookup") || items.Get("x-keys") != nil) {
		// The key set of a list's items: each item is resolved.
		f.DBLookup, f.Keys = true, wordsAt(items, "x-keys")
		if f.AvailableFrom == nil {
			f.AvailableFrom = wordsAt(items, "available_from")
		}
	}
	switch policy := wordAt(s, "references"); policy {
	case "", "decode", "once", "raw":
	default:
		r.fail(path, "references must be decode, once or raw, not %q (N-15)", policy)
	}
	if examples := s.Get("examples"); examples != nil && examples.Kind == jsontree.List {
		for i := range examples.Items {
			f.Examples = append(f.Examples, examples.Items[i].JSON())
		}
		if len(examples.Items) > 0 {
			f.example = written(&examples.Items[0])
		}
	}
	if d := s.Get("default"); d != nil {
		f.fallback = *d
		f.placeholder = d.Kind == jsontree.String && d.Text == placeholder && !f.Type.Nullable
	}
	f.Optional = f.Type.Nullable || !required && !f.placeholder
	return f
}

// written is an example as a caller would write it: text bare, all else JSON.
func written(v *jsontree.Value) string {
	if v.Kind == jsontree.String {
		return v.Text
	}
	return v.JSON()
}

// constraints reads the keywords that narrow a type.
func (r *schemaReader) constraints(t *Type, s *jsontree.Value, path string) {
	if c := s.Get("const"); c != nil {
		r.enum(t, []jsontree.Value{*c}, nil)
	}
	if e := s.Get("enum"); e != nil {
		if e.Kind != jsontree.List || len(e.Items) == 0 {
			r.fail(path, "enum must be a list with at least one value")
		} else {
			r.enum(t, e.Items, wordsAt(s, "x-enum-varnames"))
		}
	}
	if p := wordAt(s, "pattern"); p != "" {
		pattern, err := newPattern(p)
		if err != nil {
			r.fail(path, "%v", err)
		}
		t.Pattern = pattern
	}
	if name := wordAt(s, "format"); name != "" {
		r.format(t, name)
	}
	low, high := -1, -1
	switch t.Kind {
	case String:
		low, high = r.count(s, path, "minLength"), r.count(s, path, "maxLength")
	case List:
		low, high = r.count(s, path, "minItems"), r.count(s, path, "maxItems")
	case Object:
		low, high = r.count(s, path, "minProperties"), r.count(s, path, "maxProperties")
	}
	if low >= 0 {
		t.Length.Min = low
	}
	if high >= 0 {
		t.Length.Max = high
	}
	if t.Length.Max >= 0 && t.Length.Min > t.Length.Max {
		r.fail(path, "the smallest length %d is above the largest %d", t.Length.Min, t.Length.Max)
	}
	t.Minimum = r.bound(t.Minimum, s, path, "minimum", "exclusiveMinimum")
	t.Maximum = r.bound(t.Maximum, s, path, "maximum", "exclusiveMaximum")
	if m := s.Get("multipleOf"); m != nil {
		t.MultipleOf = r.bound(nil, s, path, "multipleOf", "")
	}
	if t.Minimum != nil && t.Maximum != nil && t.Minimum.exact.Cmp(t.Maximum.exact) > 0 {
		r.fail(path, "minimum %s is above maximum %s", t.Minimum.Text, t.Maximum.Text)
	}
	if trueAt(s, "uniqueItems") {
		t.Unique = true
	}
}

func (r *schemaReader) enum(t *Type, members []jsontree.Value, names []string) {
	target := t
	if t.Kind == List && t.Items != nil && t.Items.Enum == nil && allScalars(members) {
		// pydantic prints an enum extra of a list field beside its items.
		item := *t.Items
		t.Items, target = &item, &item
	}
	var kept []jsontree.Value
	for _, m := range members {
		if m.Kind == jsontree.Null {
			target.Nullable = true
			continue
		}
		kept = append(kept, m)
	}
	target.Enum = newEnum(kept, names)
}

func allScalars(values []jsontree.Value) bool {
	for i := range values {
		if values[i].Kind == jsontree.List {
			return false
		}
	}
	return true
}

func (r *schemaReader) format(t *Type, name string) {
	switch {
	case t.Kind == String || t.Kind == Any:
		t.Format = formats[name]
	case t.Kind == Integer && t.Minimum == nil && t.Maximum == nil && integerFormats[name] != [2]string{}:
		t.Minimum, _ = newBound(integerFormats[name][0], false)
		t.Maximum, _ = newBound(integerFormats[name][1], false)
		t.Minimum.implied, t.Maximum.implied = true, true
	}
}

var integerFormats = map[string][2]string{
	"int32":  {"-2147483648", "2147483647"},
	"int64":  {"-9223372036854775808", "9223372036854775807"},
	"uint32": {"0", "4294967295"},
	"uint64": {"0", "18446744073709551615"},
}

func (r *schemaReader) count(s *jsontree.Value, path, key string) int {
	v := s.Get(key)
	if v == nil {
		return -1
	}
	n, err := strconv.Atoi(v.Text)
	if v.Kind != jsontree.Number || err != nil || n < 0 {
		r.fail(path, "%s must be a whole number of at least 0, not %s", key, v.JSON())
		return -1
	}
	return n
}

func (r *schemaReader) bound(have *Bound, s *jsontree.Value, path, inclusive, exclusive string) *Bound {
	for _, key := range []string{inclusive, exclusive} {
		v := s.Get(key)
		if key == "" || v == nil {
			continue
		}
		if v.Kind != jsontree.Number {
			r.fail(path, "%s must be a number, not %s", key, v.JSON())
			continue
		}
		b, err := newBound(v.Text, key == exclusive)
		if err != nil {
			r.fail(path, "%s: %v", key, err)
			continue
		}
		have = b
	}
	return have
}
