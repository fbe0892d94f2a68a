package draft

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
)

// AuditOutcome says what became of a call.
type AuditOutcome string

// The outcomes of WD-42. Streams are not offered, so nothing is recorded of any.
const (
	AuditAllowed               AuditOutcome = "allowed"
	AuditDenied                AuditOutcome = "denied"
	AuditFailed                AuditOutcome = "failed"
	AuditCancelled             AuditOutcome = "cancelled"
	AuditTimedOut              AuditOutcome = "timed_out"
	AuditCancellationRequested AuditOutcome = "cancellation_requested"
	AuditRetryScheduled        AuditOutcome = "retry_scheduled"
)

// AuditEntry records that something became of a call. It holds no input, no output and no error text. Its JSON form is
// that of WD-25.
type AuditEntry struct {
	EventSequence int          `json:"event_sequence"` // numbers the entries from 1
	InputBytes    int          `json:"input_bytes"`
	Outcome       AuditOutcome `json:"outcome"`
	OutputBytes   int          `json:"output_bytes"`
	RetryClass    *string      `json:"retry_class"` // of AuditRetryScheduled, nil otherwise
	Sequence      int          `json:"sequence"`    // numbers the calls from 0; it is Call.ID
	// Tool is the name that was called. One that breaks the rule for names is recorded as `unrecognized:` and 64
	// hexadecimal digits, the same for the same name in one engine and of no meaning outside of it.
	Tool string `json:"tool"`
}

// The capacities of the rings of an engine, for audit entries and for events (WD-38, WD-42).
const (
	DefaultCapacity = 1_024
	MaxCapacity     = 8_192
)

// ring keeps the last entries and counts the ones it let go.
type ring[T any] struct {
	max     int
	items   []T
	first   int // the oldest
	next    int // the sequence of the next entry, from 1
	dropped int
}

func newRing[T any](capacity int) (ring[T], error) {
	if capacity == 0 {
		capacity = DefaultCapacity
	}
	if capacity < 0 || capacity > MaxCapacity {
		return ring[T]{}, &EngineError{Refusal: ErrCapacityOutOfRange}
	}
	return ring[T]{max: capacity, next: 1}, nil
}

func (r *ring[T]) add(item T) {
	r.next++
	if len(r.items) < r.max {
		r.items = append(r.items, item)
		return
	}
	r.items[r.first] = item
	r.first = (r.first + 1) % r.max
	r.dropped++
}

// earliest is the sequence of the oldest entry, or the next one when none is kept.
func (r *ring[T]) earliest() int { return r.next - len(r.items) }

// since copies the entries from a sequence on that are kept.
func (r *ring[T]) since(sequence int) []T {
	skip := max(sequence-r.earliest(), 0)
	out := make([]T, 0, max(len(r.items)-skip, 0))
	for i := skip; i < len(r.items); i++ {
		out = append(out, r.items[(r.first+i)%len(r.items)])
	}
	return out
}

func (r *ring[T]) clear() { r.items, r.first = nil, 0 }

// labels names what must not be recorded as it is.
type labels struct{ key [32]byte }

func newLabels() labels {
	var l labels
	rand.Read(l.key[:]) // never fails
	return l
}

func (l *labels) of(name string) string {
	if validID(name) {
		return name
	}
	mac := hmac.New(sha256.New, l.key[:])
	mac.Write([]byte(name))
	return "unrecognized:" + hex.EncodeToString(mac.Sum(nil))
}
