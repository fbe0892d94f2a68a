package draft

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/splash"
)

// Format says what a tool takes and gives.
type Format string

// The formats of WD-39.
const (
	Text Format = "text" // any text
	JSON Format = "json" // a JSON object or array, both ways
)

// Dispatch says who runs the calls of a tool.
type Dispatch string

// The ways of WD-39.
const (
	Local    Dispatch = "host_pump" // Tool.Run, on the goroutine of the run
	External Dispatch = "external"  // whoever claims the call while the run is suspended (WD-36)
)

// The bounds of a catalog (WD-39, WD-43).
const (
	MaxTools              = 128
	MaxCatalogBytes       = 524_288
	MaxDescriptionBytes   = 4_096
	MaxModules            = 128
	MaxModuleMethods      = 64
	MaxMethods            = 256
	MaxModuleCatalogBytes = 524_288

	defaultInputBytes  = 16_384
	defaultOutputBytes = 65_536
)

// Call is one call of a tool as its host sees it.
type Call struct {
	// ID numbers the calls of an engine from 0, refused ones included; it is the sequence of the audit (WD-42).
	ID     int
	PlanID int
	StepID string
	Tool   string
	// Given is what the program gave: text as it wrote it, or the compact JSON of a value. For a JSON tool, both are one
	// object or array. Input is the same, and for Run what Prepare made of it.
	Given, Input string
}

// Tool is what a host lets programs call, and the most it lets them (WD-39). A zero bound means the default.
type Tool struct {
	Name        string // as a step id: 1 to 128 bytes of a-z, 0-9, '.', '_' and '-'
	Description string // at most MaxDescriptionBytes
	Format      Format // Text by default
	Dispatch    Dispatch

	// MaxCalls is how often an engine lets it be called in all its runs, whatever the leases say; 1 by default.
	MaxCalls int
	// MaxAttempts is how often one call is tried when its errors are a *Retry; 1 by default.
	MaxAttempts    int
	MaxInputBytes  int // 16,384 by default
	MaxOutputBytes int // 65,536 by default

	// InputSchema and OutputSchema are JSON schemas in the subset of WD-54, checked for every call of a JSON tool.
	InputSchema, OutputSchema json.RawMessage
	// ChecksInput says that Prepare or Run checks the input itself. InputSchema is then for readers only, and may be any
	// JSON schema.
	ChecksInput bool

	// Approve says that every single call needs an approval: the run is suspended until [Engine.ApproveCall] names the
	// digest of its arguments.
	Approve bool
	// Prepare gives the arguments a call will really run with: checked, completed, references resolved. It must have no
	// effects. With Approve, these arguments are what is approved, and Prepare runs again before Run: arguments that
	// changed since need a new approval. Its error refuses the call without using it up; after 64 calls of a step that it
	// or Options.Authorize refused, no more are shown to either. It may be nil.
	Prepare func(ctx context.Context, call Call) (arguments string, err error)
	// Run does what the tool does, for a Local tool. A program sees its error as one to catch, and reads from it only
	// what a *splash.CallError tells. A panic is an error.
	Run func(ctx context.Context, call Call) (output string, err error)
}

// Retry is an error of a tool that may go away by itself. While attempts are left, the call is tried again (WD-42).
type Retry struct {
	Class string // what kind of failure it was, for the audit; at most 128 bytes as in a step id
	Err   error  // may be nil
}

func (r *Retry) Error() string {
	if err := r.Unwrap(); err != nil {
		return err.Error()
	}
	return "the call failed for now"
}

// Unwrap returns Err.
func (r *Retry) Unwrap() error {
	if r == nil {
		return nil
	}
	return r.Err
}

// Module is a module of the host, mod.NAME to a program, whose methods are JSON tools with a contract (WD-43). Module
// and method names are names of the language, of at most 64 bytes.
type Module struct {
	Name        string
	Description string
	Methods     []Method
}

// Method maps mod.MODULE.NAME to a tool. A call needs a grant of that tool like any other.
type Method struct {
	Name     string
	Tool     string
	Deferred bool // it gives a promise
}

// Catalog is what the programs of an engine could be granted. It may be used by several engines and goroutines at once.
// Every change invalidates the leases that were issued before it (WD-40).
type Catalog struct {
	mu    sync.Mutex // held by those who change it
	state atomic.Pointer[catalogState]
	// sealed says that a lease was issued or a program run, after which no module can be added (WD-39).
	sealed atomic.Bool
}

// catalogState is one state of a catalog. It never changes.
type catalogState struct {
	tools       map[string]*tool
	modules     map[string]Module
	scripts     []splash.Module // the modules as programs get them
	json        []byte
	fingerprint string
}

// tool is a registered tool with its defaults filled in and its schemas compiled.
type tool struct {
	Tool
	input, output *schema // nil when nothing is to be checked
	json          []byte
}

// contract reports whether someone checks what goes into the tool.
func (t *tool) contract() bool { return len(t.InputSchema) > 0 }

// NewCatalog makes a catalog of tools. The error is a *CatalogError.
func NewCatalog(tools ...Tool) (*Catalog, error) {
	c := &Catalog{}
	state, err := newCatalogState(map[string]*tool{}, map[string]Module{})
	if err != nil {
		return nil, err
	}
	c.state.Store(state)
	for _, t := range tools {
		if err := c.Add(t); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Add registers a tool. The error is a *CatalogError, and then nothing changed.
func (c *Catalog) Add(t Tool) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.state.Load()
	if old.tools[t.Name] != nil {
		return &CatalogError{Code: CatalogDuplicateTool, Tool: t.Name}
	}
	if len(old.tools) == MaxTools {
		return &CatalogError{Code: CatalogTooManyTools, Tool: t.Name}
	}
	made, err := newTool(t)
	if err != nil {
		return err
	}
	tools := maps.Clone(old.tools)
	tools[t.Name] = made
	return c.become(tools, old.modules)
}

// Remove takes a tool out of the catalog. The error is a *CatalogError: no such tool, or a module needs it.
func (c *Catalog) Remove(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.state.Load()
	if old.tools[name] == nil {
		return &CatalogError{Code: CatalogUnknownTool, Tool: name}
	}
	for _, m := range old.modules {
		for _, method := range m.Methods {
			if method.Tool == name {
				return &CatalogError{Code: CatalogToolInUse, Tool: name, Module: m.Name, Method: method.Name}
			}
		}
	}
	tools := maps.Clone(old.tools)
	delete(tools, name)
	return c.become(tools, old.modules)
}

// AddModule registers a module. Its tools must be there already, and no lease may have been issued yet. The error is a
// *CatalogError, and then nothing changed.
func (c *Catalog) AddModule(m Module) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	old := c.state.Load()
	if c.sealed.Load() {
		return &CatalogError{Code: CatalogSealed, Module: m.Name}
	}
	made, err := newModule(m, old)
	if err != nil {
		return err
	}
	modules := maps.Clone(old.modules)
	modules[m.Name] = made
	return c.become(old.tools, modules)
}

func (c *Catalog) become(tools map[string]*tool, modules map[string]Module) error {
	state, err := newCatalogState(tools, modules)
	if err == nil {
		c.state.Store(state)
	}
	return err
}

// Has reports whether there is a tool of that name.
func (c *Catalog) Has(name string) bool { return c.state.Load().tools[name] != nil }

// Modules returns the modules as package splash describes them, for a review (WD-18).
func (c *Catalog) Modules() []splash.Module { return scriptModules(c.state.Load().modules) }

// Fingerprint returns the digest of all tools and modules, 64 hexadecimal digits (WD-43).
func (c *Catalog) Fingerprint() string { return c.state.Load().fingerprint }

// ToolsJSON returns the tools as one compact JSON array, sorted by name (WD-67).
func (c *Catalog) ToolsJSON() json.RawMessage { return slices.Clone(c.state.Load().json) }

// ModulesJSON returns the modules as one compact JSON array, sorted by name, with sorted members (WD-67).
func (c *Catalog) ModulesJSON() json.RawMessage { return c.state.Load().modulesJSON(true) }

func newTool(t Tool) (*tool, error) {
	wrong := func(code CatalogCode, reason string) (*tool, error) {
		return nil, &CatalogError{Code: code, Tool: t.Name, Reason: reason}
	}
	for _, b := range []struct {
		value *int
		def   int
	}{{&t.MaxCalls, 1}, {&t.MaxAttempts, 1}, {&t.MaxInputBytes, defaultInputBytes}, {&t.MaxOutputBytes, defaultOutputBytes}} {
		if *b.value < 0 {
			return wrong(CatalogInvalidTool, "a bound is negative")
		}
		if *b.value == 0 {
			*b.value = b.def
		}
	}
	if t.Format == "" {
		t.Format = Text
	}
	if t.Dispatch == "" {
		t.Dispatch = Local
	}
	switch {
	case !validID(t.Name):
		return wrong(CatalogInvalidTool, "a name has 1 to 128 bytes of a-z, 0-9, '.', '_' and '-'")
	case t.Format != Text && t.Format != JSON:
		return wrong(CatalogInvalidTool, "there is no such format")
	case t.Dispatch != Local && t.Dispatch != External:
		return wrong(CatalogInvalidTool, "there is no such dispatch")
	case len(t.Description) > MaxDescriptionBytes:
		return wrong(CatalogInvalidTool, "the description is too long")
	case t.Dispatch == Local && t.Run == nil:
		return wrong(CatalogInvalidTool, "a local tool needs Run")
	case t.Dispatch == External && (t.Run != nil || t.Approve):
		return wrong(CatalogInvalidTool, "an external tool has no Run and is not approved call by call")
	case t.Format == Text && len(t.InputSchema)+len(t.OutputSchema) > 0:
		return wrong(CatalogInvalidSchema, "a text tool has no schemas")
	case t.ChecksInput && t.Run == nil && t.Prepare == nil:
		return wrong(CatalogInvalidTool, "ChecksInput needs Prepare or Run")
	}
	made := &tool{}
	var err error
	if made.input, t.InputSchema, err = toolSchema(t.InputSchema, !t.ChecksInput); err != nil {
		return nil, &CatalogError{Code: CatalogInvalidSchema, Tool: t.Name, Reason: "input: " + err.Error(), Err: err}
	}
	if made.output, t.OutputSchema, err = toolSchema(t.OutputSchema, true); err != nil {
		return nil, &CatalogError{Code: CatalogInvalidSchema, Tool: t.Name, Reason: "output: " + err.Error(), Err: err}
	}
	made.Tool = t
	made.json = made.appendJSON(nil)
	return made, nil
}

// appendJSON writes the tool as WD-67 has it, in its order of members.
func (t *tool) appendJSON(b []byte) []byte {
	b = append(b, `{"name":`...)
	b = jsontree.AppendString(b, t.Name)
	b = append(b, `,"format":`...)
	b = jsontree.AppendString(b, string(t.Format))
	b = append(b, `,"dispatch":`...)
	b = jsontree.AppendString(b, string(t.Dispatch))
	b = append(b, `,"contract_enforced":`...)
	b = appendBool(b, t.contract())
	b = appendCount(b, `,"max_calls":`, t.MaxCalls)
	b = appendCount(b, `,"max_attempts":`, t.MaxAttempts)
	b = appendCount(b, `,"max_input_bytes":`, t.MaxInputBytes)
	b = appendCount(b, `,"max_output_bytes":`, t.MaxOutputBytes)
	b = append(b, `,"description":`...)
	b = jsontree.AppendString(b, strings.ToValidUTF8(t.Description, "\uFFFD"))
	if len(t.InputSchema) > 0 {
		b = append(b, `,"input_schema":`...)
		b = append(b, t.InputSchema...)
	}
	if len(t.OutputSchema) > 0 {
		b = append(b, `,"output_schema":`...)
		b = append(b, t.OutputSchema...)
	}
	return append(b, '}')
}

func newCatalogState(tools map[string]*tool, modules map[string]Module) (*catalogState, error) {
	s := &catalogState{tools: tools, modules: modules}
	s.json = append(s.json, '[')
	for i, name := range slices.Sorted(maps.Keys(tools)) {
		if i > 0 {
			s.json = append(s.json, ',')
		}
		s.json = append(s.json, tools[name].json...)
	}
	s.json = append(s.json, ']')
	if len(s.json) > MaxCatalogBytes {
		return nil, &CatalogError{Code: CatalogTooLarge}
	}
	if len(modules) == 0 {
		d := newDigest(catalogDomain)
		d.part(string(s.json))
		s.fingerprint = d.hex()
		return s, nil
	}
	s.scripts = scriptModules(modules)
	doc := s.modulesJSON(false)
	if len(doc) > MaxModuleCatalogBytes {
		return nil, &CatalogError{Code: CatalogTooLarge}
	}
	d := newDigest(catalogModulesDomain)
	d.part(string(s.json))
	d.part(string(doc))
	s.fingerprint = d.hex()
	return s, nil
}

// toolSchema reads a schema of a tool: one to check by, or one that only readers see. It returns the canonical text.
func toolSchema(text json.RawMessage, enforce bool) (*schema, json.RawMessage, error) {
	if len(text) == 0 {
		return nil, nil, nil
	}
	if enforce {
		s, canonical, err := compileSchema(text)
		return s, json.RawMessage(canonical), err
	}
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{Depth: readDepth}, nil)
	if fault != nil {
		return nil, nil, &SchemaError{Code: SchemaInvalidEncoding, Path: "$"}
	}
	if doc.Root.Kind != jsontree.Object {
		return nil, nil, &SchemaError{Code: SchemaNotObject, Path: "$"}
	}
	settle(&doc.Root)
	canonical := appendCanonical(nil, &doc.Root)
	if len(canonical) > MaxSchemaBytes {
		return nil, nil, &SchemaError{Code: SchemaTooLarge, Path: "$", Maximum: MaxSchemaBytes}
	}
	return nil, canonical, nil
}

const (
	catalogDomain        = "splash-capability-catalog-v1"
	catalogModulesDomain = "splash-capability-catalog-v2"
)
