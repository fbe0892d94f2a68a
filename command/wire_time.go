package command

import (
	"errors"
	"strings"
	"time"

	"github.com/fwgo/fwgo/internal/jsontree"
	"github.com/fwgo/fwgo/internal/quote"
	"github.com/fwgo/fwgo/validate"
)

// A Timestamp is a time as the wire has it (FW-152): to the microsecond, and
// with the offset it was given in, which may be none.
type Timestamp struct {
	// Time is the moment, in a location of the offset given.
	Time time.Time
	// NoOffset says that the offset is not known. Time is then the clock's
	// reading, in UTC if it was read here.
	NoOffset bool
}

// At returns the Timestamp of a moment, in UTC as answers have it (FW-152).
func At(moment time.Time) *Timestamp {
	return &Timestamp{Time: moment.UTC().Truncate(time.Microsecond)}
}

// ParseTimestamp reads a text such as "2026-11-29T21:01:50.5Z" in the forms
// that fastWorkflow accepts: a date alone is midnight, between date and time
// stands T, a blank or _, seconds and offset may be left out, an offset may
// lack its colon, digits past the microsecond are dropped. A number is seconds
// since 1970 in UTC, or milliseconds if it is beyond 20,000,000,000.
func ParseTimestamp(text string) (Timestamp, error) {
	t, ok := parseTime(text)
	if !ok {
		return Timestamp{}, errors.New("got " + quote.Text(text, longestReadGot) + ", but " + timeAccepted + " is accepted")
	}
	return t, nil
}

const timeAccepted = "a date and time such as 2026-11-29T21:01:50Z"

// String writes the time in the form of the wire: six digits after the second,
// or none if there are no microseconds; Z for UTC; the offset that was given;
// nothing if none was (FW-152).
func (t Timestamp) String() string {
	moment := t.Time
	if _, offset := moment.Zone(); offset%60 != 0 || offset <= -24*60*60 || offset >= 24*60*60 {
		moment = moment.UTC() // the wire has no form for such an offset
	}
	layout := "2006-01-02T15:04:05"
	if moment.Nanosecond() >= 1000 {
		layout += ".000000"
	}
	if !t.NoOffset {
		layout += "Z07:00"
	}
	return moment.Format(layout)
}

// Equal reports whether both are written the same.
func (t Timestamp) Equal(u Timestamp) bool { return t.String() == u.String() }

// MarshalJSON writes the text of String. The wire knows the years 1 to 9999.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	text := t.String()
	// A year of other than four digits moves the first hyphen.
	if strings.IndexByte(text, '-') != 4 || strings.HasPrefix(text, "0000") {
		return nil, errors.New("the time " + text + " is not within the years 1 to 9999")
	}
	return jsontree.AppendString(nil, text), nil
}

// UnmarshalJSON reads a text as ParseTimestamp does, or a number. The error is
// a *ReadError.
func (t *Timestamp) UnmarshalJSON(data []byte) error {
	var problem validate.Problem
	if doc, fault := jsontree.Parse(string(data), wireLimits, nil); fault != nil {
		problem = faultProblem(fault, len(data))
	} else if read, ok := laxTime(&doc.Root); ok {
		*t = read
		return nil
	} else {
		problem = validate.Problem{Kind: validate.WrongFormat, Got: arrived(&doc.Root), Accepted: timeAccepted}
	}
	return &ReadError{What: "the time", Problems: []validate.Problem{problem}}
}

func laxTime(v *jsontree.Value) (Timestamp, bool) {
	switch v.Kind {
	case jsontree.String:
		return parseTime(v.Text)
	case jsontree.Number:
		return sinceEpoch(v.Text)
	}
	return Timestamp{}, false
}

func parseTime(text string) (Timestamp, bool) {
	if isPlainNumber(text) {
		return sinceEpoch(text)
	}
	c := clock{rest: text, ok: true}
	year := c.digits(4)
	c.byte("-")
	month := c.digits(2)
	c.byte("-")
	day := c.digits(2)
	t := Timestamp{NoOffset: true}
	location := time.UTC
	var hour, minute, second, nanosecond int
	if c.rest != "" {
		c.byte("Tt _")
		hour = c.digits(2)
		c.byte(":")
		minute = c.digits(2)
		if strings.HasPrefix(c.rest, ":") {
			c.byte(":")
			second = c.digits(2)
			nanosecond = c.fraction()
		}
		if c.rest != "" {
			t.NoOffset = false
			location = c.offset()
		}
	}
	if !c.ok || c.rest != "" || year < 1 || hour > 23 || minute > 59 || second > 59 {
		return Timestamp{}, false
	}
	t.Time = time.Date(year, time.Month(month), day, hour, minute, second, nanosecond, location)
	// A date that does not exist is one that time.Date had to move.
	return t, t.Time.Month() == time.Month(month) && t.Time.Day() == day
}

// clock reads the parts of a time from left to right.
type clock struct {
	rest string
	ok   bool
}

// byte takes one of the given characters.
func (c *clock) byte(accepted string) byte {
	if c.rest == "" || strings.IndexByte(accepted, c.rest[0]) < 0 {
		c.ok = false
		return 0
	}
	b := c.rest[0]
	c.rest = c.rest[1:]
	return b
}

// digits takes exactly n digits.
func (c *clock) digits(n int) int {
	value := 0
	for range n {
		value = value*10 + int(c.byte("0123456789")-'0')
	}
	return value
}

// fraction takes a point and digits, if there is one, as nanoseconds to the
// microsecond.
func (c *clock) fraction() int {
	if c.rest == "" || c.rest[0] != '.' && c.rest[0] != ',' {
		return 0
	}
	c.rest = c.rest[1:]
	n := 0
	for n < len(c.rest) && '0' <= c.rest[n] && c.rest[n] <= '9' {
		n++
	}
	c.ok = c.ok && n > 0
	micros := 0
	for i := range 6 {
		micros *= 10
		if i < n {
			micros += int(c.rest[i] - '0')
		}
	}
	c.rest = c.rest[n:]
	return micros * 1000
}

// offset takes Z, +05:30, -0800 or the like. The minus sign may be U+2212.
func (c *clock) offset() *time.Location {
	if c.rest == "Z" || c.rest == "z" {
		c.rest = ""
		return time.UTC
	}
	if rest, minus := strings.CutPrefix(c.rest, "\u2212"); minus {
		c.rest = "-" + rest
	}
	sign := c.byte("+-")
	hours := c.digits(2)
	if strings.HasPrefix(c.rest, ":") {
		c.rest = c.rest[1:]
	}
	minutes := c.digits(2)
	if hours > 23 || minutes > 59 {
		c.ok = false
	}
	seconds := (hours*60 + minutes) * 60
	switch {
	case seconds == 0:
		return time.UTC
	case sign == '-':
		seconds = -seconds
	}
	return time.FixedZone("", seconds)
}

// isPlainNumber recognises digits with an optional sign and point.
func isPlainNumber(text string) bool {
	if text != "" && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	return whole+fraction != "" && strings.Trim(whole, "0123456789") == "" && strings.Trim(fraction, "0123456789") == ""
}

// sinceEpoch reads a number of seconds since 1970, or of milliseconds if it is
// beyond 2e10, and rounds it to the microsecond. It is exact where Python goes
// through a float.
func sinceEpoch(literal string) (Timestamp, bool) {
	d := decimalOf(literal)
	if d.digits == "" {
		return Timestamp{Time: time.UnixMicro(0).UTC()}, true
	}
	const secondsUpTo = "2" // 2e10, as the digits before a point at 11
	shift := 6
	if d.point > 11 || d.point == 11 && d.digits > secondsUpTo {
		shift = 3
	}
	micros, ok := d.shifted(shift)
	if !ok {
		return Timestamp{}, false
	}
	t := time.UnixMicro(micros).UTC()
	return Timestamp{Time: t}, 1 <= t.Year() && t.Year() <= 9999
}

// shifted returns d * 10^n as the nearest whole number, halves away from zero,
// if that has at most 18 digits.
func (d decimal) shifted(n int) (int64, bool) {
	length := d.point + n
	if length > 18 {
		return 0, false
	}
	var value int64
	for i := range max(length, 0) {
		value *= 10
		if i < len(d.digits) {
			value += int64(d.digits[i] - '0')
		}
	}
	if 0 <= length && length < len(d.digits) && d.digits[length] >= '5' {
		value++
	}
	if d.negative {
		value = -value
	}
	return value, true
}
