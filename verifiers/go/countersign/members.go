package countersign

import (
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"strings"
)

var (
	witnessID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~/-]{0,111}$`)
	networkID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~/-]{0,95}$`)
	service   = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$`)
	hexDigits = regexp.MustCompile(`^[0-9a-f]*$`)
)

// isNetworkID is rule C2.
func isNetworkID(id string) bool {
	for _, reserved := range []string{"cosignature/", "countersign/", "subtree/"} {
		if strings.HasPrefix(id, reserved) {
			return false
		}
	}
	return networkID.MatchString(id)
}

// A reader reads the members of the tables. It notes the first wrong one and goes on with zero
// values.
type reader struct {
	isBad     bool
	allowMore bool // C1: unknown members are ignored
}

// read reads the top level of a resource with readTop; code names what breaks a rule of reading.
func read[T any](text, code string, allowMore bool, readTop func(*reader, any) T) (T, error) {
	value, ok := parse(text)
	r := &reader{allowMore: allowMore}
	result := readTop(r, value)
	if !ok || r.isBad {
		return result, Malformed(code)
	}
	return result, nil
}

func (r *reader) need(isRight bool) bool {
	r.isBad = r.isBad || !isRight
	return isRight
}

// object requires an object with the members of names; one that ends with "?" is optional.
func (r *reader) object(value any, names ...string) map[string]any {
	members, isObject := value.(map[string]any)
	if !r.need(isObject) {
		return nil
	}
	known := 0
	for _, name := range names {
		_, has := members[strings.TrimSuffix(name, "?")]
		r.need(has || strings.HasSuffix(name, "?"))
		if has {
			known++
		}
	}
	r.need(known == len(members) || r.allowMore)
	return members
}

func list[T any](r *reader, value any, readItem func(any) T) []T {
	items, isList := value.([]any)
	r.need(isList)
	read := make([]T, len(items))
	for i, item := range items {
		read[i] = readItem(item)
	}
	return read
}

func (r *reader) text(value any) string {
	text, isText := value.(string)
	r.need(isText)
	return text
}

func (r *reader) matching(pattern *regexp.Regexp) func(any) string {
	return func(value any) string {
		text := r.text(value)
		r.need(pattern.MatchString(text))
		return text
	}
}

func (r *reader) integer(value any) int64 {
	n, isInteger := value.(int64)
	r.need(isInteger)
	return n
}

func (r *reader) flag(value any) bool {
	flag, isFlag := value.(bool)
	r.need(isFlag)
	return flag
}

func (r *reader) hex(value any, digits int) string {
	text := r.text(value)
	r.need(len(text) == digits && hexDigits.MatchString(text))
	return text
}

func (r *reader) hash(value any) string { return r.hex(value, 64) }

func (r *reader) path(value any) []string { return list(r, value, r.hash) }

// A signatureSet is in one of the two shapes of S1: by witness, or one aggregate.
type signatureSet struct {
	isAggregate bool
	ids         []string
	signatures  []string // hex digits; of an aggregate one
}

// signed reads an object with further members for its signatures.
func (r *reader) signed(value any, names ...string) (map[string]any, signatureSet) {
	members, _ := value.(map[string]any)
	if _, isListed := members["signatures"]; !isListed {
		o := r.object(value, append(names, "signature", "signers")...)
		ids := list(r, o["signers"], r.matching(witnessID))
		return o, signatureSet{true, ids, []string{r.hex(o["signature"], 96)}}
	}
	o, set := r.object(value, append(names, "signatures")...), signatureSet{}
	list(r, o["signatures"], func(item any) string {
		one := r.object(item, "witness_id", "signature")
		set.ids = append(set.ids, r.matching(witnessID)(one["witness_id"]))
		set.signatures = append(set.signatures, r.hex(one["signature"], 128))
		return ""
	})
	return o, set
}

type (
	beacon struct {
		chainHash, signature string
		round                int64
	}
	signedAttestation struct {
		hash, networkID string
		time, sequence  int64
		index, size     int64
		path            []string
		beacon          *beacon
		set             signatureSet
	}
	treeHead struct {
		networkID, root string
		size, time      int64
	}
	signedHead struct {
		treeHead
		set signatureSet
		// Empty if absent.
		logSignature, receiptSignature string
	}
	leafProof struct {
		hash, leafHash string
		index, size    int64
		path           []string
	}
	merkleProof struct {
		leafProof
		root    string
		batchID int64
	}
	batch struct {
		networkID, root                   string
		id, size, first, count, periodEnd int64
	}
	batchInclusion struct {
		batch
		proof merkleProof
		sth   signedHead
	}
	crossAnchor struct {
		network string
		head    treeHead
		path    []string
		set     signatureSet
	}
	externalAnchor struct {
		head   treeHead
		path   []string
		digest string
	}
	witnessed struct {
		body  string
		notes []noteLine
		path  []string
	}
	bundle struct {
		attestation signedAttestation
		inclusion   *batchInclusion
		cross       []crossAnchor
		external    []externalAnchor
		chain       []link
		witnessed   *witnessed
	}
)

func (r *reader) signedAttestation(value any) (s signedAttestation) {
	o, set := r.signed(value, "attestation", "round")
	a := r.object(o["attestation"], "hash", "timestamp", "network_id", "sequence")
	part := r.object(o["round"], "index", "size", "inclusion_path", "beacon")
	s = signedAttestation{
		hash: r.hash(a["hash"]), networkID: r.text(a["network_id"]),
		time: r.integer(a["timestamp"]), sequence: r.integer(a["sequence"]),
		index: r.integer(part["index"]), size: r.integer(part["size"]),
		path: r.path(part["inclusion_path"]), set: set,
	}
	if part["beacon"] != (null{}) {
		b := r.object(part["beacon"], "chain_hash", "round", "signature")
		s.beacon = &beacon{r.hash(b["chain_hash"]), r.hex(b["signature"], 96), r.integer(b["round"])}
	}
	return s
}

func (r *reader) treeHead(value any) treeHead {
	o := r.object(value, "network_id", "tree_size", "timestamp", "root_hash")
	return treeHead{r.text(o["network_id"]), r.hash(o["root_hash"]), r.integer(o["tree_size"]), r.integer(o["timestamp"])}
}

func (r *reader) signedHead(value any) signedHead {
	o, set := r.signed(value, "tree_head", "log_signature?", "receipt_signature?")
	head := signedHead{r.treeHead(o["tree_head"]), set, "", ""}
	if signature, has := o["log_signature"]; has {
		head.logSignature = r.hex(signature, 128)
	}
	if signature, has := o["receipt_signature"]; has {
		head.receiptSignature = r.hex(signature, 128)
	}
	return head
}

var leafMembers = []string{"hash", "leaf_hash", "leaf_index", "tree_size", "inclusion_path"}

func (r *reader) leafProof(o map[string]any) leafProof {
	return leafProof{r.hash(o["hash"]), r.hash(o["leaf_hash"]), r.integer(o["leaf_index"]), r.integer(o["tree_size"]), r.path(o["inclusion_path"])}
}

func (r *reader) merkleProof(value any) merkleProof {
	o := r.object(value, append([]string{"root_hash", "batch_id"}, leafMembers...)...)
	return merkleProof{r.leafProof(o), r.hash(o["root_hash"]), r.integer(o["batch_id"])}
}

func (r *reader) batchInclusion(value any) *batchInclusion {
	if value == (null{}) {
		return nil
	}
	o := r.object(value, "batch", "merkle_proof", "sth")
	b := r.object(o["batch"], "id", "network_id", "root_hash", "tree_size", "first_index",
		"attestation_count", "period_start", "period_end")
	r.integer(b["period_start"])
	return &batchInclusion{batch{
		networkID: r.text(b["network_id"]), root: r.hash(b["root_hash"]), id: r.integer(b["id"]),
		size: r.integer(b["tree_size"]), first: r.integer(b["first_index"]),
		count: r.integer(b["attestation_count"]), periodEnd: r.integer(b["period_end"]),
	}, r.merkleProof(o["merkle_proof"]), r.signedHead(o["sth"])}
}

func (r *reader) crossAnchor(value any) crossAnchor {
	o, set := r.signed(value, "witnessing_network", "tree_head", "consistency_path")
	return crossAnchor{r.text(o["witnessing_network"]), r.treeHead(o["tree_head"]), r.path(o["consistency_path"]), set}
}

func (r *reader) externalAnchor(value any) externalAnchor {
	o := r.object(value, "provider", "service?", "status", "timestamp", "tree_head",
		"consistency_path", "digest", "proof")
	r.text(o["provider"])
	r.text(o["status"])
	r.integer(o["timestamp"])
	if name, has := o["service"]; has {
		r.matching(service)(name)
	}
	return externalAnchor{r.treeHead(o["tree_head"]), r.path(o["consistency_path"]), r.hash(o["digest"])}
}

func readBundle(r *reader, value any) bundle {
	o := r.object(value, "signed_attestation", "batch_inclusion", "cross_anchors", "external_anchors",
		"succession?", "witnessed?")
	var shown *witnessed
	if value, has := o["witnessed"]; has {
		w := r.object(value, "checkpoint", "inclusion_path")
		body, notes, err := readNote(r.text(w["checkpoint"]))
		r.need(err == nil)
		shown = &witnessed{body, notes, r.path(w["inclusion_path"])}
	}
	var chain []link
	if links, has := o["succession"]; has {
		chain = readChain(r, links)
		r.need(len(chain) > 0)
	}
	return bundle{
		r.signedAttestation(o["signed_attestation"]),
		r.batchInclusion(o["batch_inclusion"]),
		list(r, o["cross_anchors"], r.crossAnchor),
		list(r, o["external_anchors"], r.externalAnchor),
		chain,
		shown,
	}
}

// bytesOfHex decodes digits that a reader has checked.
func bytesOfHex(digits string) []byte {
	bytes, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return bytes
}

// bytesOfBase64 decodes canonical base64; nil for other texts. The decoder skips line ends.
func bytesOfBase64(text string) []byte {
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(bytes) != text {
		return nil
	}
	return bytes
}
