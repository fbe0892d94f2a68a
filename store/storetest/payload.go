package storetest

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// payload is what a turn of a record holds in these tests. Its size, from a few
// bytes to some 64 KiB, and its content follow from id and turn, so whoever reads
// it can tell whether it is whole.
func payload(id string, turn int) []byte {
	hash := fnv.New64a()
	hash.Write([]byte(id))
	random := rand.New(rand.NewPCG(hash.Sum64(), uint64(turn)))
	data := fmt.Appendf(nil, "%d\n", turn)
	for words := random.IntN(1 << random.IntN(14)); words > 0; words-- {
		w := random.Uint64()
		data = append(data, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
	}
	return data
}

func isPayload(data []byte, id string, turn int) bool {
	return bytes.Equal(data, payload(id, turn))
}

func payloadTurn(data []byte, id string) (turn int, whole bool) {
	if _, err := fmt.Sscanf(string(data[:min(len(data), 20)]), "%d\n", &turn); err != nil {
		return 0, false
	}
	return turn, isPayload(data, id, turn)
}
