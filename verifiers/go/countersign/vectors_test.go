package countersign

import (
	"crypto/x509"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// vectors is a folder like docs/vectors.
func vectors() string {
	if folder := os.Getenv("COUNTERSIGN_VECTORS"); folder != "" {
		return folder
	}
	return "../../../docs/vectors"
}

// A vector is one case of docs/vectors/README.md.
type vector map[string]any

func (v vector) text(name string) string {
	text, _ := v[name].(string)
	return text
}

func (v vector) object(name string) vector {
	members, _ := v[name].(map[string]any)
	return members
}

func (v vector) integer(name string) int64 {
	n, _ := v[name].(int64)
	return n
}

func judge(v vector, networks map[string]*Network) (any, error) {
	network, input, expected := networks[v.text("network")], v.text("input"), v.object("expected")
	leaf := Expected{Hash: expected.text("hash"), SignedAttestation: v.text("signed_attestation")}
	if size, has := expected["tree_size"].(int64); has {
		leaf.TreeSize = &size
	}
	chains, _ := v["followed"].([]any)
	distrusted, _ := v["distrust"].([]any)
	follow := func(n *Network) (*Network, error) {
		var err error
		for i := 0; err == nil && i < len(chains); i++ {
			n, err = n.Follow(chains[i].(string))
		}
		for i := 0; err == nil && i < len(distrusted); i++ {
			n, err = n.Distrust(distrusted[i].(string))
		}
		return n, err
	}
	if network != nil {
		var err error
		if network, err = follow(network); err != nil {
			return nil, err
		}
	}
	switch v.text("kind") {
	case "configuration":
		_, err := ReadNetwork(input)
		return Outcome{Result: "valid"}, err
	case "bundle", "timestamp":
		var peers []*Network
		names, _ := v["peers"].([]any)
		for _, name := range names {
			peer, err := follow(networks[name.(string)])
			if err != nil {
				return nil, err
			}
			peers = append(peers, peer)
		}
		if v.text("kind") == "timestamp" {
			return judgeToken(v, network, peers)
		}
		return VerifyBundle(input, network, peers, expected.text("hash"))
	case "signed_attestation":
		return VerifySignedAttestation(input, network)
	case "tree_head":
		return VerifyTreeHead(input, network)
	case "checkpoint":
		return VerifyCheckpoint(input, network)
	case "merkle_proof":
		return VerifyMerkleProof(input, v.text("sth"), network, leaf)
	case "inclusion_proof":
		return VerifyInclusionProof(input, network, leaf)
	case "consistency_proof":
		return VerifyConsistencyProof(input, network, expected.integer("first"), expected.integer("second"))
	case "contradiction":
		return VerifyContradiction(input, network)
	case "growth":
		known, path := v.object("known"), []string{}
		hashes, _ := v["consistency_path"].([]any)
		for _, hash := range hashes {
			path = append(path, hash.(string))
		}
		return VerifyGrowth(input, network, KnownHead{known.text("network_id"), known.integer("tree_size"), known.text("root_hash")}, path)
	}
	return nil, errors.New("unknown kind " + v.text("kind"))
}

func judgeToken(v vector, network *Network, peers []*Network) (any, error) {
	var roots []*x509.Certificate
	texts, _ := v["roots"].([]any)
	for _, text := range texts {
		more, err := ReadRoots([]byte(text.(string)))
		if err != nil {
			return nil, err
		}
		roots = append(roots, more...)
	}
	var content []byte
	if text, has := v["content"].(string); has {
		content = []byte(text)
	}
	return VerifyTimestamp(bytesOfHex(v.text("input")), network, peers, roots, content)
}

func TestVectors(t *testing.T) {
	var texts map[string]json.RawMessage
	content, err := os.ReadFile(filepath.Join(vectors(), "networks.json"))
	if err == nil {
		err = json.Unmarshal(content, &texts)
	}
	if err != nil {
		t.Fatal(err)
	}
	networks := map[string]*Network{}
	for name, text := range texts {
		if networks[name], err = ReadNetwork(string(text)); err != nil {
			t.Fatal(name, err)
		}
	}
	files, _ := filepath.Glob(filepath.Join(vectors(), "*.jsonl"))
	agree, disagree, unsupported := 0, 0, 0
	mayLack := os.Getenv("COUNTERSIGN_MAY_LACK") != "" // for changed tokens, whose certificates crypto/x509 may refuse
	for _, file := range files {
		if filepath.Base(file) == "cose_receipts.jsonl" { // CBOR is not read here
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n") {
			// Our own parser, because encoding/json replaces surrogates.
			read, ok := parse(line)
			if !ok {
				t.Fatal(line)
			}
			v := vector(read.(map[string]any))
			result, err := judge(v, networks)
			var malformed Malformed
			if mayLack && errors.As(err, &malformed) && malformed == "unsupported" {
				unsupported++
				continue
			}
			if errors.As(err, &malformed) {
				result = Outcome{Result: "malformed", Reason: string(malformed)}
			} else if err != nil {
				t.Fatal(v.text("name"), err)
			}
			encoded, _ := json.Marshal(result)
			found, _ := parse(string(encoded))
			if reflect.DeepEqual(found, v["expect"]) {
				agree++
				continue
			}
			disagree++
			expect, _ := json.Marshal(v["expect"])
			t.Errorf("%s\n  expected %s\n  found    %s", v.text("name"), expect, encoded)
		}
	}
	t.Logf("%d agree, %d do not, %d unsupported", agree, disagree, unsupported)
}
