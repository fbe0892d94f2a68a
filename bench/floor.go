package bench

import (
	"errors"
	"regexp"
	"strconv"
)

// payload is the call that every row of the argument benchmarks parses and
// checks: six parameters, 141 bytes.
const payload = `{"order_id":"ORD-123456","note":"leave at the back door","qty":3,"price":19.99,"status":"pending","tags":["gift","fragile","express"]}`

// order is its Input.
type order struct {
	OrderID string   `json:"order_id" jsonschema:"pattern=^ORD-[0-9]{6}$" validate:"required"`
	Note    string   `json:"note" jsonschema:"maxLength=200" validate:"max=200"`
	Qty     int      `json:"qty" jsonschema:"minimum=1,maximum=100" validate:"min=1,max=100"`
	Price   float64  `json:"price" jsonschema:"minimum=0" validate:"gte=0"`
	Status  string   `json:"status" jsonschema:"enum=pending,enum=shipped,enum=cancelled" validate:"oneof=pending shipped cancelled"`
	Tags    []string `json:"tags" validate:"required"`
}

var (
	orderIDPattern = regexp.MustCompile(`^ORD-[0-9]{6}$`)
	statusWords    = map[string]string{"pending": "pending", "shipped": "shipped", "cancelled": "cancelled"}
	errFloor       = errors.New("refused")
)

// floor is the hand-written parser that everything is measured against: one
// pass over these six names, the same six checks, unknown and missing names
// found, nothing else. It accepts only what the payload needs of JSON, which
// no general parser could afford.
func floor(text []byte, in *order) error {
	p := floorParser{text: text}
	if !p.eat('{') {
		return errFloor
	}
	seen := 0
	for {
		name, ok := p.str()
		if !ok || !p.eat(':') {
			return errFloor
		}
		switch string(name) {
		case "order_id":
			v, ok := p.str()
			if !ok || !orderIDMatches(v) {
				return errFloor
			}
			in.OrderID = string(v)
			seen |= 1
		case "note":
			v, ok := p.str()
			if !ok || runes(v) > 200 {
				return errFloor
			}
			in.Note = string(v)
			seen |= 2
		case "qty":
			n, err := strconv.Atoi(string(p.num()))
			if err != nil || n < 1 || n > 100 {
				return errFloor
			}
			in.Qty = n
			seen |= 4
		case "price":
			f, err := strconv.ParseFloat(string(p.num()), 64)
			if err != nil || f < 0 {
				return errFloor
			}
			in.Price = f
			seen |= 8
		case "status":
			v, ok := p.str()
			word, known := statusWords[string(v)]
			if !ok || !known {
				return errFloor
			}
			in.Status = word
			seen |= 16
		case "tags":
			if !p.eat('[') {
				return errFloor
			}
			tags := make([]string, 0, 4)
			for {
				v, ok := p.str()
				if !ok {
					return errFloor
				}
				tags = append(tags, string(v))
				if p.eat(']') {
					break
				}
				if !p.eat(',') {
					return errFloor
				}
			}
			in.Tags = tags
			seen |= 32
		default:
			return errFloor
		}
		if p.eat('}') {
			break
		}
		if !p.eat(',') {
			return errFloor
		}
	}
	if seen != 63 {
		return errFloor
	}
	return nil
}

func orderIDMatches(v []byte) bool {
	if len(v) != 10 || string(v[:4]) != "ORD-" {
		return false
	}
	for _, c := range v[4:] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

func runes(v []byte) int {
	n := 0
	for _, c := range v {
		if c&0xc0 != 0x80 {
			n++
		}
	}
	return n
}

type floorParser struct {
	text []byte
	pos  int
}

func (p *floorParser) eat(c byte) bool {
	for p.pos < len(p.text) && (p.text[p.pos] == ' ' || p.text[p.pos] == '\n') {
		p.pos++
	}
	if p.pos < len(p.text) && p.text[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *floorParser) str() ([]byte, bool) {
	if !p.eat('"') {
		return nil, false
	}
	start := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			v := p.text[start:p.pos]
			p.pos++
			return v, true
		case c == '\\' || c < ' ':
			return nil, false
		}
		p.pos++
	}
	return nil, false
}

func (p *floorParser) num() []byte {
	start := p.pos
	for p.pos < len(p.text) {
		if c := p.text[p.pos]; c != '-' && c != '.' && c != 'e' && (c < '0' || c > '9') {
			break
		}
		p.pos++
	}
	return p.text[start:p.pos]
}
