package countersign

import (
	"fmt"
	"sort"
)

// Succession: L1 to L15.

type (
	// A core is who signs in one epoch; text is what its fingerprint covers.
	core struct {
		configuration
		text []byte
	}
	witnessSignature struct{ id, signature string }
	link             struct {
		predecessor       core
		successor         *core
		nextLog           string // the digest of its name, or "none"
		size, time        int64
		nonce             string
		old, new          []witnessSignature
		log, successorLog *string
		end               epochEnd
	}
	epochEnd struct {
		size, time int64
		root       string
		path       []string
		signatures []witnessSignature
	}
	// An epoch ends with a tree size and a time; the last one of a log that goes on has integerLimit.
	epoch struct {
		end, endTime int64
		network      *Network
	}
)

// isVkey is true for a verifier key of type 0x01 or 0x04; an empty name allows any.
func isVkey(text, name string) bool {
	found, key := readVkey(text)
	return key != nil && key[0] != 6 && (name == "" || found == name)
}

// mlDsaVkey is the text of a key of ML-DSA-44, or "none". It is in the text of a core; signatures by it are not
// verified here.
func (r *reader) mlDsaVkey(o map[string]any, name string) string {
	text := r.textOrNone(o, name)
	if _, has := o[name]; has {
		_, key := readVkey(text)
		r.need(key != nil && key[0] == 6)
	}
	return text
}

func coreText(c configuration) []byte {
	vkey := "none"
	if c.hasLogVkey {
		vkey = c.logVkey
	}
	text := lines("countersign/trust-core/v1", c.id, c.epoch, c.scheme, c.threshold, vkey, c.logMlDsaVkey)
	witnesses := append([]witness{}, c.witnesses...)
	sort.Slice(witnesses, func(i, j int) bool { return witnesses[i].id < witnesses[j].id })
	for _, w := range witnesses {
		text = append(text, lines(w.id+" "+w.pubkey+" "+w.mlDsaVkey)...)
	}
	return text
}

func (r *reader) core(value any) (c core) {
	o := r.object(value, "id", "epoch", "signature_scheme", "threshold", "log_vkey?", "log_ml_dsa_vkey?",
		"witnesses")
	c.id, c.scheme = r.text(o["id"]), r.text(o["signature_scheme"])
	c.epoch, c.threshold = r.integer(o["epoch"]), r.integer(o["threshold"])
	isBLS := c.scheme == "bls"
	r.need(isNetworkID(c.id) && (isBLS || c.scheme == "ed25519"))
	if vkey, has := o["log_vkey"]; has {
		c.logVkey, c.hasLogVkey = r.text(vkey), true
		r.need(isVkey(c.logVkey, ""))
	}
	c.logMlDsaVkey = r.mlDsaVkey(o, "log_ml_dsa_vkey")
	last := ""
	c.witnesses = list(r, o["witnesses"], func(value any) witness {
		o := r.object(value, "id", "pubkey", "ml_dsa_vkey?", "proof_of_possession?")
		w := witness{id: r.matching(witnessID)(o["id"]), mlDsaVkey: r.mlDsaVkey(o, "ml_dsa_vkey")}
		digits := 64
		if isBLS {
			digits = 192
		}
		w.pubkey = r.hex(o["pubkey"], digits)
		proof, has := o["proof_of_possession"]
		r.need(has == isBLS && w.id > last)
		if has {
			text := r.hex(proof, 96)
			w.proofOfPossession = &text
		}
		last = w.id
		return w
	})
	r.need(len(c.witnesses) > 0)
	c.text = coreText(c.configuration)
	return c
}

func (r *reader) eachSignature(value any) []witnessSignature {
	return list(r, value, func(value any) witnessSignature {
		o := r.object(value, "witness_id", "signature")
		signature := r.text(o["signature"])
		r.need((len(signature) == 128 || len(signature) == 96) && hexDigits.MatchString(signature))
		return witnessSignature{r.matching(witnessID)(o["witness_id"]), signature}
	})
}

func (r *reader) logSignature(o map[string]any, name string) *string {
	value, has := o[name]
	if !has {
		return nil
	}
	signature := r.hex(value, 128)
	return &signature
}

func (r *reader) link(value any) (l link) {
	o := r.object(value, "predecessor", "successor", "next_log?", "tree_size", "timestamp", "nonce",
		"signatures", "end")
	l.predecessor, l.nextLog = r.core(o["predecessor"]), "none"
	if o["successor"] != (null{}) {
		successor := r.core(o["successor"])
		l.successor = &successor
	}
	if next, has := o["next_log"]; has {
		o := r.object(next, "origin", "log_vkey", "core")
		origin, vkey := r.text(o["origin"]), r.text(o["log_vkey"])
		r.need(l.successor == nil && isNetworkID(origin) && isVkey(vkey, origin))
		l.nextLog = hexOf(sha(lines("countersign/next-log/v1", origin, vkey, r.hash(o["core"]))))
	}
	l.size, l.time, l.nonce = r.integer(o["tree_size"]), r.integer(o["timestamp"]), r.hash(o["nonce"])
	signed := r.object(o["signatures"], "predecessor", "successor", "log?", "successor_log?")
	l.old, l.new = r.eachSignature(signed["predecessor"]), r.eachSignature(signed["successor"])
	l.log, l.successorLog = r.logSignature(signed, "log"), r.logSignature(signed, "successor_log")
	end := r.object(o["end"], "tree_size", "root_hash", "timestamp", "inclusion_path", "signatures")
	l.end = epochEnd{r.integer(end["tree_size"]), r.integer(end["timestamp"]), r.hash(end["root_hash"]),
		r.path(end["inclusion_path"]), r.eachSignature(end["signatures"])}
	return l
}

func readChain(r *reader, value any) []link { return list(r, value, r.link) }

func (l link) text() []byte {
	after := l.nextLog
	if l.successor != nil {
		after = hexOf(sha(l.successor.text))
	}
	return lines("countersign/succession/v1", l.predecessor.id, l.predecessor.epoch+1,
		hexOf(sha(l.predecessor.text)), after, l.size, l.time, l.nonce)
}

// same is L3.
func (l link) same(other link) bool {
	return string(l.text()) == string(other.text()) && l.end.size == other.end.size &&
		l.end.root == other.end.root
}

// network is L4.
func (c core) network() (*Network, string) {
	if 2*c.threshold <= int64(len(c.witnesses)) {
		return nil, "threshold_too_low"
	}
	n, code := newNetwork(c.configuration)
	if code != "" {
		return nil, "core_invalid"
	}
	return n, ""
}

// checkEach is L6 for witnesses; n is nil if nobody may sign.
func checkEach(signatures []witnessSignature, n *Network, message []byte) string {
	for i, s := range signatures {
		if i > 0 && s.id <= signatures[i-1].id {
			return "signers_unordered"
		}
		if n == nil || n.keys[s.id] == nil {
			return "signer_unknown"
		}
		key, signature := n.keys[s.id], bytesOfHex(s.signature)
		isValid := len(signature) == 64
		if n.scheme == "bls" {
			isValid = len(signature) == 48 && verifyBLS([][]byte{key}, message, signature, signaturePOP)
		} else {
			isValid = isValid && verifyEd25519(key, message, signature)
		}
		if !isValid {
			return "signature_invalid"
		}
	}
	return ""
}

// checkLogKey is L6 for log keys.
func checkLogKey(signature *string, key, message []byte) string {
	switch {
	case signature == nil:
		return ""
	case key == nil:
		return "log_key_missing"
	case !verifyEd25519(key, message, bytesOfHex(*signature)):
		return "log_signature_invalid"
	}
	return ""
}

// check is L4 to L13.
func (l link) check() string {
	old, reason := l.predecessor.network()
	if reason != "" {
		return reason
	}
	var next *Network
	var laterKey []byte
	if l.successor != nil {
		if next, reason = l.successor.network(); reason != "" {
			return reason
		}
		if next.ID != old.ID || next.scheme != old.scheme || l.successor.epoch != l.predecessor.epoch+1 {
			return "succession_unrelated"
		}
		if l.successor.logVkey != l.predecessor.logVkey {
			laterKey = next.logKey
		}
	}
	message := l.text()
	for _, reason := range []string{
		checkEach(l.old, old, message), checkEach(l.new, next, message),
		checkLogKey(l.log, old.logKey, message), checkLogKey(l.successorLog, laterKey, message),
	} {
		if reason != "" {
			return reason
		}
	}
	leaf := signedAttestation{networkID: old.ID, hash: hexOf(sha(message)), time: l.end.time, sequence: l.end.size - 1}
	switch {
	case len(l.old) < old.Threshold:
		return "threshold_not_met"
	case old.logKey != nil && l.log == nil:
		return "log_signature_missing"
	case next != nil && len(l.new) < len(next.keys):
		return "successor_unsigned"
	case laterKey != nil && l.successorLog == nil:
		return "log_signature_missing"
	case l.end.size <= l.size:
		return "boundary_wrong"
	case hexOf(rootOf(leaf.leafHash(), leaf.sequence, l.end.size, l.end.path)) != l.end.root:
		return "inclusion_invalid"
	}
	end := lines("countersign/epoch-end/v1", old.ID, l.predecessor.epoch, leaf.hash, l.end.size, l.end.root)
	if reason := checkEach(l.end.signatures, old, end); reason != "" {
		return reason
	}
	if len(l.end.signatures) < old.Threshold {
		return "threshold_not_met"
	}
	return ""
}

// checkOrder is L2.
func checkOrder(links []link, i int, id string) string {
	predecessor := links[i].predecessor
	if predecessor.epoch != int64(i) || predecessor.id != id {
		return "succession_unrelated"
	}
	if i == 0 {
		return ""
	}
	before := links[i-1]
	if before.successor == nil || string(before.successor.text) != string(predecessor.text) {
		return "succession_unrelated"
	}
	if links[i].end.size <= before.end.size {
		return "boundary_wrong"
	}
	return ""
}

// follow answers the network with the epochs of links, which may extend the chain that was followed before
// and replace none of it, or a reason.
func (n *Network) follow(links []link) (*Network, string) {
	if len(links) > len(n.links) { // L1
		var at *core
		switch count := int64(len(links)); {
		case n.epoch < count:
			at = &links[n.epoch].predecessor
		case n.epoch == count:
			at = links[count-1].successor
		}
		if at == nil || string(at.text) != string(n.core) {
			return n, "succession_unrelated"
		}
	}
	for i, l := range links {
		if reason := checkOrder(links, i, n.ID); reason != "" {
			return n, reason
		}
		if i < len(n.links) && !l.same(n.links[i]) {
			return n, "succession_conflict"
		}
		if reason := l.check(); reason != "" {
			return n, reason
		}
	}
	if len(links) <= len(n.links) {
		return n, ""
	}
	followed := *n
	followed.links, followed.epochs = append(append([]link{}, n.links...), links[len(n.links):]...), nil
	for _, l := range followed.links {
		network, _ := l.predecessor.network()
		followed.epochs = append(followed.epochs, epoch{l.end.size, l.end.time, network})
	}
	if last := links[len(links)-1].successor; last != nil {
		network, _ := last.network()
		followed.epochs = append(followed.epochs, epoch{integerLimit, integerLimit, network})
	}
	return &followed, ""
}

// Follow answers the network with the epochs of a chain, the text of GET /v1/succession; the network itself if
// the chain is of another one. The error is Malformed, also with the reason why the chain does not lead from
// the network.
func (n *Network) Follow(chain string) (*Network, error) {
	links, err := read(chain, "malformed_configuration", false, readChain)
	if err != nil {
		return nil, err
	}
	if len(links) == 0 || links[0].predecessor.id != n.ID {
		return n, nil
	}
	followed, reason := n.follow(links)
	if reason != "" {
		return nil, Malformed(reason)
	}
	return followed, nil
}

// KeysInUse says which epoch's, for reports.
func (n *Network) KeysInUse() string {
	last := n.epoch
	if len(n.links) > 0 {
		final := n.links[len(n.links)-1]
		if last = final.predecessor.epoch; final.successor != nil {
			last = final.successor.epoch
		}
	}
	if last == n.epoch {
		return fmt.Sprintf("epoch %d, not followed further", last)
	}
	return fmt.Sprintf("epoch %d, followed from the pin of epoch %d", last, n.epoch)
}
