package extract

// An ErrorKind says why an extraction failed.
type ErrorKind string

// The reasons for which an extraction fails. There was an answer of the model
// itself only for Refused, Truncated, Malformed and Empty.
const (
	// Timeout: no answer within the extractor's timeout, or within the time
	// that the caller's context allowed.
	Timeout ErrorKind = "timeout"
	// Cancelled: the caller's context was cancelled.
	Cancelled ErrorKind = "cancelled"
	// Unreachable: no connection to the endpoint, or it broke.
	Unreachable ErrorKind = "unreachable"
	// Unauthorized: the endpoint does not accept the key, or the key may not
	// use the model (status 401 or 403).
	Unauthorized ErrorKind = "unauthorized"
	// RateLimited: the endpoint still answered status 429 after the retries,
	// or asked for a longer wait than there is time for.
	RateLimited ErrorKind = "rate_limited"
	// Unavailable: the endpoint still failed after the retries (status 5xx,
	// 408 or 409).
	Unavailable ErrorKind = "unavailable"
	// Rejected: the endpoint does not take the request, such as for an unknown
	// model or a schema it cannot use (any other status).
	Rejected ErrorKind = "rejected"
	// Refused: the model, or a filter in front of it, declined to answer.
	Refused ErrorKind = "refused"
	// Truncated: the answer stops at a limit of tokens. Half an answer is none.
	Truncated ErrorKind = "truncated"
	// Malformed: the answer is not one JSON object.
	Malformed ErrorKind = "malformed"
	// Empty: the answer holds nothing at all.
	Empty ErrorKind = "empty"
	// TooLarge: the answer is longer than is read.
	TooLarge ErrorKind = "too_large"
)

var words = map[ErrorKind]string{
	Timeout:      "the model did not answer in time",
	Cancelled:    "the extraction was cancelled",
	Unreachable:  "the model's endpoint cannot be reached",
	Unauthorized: "the model's endpoint does not accept the key",
	RateLimited:  "the model's endpoint limits the rate of requests",
	Unavailable:  "the model's endpoint fails",
	Rejected:     "the model's endpoint does not take the request",
	Refused:      "the model refused to answer",
	Truncated:    "the model's answer is cut off",
	Malformed:    "the model's answer is not one JSON object",
	Empty:        "the model's answer is empty",
	TooLarge:     "the model's answer is too large",
}

// Kinds returns all kinds, in the order above.
func Kinds() []ErrorKind {
	return []ErrorKind{Timeout, Cancelled, Unreachable, Unauthorized, RateLimited, Unavailable, Rejected, Refused, Truncated, Malformed, Empty, TooLarge}
}

// An Error is why an extraction failed. Its text is for logs: it is short, on
// one line, and holds no key and no URL. Parts of the endpoint's own message
// or of a malformed answer are quoted in it, cut to a few words.
type Error struct {
	Kind ErrorKind
	// Detail says what was seen, such as "status 429 after 3 requests".
	Detail string
	// Err is the cause where there is one for errors.Is and errors.As, such as
	// context.DeadlineExceeded. It is never an error of a vendor's SDK.
	Err error
}

// Reason says in words why the extraction failed, without anything of the
// endpoint's: what a caller may be told, where Error is for logs.
func (e *Error) Reason() string {
	if text := words[e.Kind]; text != "" {
		return text
	}
	return "the extraction failed"
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return e.Reason()
	}
	return e.Reason() + ": " + e.Detail
}

func (e *Error) Unwrap() error { return e.Err }
