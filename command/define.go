package command

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fwgo/fwgo/agentmode"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/lookup"
	"github.com/fwgo/fwgo/normalize"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// A Spec is what an author says of one command. In is the struct of its
// parameters, whose tags signature.For reads; struct{} if it takes none;
// signature.Record for a command made from Schema.
type Spec[In any] struct {
	// Name is the command's name: "cancel_order", or "Order/cancel" for a
	// command of the context Order (FW-1). Letters, digits, _, - and . only; a
	// name with __ cannot be a tool of MCP.
	Name string
	// Description says what the command does, for people and agents.
	Description string
	// Utterances are example phrases.
	Utterances []string
	// Schema makes the command from a JSON schema alone; In must be
	// signature.Record.
	Schema []byte
	// Resolvers look up the values of the fields that declare db_lookup, by
	// field name; for a member of an object, or of the objects in a list, by its
	// path: "ship_to.city" (D-7).
	Resolvers map[string]lookup.Resolver
	// ValidateExtractedParameters is the hook: it sees the whole call after
	// every field is known to be present and of its type, may write to in,
	// and returns (true, anything) to proceed or (false, message) (D-9). The
	// message goes to the caller as it is: name the parameter first ("end:
	// ..."), say what arrived and where a good value comes from. It runs on
	// every attempt and must be local and cheap. It is no security boundary.
	ValidateExtractedParameters func(ctx context.Context, s *Session, command string, in *In) (ok bool, message string)
	// Run is the body. What a caller can act on is a Response, also when it
	// is bad news (Fail); an error is for the log, and the caller only learns
	// that the command failed. It must not call the session that it is given:
	// such a call waits until this one has ended.
	Run func(ctx context.Context, s *Session, in *In) (Response, error)
	// ReadOnly, Destructive and Idempotent say what running the command
	// does, for clients that ask before they call.
	ReadOnly, Destructive, Idempotent bool
	// ApproveCalls asks for an approval of each single call, with its exact
	// arguments, where a model's draft makes it (D-13).
	ApproveCalls bool
}

// A Command is a definition that can join workflows. It is immutable and safe
// to share.
type Command struct {
	name, simple, context string
	description           string
	utterances            []string
	annotations           Annotations
	sig                   *signature.Signature
	binder                *agentmode.Binder
	normalizer            *normalize.Normalizer
	resolvers             map[string]lookup.Resolver
	hook                  func(ctx context.Context, s *Session, in any) (bool, string)
	run                   func(ctx context.Context, s *Session, in any) (Response, error)
	inspects              bool            // a hook or resolver looks at the call and may want its session
	decodesLists          map[string]bool // the fields of which normalization reads the text of a list (N-3)
	usage                 string
	err                   error
}

// Annotations are what a client may want to know before it calls.
type Annotations struct {
	ReadOnly, Destructive, Idempotent bool
	// ApproveCalls: see Spec.
	ApproveCalls bool
}

// Name returns the qualified name, such as "Order/cancel" or "find_customer".
func (c *Command) Name() string { return c.name }

// Description says what the command does.
func (c *Command) Description() string { return c.description }

// Utterances returns the example phrases.
func (c *Command) Utterances() []string { return append([]string(nil), c.utterances...) }

// Annotations returns what the author said of the command's effects.
func (c *Command) Annotations() Annotations { return c.annotations }

// Signature returns what the command's Input is.
func (c *Command) Signature() *signature.Signature { return c.sig }

// Usage shows how the command is written as text, with every required
// parameter.
func (c *Command) Usage() string { return c.usage }

// Define makes a command. Mistakes in it are reported by New, which knows the
// workflow it should join.
func Define[In any](spec Spec[In]) *Command {
	c := &Command{
		name:        spec.Name,
		description: spec.Description,
		utterances:  append([]string(nil), spec.Utterances...),
		annotations: Annotations{spec.ReadOnly, spec.Destructive, spec.Idempotent, spec.ApproveCalls},
		resolvers:   spec.Resolvers,
	}
	c.context, c.simple = splitName(spec.Name)
	c.sig, c.err = signatureOf[In](spec.Schema)
	if c.err == nil {
		c.binder = agentmode.New(c.sig, agentmode.Options{}, c.simple, c.name, strings.ReplaceAll(c.name, "/", "__"))
		// Nested: what the schema vouches for inside a parameter is repaired
		// like the parameter itself. A reference that names no character
		// stays as it was sent, since U+FFFD would lose it.
		c.normalizer, c.err = normalize.Compile(c.sig.Schema(), normalize.Options{Nested: true, KeepNonCharacters: true})
	}
	if c.err == nil {
		c.decodesLists = map[string]bool{}
		for _, f := range c.sig.Fields() {
			if f.Type.Kind == signature.List && decodesList(c.normalizer, f.Name) {
				c.decodesLists[f.Name] = true
			}
		}
	}
	if spec.Run == nil {
		c.err = errors.Join(c.err, errors.New("the command has no Run"))
	}
	if !validName(spec.Name) {
		c.err = errors.Join(c.err, fmt.Errorf("the name %q is not letters, digits, _, - and ., with at most one / after a context (FW-1)", spec.Name))
	}
	for _, phrase := range spec.Utterances {
		if strings.TrimSpace(phrase) == "" {
			c.err = errors.Join(c.err, errors.New("an utterance is empty (FW-6)"))
		}
	}
	c.run = func(ctx context.Context, s *Session, in any) (Response, error) { return spec.Run(ctx, s, in.(*In)) }
	if hook := spec.ValidateExtractedParameters; hook != nil {
		c.hook = func(ctx context.Context, s *Session, in any) (bool, string) { return hook(ctx, s, c.name, in.(*In)) }
	}
	c.inspects = c.hook != nil || len(c.resolvers) > 0
	if c.err == nil {
		c.usage = usage(c)
	}
	return c
}

// decodesList reports whether a text that is a list becomes one in a field.
func decodesList(n *normalize.Normalizer, field string) bool {
	doc := jsontree.Doc{Root: jsontree.Value{Kind: jsontree.Object, Members: []jsontree.Member{{Name: field, Value: jsontree.Text("[]")}}}}
	return len(n.Tree(&doc, nil)) > 0
}

func signatureOf[In any](schema []byte) (*signature.Signature, error) {
	isRecord := reflect.TypeFor[In]() == reflect.TypeFor[signature.Record]()
	switch {
	case schema != nil && !isRecord:
		return nil, errors.New("a command made from a Schema must have signature.Record as its Input (D-10)")
	case schema != nil:
		return signature.FromSchema(schema)
	case isRecord:
		return nil, errors.New("a command whose Input is signature.Record needs a Schema (D-10)")
	}
	return signature.For[In](signature.TypeOptions{})
}

func splitName(name string) (context, simple string) {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}

// validName accepts what every wire can carry: a word, or a context and a
// word. A leading _ marks what is no command (FW-1).
func validName(name string) bool {
	context, simple := splitName(name)
	return validWord(simple) && (context == "" && !strings.Contains(name, "/") || validWord(context))
}

func validWord(word string) bool {
	if word == "" || word[0] == '_' || len(word) > 64 {
		return false
	}
	for i := 0; i < len(word); i++ {
		c := word[i]
		if c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// mostShown is how many parameters a usage writes out.
const mostShown = 8

// usage writes a call with a tag for every parameter, and says which may be
// left out. Where a name cannot be a tag's, the call is written as JSON.
func usage(c *Command) string {
	fields := c.sig.Fields()
	asJSON := slices.ContainsFunc(fields, func(f *signature.Field) bool { return strings.ContainsFunc(f.Name, unfitForTag) })
	var parts, optional []string
	for i, f := range fields {
		if i == mostShown {
			parts = append(parts, "...")
			break
		}
		if asJSON {
			parts = append(parts, string(jsontree.AppendString(nil, f.Name))+": ...")
		} else {
			parts = append(parts, "<"+f.Name+">...</"+f.Name+">")
		}
		if f.Optional || f.HasDefault() {
			optional = append(optional, f.Name)
		}
	}
	text := c.name
	switch {
	case asJSON:
		text += " {" + strings.Join(parts, ", ") + "}"
	case len(parts) > 0:
		text += " " + strings.Join(parts, " ")
	}
	if len(optional) > 0 {
		text += " (" + validate.Names(optional) + " may be left out)"
	}
	return text
}

// unfitForTag reports whether a character ends the name of a tag.
func unfitForTag(r rune) bool {
	return r < utf8.RuneSelf && r != '_' && r != '-' && r != '.' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
}

// validator makes the stages of the command for one workflow's options.
func (c *Command) validator(o Options) (*validate.Validator, error) {
	v := validate.Options{Collect: o.Collect, Ignore: o.IgnoreNames, Resolvers: c.resolvers, Logger: o.Logger, Command: c.name}
	if c.hook != nil {
		v.Hook = func(ctx context.Context, in any) (bool, string) { return c.hook(ctx, SessionFrom(ctx), in) }
	}
	return validate.New(c.sig, v)
}
