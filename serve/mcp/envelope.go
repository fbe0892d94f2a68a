package mcp

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
)

// deepest is the nesting of a message that the SDK reads. The pipeline's own
// bound for arguments is lower, and its message is better.
const deepest = 990

// room is what a message may have around the arguments of a call.
const room = 1 << 20

// mostBatched is how many messages a batch may have. They run side by side.
const mostBatched = 64

// A refused message is answered before the SDK sees it, which would end the
// connection, or answer in the words of its decoder.
type refused struct {
	code int
	text string
	id   string // as JSON, "" if it is not known
}

// response is the refusal as a message.
func (r *refused) response() []byte {
	id := r.id
	if id == "" {
		id = "null"
	}
	text, _ := jsontree.Marshal(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id),
		"error": map[string]any{"code": r.code, "message": r.text}})
	return text
}

// A message is what is to be known of one that is not refused.
type message struct {
	// id is that of a request or response, as JSON; method is "" in a response.
	id, method string
	// modern says that it names its version, as those without sessions do.
	modern bool
	// cancels is the id of the request that it cancels, as JSON.
	cancels string
}

// inspect reads as much of a message as it takes to know that the SDK can read
// it. Arguments are left for the pipeline, whatever they are. Of a batch
// nothing more is known.
func inspect(text []byte) (message, *refused) {
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{Depth: deepest, KeepRepeated: true}, nil)
	if fault != nil {
		return message{}, faulty(text, fault)
	}
	if doc.Root.Kind == jsontree.List {
		if len(doc.Root.Items) > mostBatched {
			return message{}, &refused{jsonrpc.CodeInvalidRequest, "The batch has more than " + quote.Count(mostBatched) + " messages.", ""}
		}
		for i := range doc.Root.Items {
			if _, r := inspectOne(&doc.Root.Items[i]); r != nil {
				return message{}, r
			}
		}
		return message{}, nil
	}
	return inspectOne(&doc.Root)
}

// faulty refuses a message that is not JSON. One that is, but for text that is
// not UTF-8 or a number of values, may be a call whose arguments the pipeline
// refuses in better words.
func faulty(text []byte, fault *jsontree.Fault) *refused {
	switch fault.Kind {
	case jsontree.BadUTF8, jsontree.TooMany:
		if _, err := jsonrpc.DecodeMessage(text); err == nil && json.Valid(text) {
			return nil
		}
	case jsontree.TooDeep:
		return &refused{jsonrpc.CodeInvalidRequest, "The message is nested deeper than " + quote.Count(fault.Limit) + " levels.", idAtAnEnd(text, text)}
	case jsontree.Empty:
		return &refused{jsonrpc.CodeParseError, "The message is empty.", ""}
	case jsontree.Cut:
		return &refused{jsonrpc.CodeParseError, "The message ends in the middle.", ""}
	}
	return &refused{jsonrpc.CodeParseError, "The message is not one JSON text.", ""}
}

// inspectOne reads one message that is no batch.
func inspectOne(m *jsontree.Value) (is message, r *refused) {
	r = &refused{code: jsonrpc.CodeInvalidRequest}
	if m.Kind != jsontree.Object {
		r.text = "The message is " + a(m.Kind) + ", but must be a JSON-RPC object."
		return is, r
	}
	id, ok := idOf(m.Get("id"))
	is.id, r.id = id, id
	if name := repeated(m); name != "" {
		r.text = "The message has the member " + quote.Text(name, 60) + " twice."
		return is, r
	}
	version, method := m.Get("jsonrpc"), m.Get("method")
	switch {
	case !ok:
		r.text = "The id of a message must be a text or a whole number below 2^53."
		return is, r
	case version == nil || version.Kind != jsontree.String || version.Text != "2.0",
		method != nil && method.Kind != jsontree.String,
		method == nil && (id == "" || !readableError(m.Get("error"))):
		r.text = "The message is no JSON-RPC 2.0 request, notification or response."
		return is, r
	case method != nil:
		is.method = method.Text
	}
	params := m.Get("params")
	r.code = jsonrpc.CodeInvalidParams
	if is.method == "tools/call" && (params == nil || params.Kind == jsontree.Null) {
		r.text = namelessText
		return is, r
	}
	if params == nil || is.method == "" {
		return is, nil
	}
	if params.Kind != jsontree.Object && params.Kind != jsontree.Null {
		r.text = "params must be an object."
		return is, r
	}
	if name := repeated(params); name != "" {
		r.text = "params has the member " + quote.Text(name, 60) + " twice."
		return is, r
	}
	if meta := params.Get("_meta"); meta != nil {
		is.modern = meta.Get(sdk.MetaKeyProtocolVersion) != nil
	}
	switch is.method {
	case "notifications/cancelled":
		is.cancels, _ = idOf(params.Get("requestId"))
	case "tools/call":
		if r.text = badCall(params); r.text != "" {
			return is, r
		}
	default:
		if !readable(is.method, params) {
			r.text = "The params of " + is.method + " are not those that the protocol gives it."
			return is, r
		}
	}
	return is, nil
}

// paramsOf are what the SDK reads params into, by method.
var paramsOf = map[string]func() any{
	"initialize":                func() any { return new(sdk.InitializeParams) },
	"ping":                      func() any { return new(sdk.PingParams) },
	"tools/list":                func() any { return new(sdk.ListToolsParams) },
	"subscriptions/listen":      func() any { return new(sdk.SubscriptionsListenParams) },
	"server/discover":           func() any { return new(sdk.DiscoverParams) },
	"notifications/initialized": func() any { return new(sdk.InitializedParams) },
	"notifications/progress":    func() any { return new(sdk.ProgressNotificationParams) },
}

// readable reports whether the SDK can read the params of a method other than
// tools/call. It would say what it cannot read in the words of its decoder.
func readable(method string, params *jsontree.Value) bool {
	fresh := paramsOf[method]
	return fresh == nil || json.Unmarshal([]byte(params.Raw), fresh()) == nil
}

// idOf is an id as JSON, "" for none. It reports false for one that the SDK
// would change.
func idOf(v *jsontree.Value) (id string, ok bool) {
	switch {
	case v == nil || v.Kind == jsontree.Null:
		return "", true
	case v.Kind == jsontree.String:
		return string(jsontree.AppendString(nil, v.Text)), true
	case v.Kind == jsontree.Number:
		n, err := strconv.ParseInt(v.Text, 10, 64)
		if err != nil || n <= -exactUpTo || n >= exactUpTo {
			return v.Text, false
		}
		return strconv.FormatInt(n, 10), true // -0 is answered as 0
	}
	return "", false
}

// readableError reports whether the error of a response is none or has what
// the SDK reads.
func readableError(v *jsontree.Value) bool {
	if v == nil || v.Kind == jsontree.Null {
		return true
	}
	code, message := v.Get("code"), v.Get("message")
	if v.Kind != jsontree.Object || code == nil || code.Kind != jsontree.Number || message == nil || message.Kind != jsontree.String {
		return false
	}
	_, err := strconv.ParseInt(code.Text, 10, 64)
	return err == nil
}

// badCall says what the SDK could not read in the params of tools/call.
func badCall(params *jsontree.Value) string {
	for _, part := range []struct {
		name string
		kind jsontree.Kind
	}{{"name", jsontree.String}, {"_meta", jsontree.Object}, {"requestState", jsontree.String}, {"inputResponses", jsontree.Object}} {
		if v := params.Get(part.name); v != nil && v.Kind != part.kind {
			return part.name + " must be " + a(part.kind) + ", not " + a(v.Kind) + "."
		}
	}
	if responses := params.Get("inputResponses"); responses != nil {
		for i := range responses.Members {
			v := &responses.Members[i].Value
			content := v.Get("content")
			if v.Kind != jsontree.Object || v.Get("action") == nil || v.Get("action").Kind != jsontree.String || content != nil && content.Kind != jsontree.Object {
				return "inputResponses must hold answers with an action and, if that is accept, an object as content."
			}
		}
	}
	return ""
}

// a is a kind with its article.
func a(k jsontree.Kind) string {
	switch k {
	case jsontree.Null:
		return "null"
	case jsontree.Object:
		return "an object"
	}
	return "a " + k.String()
}

// repeated returns the first member name that an object has twice.
func repeated(v *jsontree.Value) string {
	have := make(map[string]bool, min(len(v.Members), 16))
	for i := range v.Members {
		name := v.Members[i].Name
		if have[name] {
			return name
		}
		have[name] = true
	}
	return ""
}

var (
	idAtEnd   = regexp.MustCompile(`"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,64}")\s*}\s*$`)
	idAtStart = regexp.MustCompile(`^\s*{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(-?\d{1,18}|"[^"\\]{0,64}")\s*[,}]`)
)

// idAtAnEnd finds the id of a message that was not read as a whole, so that its
// sender does not wait for an answer; "" if it is at neither end.
func idAtAnEnd(head, tail []byte) string {
	head, tail = head[:min(len(head), 256)], tail[max(0, len(tail)-256):]
	if m := idAtStart.FindSubmatch(head); m != nil {
		return string(m[1])
	}
	if m := idAtEnd.FindSubmatch(tail); m != nil {
		return strings.Clone(string(m[1]))
	}
	return ""
}
