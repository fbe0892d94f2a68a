package splash

import "math"

// stdCap bounds the items that functions of std go through or make (SL-40 to SL-42). Passing it is an ordinary error.
const stdCap = 4096

// stdModule is mod.std, frozen and shared by all evaluations (SL-37).
var stdModule = frozen(
	entry{"assert", function1("assert", stdAssert)},
	entry{"math", Value{ref: mathModule}},
	entry{"text", Value{ref: textModule}},
	entry{"array", Value{ref: arrayModule}},
	entry{"object", Value{ref: objectModule}},
	entry{"json", Value{ref: jsonModule}},
)

type entry struct {
	name  string
	value Value
}

func frozen(entries ...entry) *record {
	r := &record{}
	for _, e := range entries {
		r.add(staticText(e.name), e.value)
	}
	r.frozen = true
	return r
}

// function1 makes a value of a Go function.
func function1(name string, fn func(m *machine, args []Value) (Value, error)) Value {
	return Value{ref: &builtin{name: name, fn: fn}}
}

// fn1 is an entry whose function knows its name for messages.
func fn1(module, name string, fn func(c *std) (Value, error)) entry {
	full := module + "." + name
	return entry{name, function1(full, func(m *machine, args []Value) (Value, error) {
		return fn(&std{m: m, name: full, args: args})
	})}
}

// std is one call of a function of std. Its getters give an argument of the right kind, or an error that names the
// function and the argument; missing arguments are nil, and thus mostly of the wrong kind (SL-37).
type std struct {
	m    *machine
	name string
	args []Value
}

// arg returns an argument, nil when it is missing.
func arg(args []Value, i int) Value {
	if i < len(args) {
		return args[i]
	}
	return Value{}
}

func (c *std) arg(i int) Value { return arg(c.args, i) }

func (c *std) wrong(i int, want string) error {
	return fail(TypeMismatch, msgArgument, c.name, i+1, want, c.arg(i).article())
}

func (c *std) number(i int) (float64, error) {
	v := c.arg(i)
	if _, ok := v.ref.(numberTag); !ok {
		return 0, c.wrong(i, "a number")
	}
	return v.num, nil
}

func (c *std) text(i int) (*text, error) {
	t, ok := c.arg(i).ref.(*text)
	if !ok {
		return nil, c.wrong(i, "a string")
	}
	return t, nil
}

// texts gets the first n arguments as strings and pays for going over them once.
func (c *std) texts(n int) (s [3]string, err error) {
	total := 0
	for i := range n {
		t, err := c.text(i)
		if err != nil {
			return s, err
		}
		s[i] = t.s
		total += len(t.s)
	}
	return s, c.m.work(total / 64)
}

// index gets a whole number of at least 0; 1.0 is fine (SL-41).
func (c *std) index(i int) (int, error) {
	n, ok := c.arg(i).whole()
	if !ok {
		return 0, fail(InvalidArgs, msgArgIndex, c.name, i+1)
	}
	return n, nil
}

// span gets two indexes that fit into a length.
func (c *std) span(i, length int) (from, to int, err error) {
	if from, err = c.index(i); err != nil {
		return 0, 0, err
	}
	if to, err = c.index(i + 1); err != nil {
		return 0, 0, err
	}
	if from > to || to > length {
		return 0, 0, fail(InvalidArgs, msgRange, c.name)
	}
	return from, to, nil
}

// capped refuses more items than std goes through, and pays for those that there are.
func (c *std) capped(n int) error {
	if n > stdCap {
		return fail(LimitExceeded, msgCap, c.name, stdCap)
	}
	return c.m.work(n / 4)
}

// stdAssert is SL-38: only true itself holds.
func stdAssert(_ *machine, args []Value) (Value, error) {
	if arg(args, 0) != valTrue {
		return Value{}, fail(AssertFailure, msgAssert)
	}
	return Value{}, nil
}

// jsonModule is std.json (SL-43).
var jsonModule = frozen(
	entry{"parse", function1("json.parse", func(m *machine, args []Value) (Value, error) {
		return methodParseJSON(m, arg(args, 0))
	})},
	entry{"stringify", function1("json.stringify", func(m *machine, args []Value) (Value, error) {
		return methodToJSON(m, arg(args, 0))
	})},
)

// mathModule is std.math (SL-39).
var mathModule = frozen(
	entry{"pi", number(math.Pi)},
	entry{"e", number(math.E)},
	math1("abs", math.Abs),
	math1("ceil", math.Ceil),
	math1("floor", math.Floor),
	math1("round", math.Round), // half away from zero
	math1("sqrt", math.Sqrt),
	math1("sin", math.Sin),
	math1("cos", math.Cos),
	math1("tan", math.Tan),
	math1("exp", math.Exp),
	math1("ln", math.Log),
	math1("log10", math.Log10),
	math2("pow", math.Pow),
	math2("atan2", math.Atan2),
	math2("min", func(a, b float64) float64 {
		switch {
		case math.IsNaN(a):
			return b
		case math.IsNaN(b):
			return a
		}
		return math.Min(a, b)
	}),
	math2("max", func(a, b float64) float64 {
		switch {
		case math.IsNaN(a):
			return b
		case math.IsNaN(b):
			return a
		}
		return math.Max(a, b)
	}),
	fn1("math", "clamp", func(c *std) (Value, error) {
		var f [3]float64
		for i := range f {
			var err error
			if f[i], err = c.number(i); err != nil {
				return Value{}, err
			}
		}
		x, low, high := f[0], f[1], f[2]
		if !(low <= high) { // NaN too (Q17)
			return Value{}, fail(InvalidArgs, msgClampBounds)
		}
		switch {
		case x < low:
			x = low
		case x > high:
			x = high
		}
		return number(x), nil
	}),
)

func math1(name string, f func(float64) float64) entry {
	return fn1("math", name, func(c *std) (Value, error) {
		x, err := c.number(0)
		if err != nil {
			return Value{}, err
		}
		return number(f(x)), nil
	})
}

func math2(name string, f func(a, b float64) float64) entry {
	return fn1("math", name, func(c *std) (Value, error) {
		a, err := c.number(0)
		if err != nil {
			return Value{}, err
		}
		b, err := c.number(1)
		if err != nil {
			return Value{}, err
		}
		return number(f(a, b)), nil
	})
}
