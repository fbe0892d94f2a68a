package mcp

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

const (
	// answerTime is how long a user may take to answer.
	answerTime = 10 * time.Minute
	// mostRounds is how often the user is asked for one call.
	mostRounds = 3
	// mostAsked is how many fields a form has at most.
	mostAsked = 10
	// mostWaiting is how many calls may wait for their users at once, and
	// mostWaitingOfOne how many of one session. A call that waits is no call that
	// runs, and holds its arguments for as long.
	mostWaiting      = 256
	mostWaitingOfOne = 16
)

// waits counts the calls that wait for their users, by session.
type waits struct {
	mu    sync.Mutex
	total int
	of    map[string]int
}

// begin counts one more, unless there are as many as may be. The function it
// returns counts it out again.
func (w *waits) begin(session string) (end func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.total >= mostWaiting || w.of[session] >= mostWaitingOfOne {
		return nil, false
	}
	if w.of == nil {
		w.of = map[string]int{}
	}
	w.total++
	w.of[session]++
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.total--
		if w.of[session]--; w.of[session] == 0 {
			delete(w.of, session)
		}
	}, true
}

// An answer is a value that the user gave for a field, as JSON.
type answer struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

func without(list []answer, name string) []answer {
	return slices.DeleteFunc(list, func(a answer) bool { return a.Name == name })
}

// A question is a form that the user is asked to fill in.
type question struct {
	fields []*signature.Field
	params sdk.ElicitParams
}

// fixable are the problems, beside a missing value, that another value for the
// one field would solve.
var fixable = map[validate.Kind]bool{
	validate.WrongType: true, validate.NotAMember: true, validate.NoMatch: true, validate.WrongFormat: true,
	validate.OutOfRange: true, validate.WrongLength: true, validate.NotFound: true,
}

// question says what to ask the user for so that the call can run; nil if they
// cannot be asked, or if the caller can do better: a value that is there and
// wrong is the caller's to put right, unless the user gave it, or is asked for
// others anyway.
func (c *toolCall) question(outcome *command.Outcome) *question {
	if len(outcome.Problems) == 0 || c.round == mostRounds || !asks(c.request) {
		return nil
	}
	cmd := c.dispatcher.Workflow().Command(outcome.Output.CommandName)
	if cmd == nil {
		return nil
	}
	q := &question{}
	properties := make([]jsontree.Member, 0, len(outcome.Problems))
	users := false // whether anything is the user's to say
	for i := range outcome.Problems {
		p := &outcome.Problems[i]
		at := cmd.Signature().Root().Field(p.Field)
		if at < 0 || p.Kind != validate.Missing && !fixable[p.Kind] {
			return nil
		}
		f := cmd.Signature().Fields()[at]
		users = users || p.Kind == validate.Missing || slices.ContainsFunc(c.answers, func(a answer) bool { return a.Name == f.Name })
		if slices.Contains(q.fields, f) {
			continue
		}
		property, ok := propertyOf(f)
		if !ok || len(q.fields) == mostAsked {
			return nil
		}
		q.fields = append(q.fields, f)
		properties = append(properties, jsontree.Member{Name: f.Name, Value: property})
	}
	if !users {
		return nil
	}
	required := jsontree.Value{Kind: jsontree.List}
	for _, f := range q.fields {
		required.Items = append(required.Items, jsontree.Text(f.Name))
	}
	schema := object(
		jsontree.Member{Name: "type", Value: jsontree.Text("object")},
		jsontree.Member{Name: "properties", Value: object(properties...)},
		jsontree.Member{Name: "required", Value: required},
	)
	c.command = cmd
	q.params = sdk.ElicitParams{Mode: "form", Message: ask(cmd.Name(), outcome.Problems), RequestedSchema: json.RawMessage(schema.JSON())}
	return q
}

func object(members ...jsontree.Member) jsontree.Value {
	return jsontree.Value{Kind: jsontree.Object, Members: members}
}

// asks reports whether the client can show its user a form.
func asks(r *sdk.CallToolRequest) bool {
	c := r.ClientCapabilities()
	return c != nil && c.Elicitation != nil && (c.Elicitation.Form != nil || c.Elicitation.URL == nil)
}

// formats are those that a form's text may have.
var formats = map[string]bool{"email": true, "uri": true, "date": true, "date-time": true}

// propertyOf is a field as a form has it: a text, a number or a boolean, flat.
// A list of such is a text whose commas part the items, as the pipeline reads
// it (D-5). What no form can hold is left to the caller.
func propertyOf(f *signature.Field) (jsontree.Value, bool) {
	var members []jsontree.Member
	add := func(name string, v jsontree.Value) {
		members = append(members, jsontree.Member{Name: name, Value: v})
	}
	says := []string{}
	if f.Description != "" {
		says = append(says, strings.Join(strings.Fields(f.Description), " "))
	}
	t := f.Type
	switch {
	case t.Enum != nil:
		add("type", jsontree.Text("string"))
		words := jsontree.Value{Kind: jsontree.List}
		for _, word := range t.Enum.Words {
			words.Items = append(words.Items, jsontree.Text(word))
		}
		add("enum", words)
	case t.Kind == signature.String:
		add("type", jsontree.Text("string"))
		if t.Length.Min > 0 {
			add("minLength", jsontree.Digits(strconv.Itoa(t.Length.Min)))
		}
		if t.Length.Max >= 0 && t.Length.Max > t.Length.Min {
			add("maxLength", jsontree.Digits(strconv.Itoa(t.Length.Max)))
		}
		if t.Format != nil && formats[t.Format.Name] {
			add("format", jsontree.Text(t.Format.Name))
		} else if t.Format != nil || t.Pattern != nil {
			says = append(says, t.Accepted())
		}
	case t.Kind == signature.Integer, t.Kind == signature.Number:
		add("type", jsontree.Text(t.Kind.String()))
		if t.Minimum != nil || t.Maximum != nil || t.MultipleOf != nil {
			says = append(says, t.Accepted())
		}
	case t.Kind == signature.Boolean:
		add("type", jsontree.Text("boolean"))
	case t.Kind == signature.List && t.Items != nil && flat(t.Items):
		add("type", jsontree.Text("string"))
		says = append(says, t.Accepted()+", with commas between the items")
	default:
		return jsontree.Value{}, false
	}
	if example := f.Example(); example != "" {
		says = append(says, "for example "+example)
	}
	if len(f.AvailableFrom) > 0 {
		says = append(says, "see "+validate.Names(f.AvailableFrom))
	}
	add("title", jsontree.Text(title(f.Name)))
	if len(says) > 0 {
		add("description", jsontree.Text(strings.Join(says, "; ")))
	}
	return object(members...), true
}

func flat(t *signature.Type) bool {
	switch t.Kind {
	case signature.String, signature.Integer, signature.Number, signature.Boolean:
		return true
	}
	return false
}

// What an answer can be.
type answerState int

const (
	absent answerState = iota
	given
	rounded // a number that may not be the one that was entered
)

// exactUpTo bounds the whole numbers that a form's answer holds exactly.
const exactUpTo = 1 << 53

// answerOf is what a form's answer holds for a field, as JSON. Numbers of a
// form have been through a float64.
func answerOf(f *signature.Field, content map[string]any) (json.RawMessage, answerState) {
	v, ok := content[f.Name]
	for i := 0; !ok && i < len(f.Aliases); i++ {
		v, ok = content[f.Aliases[i]]
	}
	switch v := v.(type) {
	case nil:
		return nil, absent
	case float64:
		if math.Abs(v) >= exactUpTo && f.Type.Kind != signature.Number {
			return nil, rounded
		}
		return strconv.AppendFloat(nil, v, 'f', -1, 64), given
	default:
		text, err := jsontree.Marshal(v)
		if err != nil {
			return nil, absent
		}
		return text, given
	}
}

// merge puts answers among the arguments of a call. What is not answered keeps
// its bytes; what a field had before, under any of its names, goes.
func merge(c *command.Command, arguments json.RawMessage, answers []answer) json.RawMessage {
	doc, fault := jsontree.Parse(string(arguments), jsontree.Limits{Depth: deepest}, nil)
	if fault == nil && doc.Root.Kind == jsontree.String {
		doc, fault = jsontree.Parse(doc.Root.Text, jsontree.Limits{Depth: deepest}, nil)
	}
	merged := []byte{'{'}
	put := func(name string, value []byte) {
		if len(merged) > 1 {
			merged = append(merged, ',')
		}
		merged = append(jsontree.AppendString(merged, name), ':')
		merged = append(merged, value...)
	}
	if fault == nil {
		for i := range doc.Root.Members {
			m := &doc.Root.Members[i]
			if !answeredIn(c, answers, m.Name) {
				put(m.Name, []byte(m.Value.Raw))
			}
		}
	}
	for _, a := range answers {
		put(a.Name, a.Value)
	}
	return append(merged, '}')
}

// answeredIn reports whether an answer is for the field of a name.
func answeredIn(c *command.Command, answers []answer, name string) bool {
	at := c.Signature().Root().Field(name)
	return at >= 0 && slices.ContainsFunc(answers, func(a answer) bool { return a.Name == c.Signature().Fields()[at].Name })
}
