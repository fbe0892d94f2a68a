package draft

// The bounds of a draft (WD-2).
const (
	// MaxWireBytes is the longest text of a draft. A host may accept less, never more.
	MaxWireBytes = 2_097_152
	// MaxSteps is the most steps of a draft or a plan.
	MaxSteps = 1_024
	// MaxStepID is the longest id of a step, in bytes.
	MaxStepID = 128
	// MaxSourceBytes bounds the sources of all steps together, in UTF-8 bytes.
	MaxSourceBytes = 1_048_576
)

// formatVersion is the one version of a draft, of workflow data and of a checkpoint.
const formatVersion = 1

// Step is one step of a draft or a plan: an id and a program in the language of package splash (WD-1).
type Step struct {
	// ID names the step: 1 to 128 bytes of a-z, 0-9, '.', '_' and '-' (WD-2).
	ID string `json:"id"`
	// Source is the step's program as it was sent; it may be empty (WD-6).
	Source string `json:"source"`
}

// Draft is an untrusted proposal: ordered steps, and nothing else. It can be read, encoded, reviewed and given to an
// engine; it holds no authority (WD-9).
type Draft struct {
	steps []Step
}

// validID reports whether s follows the rule for ids of steps, which is that for names of tools too (WD-2). Nothing is
// trimmed or folded (WD-6).
func validID(s string) bool {
	if len(s) == 0 || len(s) > MaxStepID {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}
