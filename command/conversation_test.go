package command_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/command"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// A small house of contexts: a lobby (global), rooms, and the people in them.
type hall struct{ rooms map[string]*roomObject }

type roomObject struct {
	name   string
	hall   *hall
	people map[string]*personObject
}

type personObject struct {
	name string
	room *roomObject
	said []string
}

type named struct {
	Name string `json:"name" jsonschema_extras:"positional=true"`
}

type message struct {
	To   string   `json:"to" jsonschema:"pattern=^[a-z]+$,example=bob"`
	Text string   `json:"text" jsonschema:"minLength=2"`
	Tags []string `json:"tags,omitempty"`
	Copy *int     `json:"copies,omitempty" jsonschema:"minimum=1"`
}

func say(format string, args ...any) (command.Response, error) {
	return command.Say(fmt.Sprintf(format, args...)), nil
}

// house is a workflow with three contexts: Room under the root Hall, and
// Guest, which inherits from Person, under Room.
func house(t *testing.T, change ...func(*command.Options)) *command.Workflow {
	t.Helper()
	o := command.Options{Name: "house", Contexts: []*command.Context{
		command.DefineContext(command.ContextSpec[*hall]{Name: "Hall"}),
		command.DefineContext(command.ContextSpec[*roomObject]{Name: "Room", EnteredBy: []string{"enter_room"},
			Parent:      func(r *roomObject) any { return r.hall },
			DisplayName: func(r *roomObject) string { return "room " + r.name }}),
		command.DefineContext(command.ContextSpec[*personObject]{Name: "Guest", Bases: []string{"Person"},
			Parent: func(p *personObject) any { return p.room }}),
	}}
	for _, c := range change {
		c(&o)
	}
	w, err := command.New(o,
		command.Define(command.Spec[struct{}]{Name: "open_house", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			if err := s.SetRoot(&hall{rooms: map[string]*roomObject{}}); err != nil {
				return command.Fail("The house is open already."), nil
			}
			return say("open")
		}}),
		command.Define(command.Spec[named]{Name: "Hall/enter_room", Run: func(ctx context.Context, s *command.Session, in *named) (command.Response, error) {
			h, _ := command.Object[*hall](s)
			if h.rooms[in.Name] == nil {
				h.rooms[in.Name] = &roomObject{name: in.Name, hall: h, people: map[string]*personObject{}}
			}
			if err := s.SetContext(h.rooms[in.Name]); err != nil {
				return command.Response{}, err
			}
			return say("entered %s", in.Name)
		}}),
		command.Define(command.Spec[named]{Name: "Room/meet", Run: func(ctx context.Context, s *command.Session, in *named) (command.Response, error) {
			r, _ := command.Object[*roomObject](s)
			p := &personObject{name: in.Name, room: r}
			r.people[in.Name] = p
			if err := s.SetContext(p); err != nil {
				return command.Response{}, err
			}
			return say("met %s in %s", in.Name, r.name)
		}}),
		command.Define(command.Spec[struct{}]{Name: "Room/list_people", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			r, _ := command.Object[*roomObject](s)
			return say("%d people in %s", len(r.people), r.name)
		}}),
		command.Define(command.Spec[message]{Name: "Person/send", Run: func(ctx context.Context, s *command.Session, in *message) (command.Response, error) {
			p, _ := command.Object[*personObject](s)
			p.said = append(p.said, in.Text)
			copies := 0
			if in.Copy != nil {
				copies = *in.Copy
			}
			return say("%s to %s: %s %v %d", p.name, in.To, in.Text, in.Tags, copies)
		}}),
		command.Define(command.Spec[struct{}]{Name: "Guest/leave", Run: func(ctx context.Context, s *command.Session, _ *struct{}) (command.Response, error) {
			p, _ := command.Object[*personObject](s)
			return say("%s left", p.name)
		}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

type turn struct{ says, hears string }

// converse runs turns; what is heard must contain every part between " & ".
func converse(t *testing.T, s *command.Session, turns ...turn) {
	t.Helper()
	for _, turn := range turns {
		text := s.Call(context.Background(), turn.says).Text()
		for _, part := range strings.Split(turn.hears, " & ") {
			if !strings.Contains(text, part) {
				t.Errorf("%q is answered with\n%s\nwithout %q", turn.says, text, part)
			}
		}
	}
}

// FW-129, FW-130, FW-137, FW-142, FW-148: commands run on the object whose
// context has them; parents are asked; the walk ends at the root object.
func TestCommandsAreFoundFromTheCurrentObjectUpwards(t *testing.T) {
	s := house(t).NewSession()
	converse(t, s,
		turn{"where am I?", "Current context is 'global'"},
		turn{"enter_room blue", "cannot be called in the current context (global) & belongs to Hall"},
		turn{"open_house", "open"},
		turn{"enter_room blue", "entered blue"},
		turn{"what context am i in", "Current context is 'room blue'"},
		turn{"send to=bob text=hello", "cannot be called & Person"},
		turn{"meet ann", "met ann in blue"},
		turn{"leave", "ann left"},
		turn{"send to=bob text=hello", "ann to bob: hello"},
		turn{"Person/send to=bob text=hello", "ann to bob: hello"},
		turn{"Person__send to=bob text=hello", "ann to bob: hello"},
		turn{"list_people", "1 people in blue"},
		turn{"enter_room red", "entered red"},
		turn{"open_house", "cannot be called & belongs to global"}, // the root is the end of the walk
		turn{"meet bea", "met bea"},
		turn{"go up", "Context is now 'room red' & list_people"},
		turn{"go_up", "Context is now 'Hall'"},
		turn{"up", "Already at the top-level 'Hall' context."},
		turn{"meet cid", "cannot be called & Room & enter_room"},
	)
	o := s.Call(context.Background(), "enter_room blue")
	if o.Output.Context != "room blue" || o.Output.CommandName != "Hall/enter_room" {
		t.Errorf("the answer is of %q in %q", o.Output.CommandName, o.Output.Context)
	}
	converse(t, s, turn{"reset context", "Context is now 'Hall'"})
}

// FW-114: a person's answer completes the command, in every form.
func TestAFollowUpCompletesTheCommand(t *testing.T) {
	for name, turns := range map[string][]turn{
		"one value":                   {{"send to=bob", "text: missing & To: bob"}, {"hello there", "bob: hello there"}},
		"one value with commas":       {{"send to=bob", "text: missing"}, {"hello, there", "bob: hello, there"}},
		"values in the order listed":  {{"send", "to: missing & text: missing & Enter a value for to and text"}, {"bob, hello", "bob: hello"}},
		"quoted commas":               {{"send", "to: missing"}, {`bob, "hello, there"`, "bob: hello, there"}},
		"values with their names":     {{"send", "to: missing"}, {"text: hello, to: bob", "bob: hello"}},
		"one value with its name":     {{"send", "to: missing"}, {"text: hello", "to: missing & Text: hello"}, {"bob", "bob: hello"}},
		"names in front of some":      {{"send", "to: missing"}, {"to: bob, hello", "some of the values have names in front"}, {"bob, hello", "bob: hello"}},
		"one name twice":              {{"send", "to: missing"}, {"to: bob, to: ann", "one name stands twice"}},
		"an apostrophe is no quote":   {{"send", "to: missing"}, {`bob, it's late`, "bob: it's late"}},
		"a list":                      {{"send to=bob text=hello tags=[", "tags"}, {"send to=bob text=hello copies=0", "copies"}, {"2", "hello [] 2"}},
		"tags":                        {{"send", "missing"}, {"<text>hi you</text><to>bob</to>", "bob: hi you"}},
		"pairs, also for others":      {{"send", "missing"}, {"text=hello to=bob copies=3", "hello [] 3"}},
		"one after the other":         {{"send", "missing"}, {"bob", "text: missing & To: bob"}, {"hello", "bob: hello"}},
		"a corrected value":           {{"send to=BOB! text=hello", `to: got "BOB!" & Text: hello`}, {"bob", "bob: hello"}},
		"a wrong count":               {{"send", "missing"}, {"a, b, c", "got 3 values, but 2 are asked for: to and text"}, {"bob, hello", "bob: hello"}},
		"the command's name again":    {{"send to=bob", "text: missing"}, {"send hello", "bob: hello"}},
		"a new command instead":       {{"send to=bob", "text: missing"}, {"list_people", "1 people"}, {"send text=hello", "to: missing"}},
		"abort":                       {{"send to=bob", "text: missing"}, {"Abort", "command aborted"}, {"send text=hello", "to: missing"}},
		"short answers stay answers":  {{"send to=bob", "text: missing"}, {"no", "bob: no"}},
		"optional values take none":   {{"send text=hello", "to: missing"}, {"bob", "hello [] 0"}},
		"prose may begin with a name": {{"send to=bob", "text: missing"}, {"leave me a note", "bob: leave me a note"}},
		"what is asked stays asked":   {{"send to=BOB! text=hello copies=0", "to: got & copies: got"}, {"to=bob", "copies: got & To: bob"}, {"2", "hello [] 2"}},
		"a JSON object":               {{"send", "missing"}, {`{"to":"bob","text":"hi you","copies":3}`, "hi you [] 3"}},
		"a name that is none":         {{"send", "missing"}, {`{"to":"bob","txet":"hi"}`, "txet"}, {"bob, hello", "bob: hello"}},
		"a slash in an answer":        {{"send to=bob", "text: missing"}, {"/5 stars, would meet again", "bob: /5 stars, would meet again"}},
		"a whole other call":          {{"send to=bob", "text: missing"}, {"enter_room red", "entered red"}},
		"misunderstood, then chosen":  {{"send to=bob", "text: missing"}, {"you misunderstood", "valid & enter its command name & send"}, {"leave", "ann left"}},
		"misunderstood forgets the values": {{"send to=bob", "text: missing"}, {"Wrong command.", "couldn't determine"}, {"abort", "command aborted"},
			{"send text=hello", "to: missing"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := house(t).NewSession(command.SessionOptions{Human: true})
			converse(t, s, turn{"open_house", "open"}, turn{"enter_room blue", "entered"}, turn{"meet ann", "met"})
			for i := range turns {
				turns[i].hears = strings.TrimPrefix(turns[i].hears, "valid & ")
			}
			converse(t, s, turns...)
		})
	}
}

// A value inside a list is asked for by its place, and the rest is kept.
func TestAFollowUpGoesWhereTheFaultWas(t *testing.T) {
	line := `{"type":"object","properties":{"sku":{"type":"string"},"n":{"type":"integer","minimum":1,"aliases":["count"]}},"required":["sku","n"]}`
	s := echoing(t, `{"type":"object","properties":{"lines":{"type":"array","items":`+line+`}},"required":["lines"]}`)
	converse(t, s,
		turn{`order {"lines":[{"sku":"a","n":2},{"sku":"b","n":0}]}`, "lines[1].n: got 0 & Enter a corrected value for lines[1].n"},
		turn{"3", `{"lines":[{"sku":"a","n":2},{"sku":"b","n":3}]}`},
		turn{`order {"lines":[{"n":2}]}`, "lines[0].sku: missing & Enter a value for lines[0].sku"},
		turn{"c", `{"lines":[{"n":2,"sku":"c"}]}`},
		// What came under another name is given anew.
		turn{`order {"lines":[{"sku":"a","count":0}]}`, "lines[0].n: got 0 & Enter a corrected value for lines."},
		turn{`[{"sku":"a","n":1}]`, `{"lines":[{"sku":"a","n":1}]}`},
		turn{`order {"lines":"[{\"sku\":\"a\",\"n\":0}]"}`, "lines[0].n: got 0 & Enter a corrected value for lines[0].n."},
		turn{"4", `{"lines":[{"sku":"a","n":4}]}`},
	)
	s = echoing(t, `{"type":"object","properties":{"size":`+line+`},"required":["size"]}`)
	converse(t, s,
		turn{`order`, "size: missing"},
		turn{`{"sku":"a","n":4}`, `{"size":{"sku":"a","n":4}}`},
	)
}

// What a person gave is never dropped, and what was asked for is never filled
// by a default or by what is no answer.
func TestAFollowUpLosesNothing(t *testing.T) {
	name := `{"type":"object","properties":{"name":{"type":"string"},"qty":{"type":"integer","aliases":["quantity"]}},"required":["name"]}`
	for says, tt := range map[string]struct {
		schema string
		turns  []turn
	}{
		"an unknown name": {`{"type":"object","properties":{"limit":{"type":"integer","default":10},"q":{"type":"string"}},"required":["q"]}`,
			[]turn{{`order {"limt":50,"q":{"a":1}}`, "Did you mean limit"}, {`order {"limit":50,"q":"shoes"}`, `{"limit":50,"q":"shoes"}`}}},
		"further members": {`{"type":"object","properties":{"qty":{"type":"integer"}},"required":["qty"],"additionalProperties":true}`,
			[]turn{{`order {"extra":5}`, "qty: missing"}, {"3", `{"qty":3,"extra":5}`}}},
		"a member's default": {`{"type":"object","properties":{"d":{"type":"object","properties":{"k":{"type":"string","x-keys":["Alpha","Beta"]},"n":{"type":"integer","default":3}},"required":["k"]}},"required":["d"]}`,
			[]turn{{`order {"d":{"n":"x","k":"Zeta"}}`, "d.n: got"}, {`{"d":{"k":"alpha"}}`, `d.n: got "x" & a corrected value for d.n`}, {"7", `{"d":{"n":7,"k":"Alpha"}}`},
				{`order {"d":{"k":"Gamma","n":5}}`, "d.k"}, {`{"d":{"k":"alpha"}}`, `{"d":{"k":"Alpha","n":5}}`}}},
		"null as an answer":      {name, []turn{{"order", "name: missing"}, {`{"name":null}`, "name: missing"}, {"null", "could be that word or no value"}, {`"null"`, `{"name":"null"}`}}},
		"an object as an answer": {name, []turn{{"order", "name: missing"}, {`{"name":{"a":1}}`, "name: got"}, {"bob", `{"name":"bob"}`}}},
		"a name before it":       {name, []turn{{"order", "name: missing"}, {"name: bob", `{"name":"bob"}`}}},
		"a misspelt name":        {name, []turn{{"order", "name: missing"}, {"nmae=bob", "nmae"}, {"--name bob", "--name"}, {`name="bob`, "quote"}, {`"nmae=bob"`, `{"name":"nmae=bob"}`}, {"order", "name: missing"}, {"qty=5 name is bob", "name"}, {"bob", `{"name":"bob"}`}}},
		"escaped quotes":         {name, []turn{{"order", "name: missing"}, {`"say \"hi\""`, `{"name":"say \"hi\""}`}}},
		"an alias in JSON":       {name, []turn{{`order {"qty":"x","name":"bob"}`, "qty: got"}, {`{"quantity":5}`, `{"name":"bob","qty":5}`}}},
		"a whole new call":       {name, []turn{{`order {"qty":"x","name":"bob"}`, "qty: got"}, {`order name=al`, `qty: got "x"`}, {`order name=al qty=4`, `{"name":"al","qty":4}`}}},
		"references that are decoded once": {`{"type":"object","properties":{"o":{"type":"string","references":"once"},"qty":{"type":"integer"}},"required":["o","qty"]}`,
			[]turn{{`order {"o":"&amp;amp;amp;","qty":"x"}`, "qty: got"}, {"y", "qty: got"}, {"5", `{"o":"&amp;amp;","qty":5}`}, {"order qty=x", "qty: got"}, {"o=&amp;amp;", "qty: got"}, {"6", `{"o":"&amp;","qty":6}`}}},
		"references beside new ones": {`{"type":"object","properties":{"o":{"type":"string","references":"once"},"note":{"type":"string"},"qty":{"type":"integer"}},"required":["o","qty"]}`,
			[]turn{{`order {"o":"&amp;amp;amp;","qty":"x"}`, "qty: got"}, {"note=a&amp;b", "qty: got"}, {"qty=5 note=c&amp;d", `{"o":"&amp;amp;","note":"c&d","qty":5}`}}},
		"a whole new call has no old values": {`{"type":"object","properties":{"qty":{"type":"integer"},"to":{"type":"string"},"note":{"type":"string"}},"required":["to"]}`,
			[]turn{{`order {"qty":"x","to":"bob","note":"old"}`, "qty: got"}, {"order to=al qty=4", `{"qty":4,"to":"al"}`}}},
		"what came as text stays text": {`{"type":"object","properties":{"q":{"type":"integer"},"m":{"type":"object","properties":{"v":{"type":["integer","string"]},"n":{"type":"integer"}},"required":["v"]}},"required":["q","m"]}`,
			[]turn{{`order {"m":{"n":2}}`, "q: missing"}, {`{"q":"y"}`, "m.v"}, {"5", "q: got"}, {"6", `{"q":6,"m":{"n":2,"v":5}}`}}},
		"a default and a blank": {`{"type":"object","properties":{"qty":{"type":"integer","default":1},"to":{"type":"string"},"size":{"enum":["S","M"],"default":"S"}},"required":["to"]}`,
			[]turn{{`order {"qty":"x","to":"bob","size":"QQ"}`, "qty: got & size: got"}, {", M", "no value between two commas"}, {"size=M", "qty: got"}, {`{"qty":""}`, "qty: got"}, {"7", `{"qty":7,"to":"bob","size":"M"}`}}},
		"the other items of a list": {`{"type":"object","properties":{"l":{"type":"array","items":{"type":"integer"}},"t":{"type":"array","items":{"type":"string","x-keys":["Berlin","Paris"]}}}}`,
			[]turn{{`order l="1, 2, x"`, "l[2]: got & value for l[2]"}, {"3", `{"l":[1,2,3]}`}, {`order {"t":"berlin, zzzz"}`, "t[1]"}, {"paris", `{"t":["Berlin","Paris"]}`}}},
		"the other members": {`{"type":"object","properties":{"m":{"type":"object","properties":{"a":{"type":"object","properties":{"p":{"type":"string"},"r":{"type":"integer"}}},"n":{"type":"integer"}}}}}`,
			[]turn{{`order {"m":{"a":{"p":"keep","r":"x"},"n":1}}`, "m.a.r: got"}, {`{"m":{"a":{"r":2}}}`, `{"m":{"a":{"p":"keep","r":2},"n":1}}`},
				{`order {"m":{"a":{"p":"keep","r":"x"},"n":1}}`, "m.a.r: got"}, {`{"r":3}`, `{"m":{"a":{"p":"keep","r":3},"n":1}}`}}},
		"the other items and their members": {`{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"q":{"type":"integer"}}}}}}`,
			[]turn{{`order {"l":[{"name":"a","q":"x"},{"name":"b","q":2}]}`, "l[0].q: got"}, {`{"l":[{"q":1}]}`, "l[0].q: got"}, {"1", `{"l":[{"name":"a","q":1},{"name":"b","q":2}]}`}}},
		"a name that two have": {`{"type":"object","properties":{"name":{"type":"string"},"size":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}},"required":["name","size"]}`,
			[]turn{{`order {"name":"Bob"}`, "size: missing"}, {`{"name":"big"}`, "names are those of parameters and of what is asked for"}, {`{"size":{"name":"big"}}`, `{"name":"Bob","size":{"name":"big"}}`}}},
		"two names for one member": {`{"type":"object","properties":{"m":{"type":"object","properties":{"qty":{"type":"integer","aliases":["quantity"]},"n":{"type":"integer"}}}}}`,
			[]turn{{`order {"m":{"qty":1,"quantity":2,"n":3}}`, "given more than once & value for m."}, {`{"qty":7,"n":3}`, `{"m":{"qty":7,"n":3}}`}}},
		"a quoted comma in a list": {`{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}}},"required":["tags"]}`,
			[]turn{{"order", "tags: missing"}, {`"a, b"`, "tags: got"}, {`["a, b"]`, `{"tags":["a, b"]}`}}},
		"its path before it": {`{"type":"object","properties":{"l":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"}},"required":["sku"]}}},"required":["l"]}`,
			[]turn{{`order {"l":[{}]}`, "l[0].sku: missing"}, {"l[0].sku=abc", `{"l":[{"sku":"abc"}]}`}, {`order {"l":[{}]}`, "missing"}, {"sku = abc", `{"l":[{"sku":"abc"}]}`}}},
		"a list among others": {`{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}},"note":{"type":"string"}},"required":["tags","note"]}`,
			[]turn{{"order", "tags: missing"}, {"red, blue", "one of the values is a list"}, {`["red","blue"], hi`, `{"tags":["red","blue"],"note":"hi"}`}}},
	} {
		t.Run(says, func(t *testing.T) { converse(t, echoing(t, tt.schema), tt.turns...) })
	}
}

// A name may be any text that JSON allows.
func TestAFollowUpForAnOddName(t *testing.T) {
	for _, name := range []string{"größe", "ship to", "a.b", "x[0]"} {
		s := echoing(t, `{"type":"object","properties":{"`+name+`":{"type":"integer"},"other":{"type":"string"}},"required":["`+name+`"]}`)
		converse(t, s,
			turn{`order {"` + name + `":"x","other":"kept"}`, name + ": got & Enter a corrected value for " + name},
			turn{"5", `{"` + name + `":5,"other":"kept"}`},
		)
	}
}

// echoing is a person's session with one command, order, that answers with
// what it ran on.
func echoing(t *testing.T, schema string) *command.Session {
	t.Helper()
	w, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[signature.Record]{Name: "order", Schema: []byte(schema),
		Run: func(_ context.Context, _ *command.Session, in *signature.Record) (command.Response, error) {
			text, err := in.MarshalJSON()
			return command.Say(string(text)), err
		}}))
	if err != nil {
		t.Fatal(err)
	}
	return w.NewSession(command.SessionOptions{Human: true})
}

// FW-126: what the conversation layer answers is no command that ran.
func TestABuiltInAnswerIsNoCommandThatRan(t *testing.T) {
	s := house(t).NewSession()
	for text, handled := range map[string]bool{"what_can_i_do": true, "open_house": false} {
		o := s.Call(context.Background(), text)
		if o.Stage != "" || o.Handled() != handled || o.Ran() == handled {
			t.Errorf("%s: stage %q, handled %v, ran %v: %s", text, o.Stage, o.Handled(), o.Ran(), o.Text())
		}
	}
}

// What two parameters are at odds about, either of them may solve.
func TestAFollowUpMayCorrectTheOtherParameter(t *testing.T) {
	type span struct {
		Start int `json:"start"`
		End   int `json:"end"`
	}
	w, err := command.New(command.Options{Name: "w"}, command.Define(command.Spec[span]{Name: "book",
		ValidateExtractedParameters: func(_ context.Context, _ *command.Session, _ string, in *span) (bool, string) {
			return in.Start < in.End, "start: must be before the end"
		},
		Run: func(_ context.Context, _ *command.Session, in *span) (command.Response, error) {
			return say("%d to %d", in.Start, in.End)
		}}))
	if err != nil {
		t.Fatal(err)
	}
	converse(t, w.NewSession(command.SessionOptions{Human: true}),
		turn{"book start=9 end=5", "must be before the end"}, turn{"end=20", "9 to 20"},
		turn{"book start=9 end=5", "must be before the end"}, turn{"2", "2 to 5"},
		turn{"book start=9 end=5", "must be before the end"}, turn{"end=7", "must be before the end"}, turn{"start=1", "1 to 7"},
	)
}

// FW-132: an agent is never asked to continue; its next message is a command.
func TestAnAgentIsNeverStuck(t *testing.T) {
	s := house(t).NewSession()
	converse(t, s, turn{"open_house", "open"}, turn{"enter_room blue", "entered"}, turn{"meet ann", "met"},
		turn{"send to=bob", "text: missing & Send Person/send again, complete"},
		turn{"hello", `no command is named "hello"`},
		turn{"list_people", "1 people"},
		turn{"send to=bob text=hello", "bob: hello"},
		// a slash is a person's message in an agent's session (FW-135)
		turn{"/send to=bob", "text: missing & Enter a value for text"},
		turn{"hello", "bob: hello"},
	)
}

// FW-131, FW-228: what nobody understands is no success.
func TestWhatNobodyUnderstandsIsNoSuccess(t *testing.T) {
	s := house(t).NewSession(command.SessionOptions{Human: true})
	for _, says := range []string{"frobnicate the whole thing", "you misunderstood", "  "} {
		o := s.Call(context.Background(), says)
		if o.Output.CommandResponse.Success {
			t.Errorf("%q succeeds: %s", says, o.Text())
		}
	}
	converse(t, s, turn{"open_house", "open"})
}

type chooser struct {
	names []string
	err   error
}

func (c chooser) Route(context.Context, string, []string) ([]string, error) { return c.names, c.err }

// FW-122, FW-123, FW-198: several candidates are asked about; the answer runs
// the original message, or its own parameters if it has any.
func TestARouterAsksWhichWasMeant(t *testing.T) {
	router := func(names ...string) func(*command.Options) {
		return func(o *command.Options) { o.Router = chooser{names: names} }
	}
	human := command.SessionOptions{Human: true}
	ready := []turn{{"open_house", "open"}, {"enter_room blue", "entered"}, {"meet ann", "met"}}
	s := house(t, router("Person/send", "Guest/leave")).NewSession(human)
	converse(t, s, ready...)
	converse(t, s, turn{"<to>bob</to><text>hello</text>", "Ambiguous intent error & send & leave & what can i do"},
		turn{"neither", "Ambiguous intent error"},
		turn{"Send", "bob: hello"},
		turn{"tell everybody", "Ambiguous"},
		turn{"send to=eve text=hey", "eve: hey"},
		turn{"tell everybody", "Ambiguous"},
		turn{"what can i do?", "Commands available in the current context"},
		turn{"you misunderstood", "couldn't determine"},
	)
	s = house(t, router("Room/list_people")).NewSession(human)
	converse(t, s, ready...)
	converse(t, s, turn{"how many are here", "people"})
	s = house(t, func(o *command.Options) { o.Router = chooser{err: context.DeadlineExceeded} }).NewSession()
	if o := s.Call(context.Background(), "anything at all"); o.Ran() || o.Problems[0].Kind != validate.UnknownCommand {
		t.Errorf("a failed router ends as %+v", o.Problems)
	}
}

// FW-218: a direct action is looked for in the current context and its
// parents, or refused as not callable here.
func TestADirectActionKnowsItsContext(t *testing.T) {
	s := house(t).NewSession()
	act := func(name, parameters string) *command.Outcome {
		return s.Do(context.Background(), command.Action{CommandName: name, Parameters: []byte(parameters)})
	}
	if o := act("Hall/enter_room", `{"name":"blue"}`); o.Ran() || o.Problems[0].Kind != validate.NotCallableHere {
		t.Errorf("it ends as %+v: %s", o.Problems, o.Text())
	}
	act("open_house", "")
	act("enter_room", `{"name":"blue"}`)
	act("Room__meet", `{"name":"ann"}`)
	if o := act("Room/list_people", "{}"); o.Text() != "1 people in blue" {
		t.Errorf("the parent's command answers %q", o.Text())
	}
}
