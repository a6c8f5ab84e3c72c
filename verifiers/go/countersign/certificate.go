package countersign

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"time"
)

// pathLimit is the number of certificates from the signer to a root.
const pathLimit = 8

const (
	alternativeNamesID = "2.5.29.17"
	keyUsageID         = "2.5.29.15"
	basicConstraintsID = "2.5.29.19"
	nameConstraintsID  = "2.5.29.30"
	purposesID         = "2.5.29.37"
)

// certificate reads a certificate of version 3. The error is that of crypto/x509, which refuses more than R1 does.
func (r *derReader) certificate(raw []byte) (*x509.Certificate, error) {
	parts := r.members(r.read(raw))
	signed, algorithm := r.members(parts.next(derSequence)), parts.next(derSequence)
	r.algorithm(algorithm)
	bits := parts.next(derBits)
	r.need(len(bits.content) > 0 && bits.content[0] == 0)
	parts.end()
	r.need(r.small(r.only(signed.next(derContext), derContext)) == 2)
	signed.next(derInteger)
	r.need(bytes.Equal(signed.next(derSequence).raw, algorithm.raw))
	r.name(signed.next(derSequence))
	validity := r.members(signed.next(derSequence))
	for range []string{"not before", "not after"} {
		if one, isShort := validity.optional(derUTCTime); isShort {
			_, err := time.Parse("060102150405Z", string(one.content))
			r.need(err == nil)
		} else {
			_, hasFraction := r.time(validity.next(derGeneralizedTime))
			r.need(!hasFraction)
		}
	}
	validity.end()
	r.name(signed.next(derSequence))
	key := r.members(signed.next(derSequence))
	r.algorithm(key.next(derSequence))
	key.next(derBits)
	key.end()
	signed.optional(derContextSimple | 1)
	signed.optional(derContextSimple | 2)
	if extensions, has := signed.optional(derContext | 3); has {
		r.extensions(r.only(extensions, derContext|3), derSequence)
	}
	signed.end()
	if r.isBad {
		return nil, nil
	}
	return parseCertificate(raw)
}

func (r *derReader) name(v derValue) {
	for _, relative := range r.all(v, derSequence) {
		for _, one := range r.all(relative, derSet) {
			attribute := r.all(one, derSequence)
			if r.need(len(attribute) == 2) {
				r.need(attribute[0].tag == derObjectID)
			}
		}
	}
}

// extensions answers whether one of them is critical.
func (r *derReader) extensions(v derValue, tag byte) (hasCritical bool) {
	seen := map[string]bool{}
	for _, one := range r.all(v, tag) {
		extension := r.members(one)
		id := string(extension.next(derObjectID).raw)
		r.need(!seen[id])
		seen[id] = true
		if critical, has := extension.optional(derBoolean); has {
			r.need(string(critical.content) == "\xff") // FALSE is the default, which DER leaves out
			hasCritical = true
		}
		extension.next(derOctets)
		extension.end()
	}
	return hasCritical
}

// understood are the extensions that may be critical although crypto/x509 does not know them: nothing here
// requires a policy (RFC 5280, section 6.1.1).
var understood = map[string]bool{"2.5.29.33": true, "2.5.29.54": true}

func parseCertificate(raw []byte) (*x509.Certificate, error) {
	one, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, err
	}
	left := []asn1.ObjectIdentifier{}
	for _, id := range one.UnhandledCriticalExtensions {
		if !understood[id.String()] {
			left = append(left, id)
		}
	}
	one.UnhandledCriticalExtensions = left
	return one, nil
}

// mayStamp is true for a certificate whose purpose is time stamping, critical and alone, and which is valid.
func mayStamp(signer *x509.Certificate, at time.Time) bool {
	isCritical := false
	for _, extension := range signer.Extensions {
		isCritical = isCritical || extension.Id.String() == purposesID && extension.Critical
	}
	usage, isReadable := keyUsage(signer, signing)
	return isCritical && len(signer.ExtKeyUsage) == 1 && signer.ExtKeyUsage[0] == x509.ExtKeyUsageTimeStamping &&
		len(signer.UnknownExtKeyUsage) == 0 && len(signer.UnhandledCriticalExtensions) == 0 &&
		isReadable && usage&signing != 0 && usage&^signing == 0 &&
		!at.Before(signer.NotBefore) && !at.After(signer.NotAfter)
}

// hasRoot is R4.
func (t *token) hasRoot(signer *x509.Certificate, roots []*x509.Certificate) bool {
	trusted, others := x509.NewCertPool(), x509.NewCertPool()
	for _, root := range roots {
		trusted.AddCert(root)
	}
	for _, other := range t.certificates {
		if !bytes.Equal(other.RawSubject, other.RawIssuer) {
			others.AddCert(other)
		}
	}
	paths, _ := signer.Verify(x509.VerifyOptions{
		Roots:         trusted,
		Intermediates: others,
		CurrentTime:   time.Unix(t.time, 0),
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageTimeStamping},
	})
	for _, path := range paths {
		if t.isPath(path) {
			t.isUnsupported = false
			return true
		}
	}
	for _, one := range append(append([]*x509.Certificate{}, roots...), t.certificates...) {
		t.isUnsupported = t.isUnsupported || hasNameConstraints(one)
	}
	return false
}

// isPath checks what crypto/x509 did not.
func (t *token) isPath(path []*x509.Certificate) bool {
	for i, one := range path {
		usage, isReadable := keyUsage(one, keyCertSign)
		if i > 0 && (hasNameConstraints(one) || !hasStrictConstraints(one) || hasNoPurpose(one) || !isReadable ||
			usage&keyCertSign == 0) {
			return false
		}
		if i > 0 && (!isKey(one.PublicKey) || len(one.SubjectKeyId) > 0 && len(path[i-1].AuthorityKeyId) > 0 &&
			!bytes.Equal(one.SubjectKeyId, path[i-1].AuthorityKeyId)) {
			return false
		}
	}
	for _, list := range t.references {
		for _, other := range list[1:] { // RFC 5035, section 3
			isFound := false
			for _, one := range path {
				isFound = isFound || other.isTo(one)
			}
			if !isFound {
				return false
			}
		}
	}
	return len(path) >= 2 && len(path) <= pathLimit
}

// Bits of the key usage, the first eight lowest.
const (
	signing     = 0x80 | 0x40
	keyCertSign = 0x04
)

// keyUsage answers the bits, or absent for a certificate without a key usage. To crypto/x509, one without bits is
// absent too.
func keyUsage(one *x509.Certificate, absent int) (usage int, isReadable bool) {
	r := &derReader{}
	for _, extension := range one.Extensions {
		if extension.Id.String() == keyUsageID {
			bits := r.read(extension.Value)
			if !r.need(bits.tag == derBits && len(bits.content) >= 1 && len(bits.content) <= 3) {
				return 0, false
			}
			for i, octet := range bits.content[1:] {
				usage |= int(octet) << (8 * i)
			}
			return usage, !r.isBad
		}
	}
	return absent, true
}

// hasNoPurpose is true for an extended key usage without a purpose; crypto/x509 takes it for any.
func hasNoPurpose(one *x509.Certificate) bool {
	return hasExtension(one, purposesID) && len(one.ExtKeyUsage)+len(one.UnknownExtKeyUsage) == 0
}

// hasStrictConstraints is true for basic constraints in DER, with a path length that is not negative; crypto/x509
// reads others too.
func hasStrictConstraints(one *x509.Certificate) bool {
	r := &derReader{}
	for _, extension := range one.Extensions {
		if extension.Id.String() == basicConstraintsID {
			parts := r.members(r.read(extension.Value))
			parts.optional(derBoolean)
			if length, has := parts.optional(derInteger); has {
				r.need(r.small(length) >= 0)
			}
			parts.end()
		}
	}
	return !r.isBad
}

// hasNameConstraints is true for what is not implemented here: crypto/x509 knows none on names of directories.
func hasNameConstraints(one *x509.Certificate) bool {
	return hasExtension(one, nameConstraintsID)
}

func hasExtension(one *x509.Certificate, id string) bool {
	for _, extension := range one.Extensions {
		if extension.Id.String() == id {
			return true
		}
	}
	return false
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
		r := &derReader{}
		root, err := r.certificate(block.Bytes)
		if err != nil || r.isBad {
			return nil, errors.New("cannot read a certificate")
		}
		roots = append(roots, root)
	}
	if len(roots) == 0 {
		return nil, errors.New("expected certificates in PEM")
	}
	return roots, nil
}
