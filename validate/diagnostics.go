package validate

// Diagnostics is the record of one attempt at a call (FW-98), for traces
// only: nothing reads it back.
type Diagnostics struct {
	ExtractionMethod  string       `json:"extraction_method"`
	RetryRound        bool         `json:"retry_round"`
	RetryRoundOrdinal *int         `json:"retry_round_ordinal,omitempty"`
	ParametersValid   bool         `json:"parameters_valid"`
	MissingFields     []string     `json:"missing_fields,omitempty"`
	InvalidFields     []string     `json:"invalid_fields,omitempty"`
	DBLookup          []Resolution `json:"db_lookup,omitempty"`
	ValidationHook    *HookRecord  `json:"validation_hook,omitempty"`
	Repairs           []string     `json:"repairs,omitempty"`
}

// HookRecord says how stage 4 went.
type HookRecord struct {
	Ran     bool    `json:"ran"`
	IsValid bool    `json:"is_valid"`
	Message *string `json:"message"`
	Raised  string  `json:"raised,omitempty"`
}

// Diagnose writes the record of an attempt that ended with the report. Method
// is how the values were bound: xml_regex, name_value, positional, json, llm,
// stored_merge or none.
func (c *Values) Diagnose(method string, r *Report) Diagnostics {
	d := Diagnostics{ExtractionMethod: method, ParametersValid: r.OK(), DBLookup: c.lookups}
	if n := len(r.Problems); n > 0 {
		d.InvalidFields = make([]string, 0, n)
	}
	for i := range r.Problems {
		p := &r.Problems[i]
		switch p.Kind {
		case Missing:
			d.MissingFields = appendNew(d.MissingFields, p.Field)
		case HookRefused, HookFailed:
		default:
			d.InvalidFields = appendNew(d.InvalidFields, p.Field)
		}
	}
	if len(d.InvalidFields) == 0 {
		d.InvalidFields = nil
	}
	if c.v.options.Hook != nil && (r.OK() || r.Stage == StageHook) {
		h := &HookRecord{Ran: true, IsValid: r.OK()}
		if !r.OK() {
			text := r.Problems[0].Text
			h.Message = &text
			if r.Problems[0].Kind == HookFailed {
				h.Raised = "panic"
			}
		}
		d.ValidationHook = h
	}
	return d
}
