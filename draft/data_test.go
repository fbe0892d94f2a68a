package draft

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/fwgo/fwgo/internal/jsontree"
)

func mustData(t interface{ Fatal(...any) }, input string) *Data {
	d, err := NewData([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func dataCode(err error) DataCode {
	var e *DataError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

func nested(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }

func canonicalText(t interface{ Fatalf(string, ...any) }, text string) string {
	doc, fault := jsontree.Parse(text, jsontree.Limits{Depth: readDepth, KeepRepeated: true}, nil)
	if fault != nil {
		t.Fatalf("%q: %v", text, fault)
	}
	settle(&doc.Root)
	return string(appendCanonical(nil, &doc.Root))
}

func TestCanonicalJSONKeepsDigitsAndSettlesTheRest(t *testing.T) {
	tests := []struct{ text, want string }{
		{"-0", "0"}, {"-0.0", "-0.0"}, {"-0e1", "-0e+1"}, {"-0E-01", "-0e-01"}, {"7E2", "7e+2"}, {"7e-2", "7e-2"},
		{"100.00", "100.00"}, {"9007199254740993", "9007199254740993"},
		{`{"b":[ 1 , 2 ],"a":null,"":true}`, `{"":true,"a":null,"b":[1,2]}`},
		{`{"b":1,"a":1,"b":2,"a":3,"b":4}`, `{"a":3,"b":4}`},
		{`{"\uffff":1,"𐀀":2}`, "{\"\uffff\":1,\"𐀀\":2}"}, // by UTF-8 bytes, which is not the order of UTF-16
		{`"\u0000\u0001\b\t\n\f\r\u001e\"\\\/\u2028<&>"`, `"\u0000\u0001\b\t\n\f\r\u001e\"\\/` + "\u2028" + `<&>"`},
	}
	for _, tt := range tests {
		if got := canonicalText(t, tt.text); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}

// jsonText draws JSON texts in all spellings, with repeated names among them.
func jsonText() *rapid.Generator[string] {
	name := rapid.SampledFrom([]string{`"a"`, `"b"`, `"\u0061"`, `"é"`, `""`, `"\n"`, `"\uffff"`, `"𐀀"`})
	scalar := rapid.OneOf(name, rapid.SampledFrom([]string{"null", "true", "false", " 1", "-0", "-0.0", "1E5", "1e05", "0.10", "1e-7", "12345678901234567890"}),
		rapid.Custom(func(t *rapid.T) string {
			b, err := json.Marshal(rapid.String().Draw(t, "text"))
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}))
	var value func(depth int) *rapid.Generator[string]
	value = func(depth int) *rapid.Generator[string] {
		if depth == 0 {
			return scalar
		}
		inner := rapid.Deferred(func() *rapid.Generator[string] { return value(depth - 1) })
		return rapid.OneOf(scalar,
			rapid.Custom(func(t *rapid.T) string {
				return "[" + strings.Join(rapid.SliceOfN(inner, 0, 4).Draw(t, "items"), " ,") + "]"
			}),
			rapid.Custom(func(t *rapid.T) string {
				var members []string
				for range rapid.IntRange(0, 5).Draw(t, "members") {
					members = append(members, name.Draw(t, "name")+": "+inner.Draw(t, "value"))
				}
				return "{" + strings.Join(members, ",") + "}"
			}))
	}
	return value(4)
}

func TestCanonicalJSONIsItsOwnCanonicalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := jsonText().Draw(t, "text")
		once := canonicalText(t, text)
		if again := canonicalText(t, once); again != once {
			t.Fatalf("%s becomes %s and then %s", text, once, again)
		}
		var want, got any
		if json.Unmarshal([]byte(text), &want) != nil || json.Unmarshal([]byte(once), &got) != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s becomes %s, another value", text, once)
		}
	})
}

func TestDataIsBoundedAsAWhole(t *testing.T) {
	// 42 bytes of the envelope are not the input's.
	fits := `"` + strings.Repeat("x", 65_494-2) + `"`
	d := mustData(t, fits)
	if n := len(d.Encode()); n != MaxDataBytes {
		t.Errorf("the largest input encodes to %d bytes", n)
	}
	for _, tt := range []struct {
		input string
		code  DataCode
	}{
		{`"` + strings.Repeat("x", 65_494-1) + `"`, DataTooLarge},
		{strings.Repeat(" ", MaxDataBytes) + "1", DataTooLarge},
		{nested(63), ""},
		{nested(64), DataTooDeep},
		{nested(127), DataTooDeep},
		{nested(128), DataInvalidEncoding},
		{"\xff", DataInvalidEncoding},
		{"\"\xff\"", DataInvalidEncoding},
		{"\ufeff1", DataInvalidEncoding},
	} {
		if _, err := NewData([]byte(tt.input)); dataCode(err) != tt.code {
			t.Errorf("%.20q (%d bytes): %v, want %q", tt.input, len(tt.input), err, tt.code)
		}
	}
	// Long spellings count as sent, and then as they are kept.
	if _, err := NewData([]byte(`"` + strings.Repeat(`\u0041`, 10_000) + `"`)); err != nil {
		t.Error(err)
	}
	// A canonical text can be longer than the one that was sent: 1e5 becomes 1e+5.
	if _, err := NewData([]byte("[" + strings.Repeat("1e5,", 15_000) + "1]")); dataCode(err) != DataTooLarge {
		t.Errorf("canonically too long: %v", err)
	}
}

func TestAnInsertedOutputIsBoundedWithTheRest(t *testing.T) {
	d := mustData(t, `{"a":1}`)
	before := string(d.Encode())
	room := MaxDataBytes - len(before) - len(`"s":""`)
	for _, tt := range []struct {
		id, output string
		code       DataCode
	}{
		{"s", `"` + strings.Repeat("x", room+1) + `"`, DataTooLarge},
		{"s", nested(63), DataTooDeep},
		{"s", nested(65), DataTooDeep},
		{"s", "{", DataInvalidEncoding},
		{"S", "1", DataInvalidOutputStepID},
		{"", "1", DataInvalidOutputStepID},
	} {
		if err := d.insert(tt.id, []byte(tt.output)); dataCode(err) != tt.code {
			t.Errorf("%.20q: %v, want %s", tt.output, err, tt.code)
		}
		if got := string(d.Encode()); got != before {
			t.Fatalf("after a refused output: %.100s, want %s", got, before)
		}
	}
	if err := d.insert("s", []byte(`"`+strings.Repeat("x", room)+`"`)); err != nil {
		t.Error(err)
	}
	if n := len(d.Encode()); n != MaxDataBytes {
		t.Errorf("the largest output encodes to %d bytes", n)
	}
	if err := d.insert("s", []byte("1")); dataCode(err) != DataDuplicateOutput {
		t.Errorf("second output: %v", err)
	}
	deep := mustData(t, "1")
	if err := deep.insert("s", []byte(nested(62))); err != nil {
		t.Error(err)
	}
	const mark = len(`"contract_fingerprint":"",`) + 64
	for size, code := range map[int]DataCode{65_494 - mark: "", 65_494 - mark + 1: DataTooLarge} {
		d := mustData(t, `"`+strings.Repeat("x", size-2)+`"`)
		if err := d.stamp(someDigest); dataCode(err) != code || (d.ContractFingerprint() != "") != (err == nil) {
			t.Errorf("a stamp on %d bytes: %v", size, err)
		}
		if n := len(d.Encode()); code == "" && n != MaxDataBytes {
			t.Errorf("the largest stamped data encodes to %d bytes", n)
		}
	}
}

func TestDataShowsWhatItHolds(t *testing.T) {
	d := mustData(t, ` {"b": 1.0, "a": [1E2]} `)
	for _, step := range []string{"z.9", "a-1"} {
		if err := d.insert(step, []byte(`{"of": "`+step+`"}`)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := string(d.Context()), `{"input":{"a":[1e+2],"b":1.0},"outputs":{"a-1":{"of":"a-1"},"z.9":{"of":"z.9"}}}`; got != want {
		t.Errorf("context %s, want %s", got, want)
	}
	if got := string(d.Input()); got != `{"a":[1e+2],"b":1.0}` {
		t.Errorf("input %s", got)
	}
	if out, ok := d.Output("z.9"); !ok || string(out) != `{"of":"z.9"}` {
		t.Errorf("output %s %v", out, ok)
	}
	if _, ok := d.Output("none"); ok {
		t.Error("an output that is not there")
	}
	if got := d.Outputs(); len(got) != 2 || string(got["a-1"]) != `{"of":"a-1"}` {
		t.Errorf("outputs %s", got)
	}
	if !d.hasExactly([]string{"z.9", "a-1"}) || d.hasExactly([]string{"z.9"}) || d.hasExactly([]string{"z.9", "b"}) {
		t.Error("which steps have outputs")
	}
	copied := d.clone()
	if err := copied.insert("more", []byte("1")); err != nil {
		t.Fatal(err)
	}
	if len(d.Outputs()) != 2 || d.Fingerprint() == copied.Fingerprint() {
		t.Error("a copy changes the original")
	}
	copy(d.Input(), "XXX")
	if !json.Valid(d.Encode()) {
		t.Error("a caller writes into the data")
	}
	unstamped := d.Fingerprint()
	if err := d.stamp(strings.Repeat("a", 64)); err != nil || d.Fingerprint() != unstamped {
		t.Errorf("a stamp changes the fingerprint: %v", err)
	}
	again, err := DecodeData(d.Encode())
	if err != nil || !bytes.Equal(again.Encode(), d.Encode()) || again.ContractFingerprint() != d.ContractFingerprint() {
		t.Errorf("decodes as %v %v", again, err)
	}
}

func TestARefusedInsertLeavesDataAsItWas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustData(t, "null")
		size := 0
		for range rapid.IntRange(1, 12).Draw(t, "inserts") {
			id := rapid.SampledFrom([]string{"a", "b", "c", "d.e", "A", ""}).Draw(t, "id")
			output := rapid.OneOf(jsonText(),
				rapid.Map(rapid.IntRange(0, 40_000), func(n int) string { return `"` + strings.Repeat("x", n) + `"` }),
				rapid.Map(rapid.IntRange(0, 130), nested),
				rapid.Just("[")).Draw(t, "output")
			before, outputs := string(d.Encode()), len(d.Outputs())
			err := d.insert(id, []byte(output))
			if err != nil {
				if dataCode(err) == "" || string(d.Encode()) != before {
					t.Fatalf("%v changes the data", err)
				}
				continue
			}
			size++
			kept, ok := d.Output(id)
			if !ok || string(kept) != canonicalText(t, output) || len(d.Outputs()) != outputs+1 || size != len(d.Outputs()) {
				t.Fatalf("%s is kept as %s", output, kept)
			}
			again, err := DecodeData(d.Encode())
			if err != nil || again.Fingerprint() != d.Fingerprint() {
				t.Fatalf("data that was accepted does not decode: %v", err)
			}
		}
	})
}

// FuzzData holds that no text makes reading panic, and that what is read is written as a text that reads as the same.
func FuzzData(f *testing.F) {
	for _, seed := range []string{
		`{"format_version":1,"input":{"n":[1,-0,2.50,1E5]},"outputs":{"a":null,"b.c":"\u00e9\n"}}`,
		`{"contract_fingerprint":"` + strings.Repeat("0f", 32) + `","format_version":1,"input":1,"outputs":{}}`,
		`{"format_version":2}`, `[[1,{"a":1,"a":2}]]`, nested(127), `"\ud83d\ude00\ud800"`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if d, err := NewData(text); err == nil {
			again, err := NewData(d.Input())
			if err != nil || again.Fingerprint() != d.Fingerprint() {
				t.Fatalf("%s does not survive: %v", d.Input(), err)
			}
		} else if dataCode(err) == "" {
			t.Fatal(err)
		}
		d, err := DecodeData(text)
		if err != nil {
			if dataCode(err) == "" {
				t.Fatal(err)
			}
			return
		}
		encoded := d.Encode()
		again, err := DecodeData(encoded)
		if err != nil || !bytes.Equal(again.Encode(), encoded) || !reflect.DeepEqual(again, d) {
			t.Fatalf("%s does not survive: %v", encoded, err)
		}
		if len(encoded) > MaxDataBytes {
			t.Fatalf("%d bytes", len(encoded))
		}
	})
}

// TestAnEnvelopeIsRefusedByTheFirstThingWrong holds the order of WD-48: each text also has a fault that is looked for later.
func TestAnEnvelopeIsRefusedByTheFirstThingWrong(t *testing.T) {
	hex := strings.Repeat("0a", 32)
	for _, row := range []struct {
		text string
		want DataCode // "" for an envelope
	}{
		{`{"format_version":1,"input":1,"outputs":{"a":2}}`, ""},
		{`{"outputs":{},"input":null,"format_version":1,"contract_fingerprint":"` + hex + `"}`, ""},
		{`{"format_version":2,"input":1,"outputs":{},"format_version":1}`, ""}, // the last of a repeated name counts
		{`{"format_version":1,"input":1,"outputs":{"A":` + strings.Repeat(" ", MaxDataBytes) + `}`, DataTooLarge},
		{`{"format_version":2,"input":1,"outputs":{}} x`, DataInvalidEncoding},
		{`{"format_version":2,"outputs":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, DataTooDeep},
		{`[1]`, DataInvalidDocument},
		{`{"format_version":"2","outputs":[]}`, DataInvalidDocument},
		{`{"format_version":1.0,"input":1,"outputs":{}}`, DataInvalidDocument},
		{`{"format_version":256,"input":1,"outputs":{}}`, DataInvalidDocument},
		{`{"input":1,"outputs":{}}`, DataInvalidDocument},
		{`{"format_version":2,"outputs":[],"more":1}`, DataUnsupportedVersion},
		{`{"format_version":0}`, DataUnsupportedVersion},
		{`{"format_version":1,"outputs":{},"contract_fingerprint":1}`, DataInvalidDocument},
		{`{"format_version":1,"input":1,"contract_fingerprint":1}`, DataInvalidDocument},
		{`{"format_version":1,"input":1,"outputs":[],"contract_fingerprint":1}`, DataInvalidDocument},
		{`{"format_version":1,"input":1,"outputs":{},"contract_fingerprint":null,"more":1}`, DataInvalidFingerprint},
		{`{"format_version":1,"input":1,"outputs":{},"contract_fingerprint":"` + strings.ToUpper(hex) + `"}`, DataInvalidFingerprint},
		{`{"format_version":1,"input":1,"outputs":{},"contract_fingerprint":"` + hex[1:] + `"}`, DataInvalidFingerprint},
		{`{"format_version":1,"input":1,"outputs":{"A":1},"more":1}`, DataInvalidDocument},
		{`{"format_version":1,"input":1,"outputs":{"A":1}}`, DataInvalidOutputStepID},
		{`{"format_version":1,"input":1,"outputs":{"a":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}}`, DataTooDeep},
	} {
		d, err := DecodeData([]byte(row.text))
		var wrong *DataError
		errors.As(err, &wrong)
		if row.want == "" {
			if err != nil || !json.Valid(d.Encode()) {
				t.Errorf("%s: %v", row.text, err)
			}
		} else if wrong == nil || wrong.Code != row.want {
			t.Errorf("%.80s: %v, want %s", row.text, err, row.want)
		}
	}
}

// TestTheBoundOfDataIsThatOfItsEncodedForm holds that what fits is what encodes to MaxDataBytes or less, to the byte, with
// several outputs and with and without a contract.
func TestTheBoundOfDataIsThatOfItsEncodedForm(t *testing.T) {
	for _, contract := range []string{"", strings.Repeat("0", 64)} {
		small := mustData(t, `1`)
		small.contract = contract
		for _, id := range []string{"a", "bb", "c"} {
			if err := small.insert(id, []byte(`""`)); err != nil {
				t.Fatal(err)
			}
		}
		room := MaxDataBytes - len(small.Encode())
		for more, fits := range map[int]bool{-1: true, 0: true, 1: false} {
			d := mustData(t, `1`)
			d.contract = contract
			for _, o := range []struct{ id, text string }{{"a", ""}, {"bb", strings.Repeat("x", room+more-1_000)}, {"c", strings.Repeat("x", 1_000)}} {
				if err := d.insert(o.id, []byte(`"`+o.text+`"`)); (err == nil) != (fits || o.id != "c") {
					t.Errorf("contract %q, %d more, %s: %v", contract, more, o.id, err)
				}
			}
			if fits && len(d.Encode()) != MaxDataBytes+more {
				t.Errorf("%d bytes", len(d.Encode()))
			}
		}
	}
}

// TestTheLastOfARepeatedNameCountsAmongMany holds it for objects of more members than a sort keeps in order by chance.
func TestTheLastOfARepeatedNameCountsAmongMany(t *testing.T) {
	var text strings.Builder
	text.WriteString("{")
	for i := range 200 {
		fmt.Fprintf(&text, `"%c":%d,`, 'a'+i%3, i)
	}
	text.WriteString(`"b":-1}`)
	if got := string(mustData(t, text.String()).Input()); got != `{"a":198,"b":-1,"c":197}` {
		t.Error(got)
	}
}
