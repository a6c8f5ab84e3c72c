package countersign

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"time"

	_ "crypto/sha1" // of ESSCertID
)

// pathLimit is the number of certificates from the signer to a root.
const pathLimit = 8

// accuracySeconds is the difference to the witnesses' clocks that a token states.
const accuracySeconds = 60

const (
	rsaKeyID          = "1.2.840.113549.1.1.1"
	rsaPSSID          = "1.2.840.113549.1.1.10"
	mgf1ID            = "1.2.840.113549.1.1.8"
	purposesID        = "2.5.29.37"
	nameConstraintsID = "2.5.29.30"
)

var ecdsaHashes = map[string]crypto.Hash{
	"1.2.840.10045.4.3.2": crypto.SHA256,
	"1.2.840.10045.4.3.3": crypto.SHA384,
	"1.2.840.10045.4.3.4": crypto.SHA512,
}

var rsaHashes = map[string]crypto.Hash{
	"1.2.840.113549.1.1.11": crypto.SHA256,
	"1.2.840.113549.1.1.12": crypto.SHA384,
	"1.2.840.113549.1.1.13": crypto.SHA512,
}

// A TimestampVerdict is the result of verifying a time-stamp token.
type TimestampVerdict struct {
	Outcome
	Field     string   `json:"field,omitempty"`
	Authority string   `json:"authority"` // "verified", "not_checked" (no root was given) or "refused"
	GenTime   int64    `json:"gen_time"`  // Unix seconds
	Proof     *Verdict `json:"proof,omitempty"`
}

// IsTimestamp is true for what begins like a token, which no JSON of an object does.
func IsTimestamp(data []byte) bool { return len(data) > 0 && data[0] == derSequence }

// VerifyTimestamp answers what the token in data proves, which may be a TimeStampResp (R1 to R8). peers are the
// configurations of peers, and roots are trusted for the authority; without any, its own certificate is enough.
// content is what was stamped, or nil for any. The errors are those of VerifyBundle.
func VerifyTimestamp(data []byte, network *Network, peers []*Network, roots []*x509.Certificate, content []byte) (*TimestampVerdict, error) {
	t, err := readToken(data)
	if err != nil {
		return nil, err
	}
	verdict := &TimestampVerdict{GenTime: t.time}
	if verdict.Authority, err = t.authority(roots); err != nil {
		return nil, err
	}
	if t.bundle != nil {
		if verdict.Proof, err = VerifyBundle(*t.bundle, network, peers, t.attestedHash()); err != nil {
			return nil, err
		}
	}
	switch {
	case content != nil && !bytes.Equal(t.imprint, digestOf(t.imprintHash, content)):
		verdict.Reason = "hash_mismatch"
	case verdict.Authority == "refused":
		verdict.Reason = "authority_refused"
	case verdict.Proof == nil:
		verdict.Reason = "attestation_missing"
	case verdict.Proof.Result != "valid":
		verdict.Reason = verdict.Proof.Reason
	default:
		if verdict.Field = t.differing(); verdict.Field != "" {
			verdict.Reason = "field_mismatch"
		}
	}
	verdict.Outcome = finding{verdict.Reason, uncounted}.outcome()
	return verdict, nil
}

// differing is R8: the first member that is not the attestation's.
func (t *token) differing() string {
	bundle, _ := read(*t.bundle, "malformed_bundle", false, readBundle)
	sequence := new(big.Int).Rsh(t.serial, 64)
	switch attestation := bundle.attestation; {
	case t.hasFraction || t.time != attestation.time:
		return "gen_time"
	case sequence.Cmp(big.NewInt(attestation.sequence)) != 0:
		return "serial_number"
	case t.accuracy != accuracySeconds:
		return "accuracy"
	}
	return ""
}

// authority is R3 and R4.
func (t *token) authority(roots []*x509.Certificate) (string, error) {
	signer := t.signer()
	switch {
	case signer == nil || !t.isSignedBy(signer) && !t.isUnsupported:
		return "refused", nil
	case t.isUnsupported:
		return "", Malformed("unsupported")
	case len(roots) == 0:
		return "not_checked", nil
	}
	trusted, others := x509.NewCertPool(), x509.NewCertPool()
	for _, root := range roots {
		trusted.AddCert(root)
	}
	for _, other := range t.certificates {
		others.AddCert(other)
	}
	paths, err := signer.Verify(x509.VerifyOptions{
		Roots:         trusted,
		Intermediates: others,
		CurrentTime:   time.Unix(t.time, 0),
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping},
	})
	for _, path := range paths {
		if len(path) <= pathLimit && hasKeys(path) {
			return "verified", nil
		}
	}
	if err == nil {
		return "refused", nil
	}
	for _, one := range append(append([]*x509.Certificate{}, roots...), t.certificates...) {
		for _, id := range one.UnhandledCriticalExtensions {
			if id.String() == nameConstraintsID { // crypto/x509 knows none on names of directories
				return "", Malformed("unsupported")
			}
		}
	}
	return "refused", nil
}

// signer is the certificate that the SignerInfo names, or nil.
func (t *token) signer() *x509.Certificate {
	for _, one := range t.certificates {
		isNamed := t.keyID == nil && bytes.Equal(one.RawIssuer, t.issuer) && one.SerialNumber.Cmp(t.issuerSerial) == 0
		if isNamed || t.keyID != nil && bytes.Equal(one.SubjectKeyId, t.keyID) {
			return one
		}
	}
	return nil
}

// isSignedBy is R3.
func (t *token) isSignedBy(signer *x509.Certificate) bool {
	r := &derReader{}
	contentType, digested := t.attribute(r, contentTypeID), t.attribute(r, messageDigestID)
	return contentType != nil && r.objectID(*contentType) == tstInfoID &&
		t.hash != 0 && digested != nil && bytes.Equal(r.octets(*digested), digestOf(t.hash, t.info)) &&
		t.refersTo(r, signer) && mayStamp(signer, time.Unix(t.time, 0)) &&
		t.isSignatureOf(r, signer) && !r.isBad
}

// attribute answers the one value of the one signed attribute; nil without one.
func (t *token) attribute(r *derReader, id string) (found *derValue) {
	for _, a := range t.signed {
		if a.id == id {
			r.need(found == nil && len(a.values) == 1)
			found = &a.values[0]
		}
	}
	return found
}

// mayStamp is true for a certificate whose purpose is time stamping, critical and alone, and which is valid.
func mayStamp(signer *x509.Certificate, at time.Time) bool {
	isCritical := false
	for _, extension := range signer.Extensions {
		isCritical = isCritical || extension.Id.String() == purposesID && extension.Critical
	}
	usage := signer.KeyUsage
	return isCritical && len(signer.ExtKeyUsage) == 1 && signer.ExtKeyUsage[0] == x509.ExtKeyUsageTimeStamping &&
		len(signer.UnknownExtKeyUsage) == 0 && len(signer.UnhandledCriticalExtensions) == 0 &&
		(usage == 0 || usage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) != 0) &&
		!at.Before(signer.NotBefore) && !at.After(signer.NotAfter)
}

// refersTo is true if ESSCertID or ESSCertIDv2 (RFC 5035) names the signer, and neither names another.
func (t *token) refersTo(r *derReader, signer *x509.Certificate) bool {
	isFound := false
	for _, id := range []string{signingCertificateID, signingCertificateV2ID} {
		value := t.attribute(r, id)
		if value == nil {
			continue
		}
		lists := r.all(*value, derSequence)
		if !r.need(len(lists) == 1 || len(lists) == 2) {
			return false
		}
		references := r.all(lists[0], derSequence)
		if !r.need(len(references) > 0) {
			return false
		}
		parts := r.members(references[0])
		hash := crypto.SHA1
		if id == signingCertificateV2ID {
			hash = crypto.SHA256
			if algorithm, has := parts.optional(derSequence); has {
				hash = r.hash(algorithm)
			}
		}
		if hash == 0 || !bytes.Equal(r.octets(parts.next(derOctets)), digestOf(hash, signer.Raw)) {
			return false
		}
		if named, has := parts.optional(derSequence); has {
			pair := r.members(named)
			name := r.only(pair.next(derSequence), derSequence)
			issuer, serial := r.only(name, derContext|4), r.integer(pair.next(derInteger))
			pair.end()
			if !bytes.Equal(issuer.raw, signer.RawIssuer) || serial.Cmp(signer.SerialNumber) != 0 {
				return false
			}
		}
		parts.end()
		isFound = true
	}
	return isFound && !r.isBad
}

// isKey is true for a key of an algorithm that an authority may have.
func isKey(key any) bool {
	switch key := key.(type) {
	case *ecdsa.PublicKey:
		return key.Curve.Params().BitSize >= 256 // not P-224
	case *rsa.PublicKey:
		return key.N.BitLen() >= 2048
	}
	return false
}

func hasKeys(path []*x509.Certificate) bool {
	for _, one := range path {
		if !isKey(one.PublicKey) {
			return false
		}
	}
	return true
}

func (t *token) isSignatureOf(r *derReader, signer *x509.Certificate) bool {
	id, parameters := r.algorithm(t.algorithm)
	digest := digestOf(t.hash, t.signedText)
	if !isKey(signer.PublicKey) {
		return false
	}
	switch key := signer.PublicKey.(type) {
	case *ecdsa.PublicKey:
		return ecdsaHashes[id] == t.hash && parameters == nil && ecdsa.VerifyASN1(key, digest, t.signature)
	case *rsa.PublicKey:
		if id == rsaPSSID {
			salt, isKnown := pssSalt(parameters, t.hash)
			t.isUnsupported = isKnown && salt == 0 // which crypto/rsa takes for any length
			options := &rsa.PSSOptions{SaltLength: salt}
			return isKnown && salt > 0 && rsa.VerifyPSS(key, t.hash, digest, t.signature, options) == nil
		}
		return (id == rsaKeyID || rsaHashes[id] == t.hash) && isNullOrAbsent(parameters) &&
			rsa.VerifyPKCS1v15(key, t.hash, digest, t.signature) == nil
	}
	return false
}

// pssSalt answers the length of the salt, if both hash functions are the given one.
func pssSalt(parameters []byte, hash crypto.Hash) (int, bool) {
	if parameters == nil {
		return 0, false
	}
	r := &derReader{}
	parts := r.members(r.read(parameters))
	hashed, mask := r.only(parts.next(derContext), derContext), r.only(parts.next(derContext|1), derContext|1)
	generator, inner := r.algorithm(mask)
	isKnown := r.hash(hashed) == hash && generator == mgf1ID && inner != nil && r.hash(r.read(inner)) == hash
	salt := int64(20)
	if length, has := parts.optional(derContext | 2); has {
		salt = r.small(r.only(length, derContext|2))
	}
	if trailer, has := parts.optional(derContext | 3); has {
		isKnown = isKnown && r.small(r.only(trailer, derContext|3)) == 1
	}
	parts.end()
	return int(salt), isKnown && salt >= 0 && !r.isBad
}

// ReadRoots reads the certificates of a PEM file.
func ReadRoots(text []byte) ([]*x509.Certificate, error) {
	var roots []*x509.Certificate
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		root, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		roots = append(roots, root)
	}
	if len(roots) == 0 {
		return nil, errors.New("expected certificates in PEM")
	}
	return roots, nil
}
