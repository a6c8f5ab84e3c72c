// Parses a time-stamp reply with Go's encoding/asn1 and crypto/x509 alone, down to the bundle in its unsigned
// attribute, as Go programs such as cosign and notation do. Prints JSON: serial number, time and proof.
package main

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"time"
)

type statusInfo struct {
	Status       int
	StatusString []asn1.RawValue `asn1:"optional"`
	FailInfo     asn1.BitString  `asn1:"optional"`
}

type response struct {
	Status statusInfo
	Token  contentInfo
}

type contentInfo struct {
	ContentType asn1.ObjectIdentifier
	SignedData  signedData `asn1:"explicit,tag:0"`
}

type signedData struct {
	Version          int
	DigestAlgorithms []pkix.AlgorithmIdentifier `asn1:"set"`
	Content          struct {
		ContentType asn1.ObjectIdentifier
		Content     []byte `asn1:"explicit,tag:0"`
	}
	Certificates asn1.RawValue `asn1:"optional,tag:0"`
	SignerInfos  []signerInfo  `asn1:"set"`
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

type signerInfo struct {
	Version int
	Signer  struct {
		Issuer asn1.RawValue
		Serial *big.Int
	}
	DigestAlgorithm    pkix.AlgorithmIdentifier
	SignedAttributes   []attribute `asn1:"tag:0,set"`
	SignatureAlgorithm pkix.AlgorithmIdentifier
	Signature          []byte
	UnsignedAttributes []attribute `asn1:"optional,tag:1,set"`
}

type tstInfo struct {
	Version int
	Policy  asn1.ObjectIdentifier
	Imprint struct {
		Algorithm pkix.AlgorithmIdentifier
		Digest    []byte
	}
	Serial   *big.Int
	Time     time.Time `asn1:"generalized"`
	Accuracy struct {
		Seconds int `asn1:"optional"`
		Millis  int `asn1:"optional,tag:0"`
		Micros  int `asn1:"optional,tag:1"`
	} `asn1:"optional"`
	Ordering bool     `asn1:"optional,default:false"`
	Nonce    *big.Int `asn1:"optional"`
}

type attachedProof struct {
	Version int
	Bundle  []byte
}

func parse(what string, der []byte, value any) {
	rest, err := asn1.Unmarshal(der, value)
	check(what, err)
	if len(rest) > 0 {
		check(what, fmt.Errorf("%d bytes after it", len(rest)))
	}
}

func check(what string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", what, err)
		os.Exit(1)
	}
}

func main() {
	der, err := os.ReadFile(os.Args[1])
	check("file", err)
	var reply response
	parse("reply", der, &reply)
	data := reply.Token.SignedData
	var info tstInfo
	parse("TSTInfo", data.Content.Content, &info)
	certificates, err := x509.ParseCertificates(data.Certificates.Bytes)
	check("certificates", err)
	signer := data.SignerInfos[0]
	signed, err := asn1.MarshalWithParams(signer.SignedAttributes, "set")
	check("signed attributes", err)
	algorithm := x509.SHA256WithRSA
	if certificates[0].PublicKeyAlgorithm == x509.ECDSA {
		algorithm = x509.ECDSAWithSHA256
	}
	check("signature", certificates[0].CheckSignature(algorithm, signed, signer.Signature))
	attached := signer.UnsignedAttributes[0]
	var proof attachedProof
	parse("proof", attached.Values[0].FullBytes, &proof)
	answer, err := json.Marshal(map[string]any{
		"status":  reply.Status.Status,
		"serial":  info.Serial.Text(16),
		"time":    info.Time.Unix(),
		"seconds": info.Accuracy.Seconds,
		"type":    attached.Type.String(),
		"version": proof.Version,
		"bundle":  string(proof.Bundle),
	})
	check("answer", err)
	fmt.Println(string(answer))
}
