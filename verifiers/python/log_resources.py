"""Verifies tree heads, checkpoints, log proofs and contradictions of docs/verification.md.

Every function takes the text of a resource and a Network, and returns its `expect` by
docs/vectors/README.md; it raises Malformed.
"""

import copy
import re

import countersign_verify as rules
from anchors import leads, roots_of
from countersign_verify import (
    HASH, HEX128, LEAF_PROOF, MERKLE_PROOF, SIGNED_ATTESTATION, SIGNED_TREE_HEAD, Failed, bls12381,
    bytes_of_base64, check, read, require, sha256, verifies)

INCLUSION_PROOF = dict(LEAF_PROOF, sth=SIGNED_TREE_HEAD)
CONSISTENCY_PROOF = dict(first=int, second=int, first_sth=SIGNED_TREE_HEAD,
                         second_sth=SIGNED_TREE_HEAD, consistency_path=[HASH])
ACCUSED = dict(sth=SIGNED_TREE_HEAD, log_signature=HEX128)
WITNESSED = dict(checkpoint=str, inclusion_path=[HASH])
CONTRADICTION = dict(origin=str, found_at=int, first=ACCUSED, second=ACCUSED,
                     consistency_path=[HASH])

def outcome(counted, check_resource, *inputs):
    """Kinds of resource that have no count are not `counted`."""
    try:
        result = {"result": "valid", "verified": check_resource(*inputs)}
    except Failed as failed:
        result = {"result": "invalid", "reason": failed.args[0], "verified": failed.args[1]}
    return result if counted else {k: v for k, v in result.items() if k != "verified"}

def verify_signed_attestation(text, network):
    return outcome(True, rules.check_attestation, read(text, SIGNED_ATTESTATION), network)

def verify_tree_head(text, network):
    return outcome(True, rules.check_head, read(text, SIGNED_TREE_HEAD), network)

def verify_inclusion_proof(text, network, **expected):
    proof = read(text, INCLUSION_PROOF)
    return outcome(True, check_proof, network, proof, proof["sth"], *expected_of(**expected))

def verify_merkle_proof(text, network, sth, **expected):
    proof, sth = read(text, MERKLE_PROOF), read(sth, SIGNED_TREE_HEAD)
    return outcome(True, check_proof, network, proof, sth, *expected_of(**expected))

def expected_of(hash, tree_size=None, signed_attestation=None):
    text = signed_attestation
    return hash, tree_size, None if text is None else read(text, SIGNED_ATTESTATION)

def check_proof(network, proof, sth, expected_hash, expected_size, signed_attestation):
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
    return outcome(False, check_consistency, read(text, CONSISTENCY_PROOF), network, first, second)

def check_consistency(proof, network, first, second):
    """N1 to N6."""
    old, new = proof["first_sth"], proof["second_sth"]
    rules.check_head(old, network)
    rules.check_head(new, network)
    old, new, sizes = old["tree_head"], new["tree_head"], (proof["first"], proof["second"])
    check(sizes == (first, second), "tree_size_mismatch")
    check(sizes == (old["tree_size"], new["tree_size"]), "field_mismatch")
    check(leads(old, new, proof["consistency_path"]), "consistency_invalid")

def verify_contradiction(text, network):
    """A valid contradiction proves that the network signed two histories of its log."""
    found = read(text, CONTRADICTION)
    ids = {found[name]["sth"]["tree_head"]["network_id"] for name in ("first", "second")}
    require(ids == {found["origin"]} and len(found["consistency_path"]) <= 54, "malformed_bundle")
    return outcome(False, check_contradiction, found, network)

def check_contradiction(contradiction, network):
    """D2 to D7."""
    check(contradiction["origin"] == network.id, "network_mismatch")
    accused = contradiction["first"], contradiction["second"]
    path, signing = contradiction["consistency_path"], copy.copy(network)
    signing.roots = {}  # L15: another root is the evidence.
    for one in accused:
        rules.check_head(one["sth"], signing)
        log_key = network.at(one["sth"]["tree_head"]["tree_size"]).log_key
        check(log_key, "log_key_missing")
        body, signature = rules.checkpoint_body(one["sth"]["tree_head"]), one["log_signature"]
        check(verifies(log_key, body, bytes.fromhex(signature)),
              "log_signature_invalid")
    old, new = (one["sth"]["tree_head"] for one in accused)
    if old["tree_size"] == new["tree_size"]:
        proved = not path and old["root_hash"] != new["root_hash"]
    else:
        other_root, new_root = roots_of(old["tree_size"], new["tree_size"], path)
        proved = new_root == new["root_hash"] and other_root != old["root_hash"]
    check(proved, "contradiction_unproven")

def verify_growth(text, network, known, consistency_path):
    """G1 to G5: `known` is the remembered head."""
    result, head = verify_tree_head(text, network), read(text, SIGNED_TREE_HEAD)["tree_head"]
    if result["result"] == "valid":
        relation = relation_of(known, head)
        result = outcome(True, check_growth, relation, known, head, consistency_path,
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
    return outcome(True, check_followed, *read_note(text, "malformed_text"), network)

def check_followed(fields, signatures, network):
    """K3 to K10 under the configuration of the checkpoint's epoch (L14), and L15."""
    size, root = int(fields[1]), bytes_of_base64(fields[2]).hex()
    count = check_checkpoint(fields, signatures, network.at(size))
    check(network.roots.get(size, root) == root, "head_forked", count)
    return count

def read_note(text, code):
    """K1 and K2: the lines of the body, and names with their payloads."""
    characters = len(text.encode("utf-16-le", "surrogatepass")) // 2
    require(characters <= 2**20 and not re.search("[\0-\x09\x0b-\x1f\ud800-\udfff]", text),
            code)
    body, _, end = text.rpartition("\n\n")
    notes = [re.fullmatch(f"\u2014 ({rules.NAME}) (.+)", line) for line in end.split("\n")[:-1]]
    require(end.endswith("\n") and 1 <= len(notes) <= 256 and all(notes), code)
    signatures = [(note[1], bytes_of_base64(note[2])) for note in notes]
    require(all(len(data) > 4 for _, data in signatures), code)
    fields = body.split("\n")
    require(len(fields) == 3 and rules.fits(fields[0], rules.NETWORK_ID)
            and rules.fits(rules.integer_of(fields[1]), int)
            and len(bytes_of_base64(fields[2])) == 32, code)
    return fields, signatures

def verify_witnessed(bundle, head, network):
    """W1 to W5. `head` is the batch's, or None if that is not verified."""
    require(rules.fits(bundle["witnessed"], WITNESSED), "malformed_bundle")
    note = read_note(bundle["witnessed"]["checkpoint"], "malformed_bundle")
    return rules.layer(check_witnessed, bundle, *note, head, network)

def check_witnessed(bundle, fields, signatures, head, network):
    check(head, "lower_layer_unverified", None)
    count = check_followed(fields, signatures, network)
    path = bundle["witnessed"]["inclusion_path"]
    proof = dict(bundle["batch_inclusion"]["merkle_proof"], inclusion_path=path)
    head = dict(tree_size=int(fields[1]), root_hash=bytes_of_base64(fields[2]).hex())
    rules.check_leaf(proof, head, count)
    return count

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
            valid = len(payload) == 64 and verifies(network.log_key, body, payload)
        elif network.scheme == "ed25519" and key and identifier == rules.key_id(name, b"\4" + key):
            valid = len(payload) == 72 and is_cosigned(
                payload, body, lambda message: verifies(key, message, payload[8:]))
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
    signers -= {*network.distrusted}
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
