package countersign

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A Malformed error says that a text cannot be read. Its value is the code.
type Malformed string

func (m Malformed) Error() string { return "malformed: " + string(m) }

// Values of JSON are string, bool, null, []any, map[string]any, int64 (J4) and other (any other
// number). encoding/json is not used: it accepts members that stand twice and replaces surrogates.
type (
	null  struct{}
	other struct{}
)

var (
	numberSyntax = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`)
	integer      = regexp.MustCompile(`^(0|[1-9][0-9]{0,15})$`)
)

const (
	integerLimit = 1 << 53
	maxDepth     = 32 // J6
)

// A syntaxError ends the parser.
type syntaxError struct{}

type parser struct{ rest string }

// parse reads one JSON value and nothing else (J1, J2, J6).
func parse(text string) (value any, ok bool) {
	if !utf8.ValidString(text) {
		return nil, false
	}
	defer func() {
		if failure := recover(); failure != nil {
			if _, isSyntax := failure.(syntaxError); !isSyntax {
				panic(failure)
			}
			value, ok = nil, false
		}
	}()
	p := &parser{text}
	value = p.value(0)
	p.space()
	return value, p.rest == ""
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

// take consumes token after white space, if it is next.
func (p *parser) take(token string) bool {
	p.space()
	if !strings.HasPrefix(p.rest, token) {
		return false
	}
	p.rest = p.rest[len(token):]
	return true
}

func (p *parser) need(isNext bool) {
	if !isNext {
		panic(syntaxError{})
	}
}

func (p *parser) value(depth int) any {
	p.need(depth <= maxDepth)
	switch {
	case p.take("{"):
		members := map[string]any{}
		for more := !p.take("}"); more; more = p.next("}") {
			p.need(p.take(`"`))
			name := p.text()
			_, isDouble := members[name]
			p.need(!isDouble && p.take(":"))
			members[name] = p.value(depth + 1)
		}
		return members
	case p.take("["):
		items := []any{}
		for more := !p.take("]"); more; more = p.next("]") {
			items = append(items, p.value(depth+1))
		}
		return items
	case p.take(`"`):
		return p.text()
	case p.take("true"):
		return true
	case p.take("false"):
		return false
	case p.take("null"):
		return null{}
	}
	digits := numberSyntax.FindString(p.rest)
	p.need(digits != "")
	p.rest = p.rest[len(digits):]
	if n, ok := integerOf(digits); ok {
		return n
	}
	return other{}
}

// next is true after a comma, and false after the end of an object or list.
func (p *parser) next(end string) bool {
	if p.take(",") {
		return true
	}
	p.need(p.take(end))
	return false
}

func integerOf(digits string) (int64, bool) {
	if !integer.MatchString(digits) {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n < integerLimit
}

var escapes = map[byte]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// text reads a string after its first quote. A lone surrogate becomes the three bytes that UTF-8
// would have for it, so that different strings stay different.
func (p *parser) text() string {
	var b strings.Builder
	for {
		p.need(p.rest != "" && p.rest[0] >= 0x20)
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == '"':
			return b.String()
		case c != '\\':
			b.WriteByte(c)
		case strings.HasPrefix(p.rest, "u"):
			unit := p.unit()
			if utf16.IsSurrogate(unit) && unit < 0xdc00 && strings.HasPrefix(p.rest, `\u`) {
				ahead := parser{p.rest[1:]}
				if pair := utf16.DecodeRune(unit, ahead.unit()); pair != utf8.RuneError {
					unit, p.rest = pair, ahead.rest
				}
			}
			if utf16.IsSurrogate(unit) {
				b.Write([]byte{0xed, 0x80 | byte(unit>>6)&0x3f, 0x80 | byte(unit)&0x3f})
			} else {
				b.WriteRune(unit)
			}
		default:
			p.need(p.rest != "")
			escaped, known := escapes[p.rest[0]]
			p.need(known)
			p.rest = p.rest[1:]
			b.WriteByte(escaped)
		}
	}
}

// unit reads "uXXXX".
func (p *parser) unit() rune {
	p.need(len(p.rest) >= 5)
	unit, err := strconv.ParseUint(p.rest[1:5], 16, 16)
	p.need(err == nil)
	p.rest = p.rest[5:]
	return rune(unit)
}
