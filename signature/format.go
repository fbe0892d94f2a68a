package signature

import (
	"net/url"
	"strings"
	"time"

	"github.com/go-playground/validator/v10"
)

// A Format is a string format that stage 1 enforces.
type Format struct {
	// Name is the JSON Schema word, such as "date-time".
	Name string
	// Words say what is accepted, such as "a date like 2026-01-31".
	Words string

	check func(string) bool
}

// Match reports whether the text has the format.
func (f *Format) Match(text string) bool {
	// No text of a checked format is longer; a URI alone may come near.
	return len(text) <= longestFormatted && f.check(text)
}

const longestFormatted = 1 << 16

// formatRules is the one validator instance for formats; it is safe for
// concurrent use and knows no structs.
var formatRules = validator.New()

func byRule(rule string) func(string) bool {
	return func(text string) bool { return formatRules.Var(text, rule) == nil }
}

func byLayouts(layouts ...string) func(string) bool {
	return func(text string) bool {
		for _, layout := range layouts {
			if _, err := time.Parse(layout, text); err == nil {
				return true
			}
		}
		return false
	}
}

// dateTime is RFC 3339, in which the offset is not optional: a time without
// one is a different moment for every reader.
func dateTime(text string) bool {
	if len(text) < len("2026-01-31T10:20:30Z") || text[4] != '-' {
		return false
	}
	_, err := time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(text), " ", "T", 1))
	return err == nil && strings.IndexByte(text, ',') < 0 && (text[10] == 'T' || text[10] == 't')
}

var formats = map[string]*Format{}

func addFormat(name, words string, check func(string) bool) {
	formats[name] = &Format{Name: name, Words: words, check: check}
}

// Formats that are not listed are notes for readers, as JSON Schema has it.
func init() {
	addFormat("date", "a date such as 2026-01-31 (year-month-day)", byLayouts("2006-01-02"))
	addFormat("date-time", "a date and time with its offset, such as 2026-01-31T10:20:30+02:00 or 2026-01-31T08:20:30Z", dateTime)
	addFormat("time", "a time such as 10:20:30", byLayouts("15:04:05", "15:04:05Z07:00", "15:04"))
	addFormat("duration", "an ISO 8601 duration such as PT5M or P1DT2H", isDuration)
	addFormat("email", "an e-mail address", byRule("email"))
	addFormat("uri", "a URI such as https://example.com/path", isURI)
	addFormat("url", "a URL such as https://example.com/path", byRule("url"))
	addFormat("uuid", "a UUID such as 123e4567-e89b-12d3-a456-426614174000", byRule("uuid_rfc4122"))
	addFormat("ipv4", "an IPv4 address", byRule("ipv4"))
	addFormat("ipv6", "an IPv6 address", byRule("ipv6"))
	addFormat("hostname", "a host name", byRule("hostname_rfc1123"))
}

// isURI reads a URI with its scheme; without one it is a reference to
// something relative to nobody knows what (RFC 3986).
func isURI(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.IsAbs() && formatRules.Var(text, "uri") == nil
}

// isDuration reads ISO 8601 durations: P, then years to days, then T and
// hours to seconds, each at most once, in order, at least one.
func isDuration(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-"), "P")
	if !ok || rest == "" {
		return false
	}
	date, clock, hasClock := strings.Cut(rest, "T")
	return (date != "" || hasClock) && durationParts(date, "YMWD") && (!hasClock || clock != "" && durationParts(clock, "HMS"))
}

func durationParts(text, units string) bool {
	for text != "" {
		digits := strings.TrimLeft(text, "0123456789.")
		if digits == text || digits == "" || strings.Count(text[:len(text)-len(digits)], ".") > 1 {
			return false
		}
		at := strings.IndexByte(units, digits[0])
		if at < 0 {
			return false
		}
		units, text = units[at+1:], digits[1:]
	}
	return true
}
