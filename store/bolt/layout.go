package bolt

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/fwgo/fwgo/store"
	"go.etcd.io/bbolt"
)

// The file holds two buckets: what it is, and the records, in a bucket for each
// kind. The sequence of a kind's bucket is the last version given out; it stays
// when records go, so no version comes twice.
//
// The value of an id is a head of 16 bytes, version and microseconds since 1970,
// both big endian, and then the data.
var (
	aboutBucket   = []byte("fwgo")
	formatKey     = []byte("format")
	recordsBucket = []byte("records")
)

const (
	format   = "store 1"
	headSize = 16
)

func makeValue(data []byte) []byte {
	value := make([]byte, headSize+len(data))
	copy(value[headSize:], data)
	return value
}

func writeHead(value []byte, r *store.Record) {
	binary.BigEndian.PutUint64(value, uint64(r.Version))
	binary.BigEndian.PutUint64(value[8:], uint64(r.Updated.UnixMicro()))
}

// readHead sets Version and Updated of r, and returns the data, which is the
// file's own memory.
func readHead(value []byte, r *store.Record) ([]byte, error) {
	if len(value) < headSize {
		return nil, fmt.Errorf("%w: %s has no head", ErrDamaged, store.Name(r.Kind, r.ID))
	}
	r.Version = int64(binary.BigEndian.Uint64(value))
	r.Updated = time.UnixMicro(int64(binary.BigEndian.Uint64(value[8:]))).UTC()
	return value[headSize:], nil
}

// get returns the value of a record, nil if there is none.
func get(records *bbolt.Bucket, kind, id string) []byte {
	shelf := records.Bucket([]byte(kind))
	if shelf == nil {
		return nil
	}
	return shelf.Get([]byte(id))
}

// standing returns the version of a record, 0 if there is none.
func standing(records *bbolt.Bucket, kind, id string) (int64, error) {
	value := get(records, kind, id)
	if value == nil {
		return 0, nil
	}
	r := store.Record{Kind: kind, ID: id}
	_, err := readHead(value, &r)
	return r.Version, err
}
