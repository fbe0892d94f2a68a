package jsontree

import (
	"bytes"
	"encoding/json"
)

// Marshal is json.Marshal without the escapes that only matter inside HTML,
// so that what a caller sent comes back as it was written.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte{'\n'}), nil
}
