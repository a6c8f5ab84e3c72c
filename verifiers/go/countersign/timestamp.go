package countersign

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"math/big"
	"time"
)

// accuracySeconds is the difference to the witnesses' clocks that a token states.
const accuracySeconds = 60

const (
	rsaKeyID = "1.2.840.113549.1.1.1"
	rsaPSSID = "1.2.840.113549.1.1.10"
	mgf1ID   = "1.2.840.113549.1.1.8"
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
	if t.isUnsupported {
		return nil, Malformed("unsupported")
	}
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
	case t.accuracy != accuracySeconds:
		return "accuracy"
	case sequence.Cmp(big.NewInt(attestation.sequence)) != 0:
		return "serial_number"
	}
	return ""
}

// authority is R3 and R4.
func (t *token) authority(roots []*x509.Certificate) (string, error) {
	signer := t.signer()
	isTrusted := signer != nil && t.isSignedBy(signer) && (len(roots) == 0 || t.hasRoot(signer, roots))
	switch {
	case t.isUnsupported:
		return "", Malformed("unsupported")
	case !isTrusted:
		return "refused", nil
	case len(roots) == 0:
		return "not_checked", nil
	}
	return "verified", nil
}

// signer is the certificate that the SignerInfo and the references name, or nil.
func (t *token) signer() *x509.Certificate {
	for _, one := range t.certificates {
		isNamed := t.keyID != nil && bytes.Equal(one.SubjectKeyId, t.keyID) ||
			t.keyID == nil && bytes.Equal(one.RawIssuer, t.issuer) && one.SerialNumber.Cmp(t.issuerSerial) == 0
		for _, list := range t.references {
			isNamed = isNamed && list[0].isTo(one)
		}
		if isNamed {
			return one
		}
	}
	return nil
}

// isSignedBy is R3.
func (t *token) isSignedBy(signer *x509.Certificate) bool {
	r := &derReader{}
	hash := r.hash(t.digestAlgorithm)
	return !r.isBad && t.isNamed(signer) && mayStamp(signer, time.Unix(t.time, 0)) &&
		bytes.Equal(t.messageDigest, digestOf(hash, t.info)) && t.isSignature(signer.PublicKey, hash)
}

// isNamed is true if the token names no authority, or one of the signer's names.
func (t *token) isNamed(signer *x509.Certificate) bool {
	if t.authorityName == nil {
		return true
	}
	r := &derReader{}
	if name := r.read(t.authorityName); name.tag == derContext|4 && bytes.Equal(name.content, signer.RawSubject) {
		return true
	}
	for _, extension := range signer.Extensions {
		if extension.Id.String() == alternativeNamesID {
			for _, name := range r.all(r.read(extension.Value), derSequence) {
				if bytes.Equal(name.raw, t.authorityName) {
					return true
				}
			}
		}
	}
	return false
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

// isSignature is true if the token's signature is that of a key; hash is its digest algorithm.
func (t *token) isSignature(key any, hash crypto.Hash) bool {
	r := &derReader{}
	id, parameters := r.algorithm(t.algorithm)
	digest := digestOf(hash, t.signedText)
	if !isKey(key) {
		return false
	}
	switch key := key.(type) {
	case *ecdsa.PublicKey:
		return ecdsaHashes[id] == hash && parameters == nil && ecdsa.VerifyASN1(key, digest, t.signature)
	case *rsa.PublicKey:
		if id == rsaPSSID {
			salt, isKnown := pssSalt(parameters, hash)
			t.isUnsupported = isKnown && salt == 0 // which crypto/rsa takes for any length
			options := &rsa.PSSOptions{SaltLength: salt}
			return isKnown && salt > 0 && rsa.VerifyPSS(key, hash, digest, t.signature, options) == nil
		}
		return (id == rsaKeyID || rsaHashes[id] == hash) && isNullOrAbsent(parameters) &&
			rsa.VerifyPKCS1v15(key, hash, digest, t.signature) == nil
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
	hashed, mask := parts.next(derContext), parts.next(derContext|1)
	salt := int64(20)
	if length, has := parts.optional(derContext | 2); has {
		salt = r.small(r.only(length, derContext|2))
		r.need(salt >= 0 && salt != 20) // DER leaves out defaults
	}
	parts.end()
	generator, inner := r.algorithm(r.only(mask, derContext|1))
	isKnown := r.hash(r.only(hashed, derContext)) == hash && generator == mgf1ID && inner != nil &&
		r.hash(r.read(inner)) == hash
	return int(salt), isKnown && !r.isBad
}
