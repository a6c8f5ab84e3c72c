"""Verifies tree heads, checkpoints, log proofs and contradictions of docs/verification.md.

Every function takes the text of a resource and a Network, and returns its `expect` by
docs/vectors/README.md; it raises Malformed.
"""

import re

import countersign_verify as rules
import ed25519
import reading
from countersign_verify import bls12381
from merkle import leads, roots_of, sha256
from reading import Failed, check, require

INCLUSION_PROOF = dict(reading.LEAF_PROOF, sth=reading.SIGNED_TREE_HEAD)
CONSISTENCY_PROOF = dict(
    first=reading.INTEGER, second=reading.INTEGER, first_sth=reading.SIGNED_TREE_HEAD,
    second_sth=reading.SIGNED_TREE_HEAD, consistency_path=[reading.HASH])
ACCUSED = dict(sth=reading.SIGNED_TREE_HEAD, log_signature=reading.HEX128)
CONTRADICTION = dict(origin=reading.STRING, found_at=reading.INTEGER, first=ACCUSED, second=ACCUSED,
                     consistency_path=[reading.HASH])


def outcome(check_resource, *inputs):
    """`verified` is left out where the check has no count."""
    reason, count = None, None
    try:
        count = check_resource(*inputs)
    except Failed as failed:
        reason, count = failed.args
    return {"result": "invalid" if reason else "valid", **({"reason": reason} if reason else {}),
            **({} if count is None else {"verified": count})}


def verify_signed_attestation(text, network):
    return outcome(rules.check_attestation, reading.read(text, reading.SIGNED_ATTESTATION), network)


def verify_tree_head(text, network):
    return outcome(rules.check_head, reading.read(text, reading.SIGNED_TREE_HEAD), network)


def verify_inclusion_proof(text, network, hash, tree_size=None, signed_attestation=None):
    proof = reading.read(text, INCLUSION_PROOF)
    return outcome(check_proof, proof, proof["sth"], signed_attestation and reading.read(
        signed_attestation, reading.SIGNED_ATTESTATION), network, hash, tree_size)


def verify_merkle_proof(text, network, hash, sth, tree_size=None, signed_attestation=None):
    proof = reading.read(text, reading.MERKLE_PROOF)
    sth = reading.read(sth, reading.SIGNED_TREE_HEAD)
    return outcome(check_proof, proof, sth, signed_attestation and reading.read(
        signed_attestation, reading.SIGNED_ATTESTATION), network, hash, tree_size)


def check_proof(proof, sth, signed_attestation, network, expected_hash, expected_size):
    """P1 to P10."""
    head = sth["tree_head"]
    count = rules.check_head(sth, network)
    check(proof["hash"] == expected_hash, "hash_mismatch", count)
    check(expected_size in (None, proof["tree_size"]), "tree_size_mismatch", count)
    check(proof["tree_size"] == head["tree_size"], "field_mismatch", count)
    rules.check_leaf(proof, head, count)
    if signed_attestation:
        try:
            rules.check_attestation(signed_attestation, network)
        except Failed as failed:
            raise Failed(failed.args[0], count) from failed
        a = signed_attestation["attestation"]
        repeated = (proof["hash"], proof["leaf_index"], proof["leaf_hash"])
        expected = (a["hash"], a["sequence"], rules.leaf_hash_of(a).hex())
        check(repeated == expected, "field_mismatch", count)
    if "batch_id" in proof:
        repeated = (proof["root_hash"], proof["batch_id"])
        check(repeated == (head["root_hash"], head["tree_size"]), "field_mismatch", count)
    return count


def verify_consistency_proof(text, network, first, second):
    return outcome(check_consistency, reading.read(text, CONSISTENCY_PROOF), network, first, second)


def check_consistency(proof, network, first, second):
    """N1 to N6."""
    old, new = proof["first_sth"], proof["second_sth"]
    without_count(rules.check_head, old, network)
    without_count(rules.check_head, new, network)
    old, new, sizes = old["tree_head"], new["tree_head"], (proof["first"], proof["second"])
    check(sizes == (first, second), "tree_size_mismatch", None)
    check(sizes == (old["tree_size"], new["tree_size"]), "field_mismatch", None)
    check(leads(old, new, proof["consistency_path"]), "consistency_invalid", None)


def without_count(check_part, *inputs):
    try:
        check_part(*inputs)
    except Failed as failed:
        raise Failed(failed.args[0], None) from failed


def verify_contradiction(text, network):
    """A valid contradiction proves that the network signed two histories of its log."""
    read = reading.read(text, CONTRADICTION)
    ids = {read[name]["sth"]["tree_head"]["network_id"] for name in ("first", "second")}
    require(ids == {read["origin"]} and len(read["consistency_path"]) <= 54, "malformed_bundle")
    return outcome(check_contradiction, read, network)


def check_contradiction(contradiction, network):
    """D2 to D7."""
    check(contradiction["origin"] == network.id, "network_mismatch", None)
    accused = contradiction["first"], contradiction["second"]
    path = contradiction["consistency_path"]
    for one in accused:
        without_count(rules.check_head, one["sth"], network)
        check(network.log_key, "log_key_missing", None)
        body, signature = rules.checkpoint_body(one["sth"]["tree_head"]), one["log_signature"]
        check(ed25519.verifies(network.log_key, body, bytes.fromhex(signature)),
              "log_signature_invalid", None)
    old, new = (one["sth"]["tree_head"] for one in accused)
    if old["tree_size"] == new["tree_size"]:
        proved = not path and old["root_hash"] != new["root_hash"]
    else:
        other_root, new_root = roots_of(old["tree_size"], new["tree_size"], path)
        proved = new_root == new["root_hash"] and other_root != old["root_hash"]
    check(proved, "contradiction_unproven", None)


def verify_growth(text, network, known, consistency_path):
    """G1 to G5: `known` is the remembered head."""
    sth = reading.read(text, reading.SIGNED_TREE_HEAD)
    result = outcome(rules.check_head, sth, network)
    if result["result"] == "valid":
        relation = relation_of(known, sth["tree_head"])
        result = outcome(check_growth, relation, known, sth["tree_head"], consistency_path,
                         result["verified"]) | {"relation": relation}
    return result


def relation_of(known, head):
    if known["network_id"] != head["network_id"]:
        return "other_network"
    if known["tree_size"] != head["tree_size"]:
        return "larger" if head["tree_size"] > known["tree_size"] else "older"
    return "same" if known["root_hash"] == head["root_hash"] else "fork"


def check_growth(relation, known, head, path, count):
    check(relation != "other_network", "network_mismatch", count)
    check(relation != "fork", "head_forked", count)
    old, new = (head, known) if relation == "older" else (known, head)
    led = not path if relation == "same" or old["tree_size"] == 0 else leads(old, new, path)
    check(led, "consistency_invalid", count)
    return count


def verify_checkpoint(text, network):
    """K1 to K10."""
    characters = len(text.encode("utf-16-le", "surrogatepass")) // 2
    require(characters <= 2**20 and not re.search("[\0-\x09\x0b-\x1f\ud800-\udfff]", text),
            "malformed_text")
    body, _, end = text.rpartition("\n\n")
    notes = [re.fullmatch(r"\u2014 ([^\s+]+) (\S+)", line) for line in end.split("\n")[:-1]]
    require(end.endswith("\n") and 1 <= len(notes) <= 256 and all(notes), "malformed_text")
    signatures = [(note[1], reading.bytes_of_base64(note[2]) or b"") for note in notes]
    require(all(len(data) > 4 for _, data in signatures), "malformed_text")
    fields = body.split("\n")
    require(len(fields) == 3 and reading.NETWORK_ID(fields[0])
            and reading.INTEGER(reading.integer_of(fields[1]))
            and len(reading.bytes_of_base64(fields[2]) or b"") == 32, "malformed_text")
    return outcome(check_checkpoint, fields, signatures, network)


def check_checkpoint(fields, signatures, network):
    check(fields[0] == network.id, "network_mismatch")
    check(network.log_key, "log_key_missing")
    body, signers, names = rules.lines(*fields), set(), []
    log_id = rules.key_id(network.id, b"\1" + network.log_key)
    ids = sorted(network.keys)
    table = rules.lines(*(f"{name} {network.keys[name].hex()}" for name in ids))
    aggregate = b"\xffcountersign/bls-aggregate/v1" + sha256(table)
    aggregate_id = rules.key_id(network.id, aggregate)
    for name, data in signatures:
        identifier, payload = data[:4], data[4:]
        key = network.keys.get(name, b"")
        if (name, identifier) == (network.id, log_id):
            valid = len(payload) == 64 and ed25519.verifies(network.log_key, body, payload)
        elif network.scheme == "ed25519" and key and identifier == rules.key_id(name, b"\4" + key):
            valid = len(payload) == 72 and is_cosigned(
                payload, body, lambda message: ed25519.verifies(key, message, payload[8:]))
            signers.add(name)
        elif network.scheme == "bls" and (name, identifier) == (network.id, aggregate_id):
            marked = signers_of(payload[8:-48], ids)
            keys = tuple(network.keys[one] for one in marked)
            valid = marked and is_cosigned(
                payload, body, lambda message: bls12381.verifies(keys, message, payload[-48:]))
            signers.update(marked)
        else:
            continue
        names.append((name, identifier))
        check(valid, "signature_invalid")
    check(names, "no_known_signature")
    check((network.id, log_id) in names, "log_signature_missing", len(signers))
    check(len(signers) >= network.threshold, "threshold_not_met", len(signers))
    return len(signers)


def is_cosigned(payload, body, verifies):
    time = int.from_bytes(payload[:8], "big")
    return time < 2**53 and verifies(rules.lines("cosignature/v1", f"time {time}") + body)


def signers_of(bitmap, ids):
    """The ids that `bitmap` marks; none if it has another length or marks more."""
    bits = "".join(f"{byte:08b}" for byte in bitmap)
    if len(bitmap) != (len(ids) + 7) // 8 or "1" in bits[len(ids):]:
        return []
    return [name for name, bit in zip(ids, bits) if bit == "1"]
