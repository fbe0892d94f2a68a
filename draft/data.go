package draft

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// The bounds of workflow data (WD-44), for the text of one value and for the encoded whole.
const (
	// MaxDataBytes bounds the canonical JSON of workflow data.
	MaxDataBytes = 65_536
	// MaxDataDepth is how many arrays and objects may be inside one another.
	MaxDataDepth = 64
)

// DataCode says what is wrong with workflow data.
type DataCode string

// What can be wrong with workflow data (WD-44, WD-47, WD-48).
const (
	DataTooLarge            DataCode = "too_large"                    // more than MaxDataBytes
	DataTooDeep             DataCode = "too_deep"                     // more than MaxDataDepth
	DataInvalidEncoding     DataCode = "invalid_encoding"             // not one strict JSON value
	DataInvalidDocument     DataCode = "invalid_document"             // JSON, and no envelope
	DataUnsupportedVersion  DataCode = "unsupported_format_version"   // an envelope of another version
	DataInvalidFingerprint  DataCode = "invalid_contract_fingerprint" // not 64 lower-case hexadecimal digits
	DataInvalidOutputStepID DataCode = "invalid_output_step_id"       // an output of what can be no step
	DataDuplicateOutput     DataCode = "duplicate_output"             // a second output of one step
)

// DataError is the error of everything that makes or changes [Data]. It never holds a part of the data.
type DataError struct {
	Code DataCode
	// Actual and Maximum are bytes for DataTooLarge and levels for DataTooDeep. For DataUnsupportedVersion they are the
	// version that came and the one there is.
	Actual, Maximum int
}

func (e *DataError) Error() string {
	switch e.Code {
	case DataTooLarge:
		return fmt.Sprintf("draft: workflow data takes %d bytes; at most %d are accepted", e.Actual, e.Maximum)
	case DataTooDeep:
		return fmt.Sprintf("draft: workflow data is nested deeper than %d levels", e.Maximum)
	case DataInvalidEncoding:
		return "draft: workflow data is not one JSON value"
	case DataInvalidDocument:
		return `draft: workflow data must be an object with format_version, input and outputs, and may have contract_fingerprint`
	case DataUnsupportedVersion:
		return fmt.Sprintf("draft: workflow data has format version %d; this is version %d", e.Actual, e.Maximum)
	case DataInvalidFingerprint:
		return "draft: the contract fingerprint of workflow data must be 64 lower-case hexadecimal digits"
	case DataInvalidOutputStepID:
		return "draft: workflow data has an output under a name that is no step id"
	default:
		return "draft: workflow data already has an output of this step"
	}
}

// Data is what flows through a run: the input of the workflow and the outputs of its finished steps (WD-44 to WD-50).
// Everything in it is canonical JSON (WD-49), which keeps the digits of numbers as they were written. It grows only by
// runs of an engine. The methods may be called from several goroutines at once, but not while an engine runs with it.
type Data struct {
	input    datum
	outputs  []output // sorted by id
	contract string
}

// datum is one value: its canonical text, and how deep it is.
type datum struct {
	json  string
	depth int
}

type output struct {
	id string
	datum
}

// readDatum reads a strict JSON text of at most MaxDataBytes and MaxDataDepth (WD-47).
func readDatum(text []byte) (jsontree.Value, datum, error) {
	if len(text) > MaxDataBytes {
		return jsontree.Value{}, datum{}, &DataError{Code: DataTooLarge, Actual: len(text), Maximum: MaxDataBytes}
	}
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{Depth: readDepth, KeepRepeated: true}, nil)
	if fault != nil {
		return jsontree.Value{}, datum{}, &DataError{Code: DataInvalidEncoding}
	}
	depth := settle(&doc.Root)
	if depth > MaxDataDepth {
		return jsontree.Value{}, datum{}, &DataError{Code: DataTooDeep, Actual: depth, Maximum: MaxDataDepth}
	}
	return doc.Root, datum{string(appendCanonical(make([]byte, 0, len(text)), &doc.Root)), depth}, nil
}

// NewData makes the data of a workflow that has not begun, from the JSON of its input: one strict JSON value of at most
// 65,494 canonical bytes and 63 levels, what the envelope leaves (WD-44, WD-47). Of a repeated member name the last
// counts. The error is a *DataError.
func NewData(input []byte) (*Data, error) {
	_, value, err := readDatum(input)
	if err != nil {
		return nil, err
	}
	d := &Data{input: value}
	if err := d.fits(); err != nil {
		return nil, err
	}
	return d, nil
}

// DecodeData reads what [Data.Encode] wrote, strictly and in the order of WD-48. Of a repeated member name the last
// counts. The error is a *DataError.
func DecodeData(envelope []byte) (*Data, error) {
	root, _, err := readDatum(envelope)
	if err != nil {
		return nil, err
	}
	v := member(&root, "format_version")
	if v == nil || v.Kind != jsontree.Number {
		return nil, &DataError{Code: DataInvalidDocument}
	}
	version, ok := versionOf(v.Text)
	if !ok {
		return nil, &DataError{Code: DataInvalidDocument}
	}
	if version != formatVersion {
		return nil, &DataError{Code: DataUnsupportedVersion, Actual: version, Maximum: formatVersion}
	}
	input, outputs := member(&root, "input"), member(&root, "outputs")
	if input == nil || outputs == nil || outputs.Kind != jsontree.Object {
		return nil, &DataError{Code: DataInvalidDocument}
	}
	known := 3 // members
	d := &Data{input: newDatum(input)}
	if v := member(&root, "contract_fingerprint"); v != nil {
		if v.Kind != jsontree.String || !validFingerprint(v.Text) {
			return nil, &DataError{Code: DataInvalidFingerprint}
		}
		d.contract = strings.Clone(v.Text)
		known++
	}
	if len(root.Members) != known {
		return nil, &DataError{Code: DataInvalidDocument}
	}
	for i := range outputs.Members {
		m := &outputs.Members[i]
		if !validID(m.Name) {
			return nil, &DataError{Code: DataInvalidOutputStepID}
		}
		d.outputs = append(d.outputs, output{strings.Clone(m.Name), newDatum(&m.Value)})
	}
	if err := d.fits(); err != nil {
		return nil, err
	}
	return d, nil
}

// newDatum takes a settled value out of its document.
func newDatum(v *jsontree.Value) datum {
	return datum{string(appendCanonical(nil, v)), settle(v)}
}

// fits checks both limits of WD-44 on the envelope. The context of a script is the envelope without the version and the
// contract, shorter and no deeper, so it fits when the envelope does.
func (d *Data) fits() error {
	size := len(envelopeHead) + len(d.input.json) + len(outputsHead) + len("}}")
	if d.contract != "" {
		size += len(contractHead) + len(d.contract) + len(contractTail) - len("{")
	}
	depth := max(2, 1+d.input.depth)
	for i := range d.outputs {
		o := &d.outputs[i]
		size += len(`"":`) + len(o.id) + len(o.json)
		if i > 0 {
			size += len(",")
		}
		depth = max(depth, 2+o.depth)
	}
	if size > MaxDataBytes {
		return &DataError{Code: DataTooLarge, Actual: size, Maximum: MaxDataBytes}
	}
	if depth > MaxDataDepth {
		return &DataError{Code: DataTooDeep, Actual: depth, Maximum: MaxDataDepth}
	}
	return nil
}

// The fixed parts of the envelope, whose names are in the order of their bytes.
const (
	contractHead = `{"contract_fingerprint":"`
	contractTail = `",`
	envelopeHead = `{"format_version":1,"input":`
	contextHead  = `{"input":`
	outputsHead  = `,"outputs":{`
)

// Encode returns the data as compact canonical JSON, for [DecodeData] to read (WD-48). It is at most MaxDataBytes long.
func (d *Data) Encode() []byte {
	dst := make([]byte, 0, 256+len(d.input.json))
	head := envelopeHead
	if d.contract != "" {
		dst = append(dst, contractHead...)
		dst = append(dst, d.contract...)
		dst = append(dst, contractTail...)
		head = head[1:]
	}
	return d.append(dst, head)
}

// Context returns the canonical JSON of {"input", "outputs"}: what a step finds as `workflow` (WD-68).
func (d *Data) Context() json.RawMessage {
	return d.append(make([]byte, 0, 256+len(d.input.json)), contextHead)
}

func (d *Data) append(dst []byte, head string) []byte {
	dst = append(dst, head...)
	dst = append(dst, d.input.json...)
	dst = append(dst, outputsHead...)
	for i := range d.outputs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, d.outputs[i].id...) // an id has nothing to escape
		dst = append(dst, `":`...)
		dst = append(dst, d.outputs[i].json...)
	}
	return append(dst, "}}"...)
}

// Fingerprint returns the digest of the input and the outputs, 64 hexadecimal digits. A contract does not change it
// (WD-50).
func (d *Data) Fingerprint() string {
	h := newDigest(dataDomain)
	h.part(string(d.Context()))
	return h.hex()
}

// ContractFingerprint returns the digest of the contract that the data was made under, or "" without one (WD-52).
func (d *Data) ContractFingerprint() string { return d.contract }

// Input returns the canonical JSON of the input.
func (d *Data) Input() json.RawMessage { return json.RawMessage(d.input.json) }

// Output returns the canonical JSON of the output of a step, and whether there is one.
func (d *Data) Output(stepID string) (json.RawMessage, bool) {
	i, found := d.find(stepID)
	if !found {
		return nil, false
	}
	return json.RawMessage(d.outputs[i].json), true
}

// Outputs returns the canonical JSON of all outputs by step id.
func (d *Data) Outputs() map[string]json.RawMessage {
	m := make(map[string]json.RawMessage, len(d.outputs))
	for i := range d.outputs {
		m[d.outputs[i].id] = json.RawMessage(d.outputs[i].json)
	}
	return m
}

func (d *Data) find(stepID string) (int, bool) {
	return slices.BinarySearchFunc(d.outputs, stepID, func(o output, id string) int { return strings.Compare(o.id, id) })
}

// hasExactly reports whether the outputs are those of the given steps, each once and no other.
func (d *Data) hasExactly(stepIDs []string) bool {
	if len(d.outputs) != len(stepIDs) {
		return false
	}
	for _, id := range stepIDs {
		if _, found := d.find(id); !found {
			return false
		}
	}
	return true
}

// clone returns data that an insertion or a stamp changes on its own.
func (d *Data) clone() *Data {
	c := *d
	c.outputs = slices.Clone(d.outputs)
	return &c
}

// insert adds the output of a step: any JSON text within the limits, made canonical. On an error, a *DataError, the
// data is as it was (WD-44).
func (d *Data) insert(stepID string, text []byte) error {
	if !validID(stepID) {
		return &DataError{Code: DataInvalidOutputStepID}
	}
	i, found := d.find(stepID)
	if found {
		return &DataError{Code: DataDuplicateOutput}
	}
	_, value, err := readDatum(text)
	if err != nil {
		return err
	}
	d.outputs = slices.Insert(d.outputs, i, output{stepID, value})
	if err := d.fits(); err != nil {
		d.outputs = slices.Delete(d.outputs, i, i+1)
		return err
	}
	return nil
}

// stamp binds the data to a contract. On an error, a *DataError, the data is as it was.
func (d *Data) stamp(fingerprint string) error {
	old := d.contract
	d.contract = fingerprint
	if err := d.fits(); err != nil {
		d.contract = old
		return err
	}
	return nil
}
