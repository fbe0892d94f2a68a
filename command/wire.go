package command

import "encoding/json"

// An Action is a call as data: a command by name with its parameters (FW-149).
//
// Where fastWorkflow accepts only scalars as parameters and loses objects,
// any JSON value is kept here, to the last digit.
type Action struct {
	// CommandName is the qualified name, such as "ChatRoom/add_user".
	CommandName string
	// Command is the text that a person typed, if any.
	Command string
	// Parameters is a JSON object, byte for byte as it arrived; nil is {}.
	Parameters json.RawMessage
	// WorkflowID is a whole number of any size, "" for none.
	WorkflowID json.Number
	// Unknown are the members that were read and have no field here. Only
	// RelayJSON writes them (FW-157).
	Unknown []WireMember
}

func (*Action) noun() string { return "the action" }

func (a *Action) members(m wireMembers) {
	m.text("command_name", &a.CommandName, required)
	m.text("command", &a.Command, optional)
	m.object("parameters", &a.Parameters)
	m.wholeOrNull("workflow_id", &a.WorkflowID)
	m.rest(&a.Unknown)
}

// MarshalJSON writes the members in the order of FW-149, without HTML escapes.
func (a Action) MarshalJSON() ([]byte, error) { return writeWire(&a, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (a Action) RelayJSON() ([]byte, error) { return writeWire(&a, true) }

// UnmarshalJSON reads an action as fastWorkflow does; see ReadJSON.
func (a *Action) UnmarshalJSON(data []byte) error { return readWire(data, a) }

// A Recommendation proposes actions for a reason (FW-150).
type Recommendation struct {
	Summary          string
	SuggestedActions []Action
	// Unknown: see Action.Unknown.
	Unknown []WireMember
}

func (*Recommendation) noun() string { return "the recommendation" }

func (r *Recommendation) members(m wireMembers) {
	m.text("summary", &r.Summary, required)
	m.list("suggested_actions", itemsOf(&r.SuggestedActions), optional)
	m.rest(&r.Unknown)
}

// MarshalJSON writes the members in the order of FW-150, without HTML escapes.
func (r Recommendation) MarshalJSON() ([]byte, error) { return writeWire(&r, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (r Recommendation) RelayJSON() ([]byte, error) { return writeWire(&r, true) }

// UnmarshalJSON reads a recommendation as fastWorkflow does; see ReadJSON.
func (r *Recommendation) UnmarshalJSON(data []byte) error { return readWire(data, r) }

// A Response is what a command answers (FW-151). Python calls it
// CommandResponse. Make one with Say or Fail: the zero value is a failure.
type Response struct {
	// Response is the text for the caller.
	Response string
	// Success is false where the caller should act on the text. A Response
	// that is read without the member is a success.
	Success bool
	// Artifacts are values for programs, written with encoding/json. Values
	// that were read are string, bool, json.Number, nil, []any and
	// *signature.Record, which keeps the order of an object's members.
	Artifacts map[string]any
	// NextActions are calls that follow from this one.
	NextActions     []Action
	Recommendations []Recommendation
	// Unknown: see Action.Unknown.
	Unknown []WireMember

	// order is how the artifacts were ordered when read, nil if by name.
	order []string
}

// Say answers that the command did what was asked.
func Say(text string) Response { return Response{Response: text, Success: true} }

// Fail answers bad news that the caller can act on. It is no Go error: the
// command ran, and the text says what to do next.
func Fail(text string) Response { return Response{Response: text} }

func (*Response) noun() string { return "the command response" }

func (r *Response) members(m wireMembers) {
	m.text("response", &r.Response, required)
	m.flag("success", &r.Success, true)
	m.values("artifacts", &r.Artifacts, &r.order)
	m.list("next_actions", itemsOf(&r.NextActions), optional)
	m.list("recommendations", itemsOf(&r.Recommendations), optional)
	m.rest(&r.Unknown)
}

// MarshalJSON writes the members in the order of FW-151, without HTML escapes.
// Artifacts that have no form in JSON, such as NaN, are an error (FW-226).
func (r Response) MarshalJSON() ([]byte, error) { return writeWire(&r, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (r Response) RelayJSON() ([]byte, error) { return writeWire(&r, true) }

// UnmarshalJSON reads a response as fastWorkflow does; see ReadJSON.
func (r *Response) UnmarshalJSON(data []byte) error { return readWire(data, r) }

// A CommandOutput is a Response with the call that it answers, in the shape of
// fastWorkflow 3 (FW-152). When reading, the shape of 2.x is accepted too if
// its command_responses hold exactly one.
type CommandOutput struct {
	CommandResponse Response
	// WorkflowName is the workflow's name.
	WorkflowName string
	// Context is the name of the context after the run.
	Context string
	// CommandName is the qualified name of the command that ran (FW-153), or
	// "ask_user" for a question to the user (FW-154).
	CommandName string
	// CommandParameters is what the command's body saw: a pointer to its
	// Input or a *signature.Record, nil for none, a string for the question of
	// ask_user. It is written with encoding/json. When read it is the exact
	// json.RawMessage, or nil for null.
	CommandParameters any
	// StartedAt is when the run began, nil if unknown.
	StartedAt *Timestamp
	// DurationMS is how long it took in milliseconds, nil if unknown.
	DurationMS *int64
	// Unknown: see Action.Unknown. Later versions of fastWorkflow add
	// command_call_id and ask_user_entry.
	Unknown []WireMember
}

func (*CommandOutput) noun() string { return "the command output" }

func (o *CommandOutput) members(m wireMembers) {
	m.one("command_response", "command_responses", &o.CommandResponse)
	m.text("workflow_name", &o.WorkflowName, optional)
	m.text("context", &o.Context, optional)
	m.text("command_name", &o.CommandName, optional)
	m.any("command_parameters", &o.CommandParameters)
	m.timeOrNull("started_at", &o.StartedAt)
	m.int64OrNull("duration_ms", &o.DurationMS)
	m.rest(&o.Unknown)
}

// MarshalJSON writes the members in the order of FW-152, without HTML escapes.
// Values that have no form in JSON, such as NaN, are an error (FW-226).
func (o CommandOutput) MarshalJSON() ([]byte, error) { return writeWire(&o, false) }

// RelayJSON is MarshalJSON with the Unknown members after the known ones.
func (o CommandOutput) RelayJSON() ([]byte, error) { return writeWire(&o, true) }

// UnmarshalJSON reads an output as fastWorkflow does; see ReadJSON.
func (o *CommandOutput) UnmarshalJSON(data []byte) error { return readWire(data, o) }
