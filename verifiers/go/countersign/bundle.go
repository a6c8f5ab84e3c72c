// Package countersign verifies what Countersign networks sign, offline and without a clock, as
// docs/verification.md demands. Names such as A3 in comments are its rules.
package countersign

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"
)

// An Outcome is the result of a check.
type Outcome struct {
	Result string `json:"result"` // "valid", "invalid" or "malformed"
	Reason string `json:"reason,omitempty"`
	// The count of S7. Bundles have it in their layers.
	Verified *int `json:"verified,omitempty"`
	// Of a tree head to the one remembered.
	Relation string `json:"relation,omitempty"`
}

// A Verdict is the result of verifying a bundle.
type Verdict struct {
	Outcome
	Level           string           `json:"level,omitempty"` // "invalid", "basic", "batched" or "federated"
	Keys            string           `json:"keys,omitempty"`  // as of Network.KeysInUse
	Attestation     *Layer           `json:"attestation,omitempty"`
	Batch           *Layer           `json:"batch,omitempty"`
	CrossAnchors    []CrossAnchor    `json:"cross_anchors"`
	Federation      *Federation      `json:"federation,omitempty"`
	ExternalAnchors []ExternalAnchor `json:"external_anchors"`
	Witnessed       *Layer           `json:"witnessed,omitempty"`
	Time            *Bracket         `json:"time,omitempty"`
}

// A Layer is "verified", "failed", "absent" or "not_checked".
type Layer struct {
	Status   string `json:"status"`
	Reason   string `json:"reason,omitempty"`
	Verified *int   `json:"verified,omitempty"`
}

// A CrossAnchor is a Layer that may count.
type CrossAnchor struct {
	Layer
	Counted bool `json:"counted"`
}

// Federation has the peers that count, in the order of the configuration.
type Federation struct {
	Counted []string `json:"counted"`
	Reason  string   `json:"reason,omitempty"`
}

// An ExternalAnchor is bound to the batch or not; its provider is not asked.
type ExternalAnchor struct {
	Bound  bool   `json:"bound"`
	Reason string `json:"reason,omitempty"`
}

// A Bracket has bounds in Unix seconds, and the reasons of beacons that failed.
type Bracket struct {
	NotBefore      []int64  `json:"not_before"`
	NotAfter       []int64  `json:"not_after"`
	Failed         []string `json:"failed"`
	Contradictions int      `json:"contradictions"`
}

// A finding is the reason of a failed check, or "", and the count of S7.
type finding struct {
	reason string
	count  int
}

// uncounted is the count of a check that has none.
const uncounted = -1

func (f finding) verified() *int {
	if f.count == uncounted {
		return nil
	}
	return &f.count
}

func (f finding) outcome() Outcome {
	result := "valid"
	if f.reason != "" {
		result = "invalid"
	}
	return Outcome{Result: result, Reason: f.reason, Verified: f.verified()}
}

func (f finding) layer() *Layer {
	status := "verified"
	switch f.reason {
	case "":
	case "lower_layer_unverified", "peer_anchors_surplus", "peer_configuration_missing":
		status = "not_checked"
	default:
		status = "failed"
	}
	return &Layer{status, f.reason, f.verified()}
}

func hexOf(bytes []byte) string { return hex.EncodeToString(bytes) }

func lines(values ...any) []byte {
	var b strings.Builder
	for _, value := range values {
		fmt.Fprintln(&b, value)
	}
	return []byte(b.String())
}

func (s signedAttestation) leafHash() []byte {
	return sha([]byte{0}, lines("countersign/attestation/v1", s.networkID, s.hash, s.time, s.sequence))
}

func (h treeHead) checkpointBody() []byte {
	return lines(h.networkID, h.size, base64.StdEncoding.EncodeToString(bytesOfHex(h.root)))
}

func (h treeHead) cosignatureMessage() []byte {
	return append(lines("cosignature/v1", fmt.Sprint("time ", h.time)), h.checkpointBody()...)
}

// checkSignatures is S2 to S8.
func (n *Network) checkSignatures(set signatureSet, message []byte) finding {
	if set.isAggregate != (n.scheme == "bls") {
		return finding{"scheme_mismatch", 0}
	}
	seen := map[string]bool{}
	for _, id := range set.ids {
		if seen[id] {
			return finding{"signer_duplicate", 0}
		}
		seen[id] = true
	}
	if !sort.StringsAreSorted(set.ids) {
		return finding{"signers_unordered", 0}
	}
	var keys [][]byte
	count := 0
	for i, id := range set.ids {
		key := n.keys[id]
		switch {
		case key == nil && set.isAggregate:
			return finding{"signer_unknown", 0}
		case key == nil:
			continue
		case !set.isAggregate && !verifyEd25519(key, message, bytesOfHex(set.signatures[i])):
			return finding{"signature_invalid", 0}
		}
		keys = append(keys, key)
		if !n.distrusted[id] { // S11
			count++
		}
	}
	if set.isAggregate && len(keys) > 0 &&
		!verifyBLS(keys, message, bytesOfHex(set.signatures[0]), signaturePOP) {
		return finding{"signature_invalid", 0}
	}
	if count < n.Threshold {
		return finding{"threshold_not_met", count}
	}
	return finding{"", count}
}

// checkAttestation is A1 to A7. An empty hash expects nothing.
func (n *Network) checkAttestation(s signedAttestation, hash string) finding {
	switch {
	case s.networkID != n.ID:
		return finding{"network_mismatch", 0}
	case s.size < 1 || s.size > 512:
		return finding{"round_size_invalid", 0}
	case s.index >= s.size || s.sequence < s.index:
		return finding{"round_index_invalid", 0}
	}
	root := rootOf(s.leafHash(), s.index, s.size, s.path)
	if root == nil {
		return finding{"round_path_invalid", 0}
	}
	source := "none"
	if s.beacon != nil {
		source = fmt.Sprintf("drand/%s/%d/%s", s.beacon.chainHash, s.beacon.round, s.beacon.signature)
	}
	signing := n.at(s.sequence + 1)
	if signing == nil {
		return finding{"log_ended", 0}
	}
	found := signing.checkSignatures(s.set, lines("countersign/round/v1", n.ID, s.time, s.size, hexOf(root), source))
	if found.reason == "" && hash != "" && s.hash != hash {
		found.reason = "hash_mismatch"
	}
	return found
}

// checkHead is H1 to H6, and L15.
func (n *Network) checkHead(sth signedHead) finding {
	switch {
	case sth.networkID != n.ID:
		return finding{"network_mismatch", 0}
	case sth.size == 0 && sth.root != hexOf(sha()):
		return finding{"empty_root_wrong", 0}
	}
	signing := n.at(sth.size)
	if signing == nil {
		return finding{"log_ended", 0}
	}
	found := signing.checkSignatures(sth.set, sth.cosignatureMessage())
	if found.reason == "" {
		found.reason = n.checkEnd(sth.treeHead)
	}
	if found.reason == "" && sth.logSignature != "" && signing.logKey != nil &&
		!verifyEd25519(signing.logKey, sth.checkpointBody(), bytesOfHex(sth.logSignature)) {
		found.reason = "log_signature_invalid"
	}
	if found.reason == "" && sth.receiptSignature != "" && signing.logKey != nil &&
		!verifyEd25519(signing.logKey, sth.receiptMessage(signing.logKey), bytesOfHex(sth.receiptSignature)) {
		found.reason = "log_signature_invalid"
	}
	return found
}

// checkEnd is L15.
func (n *Network) checkEnd(head treeHead) string {
	for _, l := range n.links {
		if l.end.size == head.size && l.end.root != head.root && !n.isAccused {
			return "head_forked"
		}
	}
	return ""
}

// checkLeaf is B7 and B8, P5 and P6.
func checkLeaf(p leafProof, head treeHead) string {
	if p.index >= head.size {
		return "leaf_beyond_tree"
	}
	if hexOf(rootOf(bytesOfHex(p.leafHash), p.index, head.size, p.path)) != head.root {
		return "inclusion_invalid"
	}
	return ""
}

// checkBatch is B3 to B9.
func (n *Network) checkBatch(in *batchInclusion, s signedAttestation) finding {
	found := n.checkHead(in.sth)
	if found.reason != "" {
		return found
	}
	head, b, p := in.sth.treeHead, in.batch, in.proof
	switch {
	case p.hash != s.hash || p.leafHash != hexOf(s.leafHash()) || p.index != s.sequence ||
		p.size != head.size || p.root != head.root || p.batchID != head.size ||
		b.id != head.size || b.size != head.size || b.networkID != n.ID || b.root != head.root ||
		b.periodEnd != head.time:
		found.reason = "field_mismatch"
	case b.count != b.size-b.first:
		found.reason = "batch_count_wrong"
	case b.first > s.sequence:
		found.reason = "batch_range_wrong"
	default:
		found.reason = checkLeaf(p.leafProof, head)
	}
	return found
}

// checkReach is X9 and X10, E4 and E5.
func checkReach(head, anchored treeHead, path []string) string {
	if anchored.size < head.size {
		return "anchor_precedes_batch"
	}
	if !leads(head, anchored, path) {
		return "consistency_invalid"
	}
	return ""
}

// checkCrossAnchor is X1 to X10. head is nil if the batch is not verified; earlier anchors of the
// same network stand before this one.
func (n *Network) checkCrossAnchor(a crossAnchor, earlier int, head *treeHead, peers map[string]*Network) finding {
	pinned, isPinned := n.peer(a.network)
	switch {
	case head == nil:
		return finding{"lower_layer_unverified", uncounted}
	case earlier >= 8:
		return finding{"peer_anchors_surplus", uncounted}
	case a.network == n.ID:
		return finding{"peer_is_home", uncounted}
	case !isPinned:
		return finding{"peer_not_pinned", uncounted}
	case a.head.networkID != n.ID:
		return finding{"network_mismatch", uncounted}
	case peers[a.network] == nil:
		return finding{"peer_configuration_missing", uncounted}
	}
	signing := peers[a.network].anchoring(head.time)
	if len(signing) == 0 {
		return finding{"log_ended", uncounted}
	}
	message := a.head.cosignatureMessage()
	found := signing[0].checkSignatures(a.set, message)
	for _, older := range signing[1:] {
		if found.reason == "" {
			break
		}
		if earlier := older.checkSignatures(a.set, message); earlier.reason == "" {
			found = earlier
		}
	}
	if found.reason == "" && int64(found.count) < pinned.minWitnesses {
		found.reason = "min_witnesses_not_met"
	}
	if found.reason == "" {
		found.reason = checkReach(*head, a.head, a.path)
	}
	return found
}

// countPeers is X11 and X12: it marks the layers, and answers the ids of the counted peers.
func (n *Network) countPeers(anchors []crossAnchor, layers []CrossAnchor, peers map[string]*Network) []string {
	counted, taken := []string{}, map[string]bool{}
	take := func(network *Network) {
		for _, key := range network.allKeys() {
			taken[key] = true
		}
	}
	take(n)
	for _, p := range n.peers {
		isShared, isFirst := false, true
		if peer := peers[p.id]; peer != nil {
			for _, key := range peer.allKeys() {
				isShared = isShared || taken[key]
			}
			take(peer)
		}
		for i := range layers {
			switch {
			case anchors[i].network != p.id || layers[i].Status != "verified":
			case isShared:
				layers[i].Reason = "peer_key_shared"
			case !isFirst:
				layers[i].Reason = "peer_already_counted"
			default:
				isFirst, layers[i].Counted = false, true
				counted = append(counted, p.id)
			}
		}
	}
	return counted
}

// bind is E1 to E6.
func (n *Network) bind(a externalAnchor, head *treeHead) ExternalAnchor {
	reason := ""
	switch {
	case head == nil:
		reason = "lower_layer_unverified"
	case a.head.networkID != n.ID:
		reason = "network_mismatch"
	case a.digest != hexOf(sha(a.head.checkpointBody())):
		reason = "digest_mismatch"
	default:
		reason = checkReach(*head, a.head, a.path)
	}
	return ExternalAnchor{reason == "", reason}
}

// checkWitnessed is W1 to W5. head is nil if the batch is not verified.
func (n *Network) checkWitnessed(w *witnessed, p leafProof, head *treeHead) finding {
	if head == nil {
		return finding{"lower_layer_unverified", uncounted}
	}
	shown, found := n.checkFollowed(w.body, w.notes)
	if found.reason == "" {
		p.path = w.path
		found.reason = checkLeaf(p, shown)
	}
	return found
}

// VerifyBundle answers what the bundle in text proves. peers are the configurations of peers. With
// hash (64 hex digits) the bundle has to be about that hash. The error is Malformed, or UnknownWitness if
// the network distrusts a witness that neither it nor a peer has.
func VerifyBundle(text string, network *Network, peers []*Network, hash string) (*Verdict, error) {
	read, err := read(text, "malformed_bundle", false, readBundle)
	if err != nil {
		return nil, err
	}
	configured := map[string]*Network{}
	for _, peer := range peers {
		configured[peer.ID] = peer
	}
	network, reason := network.follow(read.chain)
	if err := network.checkDistrust(peers); err != nil {
		return nil, err
	}
	attested := finding{reason, 0}
	if reason == "" {
		attested = network.checkAttestation(read.attestation, hash)
	}
	isVerified := attested.reason == ""
	isSigned := isVerified
	if reason == "" && attested.reason == "threshold_not_met" {
		trusting := *network
		trusting.distrust = nil
		isSigned = trusting.checkAttestation(read.attestation, "").reason == ""
	}
	verdict := &Verdict{Outcome: attested.outcome(), Attestation: attested.layer(), CrossAnchors: []CrossAnchor{}, ExternalAnchors: []ExternalAnchor{}}
	verdict.Verified, verdict.Keys = nil, network.KeysInUse()
	switch {
	case read.inclusion == nil:
		verdict.Batch = &Layer{Status: "absent"}
	case !isSigned:
		verdict.Batch = finding{"lower_layer_unverified", uncounted}.layer()
	default:
		verdict.Batch = network.checkBatch(read.inclusion, read.attestation).layer()
	}
	var head *treeHead
	times := []int64{read.attestation.time}
	if verdict.Batch.Status == "verified" {
		head = &read.inclusion.sth.treeHead
		times = append(times, head.time)
	}
	seen := map[string]int{}
	for _, anchor := range read.cross {
		found := network.checkCrossAnchor(anchor, seen[anchor.network], head, configured)
		seen[anchor.network]++
		verdict.CrossAnchors = append(verdict.CrossAnchors, CrossAnchor{Layer: *found.layer()})
		if found.reason == "" {
			times = append(times, anchor.head.time)
		}
	}
	verdict.Federation = &Federation{Counted: network.countPeers(read.cross, verdict.CrossAnchors, configured)}
	switch {
	case network.peersNeeded == 0: // F1
		verdict.Federation.Reason = "federation_disabled"
	case len(verdict.Federation.Counted) < network.peersNeeded: // F2
		verdict.Federation.Reason = "cross_anchors_missing"
	}
	for _, anchor := range read.external {
		verdict.ExternalAnchors = append(verdict.ExternalAnchors, network.bind(anchor, head))
	}
	if read.witnessed != nil {
		var proof leafProof
		if head != nil {
			proof = read.inclusion.proof.leafProof
		}
		verdict.Witnessed = network.checkWitnessed(read.witnessed, proof, head).layer()
	}
	switch {
	case !isVerified:
		verdict.Level = "invalid"
	case head == nil:
		verdict.Level = "basic"
	case verdict.Federation.Reason != "":
		verdict.Level = "batched"
	default: // F3
		verdict.Level = "federated"
	}
	verdict.Time = &Bracket{NotBefore: []int64{}, NotAfter: []int64{}, Failed: []string{}}
	if isVerified {
		verdict.Time = bracketOf(read.attestation.beacon, times)
	}
	return verdict, nil
}

// Constants of drand quicknet.
const (
	quicknetHash    = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
	quicknetKey     = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
	quicknetGenesis = 1692803367
	quicknetPeriod  = 3
)

// bracketOf is T1 to T6.
func bracketOf(b *beacon, notAfter []int64) *Bracket {
	bracket := &Bracket{NotBefore: []int64{}, NotAfter: notAfter, Failed: []string{}}
	sort.Slice(notAfter, func(i, j int) bool { return notAfter[i] < notAfter[j] })
	if b == nil {
		return bracket
	}
	if b.chainHash != quicknetHash {
		bracket.Failed = append(bracket.Failed, "beacon_chain_unknown")
		return bracket
	}
	// A round below 2^53 does not overflow.
	time := quicknetGenesis + (b.round-1)*quicknetPeriod
	message := sha([]byte{byte(b.round >> 56), byte(b.round >> 48), byte(b.round >> 40), byte(b.round >> 32),
		byte(b.round >> 24), byte(b.round >> 16), byte(b.round >> 8), byte(b.round)})
	if b.round < 1 || time >= integerLimit ||
		!verifyBLS([][]byte{bytesOfHex(quicknetKey)}, message, bytesOfHex(b.signature), signatureNUL) {
		bracket.Failed = append(bracket.Failed, "beacon_invalid")
		return bracket
	}
	bracket.NotBefore = append(bracket.NotBefore, time)
	for _, after := range notAfter {
		if after < time {
			bracket.Contradictions++
		}
	}
	return bracket
}
