"""Verifies proof bundles of Countersign offline, as docs/verification.md demands.

    python3 countersign_verify.py network.json bundle.json|token.tsr [file] [--peer peer.json]...
        [--chain chain.json]... [--distrust witness[@size]]... [--root root.pem]...

Python 3.11 and its standard library. Names such as A3 are rules of docs/verification.md.
`verify_bundle` returns what docs/vectors/README.md describes as `expect`.
"""

import base64
import hashlib
import importlib
import json
import re

from ed25519 import is_key, verifies

def module(name):
    """A module of this folder. Each may be left out."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None

bls12381 = module("bls12381")

class Malformed(Exception):
    """A text that cannot be read. Its argument is the code."""

class Failed(Exception):
    """A rule that failed. Its arguments are the reason and the count of S7, None if not reached."""

def require(condition, code="invalid_configuration"):
    if not condition:
        raise Malformed(code)

def check(condition, reason, count=0):
    if not condition:
        raise Failed(reason, count)

# Shapes of JSON: a pattern of strings, a type, a tuple of alternatives, a list of the shape of its
# items, or a dict of members; a member whose name ends with "_" is optional.

HASH, HEX96, HEX128 = (f"[0-9a-f]{{{digits}}}" for digits in (64, 96, 128))
WITNESS_ID = "[A-Za-z0-9][A-Za-z0-9._~/-]{0,111}"
NETWORK_ID = "(?!cosignature/|countersign/|subtree/)[A-Za-z0-9][A-Za-z0-9._~/-]{0,95}"
# The name of a key: no White_Space of Unicode, no "+", no surrogate.
NAME = "[^+\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ud800-\udfff]+"
NULL, ANYTHING = type(None), object

def signed(**members):
    """`members` and signatures of one of the two shapes (S1)."""
    return (dict(members, signatures=[dict(witness_id=WITNESS_ID, signature=HEX128)]),
            dict(members, signature=HEX96, signers=[WITNESS_ID]))

SIGNED_ATTESTATION = signed(
    attestation=dict(hash=HASH, timestamp=int, network_id=str, sequence=int),
    round=dict(index=int, size=int, inclusion_path=[HASH],
               beacon=(NULL, dict(chain_hash=HASH, round=int, signature=HEX96))))
TREE_HEAD = dict(network_id=str, tree_size=int, timestamp=int, root_hash=HASH)
SIGNED_TREE_HEAD = signed(tree_head=TREE_HEAD, log_signature_=HEX128, receipt_signature_=HEX128)
BATCH = dict(id=int, network_id=str, root_hash=HASH, tree_size=int, first_index=int,
             attestation_count=int, period_start=int, period_end=int)
LEAF_PROOF = dict(hash=HASH, leaf_hash=HASH, leaf_index=int, tree_size=int, inclusion_path=[HASH])
MERKLE_PROOF = dict(LEAF_PROOF, root_hash=HASH, batch_id=int)
ANCHORED = dict(tree_head=TREE_HEAD, consistency_path=[HASH])
BUNDLE = dict(
    signed_attestation=SIGNED_ATTESTATION, succession_=ANYTHING, witnessed_=ANYTHING,
    batch_inclusion=(NULL, dict(batch=BATCH, merkle_proof=MERKLE_PROOF, sth=SIGNED_TREE_HEAD)),
    cross_anchors=[signed(**ANCHORED, witnessing_network=str)],
    external_anchors=[dict(ANCHORED, provider=str, status=str, timestamp=int, digest=HASH,
                           service_="[A-Za-z0-9][A-Za-z0-9._-]{0,39}", proof=ANYTHING)])
PEER = dict(id=str, gateway_url_=str, min_witnesses_=int)
CONFIGURATION = dict(
    id=str, threshold=int, signature_scheme=str, log_vkey_=str, merge_delay_seconds_=int,
    epoch_=int, log_ml_dsa_vkey_=str, succession_=[ANYTHING],
    witnesses=[dict(id=str, pubkey=str, vkey_=str, ml_dsa_vkey_=str, proof_of_possession_=HEX96)],
    federation_=dict(enabled=bool, cross_anchor_threshold=int, peer_networks=[PEER]))
NAMES = dict(id=NETWORK_ID, signature_scheme="ed25519|bls", witnesses=[dict(id=WITNESS_ID)],
             federation_=dict(peer_networks=[dict(id=NETWORK_ID)]))  # C2, C3, C5, C11

def fits(value, shape, unknown_members=False):
    if isinstance(shape, str):
        return isinstance(value, str) and re.fullmatch(shape, value) is not None
    if isinstance(shape, tuple):
        return any(fits(value, one, unknown_members) for one in shape)
    if isinstance(shape, list):
        return type(value) is list and all(fits(v, shape[0], unknown_members) for v in value)
    if not isinstance(shape, dict):
        return shape is ANYTHING or type(value) is shape
    names = {name.rstrip("_"): name for name in shape}
    return (type(value) is dict
            and all(name in value for name in shape if not name.endswith("_"))
            and all(fits(member, shape[names[name]], unknown_members) if name in names
                    else unknown_members for name, member in value.items()))

# Reading (J1 to J8).

def integer_of(digits):
    """J4. Other numbers become floats, which fit no shape."""
    plain = re.fullmatch("0|[1-9][0-9]{0,15}", digits) and int(digits) < 2**53
    return int(digits) if plain else 0.5

def object_of(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("two members of one name")
    return dict(pairs)

def depth(value):
    items = value.values() if type(value) is dict else value if type(value) is list else ()
    return max((1 + depth(item) for item in items), default=0)

def read(text, shape, code="malformed_bundle", unknown_members=False):
    """The object in `text`, which is a str or bytes of UTF-8."""
    try:
        value = json.loads(text if isinstance(text, str) else text.decode(), parse_int=integer_of,
                           object_pairs_hook=object_of, parse_constant=int)  # int("NaN") fails
        if depth(value) <= 32 and fits(value, shape, unknown_members):
            return value
    except (ValueError, RecursionError):
        pass
    raise Malformed(code)

def bytes_of_base64(text):
    """The bytes of canonical base64, otherwise none."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if base64.b64encode(data).decode() == text else b""

# Merkle paths (RFC 9162, section 2.1.3.2).

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def root_of(leaf_hash, index, size, path):
    """The root that an inclusion path leads to, or None if its length is wrong."""
    node, last = leaf_hash, size - 1
    for sibling in map(bytes.fromhex, path):
        if last == 0:
            return None
        left = index & 1 == 0 and index != last
        node = sha256(b"\1", node, sibling) if left else sha256(b"\1", sibling, node)
        while not left and index and index & 1 == 0:
            index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
    return node.hex() if last == 0 else None

# Configuration (C1 to C13).

def key_id(name, typed_key):
    return sha256(name.encode(errors="surrogatepass"), b"\n", typed_key)[:4]

def vkey_of(name, typed_key):
    return f"{name}+{key_id(name, typed_key).hex()}+{base64.b64encode(typed_key).decode()}"

VKEY_LENGTHS = {1: 33, 4: 33, 6: 1313}

def read_vkey(text, types=(1, 4)):
    """The name, and the key behind the byte of its type."""
    name, _, rest = text.partition("+")
    key = bytes_of_base64(rest.partition("+")[2])
    require(re.fullmatch(NAME, name) and key and text == vkey_of(name, key), "invalid_key")
    require(key[0] in types and len(key) == VKEY_LENGTHS[key[0]], "invalid_key")
    return name, key

class Network:
    """A public configuration."""

    def __init__(self, text):
        c = read(text, CONFIGURATION, "malformed_configuration", True)
        require(fits(c, NAMES, True))
        self.id, self.threshold, self.scheme = c["id"], c["threshold"], c["signature_scheme"]
        witnesses, is_ed25519 = c["witnesses"], self.scheme == "ed25519"
        pubkey = HASH if is_ed25519 else "[0-9a-f]{192}"
        require(all(fits(w["pubkey"], pubkey) for w in witnesses), "malformed_configuration")
        self.keys = {w["id"]: bytes.fromhex(w["pubkey"]) for w in witnesses}
        require(1 <= self.threshold <= len(witnesses) == len(self.keys))
        require(is_ed25519 or bls12381, "unsupported")
        for w, key in zip(witnesses, self.keys.values()):
            require(is_key(key) if is_ed25519 else bls12381.decode_point(key), "invalid_key")
            require(w.get("vkey") in (None, vkey_of(w["id"], b"\4" + key)) if is_ed25519 else
                    "vkey" not in w and bls12381.is_possessed(key, w.get("proof_of_possession")))
        self.log_key, keys = None, [*self.keys.values()]
        if "log_vkey" in c:
            name, key = read_vkey(c["log_vkey"])
            require(name == self.id and key[0] == 1)
            require(is_key(key[1:]), "invalid_key")
            self.log_key = key[1:]
            keys.append(self.log_key)
        self.all_keys = set(keys)
        require(len(self.all_keys) == len(keys))
        self.check_ml_dsa_keys(c)
        self.members, self.roots, self.links, self.distrusted = c, {}, [], ()
        self.epochs = [(float("inf"), float("inf"), self)]  # last size, last time, who signs
        self.trusted = lambda signing, size: signing  # with `distrusted`, as in `succession`
        federation = c.get("federation", dict(enabled=False, peer_networks=[]))
        self.peers_needed = federation["enabled"] and federation["cross_anchor_threshold"]
        self.peers = {p["id"]: p.get("min_witnesses", 0) for p in federation["peer_networks"]}
        require(len({self.id, *self.peers}) == len(federation["peer_networks"]) + 1)

    def check_ml_dsa_keys(self, c):
        """C14 and C15. No signature of these keys is verified here."""
        owned = [(self.id, c.get("log_ml_dsa_vkey"))]
        owned += [(w["id"], w.get("ml_dsa_vkey")) for w in c["witnesses"]]
        keys = [(owner, *read_vkey(text, (6,))) for owner, text in owned if text is not None]
        require(not keys or self.scheme == "ed25519")
        require(all(owner == name for owner, name, _ in keys))
        require(len({key for *_, key in keys}) == len(keys) <= 128)

    @property
    def keys_in_use(self):
        """For reports."""
        pinned, last = self.members.get("epoch", 0), self.links and self.links[-1]
        epoch = (last["successor"] or last["predecessor"])["epoch"] if last else pinned
        return f"epoch {epoch}, " + ("not followed further" if epoch == pinned else
                                     f"followed from the pin of epoch {pinned}")

    def at(self, size):
        """Who signs heads of `size` (L14)."""
        for end, _, signing in self.epochs:
            if size <= end:
                return self.trusted(signing, size)
        raise Failed("log_ended", 0)

    def anchoring(self, time):
        """Who may sign for this peer, newest first, where the batch has `time` (X7)."""
        return [self.trusted(signing, float("inf"))
                for _, end, signing in reversed(self.epochs) if time <= end]

# Signed texts, and signatures (S1 to S8).

def lines(*values):
    return "".join(f"{value}\n" for value in values).encode()

def leaf_hash_of(attestation):
    values = (attestation[name] for name in ("network_id", "hash", "timestamp", "sequence"))
    return sha256(b"\0", lines("countersign/attestation/v1", *values))

def checkpoint_body(head):
    root = base64.b64encode(bytes.fromhex(head["root_hash"])).decode()
    return lines(head["network_id"], head["tree_size"], root)

def cosignature_message(head):
    return lines("cosignature/v1", f"time {head['timestamp']}") + checkpoint_body(head)

def check_signatures(resource, network, message):
    """The count of S7."""
    is_bls, listed = network.scheme == "bls", resource.get("signatures", ())
    check(is_bls == ("signers" in resource), "scheme_mismatch")
    ids = resource["signers"] if is_bls else [s["witness_id"] for s in listed]
    check(len(set(ids)) == len(ids), "signer_duplicate")
    check(ids == sorted(ids), "signers_unordered")
    keys = tuple(network.keys[name] for name in ids if name in network.keys)
    check(not is_bls or len(keys) == len(ids), "signer_unknown")
    signatures = [bytes.fromhex(s["signature"]) for s in listed if s["witness_id"] in network.keys]
    valid = all(verifies(key, message, signature) for key, signature in zip(keys, signatures))
    if is_bls and ids:
        valid = bls12381.verifies(keys, message, bytes.fromhex(resource["signature"]))
    check(valid, "signature_invalid")
    count = len({*ids} & {*network.keys} - {*network.distrusted})  # S11
    check(count >= network.threshold, "threshold_not_met", count)
    return count

# Layers of a bundle. A check_ function returns the count of S7 or raises Failed.

def check_attestation(signed_attestation, network, expected_hash=None):
    """A1 to A7."""
    a, part = signed_attestation["attestation"], signed_attestation["round"]
    check(a["network_id"] == network.id, "network_mismatch")
    check(1 <= part["size"] <= 512, "round_size_invalid")
    check(part["index"] < part["size"] and a["sequence"] >= part["index"], "round_index_invalid")
    root = root_of(leaf_hash_of(a), part["index"], part["size"], part["inclusion_path"])
    check(root is not None, "round_path_invalid")
    beacon = part["beacon"] and "drand/{chain_hash}/{round}/{signature}".format(**part["beacon"])
    count = check_signatures(signed_attestation, network.at(a["sequence"] + 1), lines(
        "countersign/round/v1", network.id, a["timestamp"], part["size"], root, beacon or "none"))
    check(expected_hash in (None, a["hash"]), "hash_mismatch", count)
    return count

def check_head(sth, network):
    """H1 to H6, and L15."""
    head, receipts = sth["tree_head"], module("receipts")
    size, root = head["tree_size"], head["root_hash"]
    check(head["network_id"] == network.id, "network_mismatch")
    check(size > 0 or root == sha256().hex(), "empty_root_wrong")
    count = check_signatures(sth, network.at(size), cosignature_message(head))
    check(network.roots.get(size, root) == root, "head_forked", count)
    require(receipts or "receipt_signature" not in sth, "unsupported")
    log_key, signed = network.at(size).log_key, dict(log_signature=checkpoint_body(head))
    signed["receipt_signature"] = receipts and log_key and receipts.message(head, log_key)
    check(not log_key or all(verifies(log_key, signed[name], bytes.fromhex(sth[name]))
                             for name in signed if name in sth), "log_signature_invalid", count)
    return count

def check_leaf(proof, head, count):
    """B7 and B8; P5 and P6."""
    leaf_hash, index = bytes.fromhex(proof["leaf_hash"]), proof["leaf_index"]
    check(index < head["tree_size"], "leaf_beyond_tree", count)
    root = root_of(leaf_hash, index, head["tree_size"], proof["inclusion_path"])
    check(root == head["root_hash"], "inclusion_invalid", count)

def check_batch(included, attestation, network, attested):
    """B2 to B9."""
    check(attested, "lower_layer_unverified", None)
    batch, proof, head = included["batch"], included["merkle_proof"], included["sth"]["tree_head"]
    count, size = check_head(included["sth"], network), head["tree_size"]
    expected = dict(hash=attestation["hash"], leaf_hash=leaf_hash_of(attestation).hex(),
                    leaf_index=attestation["sequence"], tree_size=size, root_hash=head["root_hash"],
                    batch_id=size, id=size, network_id=network.id, period_end=head["timestamp"])
    check(all(expected.get(name, value) == value for name, value in
              (*proof.items(), *batch.items())), "field_mismatch", count)
    check(batch["first_index"] + batch["attestation_count"] == size, "batch_count_wrong", count)
    check(batch["first_index"] <= attestation["sequence"], "batch_range_wrong", count)
    check_leaf(proof, head, count)
    return count

NOT_CHECKED = ("lower_layer_unverified", "peer_anchors_surplus", "peer_configuration_missing")

def layer(check_layer, *inputs):
    try:
        return {"status": "verified", "verified": check_layer(*inputs)}
    except Failed as failed:
        reason, count = failed.args
        return {"status": "not_checked" if reason in NOT_CHECKED else "failed", "reason": reason,
                **({} if count is None else {"verified": count})}

# The result.

def time_bracket(beacon, not_after):
    """T1 to T6."""
    not_after = sorted(not_after)
    time, failed = (None, []) if beacon is None else (
        bls12381.time_of_beacon(beacon) if bls12381 else (None, ["unsupported"]))
    return {"not_before": [] if time is None else [time], "not_after": not_after, "failed": failed,
            "contradictions": sum(time is not None and after < time for after in not_after)}

def verify_bundle(text, network, peers=(), hash=None, distrust=()):
    """The level, layers and time bracket of the ProofBundle in `text`; raises Malformed, and
    ValueError if no configuration has a witness of `distrust` (`succession.without`)."""
    bundle, succession, anchors = read(text, BUNDLE), module("succession"), module("anchors")
    signed_attestation, included = bundle["signed_attestation"], bundle["batch_inclusion"]
    require(succession or not distrust and "succession" not in bundle, "unsupported")
    followed, refused = succession.shown(bundle, network) if succession else (network, None)
    network = followed
    if distrust:
        network, *peers = succession.without(distrust, [network, *peers])
    attestation = refused or layer(check_attestation, signed_attestation, network, hash)
    attested = attestation["status"] == "verified" or (
        not refused and attestation["reason"] == "threshold_not_met"
        and layer(check_attestation, signed_attestation, followed)["status"] == "verified")
    batch, a = {"status": "absent"}, signed_attestation["attestation"]
    if included:
        batch = layer(check_batch, included, a, network, attested)
    heads = [included["sth"]["tree_head"]] if batch["status"] == "verified" else []
    found, federated = (
        anchors.verify(bundle, heads, network, peers) if anchors else ({}, False))
    verified = attestation["status"] == "verified"
    level = ("invalid" if not verified else "basic" if not heads else
             "federated" if federated else "batched")
    bracket = time_bracket(signed_attestation["round"]["beacon"] if verified else None,
                           [x["timestamp"] for x in (a, *heads)] if verified else [])
    return {"result": "valid" if verified else "invalid", "level": level, "time": bracket,
            **({} if verified else {"reason": attestation["reason"]}),
            "keys": network.keys_in_use, "attestation": attestation, "batch": batch, **found}

if __name__ == "__main__":
    module("command").main()
