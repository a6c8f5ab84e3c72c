package countersign

import (
	"crypto"
	_ "crypto/sha512" // crypto.SHA384 and crypto.SHA512
	"crypto/x509"
	"encoding/asn1"
	"math/big"
)

const (
	signedDataID           = "1.2.840.113549.1.7.2"
	tstInfoID              = "1.2.840.113549.1.9.16.1.4"
	contentTypeID          = "1.2.840.113549.1.9.3"
	messageDigestID        = "1.2.840.113549.1.9.4"
	signingCertificateID   = "1.2.840.113549.1.9.16.2.12"
	signingCertificateV2ID = "1.2.840.113549.1.9.16.2.47"
	attachedProofID        = "1.2.840.113556.1.8000.2554.12017.45038.55770.16972.33603.11366662.7117759.1"
)

var hashes = map[string]crypto.Hash{
	"2.16.840.1.101.3.4.2.1": crypto.SHA256,
	"2.16.840.1.101.3.4.2.2": crypto.SHA384,
	"2.16.840.1.101.3.4.2.3": crypto.SHA512,
}

func digestOf(h crypto.Hash, data []byte) []byte {
	hash := h.New()
	hash.Write(data)
	return hash.Sum(nil)
}

// hash answers the function that an AlgorithmIdentifier names, 0 for another one.
func (r *derReader) hash(v derValue) crypto.Hash {
	id, parameters := r.algorithm(v)
	r.need(isNullOrAbsent(parameters))
	return hashes[id]
}

func isNullOrAbsent(parameters []byte) bool {
	return parameters == nil || string(parameters) == "\x05\x00"
}

// An attribute of a SignerInfo.
type attribute struct {
	id     string
	values []derValue
}

func (r *derReader) attributes(v derValue, tag byte) (found []attribute) {
	for _, one := range r.all(v, tag) {
		parts := r.members(one)
		a := attribute{r.objectID(parts.next(derObjectID)), r.all(parts.next(derSet), derSet)}
		parts.end()
		r.need(len(a.values) > 0)
		found = append(found, a)
	}
	r.need(len(found) > 0)
	return found
}

// A token is what R1 reads.
type token struct {
	info         []byte // TSTInfo
	certificates []*x509.Certificate

	// The SignerInfo. It names the signer by issuer and serial number, or by key.
	issuer       []byte
	issuerSerial *big.Int
	keyID        []byte
	hash         crypto.Hash // 0 for another one
	signedText   []byte
	signed       []attribute
	algorithm    derValue
	signature    []byte
	bundle       *string

	isUnsupported bool // a signature that is not implemented here

	// The TSTInfo.
	imprintHash crypto.Hash
	imprint     []byte
	serial      *big.Int
	time        int64
	hasFraction bool
	accuracy    int64 // seconds; -1 if there is none, or with smaller units
}

// readToken is R1.
func readToken(data []byte) (*token, error) {
	r, t := &derReader{}, &token{}
	t.read(r, r.contentInfo(r.read(data)))
	if r.isBad {
		return nil, Malformed("timestamp_refused")
	}
	return t, nil
}

// contentInfo answers the token of a TimeStampResp, or v itself.
func (r *derReader) contentInfo(v derValue) derValue {
	parts := r.members(v)
	answered, isReply := parts.optional(derSequence)
	if !isReply {
		return v
	}
	status := r.members(answered)
	code := r.small(status.next(derInteger))
	r.need(code == 0 || code == 1)
	status.optional(derSequence)
	status.optional(derBits)
	status.end()
	inner := parts.next(derSequence)
	parts.end()
	return inner
}

func (t *token) read(r *derReader, v derValue) {
	parts := r.members(v)
	r.need(r.objectID(parts.next(derObjectID)) == signedDataID)
	data := r.members(r.only(parts.next(derContext), derContext))
	parts.end()
	r.need(r.small(data.next(derInteger)) == 3)
	for _, one := range r.all(data.next(derSet), derSet) {
		r.algorithm(one)
	}
	content := r.members(data.next(derSequence))
	r.need(r.objectID(content.next(derObjectID)) == tstInfoID)
	t.info = r.octets(r.only(content.next(derContext), derContext))
	content.end()
	if certificates, has := data.optional(derContext); has {
		for _, one := range r.all(certificates, derContext) {
			certificate, err := x509.ParseCertificate(one.raw)
			if r.need(err == nil) {
				t.certificates = append(t.certificates, certificate)
			}
		}
	}
	data.optional(derContext | 1)
	t.readSigner(r, r.members(r.only(data.next(derSet), derSet)))
	data.end()
	t.readInfo(r, r.members(r.read(t.info)))
}

func (t *token) readSigner(r *derReader, parts *derMembers) {
	version := r.small(parts.next(derInteger))
	if id, isKey := parts.optional(derContextSimple); isKey {
		r.need(version == 3)
		t.keyID = id.content
	} else {
		r.need(version == 1)
		signer := r.members(parts.next(derSequence))
		t.issuer, t.issuerSerial = signer.next(derSequence).raw, r.integer(signer.next(derInteger))
		signer.end()
	}
	t.hash = r.hash(parts.next(derSequence))
	attributes := parts.next(derContext)
	t.signedText = attributes.implicit(derSet).raw
	r.need(isSorted(r.all(attributes, derContext)))
	t.signed = r.attributes(attributes, derContext)
	t.algorithm, t.signature = parts.next(derSequence), r.octets(parts.next(derOctets))
	if unsigned, has := parts.optional(derContext | 1); has {
		t.readProof(r, r.attributes(unsigned, derContext|1))
	}
	parts.end()
}

// readProof reads the AttachedProof, if there is one.
func (t *token) readProof(r *derReader, attributes []attribute) {
	for _, a := range attributes {
		if a.id != attachedProofID {
			continue
		}
		if !r.need(t.bundle == nil && len(a.values) == 1) {
			return
		}
		parts := r.members(a.values[0])
		r.need(r.small(parts.next(derInteger)) == 1)
		text := string(r.octets(parts.next(derOctets)))
		t.bundle = &text
		parts.end()
	}
}

func (t *token) readInfo(r *derReader, parts *derMembers) {
	r.need(r.small(parts.next(derInteger)) == 1)
	r.objectID(parts.next(derObjectID))
	imprint := r.members(parts.next(derSequence))
	t.imprintHash, t.imprint = r.hash(imprint.next(derSequence)), r.octets(imprint.next(derOctets))
	imprint.end()
	r.need(t.imprintHash != 0 && len(t.imprint) == t.imprintHash.Size())
	t.serial = r.integer(parts.next(derInteger))
	t.time, t.hasFraction = r.time(parts.next(derGeneralizedTime))
	t.accuracy = -1
	if accuracy, has := parts.optional(derSequence); has {
		t.readAccuracy(r, r.members(accuracy))
	}
	if ordering, has := parts.optional(derBoolean); has { // FALSE is the default, which DER leaves out
		r.need(string(ordering.content) == "\xff")
	}
	if nonce, has := parts.optional(derInteger); has {
		r.integer(nonce)
	}
	if authority, has := parts.optional(derContext); has {
		r.only(authority, derContext)
	}
	parts.optional(derContext | 1)
	parts.end()
}

func (t *token) readAccuracy(r *derReader, parts *derMembers) {
	t.accuracy = 0
	if seconds, has := parts.optional(derInteger); has {
		t.accuracy = r.small(seconds)
		r.need(r.integer(seconds).Sign() >= 0)
	}
	for _, tag := range []byte{derContextSimple, derContextSimple | 1} {
		if smaller, has := parts.optional(tag); has {
			n := r.small(smaller.implicit(derInteger))
			r.need(n >= 1 && n <= 999)
			t.accuracy = -1
		}
	}
	parts.end()
}

// attestedHash is what an attestation of the imprint is about, as hex digits.
func (t *token) attestedHash() string {
	if t.imprintHash == crypto.SHA256 {
		return hexOf(t.imprint)
	}
	type algorithm struct {
		ID   asn1.ObjectIdentifier
		Null asn1.RawValue
	}
	id := asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}
	if t.imprintHash == crypto.SHA512 {
		id[8] = 3
	}
	info, _ := asn1.Marshal(struct { // DigestInfo of RFC 8017, section 9.2
		Algorithm algorithm
		Digest    []byte
	}{algorithm{id, asn1.NullRawValue}, t.imprint})
	return hexOf(sha(info))
}
