"""Follows the succession of a network's configurations: L1 to L15 of docs/verification.md."""

import copy
import json

import countersign_verify as v
from countersign_verify import (
    ANYTHING, HASH, HEX96, HEX128, NETWORK_ID, NULL, WITNESS_ID, Failed, Malformed, check, fits,
    require, root_of, sha256, verifies)

# Shapes.

SIGNATURES = [dict(witness_id=WITNESS_ID, signature=f"{HEX128}|{HEX96}")]
CORE = dict(id=NETWORK_ID, epoch=int, threshold=int, signature_scheme="ed25519|bls", log_vkey_=str,
            log_ml_dsa_vkey_=str,
            witnesses=[dict(id=WITNESS_ID, pubkey=f"{HASH}|[0-9a-f]{{192}}", ml_dsa_vkey_=str,
                            proof_of_possession_=HEX96)])
LINK = dict(
    predecessor=CORE, successor=(NULL, CORE),
    next_log_=dict(origin=NETWORK_ID, log_vkey=str, core=HASH),
    tree_size=int, timestamp=int, nonce=HASH,
    signatures=dict(predecessor=SIGNATURES, successor=SIGNATURES, log_=HEX128,
                    successor_log_=HEX128),
    end=dict(tree_size=int, root_hash=HASH, timestamp=int, inclusion_path=[HASH],
             signatures=SIGNATURES))

def is_vkey(text, name=None, types=(1, 4)):
    try:
        return name in (None, v.read_vkey(text, types)[0])
    except Malformed:
        return False

def ml_dsa_vkeys(core):
    owners = [(core, "log_ml_dsa_vkey")] + [(w, "ml_dsa_vkey") for w in core["witnesses"]]
    return [owner[name] for owner, name in owners if name in owner]

def is_core(core):
    ids, is_bls = [w["id"] for w in core["witnesses"]], core["signature_scheme"] == "bls"
    return (ids and ids == sorted(set(ids))
            and ("log_vkey" not in core or is_vkey(core["log_vkey"]))
            and all(is_vkey(vkey, types=(6,)) for vkey in ml_dsa_vkeys(core))
            and all((len(w["pubkey"]) == 192) == ("proof_of_possession" in w) == is_bls
                    for w in core["witnesses"]))

def is_link(link):
    successor, next_log = link["successor"], link.get("next_log")
    return (is_core(link["predecessor"]) and (successor is None or is_core(successor))
            and (next_log is None or successor is None
                 and is_vkey(next_log["log_vkey"], next_log["origin"])))

# Texts.

def core_text(core):
    witnesses = sorted(core["witnesses"], key=lambda witness: witness["id"])
    return v.lines("countersign/trust-core/v1", core["id"], core.get("epoch", 0),
                   core["signature_scheme"], core["threshold"], core.get("log_vkey", "none"),
                   core.get("log_ml_dsa_vkey", "none"),
                   *(f"{w['id']} {w['pubkey']} {w.get('ml_dsa_vkey', 'none')}" for w in witnesses))

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
            valid = len(signature) == 64 and verifies(key, message, signature)
        else:
            valid = len(signature) == 48 and v.bls12381.verifies((key,), message, signature)
        check(valid, "signature_invalid")

def check_log_key(signature, key, message):
    """L6, for log keys."""
    if signature is not None:
        check(key is not None, "log_key_missing")
        check(verifies(key, message, bytes.fromhex(signature)), "log_signature_invalid")

def check_link(link):
    """L4 to L13."""
    predecessor, successor, end = link["predecessor"], link["successor"], link["end"]
    old, new = network_of(predecessor), successor and network_of(successor)
    if new:
        check(new.id == old.id and new.scheme == old.scheme
              and successor["epoch"] == predecessor["epoch"] + 1,
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
    ended = v.lines("countersign/epoch-end/v1", old.id, predecessor["epoch"], digest(message), size,
                    root)
    check_each(end["signatures"], old, ended)
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

def read_chain(text, code="malformed_configuration"):
    """The links in `text`, the answer of `GET /v1/succession`."""
    return links_of(v.read(text, [LINK], code), code)

def links_of(links, code="malformed_bundle"):
    require(fits(links, [LINK]) and all(map(is_link, links)), code)
    return links

def follow(network, links):
    """L1 to L14: `network` with the epochs of `links`, which may extend the chain that was followed
    before, and replace none of it."""
    known = network.links
    if len(links) > len(known):
        at = network.members.get("epoch", 0)
        core = (links[at]["predecessor"] if at < len(links)
                else links[-1]["successor"] if at == len(links) else None)
        check(core and core_text(core) == core_text(network.members), "succession_unrelated")
    for i, link in enumerate(links):
        if i < len(known) and link == known[i]:
            continue
        check_order(links, i, network.id)
        check(i >= len(known) or same(link, known[i]), "succession_conflict")
        check_link(link)
    if len(links) <= len(known):
        return network
    followed = copy.copy(network)
    followed.links = chain = known + links[len(known):]
    last = chain[-1]["successor"]
    followed.epochs = [
        (link["end"]["tree_size"], link["end"]["timestamp"], network_of(link["predecessor"]))
        for link in chain]
    followed.epochs += network_of(last).epochs if last else []
    followed.roots = {link["end"]["tree_size"]: link["end"]["root_hash"] for link in chain}
    followed.all_keys = set().union(*(one.all_keys for _, _, one in followed.epochs))
    return followed

def shown(bundle, network):
    """`network`, followed by the chain in `bundle`; and the attestation's result for a bad one."""
    if "succession" not in bundle:
        return network, None
    links = links_of(bundle["succession"])
    require(links, "malformed_bundle")
    try:
        return follow(network, links), None
    except Failed as failed:
        return network, {"status": "failed", "reason": failed.args[0], "verified": 0}

def without(distrust, networks):
    """`networks`, in which the signatures of some witnesses do not count ("Distrust" and S11).
    `distrust` has texts WITNESS or WITNESS@SIZE; ValueError if nobody has that name."""
    named, known = [], {name for network in networks for *_, one in network.epochs
                        for name in one.keys}
    for text in distrust:
        name, at, size = text.partition("@")
        named.append((name, v.integer_of(size if at else "0")))
        if not fits(name, WITNESS_ID) or not fits(named[-1][1], int):
            raise ValueError(f"cannot distrust {text}: expected WITNESS or WITNESS@SIZE")
        if name not in known:
            raise ValueError(f"cannot distrust {name}: no configuration has this witness")
    return [distrusting(network, named) for network in networks]

def distrusting(network, named):
    def at(size):
        """Ids that are named, and those with a key that a named one has in any epoch."""
        names = {name for name, start in named if size > start}
        witnesses = [witness for *_, one in network.epochs for witness in one.keys.items()]
        keys = {key for name, key in witnesses if name in names}
        return names | {name for name, key in witnesses if key in keys}

    def leads(link):
        """L7 and L13."""
        return all(len({signature["witness_id"] for signature in signatures}
                       - at(link["end"]["tree_size"])) >= link["predecessor"]["threshold"]
                   for signatures in (link["signatures"]["predecessor"], link["end"]["signatures"]))

    def trusted(signing, size):
        first, last = sorted(one.members.get("epoch", 0) for one in (network, signing))
        signing = copy.copy(signing)
        signing.distrusted = at(size) if all(map(leads, network.links[first:last])) else signing.keys
        return signing

    network = copy.copy(network)
    network.trusted = trusted
    return network

def followed_by(network, texts):
    """`network`, followed by the chain that it carries and by those in `texts` that are of it;
    Malformed if one leads nowhere."""
    if "succession" in network.members:
        carried = links_of(network.members["succession"], "malformed_configuration")
        require(carried, "malformed_configuration")
        try:
            network = follow(network, carried)
        except Failed:
            raise Malformed("invalid_configuration") from None
    for links in map(read_chain, texts):
        if links and links[0]["predecessor"]["id"] == network.id:
            try:
                network = follow(network, links)
            except Failed as failed:
                raise Malformed(failed.args[0]) from None
    return network
