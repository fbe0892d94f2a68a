package command

import (
	"encoding/json"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// A WireMember is a member of an object that no field stands for. It was read
// from a newer or older program and is kept so that it can be relayed
// (FW-157).
type WireMember struct {
	Name  string
	Value json.RawMessage
}

// wireValue is a type of the wire. It lists its members once, in the order
// they are written; reading and writing both walk that list.
type wireValue interface {
	noun() string
	members(wireMembers)
}

// wireMembers is one direction, reading or writing. Each method deals with one
// member; rest is called last.
type wireMembers interface {
	text(name string, at *string, need need)
	textOrNull(name string, at **string)
	textIfSet(name string, at **string)
	word(name string, at *string, words []string)
	flag(name string, at *bool, missing bool)
	flagOrNull(name string, at **bool)
	int64(name string, at *int64)
	int64OrNull(name string, at **int64)
	wholeOrNull(name string, at *json.Number)
	timeOrNull(name string, at **Timestamp)
	object(name string, at *json.RawMessage)
	any(name string, at *any)
	values(name string, at *map[string]any, order *[]string)
	one(name, former string, at wireValue)
	list(name string, items wireList, need need)
	computed(name string, value func() bool)
	rest(at *[]WireMember)
}

// need says what it means that a member is not there.
type need bool

const (
	optional need = false
	required need = true
)

// wireList is a slice of some type of the wire.
type wireList interface {
	len() int
	at(i int) wireValue
	grow() wireValue
	spare() wireValue // an item outside the slice
}

type wireItems[T any, P interface {
	*T
	wireValue
}] struct{ slice *[]T }

func itemsOf[T any, P interface {
	*T
	wireValue
}](slice *[]T) wireList {
	return wireItems[T, P]{slice}
}

func (l wireItems[T, P]) len() int           { return len(*l.slice) }
func (l wireItems[T, P]) at(i int) wireValue { return P(&(*l.slice)[i]) }
func (l wireItems[T, P]) spare() wireValue   { return P(new(T)) }

func (l wireItems[T, P]) grow() wireValue {
	*l.slice = append(*l.slice, *new(T))
	return l.at(l.len() - 1)
}

// wirePath is the way to the member that is being read or written.
type wirePath []wireStep

type wireStep struct {
	name  string
	index int // -1 for a member
}

func (p *wirePath) push(name string) { *p = append(*p, wireStep{name: name, index: -1}) }
func (p *wirePath) pushItem(i int)   { *p = append(*p, wireStep{index: i}) }
func (p *wirePath) pop()             { *p = (*p)[:len(*p)-1] }

func (p wirePath) String() string {
	path := ""
	for _, s := range p {
		if s.index >= 0 {
			path = jsontree.ItemPath(path, s.index)
		} else {
			path = jsontree.MemberPath(path, s.name)
		}
	}
	return path
}

// Bounds of what is read. A value of free form, such as parameters, may be as
// deep as a call's arguments, wherever it stands; deepestEnvelope is how deep
// it can stand, in an action suggested by an output of a turn.
const (
	mostWireBytes   = 16 << 20
	deepestValue    = jsontree.DefaultDepth
	deepestEnvelope = 8
)

var wireLimits = jsontree.Limits{Bytes: mostWireBytes, Depth: deepestValue + deepestEnvelope}

// depthOf counts the levels of lists and objects.
func depthOf(v *jsontree.Value) int {
	deepest := 0
	for i := range v.Items {
		deepest = max(deepest, depthOf(&v.Items[i]))
	}
	for i := range v.Members {
		deepest = max(deepest, depthOf(&v.Members[i].Value))
	}
	if v.Kind == jsontree.List || v.Kind == jsontree.Object {
		deepest++
	}
	return deepest
}
