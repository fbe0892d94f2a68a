package lookup

import "fmt"

// A Verdict is what became of a value (D-7, FW-71). The zero Verdict is none of
// the three: a Result that nobody filled in is not an answer.
type Verdict uint8

const (
	// Applied: the value stands for the key in Result.Match.
	Applied Verdict = iota + 1
	// Rejected: the value stands for no key. Result.Suggestions may help.
	Rejected
	// Declined: no opinion. The value passes unchanged (FW-75).
	Declined
)

var verdictWords = [...]string{Applied: "applied", Rejected: "rejected", Declined: "declined"}

// String gives "applied", "rejected" or "declined".
func (v Verdict) String() string {
	if v < Applied || v > Declined {
		return fmt.Sprintf("Verdict(%d)", uint8(v))
	}
	return verdictWords[v]
}

// MarshalText gives the word that String gives. A Verdict that is none of the
// three is an error.
func (v Verdict) MarshalText() ([]byte, error) {
	if v < Applied || v > Declined {
		return nil, fmt.Errorf("lookup: %v is not applied, rejected or declined", v)
	}
	return []byte(verdictWords[v]), nil
}

// UnmarshalText reads what MarshalText wrote.
func (v *Verdict) UnmarshalText(text []byte) error {
	for i := Applied; i <= Declined; i++ {
		if verdictWords[i] == string(text) {
			*v = i
			return nil
		}
	}
	return fmt.Errorf("lookup: verdict %q is not applied, rejected or declined", text)
}

// A Result is the answer for one value.
type Result struct {
	Verdict Verdict `json:"verdict"`

	// Match is the key that was meant, in its own spelling. Only if Applied.
	Match string `json:"match,omitempty"`

	// Suggestions are keys to offer, best first, each once, at most five
	// (Options.Python: all of them, as they come). Only if Rejected, and then
	// possibly none.
	Suggestions []string `json:"suggestions,omitempty"`

	// More is how many further keys were as worthy as the last suggestion but
	// are left out.
	More int `json:"more,omitempty"`

	// Sample says that the suggestions are not near the value: nothing was, and
	// they are the first keys of the set, to show what a key looks like.
	Sample bool `json:"sample,omitempty"`
}

func applied(key string) Result { return Result{Verdict: Applied, Match: key} }
