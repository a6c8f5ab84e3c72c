// Command torchwood verifies tlog-proofs with filippo.io/torchwood, and makes some with it.
//
// Each line of standard input is {"policy", "entry", "proof"} in base64; the answer is a line with "ok"
// or the error. With the argument "make", it prints such lines for the entries of a log of its own.
package main

import (
	"bufio"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type testCase struct{ Policy, Entry, Proof []byte }

func main() {
	if len(os.Args) > 1 {
		makeCases(11)
		return
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c testCase
		must(json.Unmarshal(lines.Bytes(), &c))
		fmt.Println(verdict(c))
	}
	must(lines.Err())
}

func verdict(c testCase) string {
	policy, err := torchwood.ParsePolicy(c.Policy)
	if err == nil {
		err = torchwood.VerifyProof(policy, tlog.RecordHash(c.Entry), c.Proof)
	}
	if err != nil {
		return fmt.Sprintf("%q", err.Error())
	}
	return "ok"
}

type hashes []tlog.Hash

func (h hashes) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	read := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		read[i] = h[index]
	}
	return read, nil
}

func makeCases(size int64) {
	const origin = "foreign.example:8080/log"
	secret, vkey, err := note.GenerateKey(nil, origin)
	must(err)
	signer, err := note.NewSigner(secret)
	must(err)
	_, seed, err := ed25519.GenerateKey(nil)
	must(err)
	witness, err := torchwood.NewCosignatureSigner("foreign.example/witness", seed)
	must(err)
	policy := fmt.Sprintf("log %s\nwitness w %s\nquorum w\n", vkey, witness.Verifier())

	var stored hashes
	for i := int64(0); i < size; i++ {
		added, err := tlog.StoredHashes(i, entry(i), stored)
		must(err)
		stored = append(stored, added...)
	}
	root, err := tlog.TreeHash(size, stored)
	must(err)
	text := torchwood.Checkpoint{Origin: origin, Tree: tlog.Tree{N: size, Hash: root}}.String()
	signed, err := note.Sign(&note.Note{Text: text}, signer, witness)
	must(err)
	for i := int64(0); i < size; i++ {
		path, err := tlog.ProveRecord(size, i, stored)
		must(err)
		proof := torchwood.FormatProofWithExtraData(i, []byte("extra"), path, signed)
		line, err := json.Marshal(testCase{[]byte(policy), entry(i), proof})
		must(err)
		fmt.Println(string(line))
	}
}

func entry(i int64) []byte { return []byte(fmt.Sprintf("entry %d\x00", i)) }

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
