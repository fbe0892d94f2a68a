package draft

import (
	"encoding/json"
	"fmt"
)

// MaxContractBytes bounds the canonical schemas and the ids of one contract together (WD-51).
const MaxContractBytes = 262_144

// ContractCode says what is wrong with a contract, or how a plan or data does not keep to one.
type ContractCode string

// What can be wrong. Those up to ContractDuplicateStepID are mistakes in the contract itself (WD-51), the others come of
// [Contract.Validate] (WD-52).
const (
	ContractInputSchema     ContractCode = "input_schema"      // Err is a *SchemaError
	ContractOutputSchema    ContractCode = "output_schema"     // Err is a *SchemaError; StepID says whose
	ContractTooLarge        ContractCode = "too_large"         // more than MaxContractBytes
	ContractInvalidStepID   ContractCode = "invalid_step_id"   // an output schema for what can be no step
	ContractDuplicateStepID ContractCode = "duplicate_step_id" // two output schemas for one step

	ContractOutputCount    ContractCode = "output_count"         // not one output schema a step
	ContractStepMismatch   ContractCode = "output_step_mismatch" // the output schema of another step
	ContractMismatch       ContractCode = "contract_mismatch"    // data that was made under another contract
	ContractCompletedCount ContractCode = "completed_step_count" // more steps completed than there are
	ContractMissingOutput  ContractCode = "missing_output"       // a completed step without an output
	ContractInput          ContractCode = "input"                // Err is a *Violation
	ContractOutput         ContractCode = "output"               // Err is a *Violation; StepID says whose
)

// ContractError is the error of everything about a [Contract]. It holds no value of the data.
type ContractError struct {
	Code ContractCode
	// StepID is the step that the error is about. For ContractStepMismatch it is the one that the plan has there, and
	// ActualStepID the one that the contract has.
	StepID, ActualStepID string
	// Expected and Actual are numbers of steps or bytes, for the codes that compare such.
	Expected, Actual int
	// Err is the *SchemaError or *Violation behind it, or nil.
	Err error
}

func (e *ContractError) Error() string {
	switch e.Code {
	case ContractInputSchema:
		return "draft: contract, input: " + e.Err.Error()
	case ContractOutputSchema:
		return "draft: contract, output of step " + e.StepID + ": " + e.Err.Error()
	case ContractTooLarge:
		return fmt.Sprintf("draft: the schemas of a contract take %d bytes; at most %d are accepted", e.Actual, e.Expected)
	case ContractInvalidStepID:
		return "draft: a contract has an output schema under a name that is no step id"
	case ContractDuplicateStepID:
		return "draft: a contract has two output schemas for step " + e.StepID
	case ContractOutputCount:
		return fmt.Sprintf("draft: a contract with %d output schemas is not for a plan of %d steps", e.Actual, e.Expected)
	case ContractStepMismatch:
		return "draft: the contract has an output schema for step " + e.ActualStepID + " where the plan has step " + e.StepID
	case ContractMismatch:
		return "draft: the workflow data was made under another contract"
	case ContractCompletedCount:
		return fmt.Sprintf("draft: %d completed steps of a plan of %d", e.Actual, e.Expected)
	case ContractMissingOutput:
		return "draft: the workflow data has no output of step " + e.StepID
	case ContractInput:
		return "draft: the input breaks the contract: " + e.Err.Error()
	default:
		return "draft: the output of step " + e.StepID + " breaks the contract: " + e.Err.Error()
	}
}

func (e *ContractError) Unwrap() error { return e.Err }

// OutputSchema is the schema that a contract has for the output of a step.
type OutputSchema struct {
	StepID string
	Schema json.RawMessage
}

// Contract says what the input of a workflow and the output of each step must look like, in a bounded subset of JSON
// Schema (WD-51 to WD-58). It is the host's: it has no encoded form, and nothing that comes from outside can hold one.
// It may be used from several goroutines at once.
type Contract struct {
	input       *schema
	outputs     []contractOutput
	fingerprint string
}

type contractOutput struct {
	stepID string
	schema *schema
}

// NewContract compiles a contract. The output schemas are in the order of the plan's steps. The subset has these
// keywords: type (one of null, boolean, number, integer, string, array, object), properties, required,
// additionalProperties (true or false), items (one schema), minItems, maxItems, minLength, maxLength, minimum, maximum
// and enum. It ignores title, description, default, examples, $schema and $id, and refuses all others (WD-54). Of enum,
// numbers are compared by value: 1 is 1.0. The error is a *ContractError.
func NewContract(input json.RawMessage, outputs ...OutputSchema) (*Contract, error) {
	c := &Contract{}
	in, text, err := compileSchema(input)
	if err != nil {
		return nil, &ContractError{Code: ContractInputSchema, Err: err}
	}
	c.input = in
	size := len(text)
	h := newDigest(contractDomain)
	h.count(len(outputs))
	h.part(text)
	seen := make(map[string]bool, len(outputs))
	for _, o := range outputs {
		if !validID(o.StepID) {
			return nil, &ContractError{Code: ContractInvalidStepID}
		}
		if seen[o.StepID] {
			return nil, &ContractError{Code: ContractDuplicateStepID, StepID: o.StepID}
		}
		seen[o.StepID] = true
		s, text, err := compileSchema(o.Schema)
		if err != nil {
			return nil, &ContractError{Code: ContractOutputSchema, StepID: o.StepID, Err: err}
		}
		c.outputs = append(c.outputs, contractOutput{o.StepID, s})
		size += len(o.StepID) + len(text)
		h.part(o.StepID)
		h.part(text)
	}
	if size > MaxContractBytes {
		return nil, &ContractError{Code: ContractTooLarge, Expected: MaxContractBytes, Actual: size}
	}
	c.fingerprint = h.hex()
	return c, nil
}

// Fingerprint returns the digest of the contract, 64 hexadecimal digits (WD-51).
func (c *Contract) Fingerprint() string { return c.fingerprint }

// Validate checks that the contract is one for a plan of these steps, and that data of which the first completed steps
// are done keeps to it, in the order of WD-52. The error is a *ContractError.
func (c *Contract) Validate(stepIDs []string, completed int, data *Data) error {
	if len(c.outputs) != len(stepIDs) {
		return &ContractError{Code: ContractOutputCount, Expected: len(stepIDs), Actual: len(c.outputs)}
	}
	for i, id := range stepIDs {
		if c.outputs[i].stepID != id {
			return &ContractError{Code: ContractStepMismatch, StepID: id, ActualStepID: c.outputs[i].stepID}
		}
	}
	if data.contract != "" && data.contract != c.fingerprint {
		return &ContractError{Code: ContractMismatch}
	}
	if completed < 0 || completed > len(stepIDs) {
		return &ContractError{Code: ContractCompletedCount, Expected: len(stepIDs), Actual: completed}
	}
	if err := c.input.validateText([]byte(data.input.json)); err != nil {
		return &ContractError{Code: ContractInput, Err: err}
	}
	for i, id := range stepIDs[:completed] {
		at, found := data.find(id)
		if !found {
			return &ContractError{Code: ContractMissingOutput, StepID: id}
		}
		if err := c.outputs[i].schema.validateText([]byte(data.outputs[at].json)); err != nil {
			return &ContractError{Code: ContractOutput, StepID: id, Err: err}
		}
	}
	return nil
}

// checkOutput checks the output of the step at an index of the plan, a JSON text, before it is inserted (WD-53). The
// error is a *ContractError, or a *DataError for a text that is no value of workflow data.
func (c *Contract) checkOutput(index int, text []byte) error {
	o := &c.outputs[index]
	err := o.schema.validateText(text)
	if v, ok := err.(*Violation); ok {
		return &ContractError{Code: ContractOutput, StepID: o.stepID, Err: v}
	}
	return err
}

// stamp marks data that was validated as made under the contract (WD-52). On an error, a *DataError when the mark does
// not fit or a *ContractError when the data has another, the data is as it was.
func (c *Contract) stamp(data *Data) error {
	if data.contract != "" && data.contract != c.fingerprint {
		return &ContractError{Code: ContractMismatch}
	}
	return data.stamp(c.fingerprint)
}
