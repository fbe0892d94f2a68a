package bench

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fwgo/fwgo/normalize"
)

// The names of the rows that show normalization to be linear (N-13).
const (
	SmallTextRow = "fwgo: 64 KiB of `&amp;amp;...`, one reference escaped over and over"
	LargeTextRow = "fwgo: 1 MiB of the same"
)

func repairRows() []Row {
	n, err := normalize.Compile([]byte(`{"type":"object","properties":{"text":{"type":"string"}}}`), normalize.Options{})
	if err != nil {
		panic(err)
	}
	row := func(name, text, want string) Row {
		arguments, err := json.Marshal(map[string]string{"text": text})
		if err != nil {
			panic(err)
		}
		// json.Marshal escapes &, which a caller does not.
		arguments = []byte(strings.ReplaceAll(string(arguments), `\u0026`, "&"))
		return Row{
			Group: Repairs,
			Name:  name,
			Bytes: len(arguments),
			Call: func() {
				if _, err := n.Arguments(arguments); err != nil {
					panic(err)
				}
			},
			Prove: func() error {
				r, err := n.Arguments(arguments)
				if err != nil {
					return err
				}
				var read struct{ Text string }
				if err := json.Unmarshal(r.Arguments, &read); err != nil {
					return err
				}
				if read.Text != want {
					return fmt.Errorf("%d bytes became %d, not %d", len(text), len(read.Text), len(want))
				}
				return nil
			},
		}
	}
	// & and then amp; to the length: each pass of a naive decoder would take
	// one amp; away.
	nested := func(size int) string { return "&" + strings.Repeat("amp;", size/4) }
	mixed := strings.Repeat(`if a &lt; b &amp;&amp; c { say &quot;hi&quot; } `, 1<<20/48)
	plain := strings.Repeat("leave at the back door, please, and ring twice ", 1<<20/48)
	large := row(LargeTextRow, nested(1<<20), "&")
	large.Smaller = SmallTextRow
	return []Row{
		row(SmallTextRow, nested(64<<10), "&"),
		large,
		row("fwgo: 1 MiB of escaped program text", mixed, strings.NewReplacer("&lt;", "<", "&amp;", "&", "&quot;", `"`).Replace(mixed)),
		row("fwgo: 1 MiB without a reference", plain, plain),
	}
}
