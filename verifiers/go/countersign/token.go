package countersign

import (
	"bytes"
	"crypto"
	_ "crypto/sha1"   // of ESSCertID
	_ "crypto/sha512" // SHA-384 too
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

// hash answers the function that an AlgorithmIdentifier names.
func (r *derReader) hash(v derValue) crypto.Hash {
	id, parameters := r.algorithm(v)
	hash := hashes[id]
	r.need(isNullOrAbsent(parameters) && hash != 0)
	return hash
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
		id := r.objectID(parts.next(derObjectID))
		found = append(found, attribute{id, r.all(parts.next(derSet), derSet)})
		parts.end()
	}
	return found
}

// A reference is an ESSCertID or ESSCertIDv2 (RFC 5035).
type reference struct {
	hash   crypto.Hash
	digest []byte
	issuer []byte // nil without an issuerSerial
	serial *big.Int
}

func (f reference) isTo(one *x509.Certificate) bool {
	return bytes.Equal(f.digest, digestOf(f.hash, one.Raw)) &&
		(f.issuer == nil || bytes.Equal(f.issuer, one.RawIssuer) && f.serial.Cmp(one.SerialNumber) == 0)
}

// A token is what R1 reads.
type token struct {
	info         []byte // TSTInfo
	certificates []*x509.Certificate

	// The SignerInfo. It names the signer by issuer and serial number, or by key.
	issuer          []byte
	issuerSerial    *big.Int
	keyID           []byte
	digestAlgorithm derValue
	signedText      []byte
	messageDigest   []byte
	references      [][]reference // one list for each of both attributes
	algorithm       derValue
	signature       []byte
	bundle          *string

	// The TSTInfo.
	imprintHash   crypto.Hash
	imprint       []byte
	serial        *big.Int
	time          int64
	hasFraction   bool
	accuracy      int64  // seconds; -1 if there is none, or with smaller units
	authorityName []byte // nil without one

	isUnsupported bool // it needs what is not implemented here
}

// certificatesLimit bounds the search for a path.
const certificatesLimit = 16

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
	if texts, has := status.optional(derSequence); has {
		for _, text := range r.all(texts, derSequence) {
			r.need(text.tag == derUTF8)
		}
	}
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
	version := r.small(data.next(derInteger))
	r.need(version == 1 || version == 3)
	algorithms := map[string]bool{}
	for _, one := range r.all(data.next(derSet), derSet) {
		id, _ := r.algorithm(one)
		algorithms[id] = true
	}
	content := r.members(data.next(derSequence))
	r.need(r.objectID(content.next(derObjectID)) == tstInfoID)
	t.info = r.octets(r.only(content.next(derContext), derContext))
	content.end()
	if certificates, has := data.optional(derContext); has {
		raw := r.all(certificates, derContext)
		r.need(len(raw) <= certificatesLimit)
		for _, one := range raw {
			certificate, err := r.certificate(one.raw)
			t.isUnsupported = t.isUnsupported || err != nil
			if certificate != nil {
				t.certificates = append(t.certificates, certificate)
			}
		}
	}
	data.optional(derContext | 1)
	t.readSigner(r, r.members(r.only(data.next(derSet), derSet)))
	data.end()
	id, _ := r.algorithm(t.digestAlgorithm)
	r.need(algorithms[id])
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
	t.digestAlgorithm = parts.next(derSequence)
	signed := parts.next(derContext)
	t.signedText = signed.implicit(derSet).raw
	t.readSigned(r, signed)
	t.algorithm, t.signature = parts.next(derSequence), r.octets(parts.next(derOctets))
	r.algorithm(t.algorithm)
	if unsigned, has := parts.optional(derContext | 1); has {
		t.readProof(r, r.attributes(unsigned, derContext|1))
	}
	parts.end()
}

func (t *token) readSigned(r *derReader, set derValue) {
	r.need(isSorted(r.all(set, derContext)))
	values := map[string][]derValue{}
	for _, a := range r.attributes(set, derContext) {
		_, isDouble := values[a.id]
		r.need(!isDouble)
		values[a.id] = a.values
	}
	only := func(id string) derValue {
		if !r.need(len(values[id]) == 1) {
			return derValue{}
		}
		return values[id][0]
	}
	r.need(r.objectID(only(contentTypeID)) == tstInfoID)
	t.messageDigest = r.octets(only(messageDigestID))
	for _, id := range []string{signingCertificateID, signingCertificateV2ID} {
		if _, has := values[id]; !has {
			continue
		}
		parts := r.members(only(id))
		list := []reference{}
		for _, one := range r.all(parts.next(derSequence), derSequence) {
			list = append(list, r.reference(one, id == signingCertificateV2ID))
		}
		parts.optional(derSequence)
		parts.end()
		r.need(len(list) > 0)
		t.references = append(t.references, list)
	}
	r.need(len(t.references) > 0)
}

func (r *derReader) reference(v derValue, hasAlgorithm bool) reference {
	parts, f := r.members(v), reference{hash: crypto.SHA1}
	if hasAlgorithm {
		f.hash = crypto.SHA256
		if algorithm, has := parts.optional(derSequence); has {
			f.hash = r.hash(algorithm)
		}
	}
	f.digest = r.octets(parts.next(derOctets))
	if issuerSerial, has := parts.optional(derSequence); has {
		pair := r.members(issuerSerial)
		name := r.only(pair.next(derSequence), derSequence)
		r.need(name.tag == derContext|4)
		f.issuer, f.serial = name.content, r.integer(pair.next(derInteger))
		pair.end()
	}
	parts.end()
	return f
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
	if t.imprintHash != 0 {
		r.need(len(t.imprint) == t.imprintHash.Size())
	}
	t.serial = r.integer(parts.next(derInteger))
	t.time, t.hasFraction = r.time(parts.next(derGeneralizedTime))
	r.need(t.time >= 0)
	t.accuracy = -1
	if accuracy, has := parts.optional(derSequence); has {
		t.readAccuracy(r, r.members(accuracy))
	}
	parts.optional(derBoolean)
	parts.optional(derInteger)
	if authority, has := parts.optional(derContext); has {
		t.authorityName = r.only(authority, derContext).raw
	}
	if extensions, has := parts.optional(derContext | 1); has {
		r.need(!r.extensions(extensions, derContext|1))
	}
	parts.end()
}

func (t *token) readAccuracy(r *derReader, parts *derMembers) {
	t.accuracy = 0
	if seconds, has := parts.optional(derInteger); has {
		t.accuracy = r.small(seconds)
		r.need(t.accuracy >= 0)
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
