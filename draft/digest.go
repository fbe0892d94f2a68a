package draft

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/zeebo/blake3"
)

// The domains of the digests. Each begins the text that is hashed, so that no document of one kind can stand for one of
// another.
const (
	planDomain     = "splash-workflow-plan-v1"
	dataDomain     = "splash-workflow-data-v1"
	contractDomain = "splash-workflow-data-contract-v1"
)

// digest hashes parts of known lengths with BLAKE3-256. Every length goes before its part, as eight bytes, so that
// parts cannot be moved into one another.
type digest struct{ h *blake3.Hasher }

func newDigest(domain string) digest {
	d := digest{blake3.New()}
	d.h.WriteString(domain)
	return d
}

func (d digest) count(n int) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	d.h.Write(b[:])
}

func (d digest) part(s string) {
	d.count(len(s))
	d.h.WriteString(s)
}

func (d digest) hex() string {
	var sum [32]byte
	return hex.EncodeToString(d.h.Sum(sum[:0]))
}

// validFingerprint reports whether s is what digest.hex gives: 64 lower-case hexadecimal digits.
func validFingerprint(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return true
}

// planFingerprint is the digest of ordered steps (WD-29).
func planFingerprint(steps []Step) string {
	d := newDigest(planDomain)
	d.count(len(steps))
	for i := range steps {
		d.part(steps[i].ID)
		d.part(steps[i].Source)
	}
	return d.hex()
}
