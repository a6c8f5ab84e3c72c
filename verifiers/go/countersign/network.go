package countersign

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Network is the pinned public configuration of a network (network.public.json).
type Network struct {
	ID        string
	Threshold int

	scheme      string
	keys        map[string][]byte // of witnesses, by id
	logKey      []byte            // nil without log_vkey
	peers       []peer            // in the order of the configuration
	peersNeeded int               // 0 if federation is disabled

	epoch  int64
	core   []byte  // the text of its trust core
	links  []link  // the chain that was followed
	epochs []epoch // from epoch 0 on; nil if no chain was followed

	isAccused bool // L15 is left out: another root is the evidence

	distrust   []distrust
	distrusted map[string]bool // ids that do not count at a place in the log: answers of at and anchoring
}

type peer struct {
	id           string
	minWitnesses int64
}

func sha(parts ...[]byte) []byte {
	h := sha256.New()
	for _, part := range parts {
		h.Write(part)
	}
	return h.Sum(nil)
}

func keyID(name string, typedKey []byte) string {
	return string(sha([]byte(name+"\n"), typedKey)[:4])
}

func vkeyOf(name string, typedKey []byte) string {
	return fmt.Sprintf("%s+%x+%s", name, keyID(name, typedKey), base64.StdEncoding.EncodeToString(typedKey))
}

// isKeyName is true for a name without "+" and without white space, which is not empty.
func isKeyName(name string) bool {
	return name != "" && utf8.ValidString(name) && !strings.Contains(name, "+") &&
		strings.IndexFunc(name, unicode.IsSpace) < 0
}

// readVkey answers the name and the key with its type: 0x01, 0x04 or 0x06. The key is nil for other texts.
func readVkey(text string) (name string, key []byte) {
	name, rest, _ := strings.Cut(text, "+")
	_, encoded, _ := strings.Cut(rest, "+")
	key = bytesOfBase64(encoded)
	if !isKeyName(name) || len(key) == 0 || text != vkeyOf(name, key) {
		return "", nil
	}
	lengths := map[byte]int{1: 33, 4: 33, 6: 1313}
	if len(key) != lengths[key[0]] {
		return "", nil
	}
	return name, key
}

type witness struct {
	id, pubkey              string
	mlDsaVkey               string // "none" without one
	vkey, proofOfPossession *string
}

type configuration struct {
	id, scheme, logVkey string
	hasLogVkey          bool
	logMlDsaVkey        string // "none" without one
	epoch, threshold    int64
	witnesses           []witness
	enabled             bool
	peersNeeded         int64
	peers               []peer
	chain               []link // of "succession"
}

func readConfiguration(r *reader, value any) (c configuration) {
	o := r.object(value, "id", "threshold", "signature_scheme", "witnesses", "log_vkey?", "epoch?",
		"log_ml_dsa_vkey?", "merge_delay_seconds?", "federation?", "succession?")
	c.id, c.scheme = r.text(o["id"]), r.text(o["signature_scheme"])
	c.threshold = r.integer(o["threshold"])
	if vkey, has := o["log_vkey"]; has {
		c.logVkey, c.hasLogVkey = r.text(vkey), true
	}
	c.logMlDsaVkey = r.textOrNone(o, "log_ml_dsa_vkey")
	if epoch, has := o["epoch"]; has {
		c.epoch = r.integer(epoch)
	}
	if delay, has := o["merge_delay_seconds"]; has {
		r.integer(delay)
	}
	c.witnesses = list(r, o["witnesses"], func(value any) witness {
		o := r.object(value, "id", "pubkey", "vkey?", "ml_dsa_vkey?", "proof_of_possession?")
		w := witness{id: r.text(o["id"]), pubkey: r.text(o["pubkey"]), mlDsaVkey: r.textOrNone(o, "ml_dsa_vkey")}
		digits := 64
		if c.scheme == "bls" {
			digits = 192
		}
		if c.scheme == "bls" || c.scheme == "ed25519" {
			r.hex(o["pubkey"], digits)
		}
		if vkey, has := o["vkey"]; has {
			text := r.text(vkey)
			w.vkey = &text
		}
		if proof, has := o["proof_of_possession"]; has {
			text := r.hex(proof, 96)
			w.proofOfPossession = &text
		}
		return w
	})
	if links, has := o["succession"]; has {
		r.allowMore = false
		c.chain = readChain(r, links)
		r.allowMore = true
		r.need(len(c.chain) > 0)
	}
	if federation, has := o["federation"]; has {
		o := r.object(federation, "enabled", "peer_networks", "cross_anchor_threshold")
		c.enabled, c.peersNeeded = r.flag(o["enabled"]), r.integer(o["cross_anchor_threshold"])
		c.peers = list(r, o["peer_networks"], func(value any) peer {
			o := r.object(value, "id", "gateway_url?", "min_witnesses?")
			p := peer{id: r.text(o["id"])}
			if url, has := o["gateway_url"]; has {
				r.text(url)
			}
			if count, has := o["min_witnesses"]; has {
				p.minWitnesses = r.integer(count)
			}
			return p
		})
	}
	return c
}

// noKey is the text of a core where a key is absent.
const noKey = "none"

func (r *reader) textOrNone(o map[string]any, name string) string {
	value, has := o[name]
	if !has {
		return noKey
	}
	if text := r.text(value); text != noKey {
		return text
	}
	return ""
}

// ReadNetwork reads and checks a configuration (C1 to C13). Its error is Malformed with the code.
func ReadNetwork(text string) (*Network, error) {
	c, err := read(text, "malformed_configuration", true, readConfiguration)
	if err != nil {
		return nil, err
	}
	n, code := newNetwork(c)
	if code != "" {
		return nil, Malformed(code)
	}
	if len(c.chain) == 0 {
		return n, nil
	}
	followed, reason := n.follow(c.chain)
	if reason != "" {
		return nil, Malformed("invalid_configuration")
	}
	return followed, nil
}

// newNetwork answers the network, or the code of a rule that the configuration breaks.
func newNetwork(c configuration) (*Network, string) {
	n := &Network{ID: c.id, Threshold: int(c.threshold), scheme: c.scheme, keys: map[string][]byte{}, peers: c.peers,
		epoch: c.epoch, core: coreText(c)}
	if c.enabled {
		n.peersNeeded = int(c.peersNeeded)
	}
	return n, n.check(c)
}

// check answers the code of a rule that the configuration breaks.
func (n *Network) check(c configuration) string {
	const invalid = "invalid_configuration"
	if !isNetworkID(c.id) || (c.scheme != "ed25519" && c.scheme != "bls") ||
		c.threshold < 1 || c.threshold > int64(len(c.witnesses)) {
		return invalid
	}
	public := map[string]bool{}
	for _, w := range c.witnesses {
		key := bytesOfHex(w.pubkey)
		if !witnessID.MatchString(w.id) || n.keys[w.id] != nil || public[string(key)] {
			return invalid
		}
		if code := checkWitness(w, key, c.scheme); code != "" {
			return code
		}
		n.keys[w.id], public[string(key)] = key, true
	}
	if c.hasLogVkey {
		name, key := readVkey(c.logVkey)
		switch {
		case key == nil || key[0] == 6:
			return "invalid_key"
		case name != c.id || key[0] != 1 || public[string(key[1:])]:
			return invalid
		case !isEd25519Key(key[1:]):
			return "invalid_key"
		}
		n.logKey = key[1:]
	}
	if code := checkMlDsaKeys(c); code != "" {
		return code
	}
	peers := map[string]bool{c.id: true}
	for _, p := range c.peers {
		if !isNetworkID(p.id) || peers[p.id] {
			return invalid
		}
		peers[p.id] = true
	}
	return ""
}

// checkMlDsaKeys is C14 and C15. No signature of these keys is verified here.
func checkMlDsaKeys(c configuration) string {
	const invalid = "invalid_configuration"
	owned := append([]witness{{id: c.id, mlDsaVkey: c.logMlDsaVkey}}, c.witnesses...)
	seen := map[string]bool{}
	for _, owner := range owned {
		if owner.mlDsaVkey == noKey {
			continue
		}
		name, key := readVkey(owner.mlDsaVkey)
		switch {
		case key == nil || key[0] != 6:
			return "invalid_key"
		case c.scheme != "ed25519" || name != owner.id || seen[string(key)]:
			return invalid
		}
		seen[string(key)] = true
	}
	if len(seen) > 128 {
		return invalid
	}
	return ""
}

// checkWitness is C6 to C8.
func checkWitness(w witness, key []byte, scheme string) string {
	if scheme == "ed25519" {
		switch {
		case !isEd25519Key(key):
			return "invalid_key"
		case w.vkey != nil && *w.vkey != vkeyOf(w.id, append([]byte{4}, key...)):
			return "invalid_configuration"
		}
		return ""
	}
	switch {
	case decodePoint(key) == nil:
		return "invalid_key"
	case w.vkey != nil || w.proofOfPossession == nil ||
		!verifyBLS([][]byte{key}, key, bytesOfHex(*w.proofOfPossession), proofOfPossession):
		return "invalid_configuration"
	}
	return ""
}

// allKeys are the keys of X11.
func (n *Network) allKeys() []string {
	if n.epochs != nil {
		var keys []string
		for _, e := range n.epochs {
			keys = append(keys, e.network.allKeys()...)
		}
		return keys
	}
	keys := []string{string(n.logKey)}
	for _, key := range n.keys {
		keys = append(keys, string(key))
	}
	if n.logKey == nil {
		return keys[1:]
	}
	return keys
}

// witnessIDs are ascending.
func (n *Network) witnessIDs() []string {
	ids := make([]string, 0, len(n.keys))
	for id := range n.keys {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	return ids
}

func (n *Network) peer(id string) (peer, bool) {
	for _, p := range n.peers {
		if p.id == id {
			return p, true
		}
	}
	return peer{}, false
}
