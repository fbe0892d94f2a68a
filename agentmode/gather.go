package agentmode

import (
	"math"

	"github.com/fwgo/fwgo/signature"
)

// few is the number of fields whose places need no memory of their own.
const few = 32

// leftOut is the place of a field whose tag said that nothing is given.
const leftOut = math.MinInt32

// A gathering collects the values of one text, in the order of the text, each
// field once.
type gathering struct {
	fields []*signature.Field
	values []Value
	texts  []string   // room for the first text of each value
	places [few]int32 // by field: 0 not yet, 1 + index into values, or below 0 for no more
	more   []int32    // the places of a command with more fields
}

// A Room is memory for the Values of one Result after another. The zero Room
// is ready; it is for one goroutine at a time.
type Room struct {
	values []Value
	texts  []string
}

// Clear lets go of the texts of the last Result, whose Values end with it.
func (r *Room) Clear() {
	clear(r.values[:cap(r.values)])
	clear(r.texts[:cap(r.texts)])
}

func (g *gathering) begin(sig *signature.Signature, room *Room) {
	g.fields = sig.Fields()
	if room != nil {
		if n := min(len(g.fields), few); cap(room.values) < n {
			room.values, room.texts = make([]Value, 0, n), make([]string, 0, n)
		}
		g.values, g.texts = room.values, room.texts
	}
	if len(g.fields) > few {
		g.more = make([]int32, len(g.fields))
	}
}

// place returns where the value of field i is noted. The places are reached
// through the gathering each time, so that it can stay on the stack.
func (g *gathering) place(i int) *int32 {
	if g.more != nil {
		return &g.more[i]
	}
	return &g.places[i]
}

// room makes place for the values together with their texts: one piece of
// memory for the calls that commands get most.
func (g *gathering) room() {
	switch n := len(g.fields); {
	case n <= 4:
		r := new(struct {
			values [4]Value
			texts  [4]string
		})
		g.values, g.texts = r.values[:0], r.texts[:0]
	case n <= 6:
		r := new(struct {
			values [6]Value
			texts  [6]string
		})
		g.values, g.texts = r.values[:0], r.texts[:0]
	case n <= 8:
		r := new(struct {
			values [8]Value
			texts  [8]string
		})
		g.values, g.texts = r.values[:0], r.texts[:0]
	default:
		n = min(n, few)
		g.values, g.texts = make([]Value, 0, n), make([]string, 0, n)
	}
}

// give adds a text of field i. It reports false if the field has one and takes
// no second.
func (g *gathering) give(i int, text string) bool {
	if at := *g.place(i); at != 0 {
		if at < 0 || !takesList(g.fields[i].Type) {
			return false
		}
		v := &g.values[at-1]
		v.Texts, v.Repeated = append(v.Texts, text), true
		return true
	}
	if g.values == nil {
		g.room()
	}
	n := len(g.texts)
	g.texts = append(g.texts, text)
	g.values = append(g.values, Value{Field: g.fields[i].Name, Texts: g.texts[n : n+1 : n+1]})
	*g.place(i) = int32(len(g.values))
	return true
}

// seal has field i, which was given, take no further text.
func (g *gathering) seal(i int) { *g.place(i) = -*g.place(i) }

// leave notes that the text names field i and gives nothing. It reports false
// if the field was named before.
func (g *gathering) leave(i int) bool {
	at := g.place(i)
	if *at != 0 {
		return false
	}
	*at = leftOut
	return true
}

// single returns the text of field i, if there is exactly one.
func (g *gathering) single(i int) (text string, one bool) {
	at := *g.place(i)
	if at <= 0 || g.values[at-1].Repeated {
		return "", false
	}
	return g.values[at-1].Texts[0], true
}

// drop takes back the value of field i: it gave nothing after all.
func (g *gathering) drop(i int) {
	at := *g.place(i)
	g.values = append(g.values[:at-1], g.values[at:]...)
	*g.place(i) = leftOut
	for k := range g.fields {
		if p := g.place(k); *p > at {
			*p--
		}
	}
}
