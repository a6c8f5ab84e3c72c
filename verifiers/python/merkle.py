"""Merkle paths (RFC 9162, sections 2.1.3.2 and 2.1.4.2). Paths are lists of hex digits."""

import hashlib


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def climb(index, last, path):
    """For each node of a path, whether it is a left sibling; None if its length is wrong."""
    sides = []
    for _ in path:
        if last == 0:
            return None
        sides.append(bool(index & 1) or index == last)
        while sides[-1] and index and not index & 1:
            index, last = index >> 1, last >> 1
        index, last = index >> 1, last >> 1
    return sides if last == 0 else None


def root_of(leaf_hash, index, size, path):
    """The root that an inclusion path leads to, or None if its length is wrong."""
    sides, root = climb(index, size - 1, path), leaf_hash
    for node, left in zip(map(bytes.fromhex, path), sides or ()):
        root = sha256(b"\1", node, root) if left else sha256(b"\1", root, node)
    return root.hex() if sides is not None else None


def roots_of(first, second, path):
    """The old and the new root of a consistency path that begins with a subtree of both."""
    if not 1 <= first < second or not path:
        return None, None
    index, last = first - 1, second - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    sides, old, new = climb(index, last, path[1:]), *[bytes.fromhex(path[0])] * 2
    for node, left in zip(map(bytes.fromhex, path[1:]), sides or ()):
        old = sha256(b"\1", node, old) if left else old
        new = sha256(b"\1", node, new) if left else sha256(b"\1", new, node)
    return (old.hex(), new.hex()) if sides is not None else (None, None)


def leads(old, new, path):
    """Whether `path` leads from the head `old` to the head `new`."""
    first, second = old["tree_size"], new["tree_size"]
    if first == second:
        return first > 0 and old["root_hash"] == new["root_hash"] and not path
    front = [old["root_hash"]] if first & (first - 1) == 0 else []
    return roots_of(first, second, front + path) == (old["root_hash"], new["root_hash"])
