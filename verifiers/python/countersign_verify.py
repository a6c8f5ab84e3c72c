"""Verifies proof bundles of Countersign offline, as docs/verification.md demands.

    python3 countersign_verify.py network.json bundle.json [file] [--peer peer.json]...

Standard library only. Names such as A3 are rules of docs/verification.md. `verify_bundle` returns
what docs/vectors/README.md describes as `expect`. log_resources.py has the other resources.
"""

import argparse
import base64
import json
import sys

import ed25519
import reading
import succession
from merkle import leads, root_of, sha256
from reading import Failed, Malformed, check, require

try:
    import bls12381  # without this file, networks of the scheme bls and beacons are "unsupported"
except ImportError:
    bls12381 = None


# Configuration (C1 to C13).

def key_id(name, typed_key):
    return sha256(name.encode(errors="surrogatepass"), b"\n", typed_key)[:4]


def vkey_of(name, typed_key):
    return f"{name}+{key_id(name, typed_key).hex()}+{base64.b64encode(typed_key).decode()}"


class Network:
    """A public configuration."""

    NO_FEDERATION = {"enabled": False, "cross_anchor_threshold": 0, "peer_networks": []}

    def __init__(self, text):
        c = reading.read(text, reading.CONFIGURATION, "malformed_configuration", True)
        self.id, self.threshold, self.scheme = c["id"], c["threshold"], c["signature_scheme"]
        require(reading.NETWORK_ID(self.id) and self.scheme in ("ed25519", "bls"))
        witnesses, digits = c["witnesses"], 64 if self.scheme == "ed25519" else 192
        pubkey = reading.hex_of(digits)
        require(all(pubkey(w["pubkey"]) for w in witnesses), "malformed_configuration")
        self.keys = {witness["id"]: bytes.fromhex(witness["pubkey"]) for witness in witnesses}
        require(1 <= self.threshold <= len(witnesses) == len(self.keys))
        require(all(map(reading.WITNESS_ID, self.keys)))
        for witness in witnesses:
            self.check_witness(witness, self.keys[witness["id"]])
        self.log_key = self.read_log_key(c["log_vkey"]) if "log_vkey" in c else None
        keys = [*self.keys.values(), *([self.log_key] if self.log_key else [])]
        self.all_keys = set(keys)
        require(len(self.all_keys) == len(keys))
        self.epoch, self.epochs, self.roots = c.get("epoch", 0), None, {}
        self.core = dict(c, epoch=self.epoch,
                         witnesses=sorted(witnesses, key=lambda witness: witness["id"]))
        federation = c.get("federation", self.NO_FEDERATION)
        self.peers_needed = federation["cross_anchor_threshold"] if federation["enabled"] else 0
        self.peers = {p["id"]: p.get("min_witnesses", 0) for p in federation["peer_networks"]}
        require(all(map(reading.NETWORK_ID, self.peers)) and self.id not in self.peers)
        require(len(self.peers) == len(federation["peer_networks"]))

    def at(self, size):
        """Who signs heads of `size` (L14)."""
        for end, network in self.epochs or [(2**53, self)]:
            if size <= end:
                return network
        raise Failed("log_ended", 0)

    def check_witness(self, witness, key):
        if self.scheme == "ed25519":
            require(ed25519.is_key(key), "invalid_key")
            require(witness.get("vkey") in (None, vkey_of(witness["id"], b"\4" + key)))
            return
        require(bls12381, "unsupported")
        require(bls12381.decode_point(key), "invalid_key")
        require("vkey" not in witness and "proof_of_possession" in witness)
        require(bls12381.verifies((key,), key, bytes.fromhex(witness["proof_of_possession"]),
                                  bls12381.PROOF_OF_POSSESSION))

    def read_log_key(self, vkey):
        name, _, rest = vkey.partition("+")
        key = reading.bytes_of_base64(rest.partition("+")[2])
        require(name and key and vkey == vkey_of(name, key), "invalid_key")
        require(name == self.id and key[0] == 1)
        require(len(key) == 33 and ed25519.is_key(key[1:]), "invalid_key")
        return key[1:]


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
    listed = "signatures" in resource
    check(listed == (network.scheme == "ed25519"), "scheme_mismatch")
    ids = [s["witness_id"] for s in resource["signatures"]] if listed else resource["signers"]
    check(len(set(ids)) == len(ids), "signer_duplicate")
    check(ids == sorted(ids), "signers_unordered")
    keys = [network.keys[witness] for witness in ids if witness in network.keys]
    if listed:
        known = [s for s in resource["signatures"] if s["witness_id"] in network.keys]
        check(all(ed25519.verifies(key, message, bytes.fromhex(s["signature"]))
                  for key, s in zip(keys, known)), "signature_invalid")
    else:
        check(len(keys) == len(ids), "signer_unknown")
        signature = bytes.fromhex(resource["signature"])
        check(not ids or bls12381.verifies(tuple(keys), message, signature), "signature_invalid")
    check(len(keys) >= network.threshold, "threshold_not_met", len(keys))
    return len(keys)


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
    """H1 to H5, and L15."""
    head = sth["tree_head"]
    check(head["network_id"] == network.id, "network_mismatch")
    check(head["tree_size"] > 0 or head["root_hash"] == sha256().hex(), "empty_root_wrong")
    count = check_signatures(sth, network.at(head["tree_size"]), cosignature_message(head))
    check(network.roots.get(head["tree_size"]) in (None, head["root_hash"]), "head_forked", count)
    log_key = network.at(head["tree_size"]).log_key
    if log_key and "log_signature" in sth:
        signature = bytes.fromhex(sth["log_signature"])
        check(ed25519.verifies(log_key, checkpoint_body(head), signature), "log_signature_invalid",
              count)
    return count


def check_leaf(proof, head, count):
    """B7 and B8; P5 and P6."""
    check(proof["leaf_index"] < head["tree_size"], "leaf_beyond_tree", count)
    leaf_hash = bytes.fromhex(proof["leaf_hash"])
    root = root_of(leaf_hash, proof["leaf_index"], head["tree_size"], proof["inclusion_path"])
    check(root == head["root_hash"], "inclusion_invalid", count)


def check_batch(included, attestation, network):
    """B3 to B9."""
    batch, proof, head = included["batch"], included["merkle_proof"], included["sth"]["tree_head"]
    count = check_head(included["sth"], network)
    size, root = head["tree_size"], head["root_hash"]
    expected = dict(hash=attestation["hash"], leaf_hash=leaf_hash_of(attestation).hex(),
                    leaf_index=attestation["sequence"], tree_size=size, root_hash=root,
                    batch_id=size, id=size, network_id=network.id, period_end=head["timestamp"])
    check(all(value == expected.get(name, value) for part in (proof, batch)
              for name, value in part.items()), "field_mismatch", count)
    grown = batch["tree_size"] - batch["first_index"]
    check(batch["attestation_count"] == grown, "batch_count_wrong", count)
    check(batch["first_index"] <= attestation["sequence"], "batch_range_wrong", count)
    check_leaf(proof, head, count)
    return count


def check_reach(anchor, head, count):
    """X9 and X10; E4 and E5."""
    check(anchor["tree_head"]["tree_size"] >= head["tree_size"], "anchor_precedes_batch", count)
    path = anchor["consistency_path"]
    check(leads(head, anchor["tree_head"], path), "consistency_invalid", count)


def check_cross_anchor(anchor, earlier, head, network, peers):
    """X1 to X10. `earlier` anchors of the same network stand before this one."""
    name = anchor["witnessing_network"]
    check(head, "lower_layer_unverified", None)
    check(earlier < 8, "peer_anchors_surplus", None)
    check(name != network.id, "peer_is_home", None)
    check(name in network.peers, "peer_not_pinned", None)
    check(anchor["tree_head"]["network_id"] == network.id, "network_mismatch", None)
    check(name in peers, "peer_configuration_missing", None)
    count = check_signatures(anchor, peers[name], cosignature_message(anchor["tree_head"]))
    check(count >= network.peers[name], "min_witnesses_not_met", count)
    check_reach(anchor, head, count)
    return count


NOT_CHECKED = ("lower_layer_unverified", "peer_anchors_surplus", "peer_configuration_missing")


def layer(check_layer, *inputs):
    try:
        return {"status": "verified", "verified": check_layer(*inputs)}
    except Failed as failed:
        reason, count = failed.args
        status = "not_checked" if reason in NOT_CHECKED else "failed"
        verified = {} if count is None else {"verified": count}
        return {"status": status, "reason": reason, **verified}


def count_peers(anchors, layers, network, peers):
    """X11 and X12: marks the layers, and returns the ids of the counted peers."""
    counted, keys = [], set(network.all_keys)
    for name in network.peers:
        verified = [found for anchor, found in zip(anchors, layers)
                    if anchor["witnessing_network"] == name and found["status"] == "verified"]
        shared = bool(verified and keys & peers[name].all_keys)
        for found in verified if shared else verified[1:]:
            found["reason"] = "peer_key_shared" if shared else "peer_already_counted"
        if verified and not shared:
            counted.append(name)
            keys |= peers[name].all_keys
    for found in layers:
        found["counted"] = found["status"] == "verified" and "reason" not in found
    return counted


def bound(anchor, head, network):
    """E1 to E6."""
    try:
        check(head, "lower_layer_unverified")
        check(anchor["tree_head"]["network_id"] == network.id, "network_mismatch")
        body = checkpoint_body(anchor["tree_head"])
        check(anchor["digest"] == sha256(body).hex(), "digest_mismatch")
        check_reach(anchor, head, 0)
        return {"bound": True}
    except Failed as failed:
        return {"bound": False, "reason": failed.args[0]}


QUICKNET = bytes.fromhex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")
QUICKNET_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064"
    "510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ec"
    "e45a")


def time_of_beacon(beacon):
    """T2 to T4."""
    check(bytes.fromhex(beacon["chain_hash"]) == QUICKNET, "beacon_chain_unknown")
    time = 1692803367 + 3 * (beacon["round"] - 1)
    check(beacon["round"] >= 1 and time < 2**53, "beacon_invalid")
    check(bls12381, "unsupported")
    message = sha256(beacon["round"].to_bytes(8, "big"))
    signature = bytes.fromhex(beacon["signature"])
    check(bls12381.verifies((QUICKNET_KEY,), message, signature, bls12381.SIGNATURE_NUL),
          "beacon_invalid")
    return time


def time_bracket(beacon, not_after):
    """T1 to T6."""
    not_before, failed = [], []
    try:
        not_before = [time_of_beacon(beacon)] if beacon else []
    except Failed as failure:
        failed = [failure.args[0]]
    contradictions = sum(after < before for after in not_after for before in not_before)
    return {"not_before": not_before, "not_after": not_after, "failed": failed,
            "contradictions": contradictions}


def verify_bundle(text, network, peers=(), hash=None, followed=None):
    """Level, layers and time bracket of the ProofBundle in `text`; raises Malformed.

    `followed` is the text of the chain that the verifier followed before."""
    shape = dict(reading.BUNDLE, succession_=succession.is_chain)
    bundle, peers = reading.read(text, shape), {peer.id: peer for peer in peers}
    signed_attestation, included = bundle["signed_attestation"], bundle["batch_inclusion"]
    a, anchors = signed_attestation["attestation"], bundle["cross_anchors"]
    try:
        links, known = bundle.get("succession", []), json.loads(followed or "[]")
        network = succession.follow(network, links, known)
        attestation = layer(check_attestation, signed_attestation, network, hash)
    except Failed as failed:
        attestation = {"status": "failed", "reason": failed.args[0], "verified": 0}
    verified = attestation["status"] == "verified"
    if included is None:
        batch = {"status": "absent"}
    elif not verified:
        batch = {"status": "not_checked", "reason": "lower_layer_unverified"}
    else:
        batch = layer(check_batch, included, a, network)
    head = included["sth"]["tree_head"] if batch["status"] == "verified" else None
    names = [anchor["witnessing_network"] for anchor in anchors]
    layers = [layer(check_cross_anchor, anchor, names[:i].count(names[i]), head, network, peers)
              for i, anchor in enumerate(anchors)]
    federation = {"counted": count_peers(anchors, layers, network, peers)}
    if network.peers_needed == 0:
        federation["reason"] = "federation_disabled"
    elif len(federation["counted"]) < network.peers_needed:
        federation["reason"] = "cross_anchors_missing"
    heads = [head] if head else []
    heads += [x["tree_head"] for x, found in zip(anchors, layers) if found["status"] == "verified"]
    external = [bound(anchor, head, network) for anchor in bundle["external_anchors"]]
    level = ("invalid" if not verified else "basic" if head is None
             else "batched" if "reason" in federation else "federated")
    bracket = time_bracket(signed_attestation["round"]["beacon"] if verified else None,
                           [x["timestamp"] for x in (a, *heads)] if verified else [])
    outcome = {} if verified else {"reason": attestation["reason"]}
    return {"result": "valid" if verified else "invalid", **outcome, "level": level,
            "attestation": attestation, "batch": batch, "cross_anchors": layers,
            "federation": federation, "time": bracket, "external_anchors": external}


def main():
    parser = argparse.ArgumentParser(description="Verifies a proof bundle offline.")
    parser.add_argument("network", help="the pinned public configuration of the network")
    parser.add_argument("bundle", help="the proof bundle")
    parser.add_argument("file", nargs="?", help="the content that the bundle must be about")
    parser.add_argument("--peer", action="append", default=[], help="a peer's configuration")
    arguments = parser.parse_args()

    def content(name):
        with open(name, "rb") as file:
            return file.read()

    try:
        expected = sha256(content(arguments.file)).hex() if arguments.file else None
        network = Network(content(arguments.network))
        peers = [Network(content(name)) for name in arguments.peer]
        result = verify_bundle(content(arguments.bundle), network, peers, expected)
    except Malformed as malformed:
        result = {"result": "malformed", "reason": malformed.args[0]}
    except OSError as error:
        parser.error(str(error))
    print(json.dumps(result, indent=2))
    sys.exit(0 if result["result"] == "valid" else 1)


if __name__ == "__main__":
    main()
