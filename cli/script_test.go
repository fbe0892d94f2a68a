package cli_test

import (
	"flag"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/fwgo/fwgo/cli"
	"github.com/fwgo/fwgo/examples/retail/desk"
)

var update = flag.Bool("update", false, "write the golden output of the scripts anew")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fwgo": func() { cli.Main(desk.Workflow()) }})
}

// TestScripts runs the command line as a user does. Each script holds its
// golden output; -update writes it anew.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: *update})
}
