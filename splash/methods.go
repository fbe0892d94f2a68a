package splash

// The methods of values (SL-34), the only ones there are.

var (
	toJSON    = &method{name: "to_json", fn: methodToJSON}
	parseJSON = &method{name: "parse_json", fn: methodParseJSON}
	toBytes   = &method{name: "to_bytes", fn: methodToBytes}
	await     = &method{name: "await", fn: (*machine).await}
)

// methodOf returns the method of a value, or nil.
func methodOf(v Value, name string) *method {
	switch v.ref.(type) {
	case *text:
		switch name {
		case "parse_json":
			return parseJSON
		case "to_bytes":
			return toBytes
		}
	case *byteArray:
		if name == "parse_json" {
			return parseJSON
		}
	case *promise:
		if name == "await" {
			return await
		}
	}
	if name == "to_json" {
		return toJSON
	}
	return nil
}

func methodToJSON(m *machine, self Value) (Value, error) {
	b, err := m.appendJSON(self)
	if err != nil {
		return Value{}, err
	}
	return m.newText(string(b))
}

func methodParseJSON(m *machine, self Value) (Value, error) {
	switch o := self.ref.(type) {
	case *text:
		return m.parseJSON(o.s)
	case *byteArray:
		if len(o.b) > m.limits.JSONBytes {
			return Value{}, fail(Unexpected, msgJSONTooLong, m.limits.JSONBytes)
		}
		return m.parseJSON(string(o.b))
	}
	return Value{}, fail(TypeMismatch, msgArgument, "json.parse", 1, "a string or a byte array", self.article())
}

func methodToBytes(m *machine, self Value) (Value, error) {
	s := self.ref.(*text).s
	if err := m.work(len(s) / bytesPerStep); err != nil {
		return Value{}, err
	}
	if err := m.charge(costBytes+len(s), 1); err != nil {
		return Value{}, err
	}
	b := make([]byte, len(s))
	copy(b, s)
	return Value{ref: &byteArray{b: b}}, nil
}
