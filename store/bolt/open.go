package bolt

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fwgo/fwgo/store"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// What Open and the methods of a Store return, for errors.Is, beside the errors
// of package store.
var (
	// ErrLocked says that another process, or another Store of this one, has the
	// file open.
	ErrLocked = errors.New("the store file is in use")

	// ErrForeign says that the file was not made by this package, or by a later
	// version of it.
	ErrForeign = errors.New("not a store file of this version of fwgo")

	// ErrDamaged says that the content of the file makes no sense.
	ErrDamaged = errors.New("the store file is damaged")
)

// DefaultLockTimeout is how long Open waits for a file that is in use.
const DefaultLockTimeout = time.Second

// maxMaxData is well below what bbolt takes for one value (2 GiB).
const maxMaxData = 1 << 30

// Options are the options of Open. The zero value is good.
type Options struct {
	// MaxData is how many bytes of data a record may hold, at most 1 GiB; 0 is
	// store.DefaultMaxData.
	MaxData int

	// LockTimeout is how long to wait for a file that is in use before giving
	// up with ErrLocked; 0 is DefaultLockTimeout.
	LockTimeout time.Duration
}

// Open opens the store file at path, and makes it if there is none; its folder
// must exist. A new file can be read and written by its owner only. Errors:
// ErrLocked, ErrForeign, ErrDamaged, those of the file system, and a text if an
// option is out of bounds.
func Open(path string, o Options) (*Store, error) {
	if o.MaxData < 0 || o.MaxData > maxMaxData {
		return nil, fmt.Errorf("store file %s: MaxData is %d, accepted are 1 to %d bytes, and 0 for %d", path, o.MaxData, maxMaxData, store.DefaultMaxData)
	}
	if o.LockTimeout < 0 {
		return nil, fmt.Errorf("store file %s: LockTimeout is %v, it may not be negative", path, o.LockTimeout)
	}
	if o.LockTimeout == 0 {
		o.LockTimeout = DefaultLockTimeout
	}
	db, err := openFile(path, o.LockTimeout)
	if err != nil {
		return nil, fmt.Errorf("store file %s: %w", path, err)
	}
	s := &Store{
		db:       db,
		path:     path,
		maxData:  o.MaxData,
		queue:    make(chan *change),
		closing:  make(chan struct{}),
		finished: make(chan struct{}),
	}
	go s.commitAll()
	return s, nil
}

func openFile(path string, timeout time.Duration) (*bbolt.DB, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, errors.New("it is not a file")
	}
	var db *bbolt.DB
	err := guarded(func() (err error) {
		db, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: timeout, FreelistType: bbolt.FreelistMapType})
		return err
	})
	switch {
	case err == nil:
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%w: another process has it open and did not close it within %v", ErrLocked, timeout)
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return nil, fmt.Errorf("%w (%w)", ErrForeign, err)
	default:
		return nil, err
	}
	if err := guarded(func() error { return prepare(db) }); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := syncFolder(path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// prepare makes a new file ours, and refuses one that is another's.
func prepare(db *bbolt.DB) error {
	known, empty := false, true
	err := db.View(func(tx *bbolt.Tx) error {
		if about := tx.Bucket(aboutBucket); about != nil {
			known = string(about.Get(formatKey)) == format && tx.Bucket(recordsBucket) != nil
		}
		first, _ := tx.Cursor().First()
		empty = first == nil
		return nil
	})
	if err != nil || known {
		return err
	}
	if !empty {
		return ErrForeign
	}
	return db.Update(func(tx *bbolt.Tx) error {
		about, err := tx.CreateBucket(aboutBucket)
		if err != nil {
			return err
		}
		if err := about.Put(formatKey, []byte(format)); err != nil {
			return err
		}
		_, err = tx.CreateBucket(recordsBucket)
		return err
	})
}

// syncFolder makes the name of a new file durable too. Systems on which a folder
// cannot be opened or synced keep names in their own way, so that is no error.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil
	}
	_ = folder.Sync()
	return folder.Close()
}
