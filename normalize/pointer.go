package normalize

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A place of a document and the resource it belongs to: the nearest schema
// around it that has an $id of its own, against which its references count.
type located struct{ value, resource *jsontree.Value }

// enter returns v as a part of the place.
func (l located) enter(v *jsontree.Value) located {
	if id := v.Get("$id"); id != nil && id.Kind == jsontree.String && !strings.HasPrefix(id.Text, "#") {
		return located{v, v}
	}
	return located{v, l.resource}
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

// follow returns what a local reference points to: # and a JSON pointer in
// URI form (rule N-5). Other references, and pointers to nothing, say nothing.
func (l located) follow(ref string) (located, bool) {
	fragment, local := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(fragment)
	if !local || err != nil || pointer != "" && pointer[0] != '/' {
		return located{}, false
	}
	at := located{l.resource, l.resource}
	for pointer != "" {
		step := pointer[1:]
		pointer = ""
		if i := strings.IndexByte(step, '/'); i >= 0 {
			step, pointer = step[:i], step[i:]
		}
		next := child(at.value, step)
		if next == nil {
			return located{}, false
		}
		at = at.enter(next)
	}
	return at, true
}

func child(v *jsontree.Value, step string) *jsontree.Value {
	switch v.Kind {
	case jsontree.Object:
		for i := 0; i < len(step); i++ {
			if step[i] == '~' && (i+1 == len(step) || step[i+1] != '0' && step[i+1] != '1') {
				return nil
			}
		}
		return v.Get(pointerEscapes.Replace(step))
	case jsontree.List:
		// Atoi takes signs and leading zeros, which no index has.
		if i, err := strconv.Atoi(step); err == nil && strconv.Itoa(i) == step && 0 <= i && i < len(v.Items) {
			return &v.Items[i]
		}
	}
	return nil
}
