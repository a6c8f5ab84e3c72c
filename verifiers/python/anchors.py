"""Consistency paths, cross-anchors and external anchors: the rules X, F and E of
docs/verification.md."""

from countersign_verify import (
    Failed, check, check_signatures, checkpoint_body, cosignature_message, layer, module, sha256)

def climb(first, second, path):
    """Both roots of a consistency path (RFC 9162, section 2.1.4) that begins with a subtree of
    both trees. ValueError: its length is wrong."""
    if first == second:
        [subtree] = path
        return subtree, subtree
    *path, sibling = path
    left = 1 << (second - 1).bit_length() - 1
    if first <= left:
        old, new = climb(first, left, path)
        return old, sha256(b"\1", new, sibling)
    old, new = climb(first - left, second - left, path)
    return sha256(b"\1", sibling, old), sha256(b"\1", sibling, new)

def roots_of(first, second, path):
    """`climb` with hex digits; (None, None) for a path of a wrong length."""
    try:
        old, new = climb(first, second, [bytes.fromhex(node) for node in path])
        return old.hex(), new.hex()
    except ValueError:
        return None, None

def leads(old, new, path):
    """Whether `path` leads from the head `old` to the head `new`."""
    first, second = old["tree_size"], new["tree_size"]
    if first == second:
        return first > 0 and old["root_hash"] == new["root_hash"] and not path
    front = [old["root_hash"]] if first & (first - 1) == 0 else []
    return roots_of(first, second, front + path) == (old["root_hash"], new["root_hash"])

def check_reach(anchor, head, count):
    """X9 and X10; E4 and E5."""
    check(anchor["tree_head"]["tree_size"] >= head["tree_size"], "anchor_precedes_batch", count)
    led = leads(head, anchor["tree_head"], anchor["consistency_path"])
    check(led, "consistency_invalid", count)

def check_cross_anchor(anchor, earlier, head, network, peers):
    """X1 to X10. `earlier` anchors of the same network stand before this one."""
    name = anchor["witnessing_network"]
    check(head, "lower_layer_unverified", None)
    check(earlier < 8, "peer_anchors_surplus", None)
    check(name != network.id, "peer_is_home", None)
    check(name in network.peers, "peer_not_pinned", None)
    check(anchor["tree_head"]["network_id"] == network.id, "network_mismatch", None)
    check(name in peers, "peer_configuration_missing", None)
    count = count_cosigners(anchor, peers[name].anchoring(head["timestamp"]))
    check(count >= network.peers[name], "min_witnesses_not_met", count)
    check_reach(anchor, head, count)
    return count

def count_cosigners(anchor, networks):
    """X7: the first count that meets a threshold, otherwise the result of the newest epoch."""
    check(networks, "log_ended", None)
    message, failures = cosignature_message(anchor["tree_head"]), []
    for network in networks:
        try:
            return check_signatures(anchor, network, message)
        except Failed as failed:
            failures.append(failed)
    raise failures[0]

def count_peers(anchors, layers, network, peers):
    """X11 and X12: marks the layers, and returns the ids of the counted peers."""
    counted, keys = [], set(network.all_keys)
    for name in network.peers:
        verified = [found for anchor, found in zip(anchors, layers)
                    if anchor["witnessing_network"] == name and found["status"] == "verified"]
        found_keys = peers[name].all_keys if name in peers else set()
        shared = bool(keys & found_keys)
        keys |= found_keys
        for found in verified if shared else verified[1:]:
            found["reason"] = "peer_key_shared" if shared else "peer_already_counted"
        if verified and not shared:
            counted.append(name)
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

def verify(bundle, heads, network, peers):
    """Adds the head of each verified cross-anchor to `heads`, which has the batch's head if that is
    verified. Returns members of the result, and whether F1 and F2 hold."""
    head, anchors = heads[0] if heads else None, bundle["cross_anchors"]
    peers, earlier, layers = {peer.id: peer for peer in peers}, [], []
    for anchor in anchors:
        name = anchor["witnessing_network"]
        found = layer(check_cross_anchor, anchor, earlier.count(name), head, network, peers)
        heads += [anchor["tree_head"]] if found["status"] == "verified" else []
        layers.append(found)
        earlier.append(name)
    counted = count_peers(anchors, layers, network, peers)
    reason = ("federation_disabled" if not network.peers_needed else
              "cross_anchors_missing" if len(counted) < network.peers_needed else None)
    federation = {"counted": counted, **({"reason": reason} if reason else {})}
    external = [bound(anchor, head, network) for anchor in bundle["external_anchors"]]
    found = {"cross_anchors": layers, "federation": federation, "external_anchors": external}
    log_resources = module("log_resources")
    if log_resources and "witnessed" in bundle:
        found["witnessed"] = log_resources.verify_witnessed(bundle, head, network)
    return found, reason is None
