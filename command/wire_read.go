package command

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/signature"
	"github.com/fwgo/fwgo/validate"
)

// Wire are the types that programs exchange as JSON (FW-149 to FW-158).
type Wire interface {
	Action | Recommendation | Response | CommandOutput | TurnOutput | TraceEvent | MCPToolCall | MCPContent | MCPToolResult
}

// ReadJSON reads one value of the wire from JSON text. What it accepts is what
// fastWorkflow accepts: a member that is not there takes its default, null is
// accepted only where it means none, true and false may also be 0, 1 or a word
// such as "no", a whole number may be a text, names that are not known are
// kept in Unknown. A name that is given twice, bytes that are not UTF-8 and
// text that is cut off are refused (D-3), and so are texts of more than 16 MiB
// and parameters nested deeper than a call's arguments may be.
//
// The error is a *ReadError. json.Unmarshal into one of the types reads the
// same way, except that texts which are no JSON at all are refused by
// encoding/json, in its words.
func ReadJSON[T Wire](data []byte) (T, error) {
	var value T
	err := any(&value).(json.Unmarshaler).UnmarshalJSON(data)
	return value, err
}

// A ReadError says why a value of the wire could not be read.
type ReadError struct {
	// What was read, in words: "the action".
	What string
	// Problems are all that is wrong, in the order of the members. The Field
	// of each is the path of the member at fault, "suggested_actions[0]", or
	// empty where it is the value as a whole.
	Problems []validate.Problem
	// More counts problems beyond those listed.
	More int
}

const (
	mostReadProblems = 20
	longestReadGot   = 60
	longestReadPath  = 200
)

// Error lists the problems in plain words, fit for a caller.
func (e *ReadError) Error() string {
	var b strings.Builder
	for i := range e.Problems {
		if i > 0 {
			b.WriteString("; ")
		}
		p := &e.Problems[i]
		if p.Field == "" {
			b.WriteString(e.What + " ")
		} else {
			b.WriteString(p.Field + ": ")
		}
		b.WriteString(readProblemText(p))
	}
	if e.More > 0 {
		b.WriteString("; and " + quote.Count(e.More) + " more problems")
	}
	return b.String()
}

func readProblemText(p *validate.Problem) string {
	switch p.Kind {
	case validate.Missing:
		return "is missing, must be " + p.Accepted
	case validate.CutOff:
		return "is cut off: " + p.Accepted + " must follow"
	case validate.TrailingText:
		return "must be one JSON value, but more text follows it"
	case validate.RepeatedName:
		return "gives the name " + p.Got + " more than once"
	case validate.BadEncoding:
		return "holds bytes that are not UTF-8 text"
	case validate.TooDeep:
		return "is nested too deep, must be " + p.Accepted
	case validate.TooLong:
		return "is too long, must be " + p.Accepted
	case validate.NotJSON:
		return "is not JSON: " + p.Accepted + " must stand at " + p.Got
	case validate.GivenTwice:
		return "must have " + p.Accepted
	default:
		return "must be " + p.Accepted + ", not " + p.Got
	}
}

// readWire reads data into value, which stays as it is if that fails.
func readWire[T any, P interface {
	*T
	wireValue
}](data []byte, value P) error {
	fresh := P(new(T))
	r := wireReader{}
	if doc, fault := jsontree.Parse(string(data), wireLimits, nil); fault != nil {
		r.problems = []validate.Problem{faultProblem(fault, len(data))}
	} else {
		r.read(&doc.Root, fresh)
	}
	if len(r.problems) > 0 {
		return &ReadError{What: fresh.noun(), Problems: r.problems, More: r.more}
	}
	*value = *fresh
	return nil
}

func faultProblem(f *jsontree.Fault, length int) validate.Problem {
	p := validate.Problem{Field: quote.Bare(f.Path, longestReadPath), Accepted: f.Expected}
	switch f.Kind {
	case jsontree.Empty:
		p.Kind, p.Accepted = validate.CutOff, "a JSON object"
	case jsontree.Cut:
		p.Kind = validate.CutOff
	case jsontree.Trailing:
		p.Kind = validate.TrailingText
	case jsontree.Repeated:
		p.Kind, p.Got = validate.RepeatedName, quote.Text(f.Name, longestReadGot)
	case jsontree.BadUTF8:
		p.Kind = validate.BadEncoding
	case jsontree.TooDeep:
		p.Kind, p.Accepted = validate.TooDeep, shallow
	case jsontree.TooLong:
		p.Kind, p.Accepted, p.Got = validate.TooLong, "at most "+quote.Count(f.Limit)+" bytes", quote.Count(length)+" bytes"
	default:
		p.Kind, p.Got = validate.NotJSON, "byte "+quote.Count(f.Offset+1)
	}
	return p
}

var shallow = "at most " + strconv.Itoa(deepestValue) + " levels of lists and objects"

// wireReader reads the members of objects, and goes on after a problem so that
// all are found.
type wireReader struct {
	path     wirePath
	reading  *jsontree.Value // the object whose members are being read
	known    []string        // those of its members that have a field
	problems []validate.Problem
	more     int
}

func (r *wireReader) read(v *jsontree.Value, into wireValue) {
	if v.Kind != jsontree.Object {
		r.wrong(validate.WrongType, v, "an object")
		return
	}
	outer, known := r.reading, r.known
	r.reading, r.known = v, nil
	into.members(r)
	r.reading, r.known = outer, known
}

// member returns the member of the name, nil if there is none.
func (r *wireReader) member(name string) *jsontree.Value {
	r.known = append(r.known, name)
	return r.reading.Get(name)
}

// given is member for what may not be null. It reports a member that is
// missing though required.
func (r *wireReader) given(name string, need need, accepted string) *jsontree.Value {
	v := r.member(name)
	if v == nil && need == required {
		r.addAt(name, validate.Problem{Kind: validate.Missing, Accepted: accepted})
	}
	return v
}

// present is member for what may be null, which is the same as not there.
func (r *wireReader) present(name string) *jsontree.Value {
	if v := r.member(name); v != nil && v.Kind != jsontree.Null {
		return v
	}
	return nil
}

func (r *wireReader) add(p validate.Problem) {
	if len(r.problems) == mostReadProblems {
		r.more++
		return
	}
	p.Field = r.path.String()
	r.problems = append(r.problems, p)
}

func (r *wireReader) addAt(name string, p validate.Problem) {
	r.path.push(name)
	r.add(p)
	r.path.pop()
}

func (r *wireReader) wrong(kind validate.Kind, v *jsontree.Value, accepted string) {
	if len(r.problems) == mostReadProblems {
		r.more++
		return
	}
	r.add(validate.Problem{Kind: kind, Got: arrived(v), Accepted: accepted})
}

func (r *wireReader) wrongAt(name string, kind validate.Kind, v *jsontree.Value, accepted string) {
	r.path.push(name)
	r.wrong(kind, v, accepted)
	r.path.pop()
}

// arrived shows a value that was refused.
func arrived(v *jsontree.Value) string {
	switch v.Kind {
	case jsontree.Bool:
		return strconv.FormatBool(v.True)
	case jsontree.Number:
		return "the number " + quote.Bare(v.Text, longestReadGot)
	case jsontree.String:
		return "the text " + quote.Text(v.Text, longestReadGot)
	case jsontree.List:
		return "a list"
	case jsontree.Object:
		return "an object"
	default:
		return "null"
	}
}

func (r *wireReader) text(name string, at *string, need need) {
	v := r.given(name, need, "a text")
	switch {
	case v == nil:
	case v.Kind == jsontree.String:
		*at = v.Text
	default:
		r.wrongAt(name, validate.WrongType, v, "a text")
	}
}

func (r *wireReader) textOrNull(name string, at **string) {
	v := r.present(name)
	switch {
	case v == nil:
	case v.Kind == jsontree.String:
		*at = &v.Text
	default:
		r.wrongAt(name, validate.WrongType, v, "a text or null")
	}
}

func (r *wireReader) textIfSet(name string, at **string) { r.textOrNull(name, at) }

func (r *wireReader) word(name string, at *string, words []string) {
	accepted := "one of " + quote.List(words, len(words), longestReadGot)
	v := r.given(name, required, accepted)
	if v == nil {
		return
	}
	for _, word := range words {
		if v.Kind == jsontree.String && v.Text == word {
			*at = word
			return
		}
	}
	r.wrongAt(name, validate.NotAMember, v, accepted)
}

func (r *wireReader) flag(name string, at *bool, missing bool) {
	*at = missing
	v := r.member(name)
	if v == nil {
		return
	}
	flag, ok := laxBool(v)
	if !ok {
		r.wrongAt(name, validate.WrongType, v, "true or false")
		return
	}
	*at = flag
}

func (r *wireReader) flagOrNull(name string, at **bool) {
	v := r.present(name)
	if v == nil {
		return
	}
	flag, ok := laxBool(v)
	if !ok {
		r.wrongAt(name, validate.WrongType, v, "true, false or null")
		return
	}
	*at = &flag
}

const milliseconds = "a whole number of milliseconds"

func (r *wireReader) int64(name string, at *int64) {
	if v := r.given(name, required, milliseconds); v != nil {
		r.readInt64(name, v, at, milliseconds)
	}
}

func (r *wireReader) int64OrNull(name string, at **int64) {
	if v := r.present(name); v != nil {
		*at = new(int64)
		r.readInt64(name, v, *at, milliseconds+" or null")
	}
}

func (r *wireReader) readInt64(name string, v *jsontree.Value, at *int64, accepted string) {
	digits, ok := laxWhole(v)
	if !ok {
		r.wrongAt(name, validate.WrongType, v, accepted)
		return
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		r.wrongAt(name, validate.OutOfRange, v, accepted+" within 64 bits")
		return
	}
	*at = n
}

func (r *wireReader) wholeOrNull(name string, at *json.Number) {
	v := r.present(name)
	if v == nil {
		return
	}
	digits, ok := laxWhole(v)
	if !ok {
		r.wrongAt(name, validate.WrongType, v, "a whole number or null")
		return
	}
	*at = json.Number(digits)
}

func (r *wireReader) timeOrNull(name string, at **Timestamp) {
	v := r.present(name)
	if v == nil {
		return
	}
	moment, ok := laxTime(v)
	if !ok {
		r.wrongAt(name, validate.WrongFormat, v, timeAccepted+", or null")
		return
	}
	*at = &moment
}

// object keeps an object as it was written. One without members is nil, like
// one that is not there.
func (r *wireReader) object(name string, at *json.RawMessage) {
	v := r.member(name)
	switch {
	case v == nil:
	case v.Kind != jsontree.Object:
		r.wrongAt(name, validate.WrongType, v, "an object")
	case len(v.Members) > 0 && r.isShallow(name, v):
		*at = json.RawMessage(v.Raw)
	}
}

func (r *wireReader) isShallow(name string, v *jsontree.Value) bool {
	if depthOf(v) <= deepestValue {
		return true
	}
	r.addAt(name, validate.Problem{Kind: validate.TooDeep, Accepted: shallow})
	return false
}

func (r *wireReader) any(name string, at *any) {
	if v := r.present(name); v != nil && r.isShallow(name, v) {
		*at = json.RawMessage(v.Raw)
	}
}

func (r *wireReader) values(name string, at *map[string]any, order *[]string) {
	v := r.member(name)
	switch {
	case v == nil:
		return
	case v.Kind != jsontree.Object:
		r.wrongAt(name, validate.WrongType, v, "an object")
		return
	case len(v.Members) == 0 || !r.isShallow(name, v):
		return
	}
	*at = make(map[string]any, len(v.Members))
	sorted := true
	for i := range v.Members {
		m := &v.Members[i]
		(*at)[m.Name] = signature.GoValue(&m.Value)
		sorted = sorted && (i == 0 || v.Members[i-1].Name < m.Name)
	}
	if sorted {
		return
	}
	for i := range v.Members {
		*order = append(*order, v.Members[i].Name)
	}
}

// one reads a member that is an object. In its place there may be a list of
// exactly one such object under its former name (section 0.3 of the rules).
func (r *wireReader) one(name, former string, at wireValue) {
	v, list := r.member(name), r.member(former)
	switch {
	case v != nil && list != nil:
		r.add(validate.Problem{Kind: validate.GivenTwice, Accepted: "either " + name + " or " + former + ", not both"})
		return
	case v == nil && list == nil:
		r.addAt(name, validate.Problem{Kind: validate.Missing, Accepted: "an object"})
		return
	case v != nil:
		r.path.push(name)
		r.read(v, at)
		r.path.pop()
		return
	}
	r.path.push(former)
	switch {
	case list.Kind != jsontree.List:
		r.wrong(validate.WrongType, list, "a list of exactly one object")
	case len(list.Items) != 1:
		r.add(validate.Problem{Kind: validate.WrongLength, Got: quote.Count(len(list.Items)), Accepted: "a list of exactly one object"})
	default:
		r.path.pushItem(0)
		r.read(&list.Items[0], at)
		r.path.pop()
	}
	r.path.pop()
}

func (r *wireReader) list(name string, items wireList, need need) {
	v := r.given(name, need, "a list")
	if v == nil {
		return
	}
	if v.Kind != jsontree.List {
		r.wrongAt(name, validate.WrongType, v, "a list")
		return
	}
	r.path.push(name)
	for i := range v.Items {
		// After a problem nothing is kept, so that a short document of many
		// bad items cannot ask for the memory of many good ones.
		item := items.spare
		if len(r.problems) == 0 {
			item = items.grow
		}
		r.path.pushItem(i)
		r.read(&v.Items[i], item())
		r.path.pop()
	}
	r.path.pop()
}

func (r *wireReader) computed(name string, _ func() bool) { r.known = append(r.known, name) }

// rest keeps what no field stands for.
func (r *wireReader) rest(at *[]WireMember) {
next:
	for i := range r.reading.Members {
		m := &r.reading.Members[i]
		for _, known := range r.known {
			if m.Name == known {
				continue next
			}
		}
		r.path.push(quote.Bare(m.Name, longestReadGot))
		deep := depthOf(&m.Value) > deepestValue
		if deep {
			r.add(validate.Problem{Kind: validate.TooDeep, Accepted: shallow})
		}
		r.path.pop()
		if !deep {
			*at = append(*at, WireMember{Name: m.Name, Value: json.RawMessage(m.Value.Raw)})
		}
	}
}
