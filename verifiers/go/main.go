// The command verifies a proof bundle, or a time-stamp token with one, offline, as docs/verification.md demands.
//
//	go run . [-peer peer.json]... [-chain chain.json]... [-distrust witness[@size]]... [-root root.pem]...
//		network.json bundle.json|token.tsr [file]
//
// It prints what the proof shows as JSON (docs/vectors/README.md), and exits with 0 if it is valid, with 1
// if it is not, and with 2 if it cannot read a file.
package main

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"countersign-verify/countersign"
)

type names []string

func (n *names) String() string     { return strings.Join(*n, " ") }
func (n *names) Set(s string) error { *n = append(*n, s); return nil }

func main() {
	var peers, chains, distrust, roots names
	flag.Var(&roots, "root", "root `certificates` of time-stamp authorities, in PEM; may be repeated")
	flag.Var(&distrust, "distrust", "do not count the signatures of this `witness[@size]`, from a tree size on; may be repeated")
	flag.Var(&chains, "chain", "the `succession` of the network or of a peer, as it was kept; may be repeated")
	flag.Var(&peers, "peer", "the `configuration` of a peer; may be repeated")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "Usage: verify [-peer peer.json]... [-chain chain.json]... [-distrust witness[@size]]... [-root root.pem]... network.json bundle.json|token.tsr [file]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 && flag.NArg() != 3 {
		flag.Usage()
		os.Exit(2)
	}
	verdict, result, err := verify(flag.Arg(0), flag.Arg(1), flag.Arg(2), trust{peers, chains, distrust, roots})
	var malformed countersign.Malformed
	switch {
	case errors.As(err, &malformed):
		print(countersign.Outcome{Result: "malformed", Reason: string(malformed)})
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	print(verdict)
	if result != "valid" {
		os.Exit(1)
	}
}

func print(result any) {
	out, _ := json.MarshalIndent(result, "", "  ")
	fmt.Println(string(out))
}

// trust has the values of the options.
type trust struct{ peers, chains, distrust, roots []string }

// verify reads the files; file is empty if the proof may be about any content.
func verify(network, proof, file string, trust trust) (verdict any, result string, err error) {
	pinned, err := readNetwork(network, trust)
	if err != nil {
		return nil, "", err
	}
	var peers []*countersign.Network
	for _, name := range trust.peers {
		peer, err := readNetwork(name, trust)
		if err != nil {
			return nil, "", err
		}
		peers = append(peers, peer)
	}
	text, err := os.ReadFile(proof)
	if err != nil {
		return nil, "", err
	}
	var content []byte
	if file != "" {
		if content, err = os.ReadFile(file); err != nil {
			return nil, "", err
		}
	}
	if countersign.IsTimestamp(text) {
		roots, err := readRoots(trust.roots)
		if err != nil {
			return nil, "", err
		}
		found, err := countersign.VerifyTimestamp(text, pinned, peers, roots, content)
		if err != nil {
			return nil, "", err
		}
		return found, found.Result, nil
	}
	hash := ""
	if content != nil {
		hash = fmt.Sprintf("%x", sha256.Sum256(content))
	}
	found, err := countersign.VerifyBundle(string(text), pinned, peers, hash)
	if err != nil {
		return nil, "", err
	}
	return found, found.Result, nil
}

func readRoots(files []string) (roots []*x509.Certificate, err error) {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		more, err := countersign.ReadRoots(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		roots = append(roots, more...)
	}
	return roots, nil
}

// readNetwork reads a configuration, and follows those chains that are of its network.
func readNetwork(name string, trust trust) (*countersign.Network, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	network, err := countersign.ReadNetwork(string(text))
	for i := 0; err == nil && i < len(trust.chains); i++ {
		var chain []byte
		if chain, err = os.ReadFile(trust.chains[i]); err == nil {
			network, err = network.Follow(string(chain))
		}
	}
	for i := 0; err == nil && i < len(trust.distrust); i++ {
		network, err = network.Distrust(trust.distrust[i])
	}
	return network, err
}
