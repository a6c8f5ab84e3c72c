package countersign

import (
	"encoding/asn1"
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The types of a token as programs in Go declare them (github.com/digitorus/timestamp and others).
// encoding/asn1 refuses a structure with an identifier whose arcs have more than 31 bits, wherever it is, so the
// attribute that carries a proof must not have one.
type (
	goAlgorithm struct {
		ID         asn1.ObjectIdentifier
		Parameters asn1.RawValue `asn1:"optional"`
	}
	goAttribute struct {
		ID     asn1.ObjectIdentifier
		Values asn1.RawValue `asn1:"set"`
	}
	goSignerInfo struct {
		Version int
		Signer  struct {
			Issuer asn1.RawValue
			Serial *big.Int
		}
		Digest    goAlgorithm
		Signed    []goAttribute `asn1:"optional,omitempty,tag:0,set"`
		Algorithm goAlgorithm
		Signature []byte
		Unsigned  []goAttribute `asn1:"optional,omitempty,tag:1,set"`
	}
	goContentInfo struct {
		ID      asn1.ObjectIdentifier
		Content struct {
			Version    int
			Algorithms []goAlgorithm `asn1:"set"`
			Content    struct {
				ID      asn1.ObjectIdentifier
				Content []byte `asn1:"explicit,tag:0"`
			}
			Certificates asn1.RawValue  `asn1:"optional,tag:0"`
			Signers      []goSignerInfo `asn1:"set"`
		} `asn1:"explicit,tag:0"`
	}
	goInfo struct {
		Version int
		Policy  asn1.ObjectIdentifier
		Imprint struct {
			Algorithm goAlgorithm
			Digest    []byte
		}
		Serial   *big.Int
		Time     time.Time `asn1:"generalized"`
		Accuracy struct {
			Seconds int `asn1:"optional"`
		} `asn1:"optional"`
	}
)

func TestTokenParsesWithEncodingASN1(t *testing.T) {
	content, err := os.ReadFile(filepath.Join(vectors(), "timestamps.jsonl"))
	if os.IsNotExist(err) {
		t.Skip("these vectors have no tokens")
	} else if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(content), "\n") {
		var v struct{ Name, Input string }
		if json.Unmarshal([]byte(line), &v) != nil || !strings.HasSuffix(v.Name, "with a batch") {
			continue
		}
		var token goContentInfo
		rest, err := asn1.Unmarshal(bytesOfHex(v.Input), &token)
		if err != nil || len(rest) > 0 {
			t.Fatal(v.Name, err, len(rest))
		}
		attributes := token.Content.Signers[0].Unsigned
		if len(attributes) != 1 || attributes[0].ID.String() != attachedProofID {
			t.Fatal(v.Name, attributes)
		}
		var info goInfo
		if _, err := asn1.Unmarshal(token.Content.Content.Content, &info); err != nil || info.Accuracy.Seconds != 60 {
			t.Fatal(v.Name, err, info)
		}
		return
	}
	t.Fatal("no valid token")
}
