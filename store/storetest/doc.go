// Package storetest holds a store.Store to its contract: the stores of this
// module, and those that others write.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store { return mystore.New(t.TempDir()) })
//	}
//
// Run is for every store. Durable is for those that outlive the process, and
// Crash for those that say an acknowledged change survives SIGKILL: it kills a
// process that saves, again and again, and looks at what is left.
//
// It does not measure, and it knows no store from the inside: whatever a user of
// the interface cannot see is not tested.
package storetest
