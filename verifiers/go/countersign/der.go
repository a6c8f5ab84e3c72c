package countersign

import (
	"bytes"
	"encoding/asn1"
	"math/big"
	"regexp"
	"time"
)

// Identifier octets.
const (
	derBoolean         = 0x01
	derInteger         = 0x02
	derBits            = 0x03
	derOctets          = 0x04
	derNull            = 0x05
	derObjectID        = 0x06
	derEnumerated      = 0x0a
	derUTF8            = 0x0c
	derUTCTime         = 0x17
	derGeneralizedTime = 0x18
	derSequence        = 0x30
	derSet             = 0x31
	derContext         = 0xa0 // of a constructed value, with the number
	derContextSimple   = 0x80
)

// A derValue is one value: its identifier octet, its contents, and all of its bytes.
type derValue struct {
	tag          byte
	content, raw []byte
}

// A derReader reads DER. Like reader, it notes whether a rule was broken, and goes on with zero values.
type derReader struct{ isBad bool }

func (r *derReader) need(isRight bool) bool {
	r.isBad = r.isBad || !isRight
	return isRight
}

// first answers the value at the beginning of data, and the bytes behind it. encoding/asn1 refuses lengths that
// are indefinite or longer than they have to be.
func (r *derReader) first(data []byte) (derValue, []byte) {
	var v asn1.RawValue
	rest, err := asn1.Unmarshal(data, &v)
	if !r.need(err == nil && data[0]&0x1f != 0x1f) {
		return derValue{}, nil
	}
	return derValue{v.FullBytes[0], v.Bytes, v.FullBytes}, rest
}

const (
	derDepthLimit = 24
	derValueLimit = 8000
)

// read answers the one value that data is, with all values inside in the one form that DER has.
func (r *derReader) read(data []byte) derValue {
	v, rest := r.first(data)
	r.need(len(rest) == 0)
	count, level := 0, []derValue{v}
	for depth := 0; depth <= derDepthLimit && !r.isBad; depth++ {
		inner := []derValue{}
		count += len(level)
		for _, one := range level {
			r.checkForm(one)
			if one.tag&0x20 != 0 {
				inner = append(inner, r.all(one, one.tag)...)
			}
		}
		level = inner
	}
	r.need(len(level) == 0 && count <= derValueLimit)
	return v
}

// checkForm refuses types that tokens do not have, and contents that are not the one form of their value.
func (r *derReader) checkForm(v derValue) {
	switch v.tag {
	case derSequence, derSet, derOctets, derUTF8, 0x12, 0x13, 0x14, 0x16, derUTCTime, derGeneralizedTime, 0x1a, 0x1c, 0x1e:
	case derBoolean:
		r.need(string(v.content) == "\x00" || string(v.content) == "\xff")
	case derInteger, derEnumerated:
		r.integer(v.implicit(derInteger))
	case derNull:
		r.need(len(v.content) == 0)
	case derObjectID:
		r.need(len(v.content) <= 64)
		for i, octet := range v.content { // arcs of any size
			r.need(octet != 0x80 || i > 0 && v.content[i-1] >= 0x80)
		}
		r.need(len(v.content) > 0 && v.content[len(v.content)-1] < 0x80)
	case derBits:
		var bits asn1.BitString
		_, err := asn1.Unmarshal(v.raw, &bits)
		r.need(err == nil)
	default:
		r.need(v.tag&0xc0 != 0)
	}
}

// all answers the values inside v.
func (r *derReader) all(v derValue, tag byte) []derValue {
	if !r.need(v.tag == tag) {
		return nil
	}
	values := []derValue{}
	for rest := v.content; len(rest) > 0; {
		var one derValue
		one, rest = r.first(rest)
		values = append(values, one)
	}
	return values
}

// only answers the one value inside v.
func (r *derReader) only(v derValue, tag byte) derValue {
	values := r.all(v, tag)
	if !r.need(len(values) == 1) {
		return derValue{}
	}
	return values[0]
}

// derMembers are the members of a sequence that were not read yet.
type derMembers struct {
	*derReader
	left []derValue
}

func (r *derReader) members(v derValue) *derMembers {
	return &derMembers{r, r.all(v, derSequence)}
}

// optional answers the next member if it has the tag.
func (m *derMembers) optional(tag byte) (derValue, bool) {
	if len(m.left) == 0 || m.left[0].tag != tag {
		return derValue{}, false
	}
	v := m.left[0]
	m.left = m.left[1:]
	return v, true
}

func (m *derMembers) next(tag byte) derValue {
	v, has := m.optional(tag)
	m.need(has)
	return v
}

func (m *derMembers) end() { m.need(len(m.left) == 0) }

func (r *derReader) integer(v derValue) *big.Int {
	n := new(big.Int)
	if r.need(v.tag == derInteger) {
		_, err := asn1.Unmarshal(v.raw, &n)
		r.need(err == nil)
	}
	return n
}

// implicit is v as if it had the tag that an implicit one replaces.
func (v derValue) implicit(tag byte) derValue {
	if len(v.raw) == 0 {
		return v
	}
	return derValue{tag, v.content, append([]byte{tag}, v.raw[1:]...)}
}

// small answers an integer of at most 32 bits.
func (r *derReader) small(v derValue) int64 {
	n := r.integer(v)
	if !r.need(len(v.content) <= 4) {
		return -1
	}
	return n.Int64()
}

// objectID answers the bytes of one with an arc above 31 bits, which none of ours has.
func (r *derReader) objectID(v derValue) string {
	var id asn1.ObjectIdentifier
	if !r.need(v.tag == derObjectID) {
		return ""
	}
	if _, err := asn1.Unmarshal(v.raw, &id); err != nil {
		return string(v.content)
	}
	return id.String()
}

func (r *derReader) octets(v derValue) []byte {
	r.need(v.tag == derOctets)
	return v.content
}

// algorithm answers the identifier of an AlgorithmIdentifier, and its parameters as DER, nil if absent.
func (r *derReader) algorithm(v derValue) (id string, parameters []byte) {
	parts := r.members(v)
	id = r.objectID(parts.next(derObjectID))
	if len(parts.left) > 0 {
		parameters, parts.left = parts.left[0].raw, parts.left[1:]
	}
	parts.end()
	return id, parameters
}

var generalizedTime = regexp.MustCompile(`^([0-9]{14})(\.[0-9]*[1-9])?Z$`)

// time answers Unix seconds, and whether there is a fraction of a second.
func (r *derReader) time(v derValue) (seconds int64, hasFraction bool) {
	match := generalizedTime.FindStringSubmatch(string(v.content))
	if !r.need(v.tag == derGeneralizedTime && match != nil && match[1][:4] != "0000") {
		return 0, false
	}
	t, err := time.Parse("20060102150405", match[1])
	r.need(err == nil)
	return t.Unix(), match[2] != ""
}

// isSorted is true for the order of a SET OF.
func isSorted(values []derValue) bool {
	for i := 1; i < len(values); i++ {
		if bytes.Compare(values[i-1].raw, values[i].raw) > 0 {
			return false
		}
	}
	return true
}
