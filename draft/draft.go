package draft

// Step is one step of a draft or a plan: an id and a program in the language
// of package splash (WD-1).
type Step struct {
	// ID names the step: 1 to 128 bytes of a-z, 0-9, '.', '_' and '-' (WD-2).
	ID string `json:"id"`
	// Source is the step's program as it was sent; it may be empty (WD-6).
	Source string `json:"source"`
}

// Draft is an untrusted proposal: ordered steps, and nothing else. It can be
// read, encoded, reviewed and given to an engine; it holds no authority (WD-9).
type Draft struct {
	steps []Step
}
