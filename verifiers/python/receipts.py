"""What the log's key signs for COSE receipts: rule H6 of docs/verification.md."""

from countersign_verify import key_id

def item(major, count, content=b""):
    """An item of deterministic CBOR (RFC 8949, section 4.2.1), or its head."""
    size = next(size for size in (0, 1, 2, 4, 8) if count < (256 ** size if size else 24))
    first = count if size == 0 else 23 + size.bit_length()
    return bytes([major << 5 | first]) + (count.to_bytes(size, "big") if size else b"") + content

def string(major, content):
    return item(major, len(content), content)

def message(head, log_key):
    """The Sig_structure (RFC 9052, section 4.4) of a tree head."""
    origin = head["network_id"]
    protected = (item(5, 5) + b"\x01\x27\x04" + string(2, key_id(origin, b"\x01" + log_key))
                 + b"\x0f\xa1\x01" + string(3, origin.encode()) + b"\x19\x01\x8b\x01"
                 + string(3, b"countersign/tree-size") + item(0, head["tree_size"]))
    return (item(4, 4) + string(3, b"Signature1") + string(2, protected) + string(2, b"")
            + string(2, bytes.fromhex(head["root_hash"])))
