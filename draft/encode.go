package draft

import (
	"encoding/json"
	"slices"

	"github.com/fwgo/fwgo/internal/jsontree"
)

// NewDraft makes a draft of steps, as a program does that writes one. The error is a *Rejection (WD-9).
func NewDraft(steps ...Step) (*Draft, error) {
	if err := checkSteps(steps); err != nil {
		return nil, err
	}
	return &Draft{steps: slices.Clone(steps)}, nil
}

// Steps returns the steps in order.
func (d *Draft) Steps() []Step { return slices.Clone(d.steps) }

// Encode returns the draft as compact JSON, for [Decode] to read. Its only error is a *Rejection of
// RejectedOutputTooLarge, for sources that take more than MaxWireBytes when written as JSON strings (WD-9).
func (d *Draft) Encode() ([]byte, error) {
	size := 64
	for i := range d.steps {
		size += len(d.steps[i].ID) + len(d.steps[i].Source) + 32
	}
	dst := append(make([]byte, 0, size), `{"format_version":1,"steps":[`...)
	for i := range d.steps {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontree.AppendString(append(dst, `{"id":`...), d.steps[i].ID)
		dst = jsontree.AppendString(append(dst, `,"source":`...), d.steps[i].Source)
		dst = append(dst, '}')
	}
	dst = append(dst, "]}"...)
	if len(dst) > MaxWireBytes {
		return nil, &Rejection{Code: RejectedOutputTooLarge, Actual: len(dst), Maximum: MaxWireBytes}
	}
	return dst, nil
}

// JSONSchema returns the JSON Schema of a draft, for whoever asks a model to write one: compact, with sorted keys
// (WD-10). It is advice for producers; [Decode] decides.
func JSONSchema() []byte {
	type object = map[string]any
	step := object{
		"type":                 "object",
		"additionalProperties": false,
		"required":             []string{"id", "source"},
		"properties": object{
			"id": object{
				"type": "string", "minLength": 1, "maxLength": MaxStepID, "pattern": "^[a-z0-9._-]+$",
			},
			"source": object{
				"type":        "string",
				"description": "The program of the step, in the Splash language. It is reviewed after the draft was read.",
			},
		},
	}
	schema := object{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                "Workflow draft",
		"description":          "Steps of a workflow in the proposed order. A draft is data and grants nothing.",
		"type":                 "object",
		"additionalProperties": false,
		"required":             []string{"format_version", "steps"},
		"properties": object{
			"format_version": object{"type": "integer", "const": formatVersion},
			"steps":          object{"type": "array", "minItems": 1, "maxItems": MaxSteps, "items": step},
		},
		"x-splash": object{
			"authority":                      "none",
			"format_version":                 formatVersion,
			"host_may_lower_wire_limit":      true,
			"maximum_aggregate_source_bytes": MaxSourceBytes,
			"maximum_wire_bytes":             MaxWireBytes,
			"schema_version":                 1,
			"source_profile":                 "splash-v0.2",
			"step_ids_must_be_unique":        true,
			"steps_are_ordered":              true,
		},
	}
	text, err := json.Marshal(schema)
	if err != nil {
		panic(err) // nothing in it can fail to be written
	}
	return text
}
