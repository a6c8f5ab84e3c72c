"""Reads the texts of docs/verification.md: J1 to J9 and the tables of members.

A shape is a predicate, a list of the shape of its items, or a dict of members. A member whose name
ends with "_" is optional.
"""

import base64
import json
import re


class Malformed(Exception):
    """A text that cannot be read. Its argument is the code."""


class Failed(Exception):
    """A rule that failed. Its arguments are the reason and the count of S7, None if not reached."""


def check(condition, reason, count=0):
    if not condition:
        raise Failed(reason, count)


def require(condition, code="invalid_configuration"):
    if not condition:
        raise Malformed(code)


OTHER_NUMBER = object()  # any number that is not an integer by J4


def integer_of(digits):
    plain = re.fullmatch("0|[1-9][0-9]{0,15}", digits)
    return int(digits) if plain and int(digits) < 2**53 else OTHER_NUMBER


def unique_members(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a member stands twice")
    return dict(pairs)


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def depth(value):
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max((1 + depth(item) for item in items), default=0)


def fits(value, shape, unknown_members=False):
    if callable(shape):
        return shape(value)
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(v, shape[0], unknown_members) for v in value)
    if not isinstance(value, dict):
        return False
    names = {name.rstrip("_"): name for name in shape}
    return (all(name in value for name in shape if not name.endswith("_"))
            and all(fits(member, shape[names[name]], unknown_members) if name in names
                    else unknown_members for name, member in value.items()))


def read(text, shape, code="malformed_bundle", unknown_members=False):
    """The object in `text`, which is a str or bytes of UTF-8."""
    try:
        value = json.loads(text if isinstance(text, str) else text.decode(),
                           object_pairs_hook=unique_members, parse_int=integer_of,
                           parse_float=lambda _: OTHER_NUMBER, parse_constant=refuse_constant)
        if depth(value) <= 32 and isinstance(value, dict) and fits(value, shape, unknown_members):
            return value
    except (ValueError, RecursionError):
        pass
    raise Malformed(code)


def bytes_of_base64(text):
    """The bytes of canonical base64, otherwise None."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None


def text_of(pattern):
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def hex_of(digits):
    return text_of(f"[0-9a-f]{{{digits}}}")


def nullable(shape):
    return lambda value: value is None or fits(value, shape)


def signed(**members):
    """An object with `members` and signatures of one of the two shapes (S1)."""
    listed = dict(members, signatures=[dict(witness_id=WITNESS_ID, signature=HEX128)])
    aggregate = dict(members, signature=HEX96, signers=[WITNESS_ID])
    return lambda value: fits(value, listed) or fits(value, aggregate)


def INTEGER(value):
    return type(value) is int


def STRING(value):
    return isinstance(value, str)


HASH, HEX96, HEX128 = hex_of(64), hex_of(96), hex_of(128)
WITNESS_ID = text_of("[A-Za-z0-9][A-Za-z0-9._~/-]{0,79}")
NETWORK_ID = text_of("(?!cosignature/|countersign/|subtree/)[A-Za-z0-9][A-Za-z0-9._~/-]{0,47}")
SIGNED_ATTESTATION = signed(
    attestation=dict(hash=HASH, timestamp=INTEGER, network_id=STRING, sequence=INTEGER),
    round=dict(index=INTEGER, size=INTEGER, inclusion_path=[HASH],
               beacon=nullable(dict(chain_hash=HASH, round=INTEGER, signature=HEX96))))
TREE_HEAD = dict(network_id=STRING, tree_size=INTEGER, timestamp=INTEGER, root_hash=HASH)
SIGNED_TREE_HEAD = signed(tree_head=TREE_HEAD, log_signature_=HEX128)
BATCH = dict(id=INTEGER, network_id=STRING, root_hash=HASH, tree_size=INTEGER, first_index=INTEGER,
             attestation_count=INTEGER, period_start=INTEGER, period_end=INTEGER)
LEAF_PROOF = dict(hash=HASH, leaf_hash=HASH, leaf_index=INTEGER, tree_size=INTEGER,
                  inclusion_path=[HASH])
MERKLE_PROOF = dict(LEAF_PROOF, root_hash=HASH, batch_id=INTEGER)
ANCHORED = dict(tree_head=TREE_HEAD, consistency_path=[HASH])
BUNDLE = dict(
    signed_attestation=SIGNED_ATTESTATION,
    batch_inclusion=nullable(dict(batch=BATCH, merkle_proof=MERKLE_PROOF, sth=SIGNED_TREE_HEAD)),
    cross_anchors=[signed(**ANCHORED, witnessing_network=STRING)],
    external_anchors=[dict(ANCHORED, provider=STRING, status=STRING, timestamp=INTEGER, digest=HASH,
                           service_=text_of("[A-Za-z0-9][A-Za-z0-9._-]{0,39}"),
                           proof=lambda _: True)])
CONFIGURATION = dict(
    id=STRING, epoch_=INTEGER, threshold=INTEGER, signature_scheme=STRING, log_vkey_=STRING,
    merge_delay_seconds_=INTEGER,
    witnesses=[dict(id=STRING, pubkey=STRING, vkey_=STRING, proof_of_possession_=HEX96)],
    federation_=dict(
        enabled=lambda value: isinstance(value, bool), cross_anchor_threshold=INTEGER,
        peer_networks=[dict(id=STRING, gateway_url_=STRING, min_witnesses_=INTEGER)]))
