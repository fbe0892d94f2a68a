package draft

import (
	"fmt"
	"slices"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// MaxCheckpointBytes is the longest text of a checkpoint (WD-59). It holds at most MaxSteps ids.
const MaxCheckpointBytes = 16_384

// CheckpointCode says what is wrong with a checkpoint.
type CheckpointCode string

// What can be wrong with a checkpoint, in the order in which it is looked for (WD-60).
const (
	CheckpointTooLarge            CheckpointCode = "too_large"                    // more than MaxCheckpointBytes
	CheckpointInvalidEncoding     CheckpointCode = "invalid_encoding"             // not strict JSON of exactly this shape
	CheckpointUnsupportedVersion  CheckpointCode = "unsupported_format_version"   // of another version
	CheckpointInvalidPlan         CheckpointCode = "invalid_plan_fingerprint"     // not 64 lower-case hexadecimal digits
	CheckpointInvalidData         CheckpointCode = "invalid_data_fingerprint"     // likewise
	CheckpointInvalidContract     CheckpointCode = "invalid_contract_fingerprint" // likewise
	CheckpointContractWithoutData CheckpointCode = "contract_without_data"        // a contract binds data, and there is none
	CheckpointTooManySteps        CheckpointCode = "too_many_steps"               // more than MaxSteps
	CheckpointInvalidStepID       CheckpointCode = "invalid_step_id"              // what can be no step
	CheckpointDuplicateStepID     CheckpointCode = "duplicate_step_id"            // one step twice
)

// CheckpointError is the error of [DecodeCheckpoint] and [Checkpoint.Encode]. It holds no part of the checkpoint.
type CheckpointError struct {
	Code CheckpointCode
	// Actual and Maximum are bytes or steps, or for CheckpointUnsupportedVersion the version that came and the one
	// there is.
	Actual, Maximum int
}

func (e *CheckpointError) Error() string {
	switch e.Code {
	case CheckpointTooLarge:
		return fmt.Sprintf("draft: the checkpoint takes %d bytes; at most %d are accepted", e.Actual, e.Maximum)
	case CheckpointInvalidEncoding:
		return "draft: a checkpoint is a JSON object of format_version, plan_fingerprint and completed_step_ids, " +
			"and may have data_fingerprint and data_contract_fingerprint"
	case CheckpointUnsupportedVersion:
		return fmt.Sprintf("draft: the checkpoint has format version %d; this is version %d", e.Actual, e.Maximum)
	case CheckpointInvalidPlan:
		return "draft: the plan fingerprint of a checkpoint must be 64 lower-case hexadecimal digits"
	case CheckpointInvalidData:
		return "draft: the data fingerprint of a checkpoint must be 64 lower-case hexadecimal digits"
	case CheckpointInvalidContract:
		return "draft: the contract fingerprint of a checkpoint must be 64 lower-case hexadecimal digits"
	case CheckpointContractWithoutData:
		return "draft: a checkpoint cannot have a contract fingerprint without a data fingerprint"
	case CheckpointTooManySteps:
		return fmt.Sprintf("draft: the checkpoint lists %d steps; at most %d are accepted", e.Actual, e.Maximum)
	case CheckpointInvalidStepID:
		return "draft: the checkpoint lists what can be no step id"
	default:
		return "draft: the checkpoint lists a step twice"
	}
}

// Checkpoint says how far a run of a plan came: which steps are done, and the digests of the plan, the data and the
// contract they were done under. It proves nothing and grants nothing (WD-63); an engine compares it with what it is
// given. It never changes.
type Checkpoint struct {
	plan      string
	completed []string
	data      string
	contract  string
}

// newCheckpoint makes a checkpoint of an engine's own values; data and contract are "" when there is none.
func newCheckpoint(plan string, completed []string, data, contract string) *Checkpoint {
	return &Checkpoint{plan: plan, completed: slices.Clone(completed), data: data, contract: contract}
}

// PlanFingerprint returns the digest of the plan (WD-29).
func (c *Checkpoint) PlanFingerprint() string { return c.plan }

// CompletedStepIDs returns the ids of the steps that are done, in order.
func (c *Checkpoint) CompletedStepIDs() []string { return slices.Clone(c.completed) }

// DataFingerprint returns the digest of the data after the last of the steps (WD-50), or "" for a run without data.
func (c *Checkpoint) DataFingerprint() string { return c.data }

// ContractFingerprint returns the digest of the contract of the data (WD-51), or "" for data without one.
func (c *Checkpoint) ContractFingerprint() string { return c.contract }

// Encode returns the checkpoint as compact JSON (WD-59). Its only error is a *CheckpointError of CheckpointTooLarge,
// which long ids of many steps can cause.
func (c *Checkpoint) Encode() ([]byte, error) {
	dst := append([]byte(nil), `{"format_version":1,"plan_fingerprint":`...)
	dst = jsontree.AppendString(dst, c.plan)
	dst = append(dst, `,"completed_step_ids":[`...)
	for i, id := range c.completed {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontree.AppendString(dst, id)
	}
	dst = append(dst, ']')
	if c.data != "" {
		dst = jsontree.AppendString(append(dst, `,"data_fingerprint":`...), c.data)
	}
	if c.contract != "" {
		dst = jsontree.AppendString(append(dst, `,"data_contract_fingerprint":`...), c.contract)
	}
	dst = append(dst, '}')
	if len(dst) > MaxCheckpointBytes {
		return nil, &CheckpointError{Code: CheckpointTooLarge, Actual: len(dst), Maximum: MaxCheckpointBytes}
	}
	return dst, nil
}

// DecodeCheckpoint reads what [Checkpoint.Encode] wrote, strictly: members may be in any order, the optional two may be
// null, and nothing may be repeated or added. The checks are in the order of WD-60. The error is a *CheckpointError.
func DecodeCheckpoint(text []byte) (*Checkpoint, error) {
	if len(text) > MaxCheckpointBytes {
		return nil, &CheckpointError{Code: CheckpointTooLarge, Actual: len(text), Maximum: MaxCheckpointBytes}
	}
	doc, fault := jsontree.Parse(string(text), jsontree.Limits{Depth: 2}, nil)
	if fault != nil || doc.Root.Kind != jsontree.Object {
		return nil, &CheckpointError{Code: CheckpointInvalidEncoding}
	}
	w, ok := readCheckpoint(&doc.Root)
	if !ok {
		return nil, &CheckpointError{Code: CheckpointInvalidEncoding}
	}
	switch {
	case w.version != formatVersion:
		return nil, &CheckpointError{Code: CheckpointUnsupportedVersion, Actual: w.version, Maximum: formatVersion}
	case !validFingerprint(*w.plan):
		return nil, &CheckpointError{Code: CheckpointInvalidPlan}
	case w.data != nil && !validFingerprint(*w.data):
		return nil, &CheckpointError{Code: CheckpointInvalidData}
	case w.contract != nil && !validFingerprint(*w.contract):
		return nil, &CheckpointError{Code: CheckpointInvalidContract}
	case w.contract != nil && w.data == nil:
		return nil, &CheckpointError{Code: CheckpointContractWithoutData}
	case len(w.completed) > MaxSteps:
		return nil, &CheckpointError{Code: CheckpointTooManySteps, Actual: len(w.completed), Maximum: MaxSteps}
	}
	seen := make(map[string]bool, len(w.completed))
	for _, id := range w.completed {
		if !validID(id) {
			return nil, &CheckpointError{Code: CheckpointInvalidStepID}
		}
		if seen[id] {
			return nil, &CheckpointError{Code: CheckpointDuplicateStepID}
		}
		seen[id] = true
	}
	c := &Checkpoint{plan: *w.plan, completed: w.completed}
	if w.data != nil {
		c.data = *w.data
	}
	if w.contract != nil {
		c.contract = *w.contract
	}
	return c, nil
}

// checkpointText is what the text of a checkpoint says. What it leaves out, or says is null, is nil.
type checkpointText struct {
	version              int
	plan, data, contract *string
	completed            []string
}

// readCheckpoint reads the members, judging no more than their types.
func readCheckpoint(root *jsontree.Value) (w checkpointText, ok bool) {
	numbered, listed := false, false
	for i := range root.Members {
		v := &root.Members[i].Value
		ok := false
		switch root.Members[i].Name {
		case "format_version":
			w.version, ok = versionOf(v.Text)
			ok = ok && v.Kind == jsontree.Number
			numbered = true
		case "plan_fingerprint":
			w.plan = &v.Text
			ok = v.Kind == jsontree.String
		case "completed_step_ids":
			w.completed, ok = texts(v)
			listed = true
		case "data_fingerprint":
			w.data, ok = optionalText(v)
		case "data_contract_fingerprint":
			w.contract, ok = optionalText(v)
		}
		if !ok {
			return w, false
		}
	}
	return w, numbered && w.plan != nil && listed
}

func texts(list *jsontree.Value) ([]string, bool) {
	out := make([]string, len(list.Items))
	for i := range list.Items {
		if list.Items[i].Kind != jsontree.String {
			return nil, false
		}
		out[i] = list.Items[i].Text
	}
	return out, list.Kind == jsontree.List
}

func optionalText(v *jsontree.Value) (*string, bool) {
	switch v.Kind {
	case jsontree.String:
		return &v.Text, true
	case jsontree.Null:
		return nil, true
	}
	return nil, false
}
