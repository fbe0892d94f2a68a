package splash

import (
	"strings"
	"unicode/utf8"
)

// textModule is std.text (SL-40). Positions and lengths count Unicode scalars.
var textModule = frozen(
	text1("trim", func(c *std, s string) (Value, error) { return c.piece(s, strings.TrimSpace(s)) }),
	text1("lower", func(c *std, s string) (Value, error) { return c.cases(s, lower) }),
	text1("upper", func(c *std, s string) (Value, error) { return c.cases(s, upper) }),
	text1("len", func(_ *std, s string) (Value, error) { return number(float64(utf8.RuneCountInString(s))), nil }),
	fn1("text", "slice", textSlice),
	text2("index_of", func(c *std, s, t string) (Value, error) { return position(s, strings.Index(s, t)), nil }),
	text2("last_index_of", func(c *std, s, t string) (Value, error) { return position(s, strings.LastIndex(s, t)), nil }),
	text2("contains", func(c *std, s, t string) (Value, error) { return boolean(strings.Contains(s, t)), nil }),
	text2("starts_with", func(c *std, s, t string) (Value, error) { return boolean(strings.HasPrefix(s, t)), nil }),
	text2("ends_with", func(c *std, s, t string) (Value, error) { return boolean(strings.HasSuffix(s, t)), nil }),
	fn1("text", "replace_all", textReplace),
	text2("split", textSplit),
	fn1("text", "join", textJoin),
)

func text1(name string, f func(c *std, s string) (Value, error)) entry {
	return fn1("text", name, func(c *std) (Value, error) {
		s, err := c.texts(1)
		if err != nil {
			return Value{}, err
		}
		return f(c, s[0])
	})
}

func text2(name string, f func(c *std, s, t string) (Value, error)) entry {
	return fn1("text", name, func(c *std) (Value, error) {
		s, err := c.texts(2)
		if err != nil {
			return Value{}, err
		}
		return f(c, s[0], s[1])
	})
}

// position turns a byte offset into a count of scalars.
func position(s string, offset int) Value {
	if offset < 0 {
		return number(-1)
	}
	return number(float64(utf8.RuneCountInString(s[:offset])))
}

// piece makes a string of a part of another. It is copied: a part would keep the whole alive, unaccounted for.
func (c *std) piece(whole, part string) (Value, error) {
	if len(part) == len(whole) {
		return c.arg(0), nil
	}
	return c.m.newText(strings.Clone(part))
}

func (c *std) cases(s string, f func(string) string) (Value, error) {
	if err := c.m.work(len(s) / 8); err != nil { // tables are slower than scanning
		return Value{}, err
	}
	return c.m.newText(f(s)) // at most three times as long, and then dropped if too long
}

func textSlice(c *std) (Value, error) {
	t, err := c.text(0)
	if err != nil {
		return Value{}, err
	}
	s := t.s
	if err := c.m.work(len(s) / 64); err != nil {
		return Value{}, err
	}
	from, to, err := c.span(1, len(s)) // no string has more scalars than bytes
	if err != nil {
		return Value{}, err
	}
	start, ok := offsetOf(s, from)
	if !ok {
		return Value{}, fail(InvalidArgs, msgRange, c.name)
	}
	size, ok := offsetOf(s[start:], to-from)
	if !ok {
		return Value{}, fail(InvalidArgs, msgRange, c.name)
	}
	return c.piece(s, s[start:start+size])
}

// offsetOf returns the byte offset of the n-th scalar, or of the end.
func offsetOf(s string, n int) (int, bool) {
	for i := range s {
		if n == 0 {
			return i, true
		}
		n--
	}
	return len(s), n == 0
}

func textReplace(c *std) (Value, error) {
	s, err := c.texts(3)
	if err != nil {
		return Value{}, err
	}
	whole, from, to := s[0], s[1], s[2]
	n := strings.Count(whole, from) // scalars + 1 for an empty one: every boundary
	if n == 0 {
		return c.arg(0), nil
	}
	if grow := len(to) - len(from); grow > 0 && n > (c.m.limits.StringBytes-len(whole))/grow {
		return Value{}, c.m.stringSize(c.m.limits.StringBytes + 1) // worked out without overflow
	}
	size := len(whole) + n*(len(to)-len(from))
	if err := c.m.work(size/64 + n/4); err != nil {
		return Value{}, err
	}
	if err := c.m.charge(costText+size, 1); err != nil {
		return Value{}, err
	}
	return Value{ref: &text{s: strings.Clone(strings.ReplaceAll(whole, from, to))}}, nil
}

func textSplit(c *std, s, d string) (Value, error) {
	if d == "" {
		return Value{}, fail(InvalidArgs, msgEmptyDelimiter, c.name)
	}
	n := strings.Count(s, d) + 1
	if err := c.capped(n); err != nil {
		return Value{}, err
	}
	a, err := c.m.newArray(n)
	if err != nil {
		return Value{}, err
	}
	for {
		part, rest, more := strings.Cut(s, d)
		v, err := c.m.newText(strings.Clone(part))
		if err != nil {
			return Value{}, err
		}
		a.items = append(a.items, v)
		if !more {
			return Value{ref: a}, nil
		}
		s = rest
	}
}

func textJoin(c *std) (Value, error) {
	a, ok := c.arg(0).ref.(*array)
	if !ok {
		return Value{}, c.wrong(0, "an array")
	}
	sep, err := c.text(1)
	if err != nil {
		return Value{}, err
	}
	if err := c.capped(len(a.items)); err != nil {
		return Value{}, err
	}
	size := max(len(a.items)-1, 0) * len(sep.s)
	for i, v := range a.items {
		t, ok := v.ref.(*text)
		if !ok {
			return Value{}, fail(TypeMismatch, msgJoinItem, i)
		}
		size += len(t.s)
	}
	if err := c.m.stringSize(size); err != nil {
		return Value{}, err
	}
	if err := c.m.work(size / 64); err != nil {
		return Value{}, err
	}
	if err := c.m.charge(costText+size, 1); err != nil {
		return Value{}, err
	}
	var b strings.Builder
	b.Grow(size)
	for i, v := range a.items {
		if i > 0 {
			b.WriteString(sep.s)
		}
		b.WriteString(v.ref.(*text).s)
	}
	return Value{ref: &text{s: b.String()}}, nil
}
