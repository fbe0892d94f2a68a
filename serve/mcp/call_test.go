package mcp_test

import (
	"testing"

	"github.com/fwgo/fwgo/serve/mcp"
)

func TestACallReachesItsCommandWithWhatWasSent(t *testing.T) {
	eachWay(t, func(t *testing.T, w way) {
		c := w.connect(t, serverOf(t, mcp.Options{}), nil)
		r := call(t, c, "note", `{"text":"a && b &amp; <c>","count":9007199254740993,"tags":["x","y"]}`)
		if r.IsError || text(r) != "1: a && b & <c> 9007199254740993 x|y" {
			t.Errorf("%v %q", r.IsError, text(r))
		}
	})
}
