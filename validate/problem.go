package validate

// Kind says what is wrong with a call. The words are part of the wire form of
// a Problem.
type Kind string

// What can be wrong with the arguments as a document.
const (
	NotAnObject  Kind = "not_an_object" // the arguments are some other JSON value
	CutOff       Kind = "cut_off"       // they end in the middle
	TrailingText Kind = "trailing_text" // they go on after one complete object
	RepeatedName Kind = "repeated_name" // one object names a member twice
	BadEncoding  Kind = "bad_encoding"  // bytes that are not UTF-8
	TooDeep      Kind = "too_deep"
	TooLong      Kind = "too_long"
	NotJSON      Kind = "not_json"
)

// What can be wrong with a text call, before any field has a value.
const (
	NotACall         Kind = "not_a_call"        // the text does not begin with a command
	NotCallableHere  Kind = "not_callable_here" // the command belongs to another context
	ExtractionFailed Kind = "extraction_failed" // the model that reads free text did not answer
	WrongCount       Kind = "wrong_count"       // another number of values than was asked for
	UnknownCommand   Kind = "unknown_command"   // no command has the name
	UnclearCall      Kind = "unclear_call"      // it is in doubt where a value ends or whose it is
	UnnamedValue     Kind = "unnamed_value"     // a lone value that no parameter takes (FW-43)
	GivenTwice       Kind = "given_twice"       // one parameter has two values
	UnknownName      Kind = "unknown_name"      // no parameter has the name (D-4)
	SwallowedMarkup  Kind = "swallowed_markup"  // a value holds the end of its own tag and the start of another
)

// What can be wrong with the value of a field in stage 1, coercion and
// constraints.
const (
	WrongType   Kind = "wrong_type"
	NotAMember  Kind = "not_a_member" // not in a closed vocabulary
	NoMatch     Kind = "no_match"     // a pattern does not match the whole text
	WrongFormat Kind = "wrong_format" // a date, an address, ... that is none
	OutOfRange  Kind = "out_of_range" // a number beyond its bounds
	WrongLength Kind = "wrong_length" // too few or too many characters, items, members
	NotUnique   Kind = "not_unique"   // an item that may not repeat
	RuleBroken  Kind = "rule_broken"  // a constraint that concerns other fields too
)

// What can be wrong in the stages after it.
const (
	Missing           Kind = "missing"            // stage 2
	NotFound          Kind = "not_found"          // stage 3: no key is meant beyond doubt
	LookupUnavailable Kind = "lookup_unavailable" // stage 3: the resolver failed
	HookRefused       Kind = "hook_refused"       // stage 4
	HookFailed        Kind = "hook_failed"        // stage 4: the hook panicked or did not return
	NotStarted        Kind = "not_started"        // the call's context ended before the command began
	BodyFailed        Kind = "body_failed"        // the command itself failed
	SessionBusy       Kind = "session_busy"       // an earlier call of the session has not ended
)

// A Problem is one thing that keeps a call from running, as data; Message
// renders it. Texts that came from the caller are already escaped and cut
// (rule D-8), so a Problem may be logged and sent as it is.
type Problem struct {
	// Field is the path of the parameter: "size.w", "items[2]". It is empty
	// where the call as a whole is at fault.
	Field string `json:"field,omitempty"`
	Kind  Kind   `json:"kind"`
	// Got says what arrived.
	Got string `json:"got,omitempty"`
	// Accepted says what is accepted.
	Accepted string `json:"accepted,omitempty"`
	// Example is a value that would be accepted.
	Example string `json:"example,omitempty"`
	// Nearest are the valid values or names nearest to what arrived, best
	// first; More counts those left out.
	Nearest []string `json:"nearest,omitempty"`
	More    int      `json:"more,omitempty"`
	// Sample says that Nearest are not near but merely some that are valid.
	Sample bool `json:"sample,omitempty"`
	// AvailableFrom names the commands that supply a value.
	AvailableFrom []string `json:"available_from,omitempty"`
	// Text is what a hook or a document's reader adds in words.
	Text string `json:"text,omitempty"`
	// Fields are the parameters that a hook's message names.
	Fields []string `json:"fields,omitempty"`
}

// Stage is a step of the pipeline that can end a call.
type Stage string

// The stages in their order (D-1). Bind and Normalize come before those of
// this package, Run after.
const (
	StageBind    Stage = "bind"
	StageCoerce  Stage = "coerce"
	StageRequire Stage = "require"
	StageLookup  Stage = "lookup"
	StageHook    Stage = "hook"
	StageRun     Stage = "run"
)
