package normalize

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A located value is a part of the schema document and the resource it
// belongs to: the nearest schema around it that has an $id of its own, against
// which its references count.
type located struct{ value, resource *jsontree.Value }

// pointers follows local references in one document.
type pointers struct {
	// members has the members of objects that are too many to look through
	// for each reference: the definitions of a large schema.
	members map[*jsontree.Value]map[string]*jsontree.Value
}

// fewMembers is where a map starts to pay.
const fewMembers = 32

func (p *pointers) member(v *jsontree.Value, name string) *jsontree.Value {
	if len(v.Members) < fewMembers {
		return v.Get(name)
	}
	known, ok := p.members[v]
	if !ok {
		known = make(map[string]*jsontree.Value, len(v.Members))
		for i := range v.Members {
			known[v.Members[i].Name] = &v.Members[i].Value
		}
		p.members[v] = known
	}
	return known[name]
}

// enter returns v as a part of a place.
func (p *pointers) enter(from located, v *jsontree.Value) located {
	if id := p.member(v, "$id"); id != nil && id.Kind == jsontree.String && !strings.HasPrefix(id.Text, "#") {
		return located{v, v}
	}
	return located{v, from.resource}
}

// follow returns what a local reference at a place points to: # and a JSON
// pointer in URI form (rule N-5). Other references, and pointers to nothing,
// say nothing.
func (p *pointers) follow(from located, ref string) (located, bool) {
	fragment, local := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(fragment)
	if !local || err != nil || pointer != "" && pointer[0] != '/' {
		return located{}, false
	}
	at := located{from.resource, from.resource}
	for pointer != "" {
		step := pointer[1:]
		pointer = ""
		if i := strings.IndexByte(step, '/'); i >= 0 {
			step, pointer = step[:i], step[i:]
		}
		next := p.child(at.value, step)
		if next == nil {
			return located{}, false
		}
		at = p.enter(at, next)
	}
	return at, true
}

var pointerEscapes = strings.NewReplacer("~1", "/", "~0", "~")

func (p *pointers) child(v *jsontree.Value, step string) *jsontree.Value {
	switch v.Kind {
	case jsontree.Object:
		for i := 0; i < len(step); i++ {
			if step[i] == '~' && (i+1 == len(step) || step[i+1] != '0' && step[i+1] != '1') {
				return nil
			}
		}
		return p.member(v, pointerEscapes.Replace(step))
	case jsontree.List:
		// Atoi takes signs and leading zeros, which no index has.
		if i, err := strconv.Atoi(step); err == nil && strconv.Itoa(i) == step && 0 <= i && i < len(v.Items) {
			return &v.Items[i]
		}
	}
	return nil
}
