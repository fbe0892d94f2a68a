package draft

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func checkpointCode(err error) CheckpointCode {
	var e *CheckpointError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

var someDigest = strings.Repeat("0f", 32)

func checkpointDoc(members string) string {
	return `{"format_version":1,"plan_fingerprint":"` + someDigest + `"` + members + `}`
}

func TestCheckpointsAreReadInOrderOfTheirChecks(t *testing.T) {
	ids := func(n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"%d"`, i))
		}
		return `,"completed_step_ids":[` + strings.Join(list, ",") + "]"
	}
	for _, tt := range []struct {
		text string
		code CheckpointCode
	}{
		{checkpointDoc(ids(MaxSteps)), ""},
		{checkpointDoc(ids(MaxSteps + 1)), CheckpointTooManySteps},
		{checkpointDoc(ids(1)) + strings.Repeat(" ", MaxCheckpointBytes-len(checkpointDoc(ids(1)))), ""},
		{checkpointDoc(ids(1)) + strings.Repeat(" ", MaxCheckpointBytes-len(checkpointDoc(ids(1)))+1), CheckpointTooLarge},
		{`[1,"` + someDigest + `",[],null,null]`, CheckpointInvalidEncoding},
		{checkpointDoc(`,"completed_step_ids":null`), CheckpointInvalidEncoding},
		{checkpointDoc(`,"completed_step_ids":[1]`), CheckpointInvalidEncoding},
		{checkpointDoc(`,"completed_step_ids":[null]`), CheckpointInvalidEncoding},
		{checkpointDoc(`,"completed_step_ids":{}`), CheckpointInvalidEncoding},
		{checkpointDoc(`,"completed_step_ids":[["a"]]`), CheckpointInvalidEncoding},
		{checkpointDoc(`,"completed_step_ids":[],"data_fingerprint":1`), CheckpointInvalidEncoding},
		{checkpointDoc(`,"completed_step_ids":[],"data_fingerprint":""`), CheckpointInvalidData},
		{checkpointDoc(`,"completed_step_ids":[],"data_fingerprint":"\u0000"`), CheckpointInvalidData},
		{checkpointDoc(`,"completed_step_ids":[],"data_contract_fingerprint":""`), CheckpointInvalidContract},
		{checkpointDoc(`,"completed_step_ids":[],"data_contract_fingerprint":"` + someDigest + `"`), CheckpointContractWithoutData},
		{checkpointDoc(`,"completed_step_ids":[],"data_fingerprint":null,"data_fingerprint":null`), CheckpointInvalidEncoding},
		{`{"format_version":1.0,"plan_fingerprint":"","completed_step_ids":[]}`, CheckpointInvalidEncoding},
		{`{"format_version":"1","plan_fingerprint":"","completed_step_ids":[]}`, CheckpointInvalidEncoding},
		{`{"format_version":1,"plan_fingerprint":null,"completed_step_ids":[]}`, CheckpointInvalidEncoding},
		{`{"completed_step_ids":["b","a"],"format_version":1,"plan_fingerprint":"` + someDigest + `"}`, ""},
		{`{"completed_step_ids":["B"],"format_version":7,"plan_fingerprint":"` + someDigest + `"}`, CheckpointUnsupportedVersion},
	} {
		if _, err := DecodeCheckpoint([]byte(tt.text)); checkpointCode(err) != tt.code {
			t.Errorf("%.200q: %v, want %q", tt.text, err, tt.code)
		}
	}
}

func TestACheckpointSurvivesEncoding(t *testing.T) {
	completed := []string{"b", "a"}
	c := newCheckpoint(someDigest, completed, strings.Repeat("a", 64), strings.Repeat("b", 64))
	completed[0] = "changed"
	c.CompletedStepIDs()[1] = "changed"
	text, err := c.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeCheckpoint(text)
	if err != nil || !reflect.DeepEqual(again, c) {
		t.Fatalf("%s reads as %+v %v", text, again, err)
	}
	if got := again.CompletedStepIDs(); !reflect.DeepEqual(got, []string{"b", "a"}) {
		t.Errorf("ids %q", got)
	}
	if again.PlanFingerprint() != someDigest || again.DataFingerprint() != strings.Repeat("a", 64) || again.ContractFingerprint() != strings.Repeat("b", 64) {
		t.Errorf("digests of %s", text)
	}
	long := make([]string, 200)
	for i := range long {
		long[i] = fmt.Sprintf("%0128d", i)
	}
	if _, err := newCheckpoint(someDigest, long, "", "").Encode(); checkpointCode(err) != CheckpointTooLarge {
		t.Errorf("a checkpoint of long ids: %v", err)
	}
}

// FuzzCheckpoint holds that no text makes reading panic, and that what is read is written as a text that reads as the
// same.
func FuzzCheckpoint(f *testing.F) {
	f.Add([]byte(checkpointDoc(`,"completed_step_ids":["a","b.c"]`)))
	f.Add([]byte(checkpointDoc(`,"completed_step_ids":[],"data_fingerprint":"` + someDigest + `","data_contract_fingerprint":null`)))
	f.Add([]byte(`[1,"x",[]]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := DecodeCheckpoint(text)
		if err != nil {
			if checkpointCode(err) == "" {
				t.Fatal(err)
			}
			return
		}
		encoded, err := c.Encode()
		if err != nil {
			// No text of a checkpoint is shorter than the one that Encode writes.
			t.Fatal(err)
		}
		again, err := DecodeCheckpoint(encoded)
		if err != nil || !reflect.DeepEqual(again, c) {
			t.Fatalf("%s does not survive: %v", encoded, err)
		}
	})
}
