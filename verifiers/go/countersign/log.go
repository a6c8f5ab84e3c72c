package countersign

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const malformedResource = "malformed_bundle"

// verify reads a resource and checks it.
func verify[T any](text string, readTop func(*reader, any) T, check func(T) finding) (Outcome, error) {
	resource, err := read(text, malformedResource, false, readTop)
	if err != nil {
		return Outcome{}, err
	}
	return check(resource).outcome(), nil
}

// VerifySignedAttestation checks a SignedAttestation. All errors here are Malformed.
func VerifySignedAttestation(text string, n *Network) (Outcome, error) {
	return verify(text, (*reader).signedAttestation, func(s signedAttestation) finding {
		return n.checkAttestation(s, "")
	})
}

// VerifyTreeHead checks a signed tree head.
func VerifyTreeHead(text string, n *Network) (Outcome, error) {
	return verify(text, (*reader).signedHead, n.checkHead)
}

// Expected is what a log proof has to be about.
type Expected struct {
	Hash     string // 64 hex digits
	TreeSize *int64 // optional
	// Text of the SignedAttestation that binds the hash to the leaf; optional.
	SignedAttestation string
}

// VerifyInclusionProof checks an inclusion proof (P1 to P10).
func VerifyInclusionProof(text string, n *Network, expected Expected) (Outcome, error) {
	type inclusionProof struct {
		leafProof
		sth signedHead
	}
	proof, err := read(text, malformedResource, false, func(r *reader, value any) inclusionProof {
		o := r.object(value, append([]string{"sth"}, leafMembers...)...)
		return inclusionProof{r.leafProof(o), r.signedHead(o["sth"])}
	})
	if err != nil {
		return Outcome{}, err
	}
	return n.verifyProof(merkleProof{leafProof: proof.leafProof}, proof.sth, expected, false)
}

// VerifyMerkleProof checks a Merkle proof with the signed tree head of its size (P1 to P10).
func VerifyMerkleProof(text, sth string, n *Network, expected Expected) (Outcome, error) {
	proof, err := read(text, malformedResource, false, (*reader).merkleProof)
	if err != nil {
		return Outcome{}, err
	}
	head, err := read(sth, malformedResource, false, (*reader).signedHead)
	if err != nil {
		return Outcome{}, err
	}
	return n.verifyProof(proof, head, expected, true)
}

func (n *Network) verifyProof(p merkleProof, sth signedHead, expected Expected, hasBatch bool) (Outcome, error) {
	var signed *signedAttestation
	if expected.SignedAttestation != "" {
		s, err := read(expected.SignedAttestation, malformedResource, false, (*reader).signedAttestation)
		if err != nil {
			return Outcome{}, err
		}
		signed = &s
	}
	found := n.checkHead(sth)
	if found.reason == "" {
		found.reason = n.checkProof(p, sth.treeHead, expected, signed, hasBatch)
	}
	return found.outcome(), nil
}

func (n *Network) checkProof(p merkleProof, head treeHead, expected Expected, s *signedAttestation, hasBatch bool) string {
	switch {
	case p.hash != expected.Hash:
		return "hash_mismatch"
	case expected.TreeSize != nil && *expected.TreeSize != p.size:
		return "tree_size_mismatch"
	case p.size != head.size:
		return "field_mismatch"
	}
	if reason := checkLeaf(p.leafProof, head); reason != "" {
		return reason
	}
	if s != nil {
		if found := n.checkAttestation(*s, ""); found.reason != "" {
			return found.reason
		}
		if p.hash != s.hash || p.index != s.sequence || p.leafHash != hexOf(s.leafHash()) {
			return "field_mismatch"
		}
	}
	if hasBatch && (p.root != head.root || p.batchID != head.size) {
		return "field_mismatch"
	}
	return ""
}

// VerifyConsistencyProof checks a consistency proof between two expected sizes (N1 to N6).
func VerifyConsistencyProof(text string, n *Network, first, second int64) (Outcome, error) {
	type consistencyProof struct {
		first, second int64
		before, after signedHead
		path          []string
	}
	return verify(text, func(r *reader, value any) consistencyProof {
		o := r.object(value, "first", "second", "first_sth", "second_sth", "consistency_path")
		return consistencyProof{r.integer(o["first"]), r.integer(o["second"]),
			r.signedHead(o["first_sth"]), r.signedHead(o["second_sth"]), r.path(o["consistency_path"])}
	}, func(p consistencyProof) finding {
		for _, sth := range []signedHead{p.before, p.after} {
			if found := n.checkHead(sth); found.reason != "" {
				return finding{found.reason, uncounted}
			}
		}
		reason := ""
		switch {
		case p.first != first || p.second != second:
			reason = "tree_size_mismatch"
		case p.first != p.before.size || p.second != p.after.size:
			reason = "field_mismatch"
		case !leads(p.before.treeHead, p.after.treeHead, p.path):
			reason = "consistency_invalid"
		}
		return finding{reason, uncounted}
	})
}

type accused struct {
	sth          signedHead
	logSignature string
}

type contradiction struct {
	origin        string
	before, after accused
	path          []string
}

// VerifyContradiction checks evidence that a network signed two histories of its log (D1 to D7). It
// is valid if they are proved.
func VerifyContradiction(text string, n *Network) (Outcome, error) {
	return verify(text, func(r *reader, value any) contradiction {
		o := r.object(value, "origin", "found_at", "first", "second", "consistency_path")
		r.integer(o["found_at"])
		side := func(value any) accused {
			o := r.object(value, "sth", "log_signature")
			return accused{r.signedHead(o["sth"]), r.hex(o["log_signature"], 128)}
		}
		c := contradiction{r.text(o["origin"]), side(o["first"]), side(o["second"]), r.path(o["consistency_path"])}
		r.need(c.origin == c.before.sth.networkID && c.origin == c.after.sth.networkID && len(c.path) <= 54) // D1
		return c
	}, func(c contradiction) finding { return finding{n.checkContradiction(c), uncounted} })
}

func (n *Network) checkContradiction(c contradiction) string {
	if c.origin != n.ID {
		return "network_mismatch"
	}
	signing := *n
	signing.isAccused = true
	for _, side := range []accused{c.before, c.after} {
		if found := signing.checkHead(side.sth); found.reason != "" {
			return found.reason
		}
		logKey := n.at(side.sth.size).logKey
		if logKey == nil {
			return "log_key_missing"
		}
		if !verifyEd25519(logKey, side.sth.checkpointBody(), bytesOfHex(side.logSignature)) {
			return "log_signature_invalid"
		}
	}
	before, after := c.before.sth.treeHead, c.after.sth.treeHead
	isProved := len(c.path) == 0 && before.root != after.root
	if before.size != after.size {
		first, second := rootsOf(before.size, after.size, c.path)
		isProved = hexOf(second) == after.root && hexOf(first) != before.root
	}
	if !isProved {
		return "contradiction_unproven"
	}
	return ""
}

// A KnownHead is a head that the verifier remembers.
type KnownHead struct {
	NetworkID string
	TreeSize  int64
	RootHash  string
}

// VerifyGrowth checks that a signed tree head and the remembered one are of one log (G1 to G5).
func VerifyGrowth(text string, n *Network, known KnownHead, path []string) (Outcome, error) {
	sth, err := read(text, malformedResource, false, (*reader).signedHead)
	if err != nil {
		return Outcome{}, err
	}
	found := n.checkHead(sth)
	if found.reason != "" {
		return found.outcome(), nil
	}
	before, after := treeHead{networkID: known.NetworkID, root: known.RootHash, size: known.TreeSize}, sth.treeHead
	relation, isProved := "", true
	switch {
	case before.networkID != after.networkID:
		relation, found.reason = "other_network", "network_mismatch"
	case before.size == after.size && before.root != after.root:
		relation, found.reason = "fork", "head_forked"
	case before.size == after.size:
		relation, isProved = "same", len(path) == 0
	case before.size > after.size:
		relation = "older"
		before, after = after, before
	default:
		relation = "larger"
	}
	if relation == "older" || relation == "larger" {
		if isProved = len(path) == 0; before.size > 0 {
			isProved = leads(before, after, path)
		}
	}
	if !isProved {
		found.reason = "consistency_invalid"
	}
	outcome := found.outcome()
	outcome.Relation = relation
	return outcome, nil
}

type noteLine struct {
	name, keyID string
	payload     []byte
}

const maxNoteLines, maxNoteCharacters = 256, 1 << 20

// readNote is K1 and K2.
func readNote(text string) (body string, notes []noteLine, err error) {
	refused := Malformed("malformed_text")
	isControl := func(c rune) bool { return c < 0x20 && c != '\n' }
	// Characters are units of UTF-16. The count of bytes bounds the work.
	if len(text) > 4*maxNoteCharacters || !utf8.ValidString(text) || strings.IndexFunc(text, isControl) >= 0 ||
		len(utf16.Encode([]rune(text))) > maxNoteCharacters {
		return "", nil, refused
	}
	split := strings.LastIndex(text, "\n\n")
	if split < 0 || !strings.HasSuffix(text, "\n") {
		return "", nil, refused
	}
	rest := strings.Split(text[split+2:], "\n")
	rest = rest[:len(rest)-1]
	if len(rest) < 1 || len(rest) > maxNoteLines {
		return "", nil, refused
	}
	for _, line := range rest {
		signed := strings.TrimPrefix(line, "\u2014 ")
		name, encoded, _ := strings.Cut(signed, " ")
		data := bytesOfBase64(encoded)
		if signed == line || !isKeyName(name) || len(data) <= 4 {
			return "", nil, refused
		}
		notes = append(notes, noteLine{name, string(data[:4]), data[4:]})
	}
	body = text[:split+1]
	fields := strings.Split(body, "\n")
	if len(fields) != 4 || !isNetworkID(fields[0]) || len(bytesOfBase64(fields[2])) != 32 {
		return "", nil, refused
	}
	if _, isSize := integerOf(fields[1]); !isSize {
		return "", nil, refused
	}
	return body, notes, nil
}

// VerifyCheckpoint checks a checkpoint (K1 to K10).
func VerifyCheckpoint(text string, n *Network) (Outcome, error) {
	body, notes, err := readNote(text)
	if err != nil {
		return Outcome{}, err
	}
	_, found := n.checkFollowed(body, notes)
	return found.outcome(), nil
}

// checkFollowed is K3 to K10 under the configuration of the checkpoint's epoch (L14), and L15.
func (n *Network) checkFollowed(body string, notes []noteLine) (treeHead, finding) {
	fields := strings.Split(body, "\n")
	size, _ := integerOf(fields[1])
	head := treeHead{networkID: fields[0], size: size, root: hexOf(bytesOfBase64(fields[2]))}
	signing := n.at(size)
	if signing == nil {
		return head, finding{"log_ended", 0}
	}
	found := signing.checkCheckpoint(body, notes)
	if found.reason == "" {
		found.reason = n.checkEnd(head)
	}
	return head, found
}

func (n *Network) checkCheckpoint(body string, notes []noteLine) finding {
	switch {
	case !strings.HasPrefix(body, n.ID+"\n"):
		return finding{"network_mismatch", 0}
	case n.logKey == nil:
		return finding{"log_key_missing", 0}
	}
	logID := keyID(n.ID, append([]byte{1}, n.logKey...))
	aggregateID := n.aggregateID()
	isKnown, hasLog, signers := false, false, map[string]bool{}
	for _, note := range notes {
		key, isValid := n.keys[note.name], false
		switch {
		case note.name == n.ID && note.keyID == logID:
			isValid, hasLog = verifyEd25519(n.logKey, []byte(body), note.payload), true
		case n.scheme == "ed25519" && key != nil && note.keyID == keyID(note.name, append([]byte{4}, key...)):
			isValid = isCosigned(note.payload, body, func(message, rest []byte) bool {
				return verifyEd25519(key, message, rest)
			})
			signers[note.name] = true
		case n.scheme == "bls" && note.name == n.ID && note.keyID == aggregateID:
			isValid = isCosigned(note.payload, body, func(message, rest []byte) bool {
				return n.isAggregated(message, rest, signers)
			})
		default:
			continue
		}
		isKnown = true
		if !isValid {
			return finding{"signature_invalid", 0}
		}
	}
	for id := range n.distrusted {
		delete(signers, id)
	}
	switch {
	case !isKnown:
		return finding{"no_known_signature", 0}
	case !hasLog:
		return finding{"log_signature_missing", len(signers)}
	case len(signers) < n.Threshold:
		return finding{"threshold_not_met", len(signers)}
	}
	return finding{"", len(signers)}
}

// isCosigned splits the time from the payload, and verifies the rest over the message of that time.
func isCosigned(payload []byte, body string, verify func(message, rest []byte) bool) bool {
	if len(payload) < 8 {
		return false
	}
	time := binary.BigEndian.Uint64(payload)
	return time < integerLimit && verify([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, body)), payload[8:])
}

// aggregateID is the key ID of the aggregate line.
func (n *Network) aggregateID() string {
	var table bytes.Buffer
	for _, id := range n.witnessIDs() {
		fmt.Fprintf(&table, "%s %x\n", id, n.keys[id])
	}
	return keyID(n.ID, append([]byte("\xffcountersign/bls-aggregate/v1"), sha(table.Bytes())...))
}

// isAggregated verifies a bitmap of witnesses and their aggregate, and adds them to signers.
func (n *Network) isAggregated(message, rest []byte, signers map[string]bool) bool {
	ids := n.witnessIDs()
	length := (len(ids) + 7) / 8
	if len(rest) != length+48 {
		return false
	}
	var keys [][]byte
	for bit := 0; bit < 8*length; bit++ {
		if rest[bit/8]>>(7-bit%8)&1 == 0 {
			continue
		}
		if bit >= len(ids) {
			return false
		}
		signers[ids[bit]] = true
		keys = append(keys, n.keys[ids[bit]])
	}
	return len(keys) > 0 && verifyBLS(keys, message, rest[length:], signaturePOP)
}
