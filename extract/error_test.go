package extract_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/fwgo/fwgo/extract"
)

// A failed extraction says in one line what went wrong, and its kind lets a
// program decide.
func ExampleError() {
	var err error = &extract.Error{Kind: extract.RateLimited, Detail: "status 429 after 3 requests"}
	if failure, ok := errors.AsType[*extract.Error](err); ok {
		fmt.Println(failure.Kind)
	}
	fmt.Println(err)
	// Output:
	// rate_limited
	// the model's endpoint limits the rate of requests: status 429 after 3 requests
}

func TestErrorKinds(t *testing.T) {
	seen := map[string]extract.ErrorKind{}
	for _, kind := range extract.Kinds() {
		text := (&extract.Error{Kind: kind, Detail: "status 1"}).Reason()
		if other, taken := seen[text]; taken || !strings.HasPrefix(text, "the ") {
			t.Errorf("%s is told as %q, like %q", kind, text, other)
		}
		seen[text] = kind
	}
	if len(seen) != 12 {
		t.Errorf("there are %d kinds", len(seen))
	}
	if got := (&extract.Error{Kind: "new", Detail: "d"}).Error(); got != "the extraction failed: d" {
		t.Error(got)
	}
	if err := (&extract.Error{Kind: extract.Timeout, Err: context.DeadlineExceeded}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error("the cause is lost")
	}
}
