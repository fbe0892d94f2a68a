package main

import (
	"flag"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write the golden output of the scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"messaging": main})
}

// TestScripts holds conversations; each script cites the rules it shows.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: *update})
}
