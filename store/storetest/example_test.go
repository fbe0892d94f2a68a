package storetest_test

import (
	"testing"

	"github.com/fwgo/fwgo/store"
	"github.com/fwgo/fwgo/store/storetest"
)

// A store of your own is tested by one function.
func ExampleRun() {
	test := func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) store.Store {
			return store.Memory() // yours here
		})
	}
	_ = test
}
