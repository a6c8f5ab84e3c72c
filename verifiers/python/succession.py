"""Follows the succession of a network's configurations: L1 to L15 of docs/verification.md."""

import copy
import json

import countersign_verify as v
import ed25519
import reading
from merkle import root_of, sha256
from reading import (
    HASH, INTEGER, NETWORK_ID, STRING, WITNESS_ID, Failed, Malformed, check, fits)

# Shapes. Beyond types, a trust core and a next log must have a text.

SIGNATURE = reading.text_of("[0-9a-f]{128}|[0-9a-f]{96}")
SIGNATURES = [dict(witness_id=WITNESS_ID, signature=SIGNATURE)]
CORE = dict(id=NETWORK_ID, epoch=INTEGER, threshold=INTEGER,
            signature_scheme=reading.text_of("ed25519|bls"), log_vkey_=lambda text: is_vkey(text),
            witnesses=[dict(id=WITNESS_ID, pubkey=STRING, proof_of_possession_=reading.HEX96)])


def is_vkey(text, name=None):
    if not reading.text_of(r"[^+\s]+\+[0-9a-f]{8}\+.*")(text):
        return False
    found, _, rest = text.partition("+")
    key = reading.bytes_of_base64(rest.partition("+")[2])
    return (key is not None and len(key) == 33 and key[0] in (1, 4)
            and text == v.vkey_of(found, key) and name in (None, found))


def is_core(value):
    if not fits(value, CORE) or not value["witnesses"]:
        return False
    scheme, witnesses = value["signature_scheme"], value["witnesses"]
    is_key = reading.hex_of(64 if scheme == "ed25519" else 192)
    ids = [witness["id"] for witness in witnesses]
    return ids == sorted(set(ids)) and all(
        is_key(w["pubkey"]) and ("proof_of_possession" in w) == (scheme == "bls")
        for w in witnesses)


def is_next_log(value):
    shape = dict(origin=NETWORK_ID, log_vkey=STRING, core=HASH)
    return fits(value, shape) and is_vkey(value["log_vkey"], value["origin"])


LINK = dict(
    predecessor=is_core, successor=reading.nullable(is_core), next_log_=is_next_log,
    tree_size=INTEGER, timestamp=INTEGER, nonce=HASH,
    signatures=dict(predecessor=SIGNATURES, successor=SIGNATURES, log_=reading.HEX128,
                    successor_log_=reading.HEX128),
    end=dict(tree_size=INTEGER, root_hash=HASH, timestamp=INTEGER, inclusion_path=[HASH],
             signatures=SIGNATURES))


def is_chain(value):
    return (isinstance(value, list) and len(value) > 0
            and all(fits(link, LINK) and ("next_log" not in link or link["successor"] is None)
                    for link in value))


# Texts.

def core_text(core):
    keys = (f"{witness['id']} {witness['pubkey']}" for witness in core["witnesses"])
    return v.lines("countersign/trust-core/v1", core["id"], core["epoch"], core["signature_scheme"],
                   core["threshold"], core.get("log_vkey", "none"), *keys)


def digest(text):
    return sha256(text).hex()


def succession_text(link):
    predecessor, successor, following = link["predecessor"], link["successor"], link.get("next_log")
    if successor is not None:
        after = digest(core_text(successor))
    elif following is None:
        after = "none"
    else:
        after = digest(v.lines("countersign/next-log/v1", following["origin"],
                               following["log_vkey"], following["core"]))
    return v.lines("countersign/succession/v1", predecessor["id"], predecessor["epoch"] + 1,
                   digest(core_text(predecessor)), after, link["tree_size"], link["timestamp"],
                   link["nonce"])


def same(link, other):
    return (succession_text(link) == succession_text(other)
            and all(link["end"][name] == other["end"][name] for name in ("tree_size", "root_hash")))


# Checks.

def network_of(core):
    """L4."""
    check(2 * core["threshold"] > len(core["witnesses"]), "threshold_too_low")
    try:
        return v.Network(json.dumps(core))
    except Malformed:
        raise Failed("core_invalid", 0) from None


def check_each(signatures, network, message):
    """L6, for witnesses."""
    ids = [signature["witness_id"] for signature in signatures]
    for i, (name, one) in enumerate(zip(ids, signatures)):
        check(i == 0 or ids[i - 1] < name, "signers_unordered")
        check(network is not None and name in network.keys, "signer_unknown")
        key, signature = network.keys[name], bytes.fromhex(one["signature"])
        if network.scheme == "ed25519":
            valid = len(signature) == 64 and ed25519.verifies(key, message, signature)
        else:
            valid = len(signature) == 48 and v.bls12381.verifies((key,), message, signature)
        check(valid, "signature_invalid")


def check_log_key(signature, key, message):
    """L6, for log keys."""
    if signature is not None:
        check(key is not None, "log_key_missing")
        check(ed25519.verifies(key, message, bytes.fromhex(signature)), "log_signature_invalid")


def check_link(link):
    """L4 to L13."""
    predecessor, successor, end = link["predecessor"], link["successor"], link["end"]
    old, new = network_of(predecessor), successor and network_of(successor)
    if new:
        check(new.id == old.id and new.epoch == old.epoch + 1 and new.scheme == old.scheme,
                "succession_unrelated")
    signed, message = link["signatures"], succession_text(link)
    rotated = new and new.log_key and successor["log_vkey"] != predecessor.get("log_vkey")
    check_each(signed["predecessor"], old, message)
    check_each(signed["successor"], new, message)
    check_log_key(signed.get("log"), old.log_key, message)
    check_log_key(signed.get("successor_log"), new.log_key if rotated else None, message)
    check(len(signed["predecessor"]) >= old.threshold, "threshold_not_met")
    check(old.log_key is None or "log" in signed, "log_signature_missing")
    check(not new or len(signed["successor"]) == len(new.keys), "successor_unsigned")
    check(not rotated or "successor_log" in signed, "log_signature_missing")
    size, root = end["tree_size"], end["root_hash"]
    check(size > link["tree_size"], "boundary_wrong")
    leaf = v.leaf_hash_of(dict(network_id=old.id, hash=digest(message), timestamp=end["timestamp"],
                               sequence=size - 1))
    check(root_of(leaf, size - 1, size, end["inclusion_path"]) == root, "inclusion_invalid")
    check_each(end["signatures"], old, v.lines("countersign/epoch-end/v1", old.id, old.epoch,
                                               digest(message), size, root))
    check(len(end["signatures"]) >= old.threshold, "threshold_not_met")


def check_order(links, i, network_id):
    """L2."""
    predecessor, before = links[i]["predecessor"], links[i - 1] if i else None
    check(predecessor["epoch"] == i and predecessor["id"] == network_id, "succession_unrelated")
    if before:
        check(before["successor"] is not None
                and core_text(before["successor"]) == core_text(predecessor),
              "succession_unrelated")
        check(links[i]["end"]["tree_size"] > before["end"]["tree_size"], "boundary_wrong")


def follow(pinned, links, known=()):
    """`pinned` with the epochs of `links`. Those `known` have been followed before."""
    if len(links) > len(known):
        at = pinned.epoch
        core = (links[at]["predecessor"] if at < len(links)
                else links[-1]["successor"] if at == len(links) else None)
        check(core is not None and core_text(core) == core_text(pinned.core),
                "succession_unrelated")
    for i, link in enumerate(links):
        if i < len(known) and link == known[i]:
            continue
        check_order(links, i, pinned.id)
        check(i >= len(known) or same(link, known[i]), "succession_conflict")
        check_link(link)
    chain = links if len(links) > len(known) else known
    if not chain:
        return pinned
    followed = copy.copy(pinned)
    followed.epochs = [(link["end"]["tree_size"], network_of(link["predecessor"]))
                       for link in chain]
    followed.roots = {link["end"]["tree_size"]: link["end"]["root_hash"] for link in chain}
    if chain[-1]["successor"] is not None:
        followed.epochs.append((2**53, network_of(chain[-1]["successor"])))
    followed.all_keys = set().union(*(network.all_keys for _, network in followed.epochs))
    return followed
