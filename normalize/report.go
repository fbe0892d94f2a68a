package normalize

import "github.com/fwgo/fwgo/internal/jsontree"

// RepairKind says which of the two repairs was made.
type RepairKind string

// The two repairs.
const (
	RepairJSON       RepairKind = "json"       // a string became the list or map that it holds (rule N-3)
	RepairReferences RepairKind = "references" // character references in a string were decoded (rule N-10)
)

// A Repair is one thing that was repaired (rule N-16).
type Repair struct {
	// Path is the string that was repaired: tags, or rows[2].label. In a report
	// of very many, the later ones name just the parameter.
	Path string     `json:"path"`
	Kind RepairKind `json:"repair"`
	// Passes is how many times the text had to be decoded until nothing
	// changed; 0 for RepairJSON, which is decoded once.
	Passes int `json:"passes,omitempty"`
}

// longestPaths bounds the text of all paths of one report, which could else
// grow with the product of the length of a name and the number of strings
// under it. Beyond it a parameter is reported as a whole.
const longestPaths = 1 << 18

// A trail is the way to a value, the outermost step first. It becomes text
// only when there is something to report.
type trail []step

type step struct {
	name  string
	index int
	item  bool
	path  string // up to here, once it was needed
}

// path returns the trail as text. Its steps remember what they are worth, so
// that the strings of one list do not each spell out the way to the list.
func (t trail) path() string {
	known := len(t) - 1
	for known > 0 && t[known].path == "" {
		known--
	}
	t[0].path = t[0].name
	path := t[known].path
	for i := known + 1; i < len(t); i++ {
		if t[i].item {
			path = jsontree.ItemPath(path, t[i].index)
		} else {
			path = jsontree.MemberPath(path, t[i].name)
		}
		t[i].path = path
	}
	return path
}
