"""Certificates of time-stamp authorities (RFC 5280) and the path from a signer to a trusted root."""

import base64
import re

import der
import signatures
from countersign_verify import Malformed, require
from signatures import holds, refuse

TIME_STAMPING, ANY_PURPOSE = "1.3.6.1.5.5.7.3.8", "2.5.29.37.0"
(SUBJECT_KEY, KEY_USAGE, ALTERNATIVE_NAMES, CONSTRAINTS, NAME_CONSTRAINTS, POLICIES, MAPPINGS,
 AUTHORITY_KEY, PURPOSES, ANY_POLICY) = (
    f"2.5.29.{arc}" for arc in (14, 15, 17, 19, 30, 32, 33, 35, 37, 54))
MAY_BE_CRITICAL = {KEY_USAGE, ALTERNATIVE_NAMES, CONSTRAINTS, NAME_CONSTRAINTS, POLICIES, MAPPINGS,
                   PURPOSES, ANY_POLICY}
SIGNING, KEY_CERT_SIGN = 0xc0, 0x04  # bits in the first byte of the key usage
PATH_LIMIT, TRY_LIMIT = 8, 64

class Certificate:
    def __init__(self, raw):
        self.raw = raw
        parts = der.Members(der.read(raw))
        signed, algorithm = parts.next(der.SEQUENCE), parts.next(der.SEQUENCE)
        self.signature = whole_bytes(parts.next())
        parts.end()
        self.signed, self.algorithm = signed.raw, algorithm
        parts = der.Members(signed)
        version = parts.next(der.context(0))
        der.need(version.only(version.tag).small() == 2)
        self.serial = parts.next().integer()
        der.need(parts.next(der.SEQUENCE).raw == algorithm.raw)
        der.algorithm(algorithm)
        self.issuer = name_of(parts.next())
        self.not_before, self.not_after = map(seconds_of, two(parts.next()))
        self.subject, key = name_of(parts.next()), parts.next(der.SEQUENCE)
        algorithm, bits = two(key)
        der.algorithm(algorithm)
        bits.is_(der.BITS)
        self.key = key.raw
        for unique_id in (1, 2):
            parts.optional(der.context(unique_id, False))
        extensions = parts.optional(der.context(3))
        parts.end()
        self.extensions = {} if extensions is None else der.extensions(
            extensions.only(extensions.tag))

    def value(self, object_id):
        """The value of an extension, None if it has none."""
        return der.read(self.extensions[object_id][1]) if object_id in self.extensions else None

    def usage(self):
        """The bits of the key usage, the first eight lowest; None if it has none."""
        usage = self.value(KEY_USAGE)
        if usage is None:
            return None
        data, _ = usage.bits()
        refuse(len(data) <= 2)
        return int.from_bytes(data, "little")

    def check_any(self, time):
        refuse(self.not_before <= time <= self.not_after)
        refuse(MAY_BE_CRITICAL.issuperset(
            object_id for object_id, (critical, _) in self.extensions.items() if critical))

    def purposes(self):
        value = self.value(PURPOSES)
        return None if value is None else [one.object_id() for one in value.members(der.SEQUENCE)]

    def check_signer(self, time):
        """It may sign tokens at `time` (RFC 3161, section 2.3)."""
        self.check_any(time)
        refuse(self.purposes() == [TIME_STAMPING] and self.extensions[PURPOSES][0])
        usage = self.usage()
        refuse(usage is None or usage & SIGNING and not usage & ~SIGNING)

    def check_issuer(self, time, below):
        """It may issue a certificate with `below` issuers between that and the signer."""
        self.check_any(time)
        constraints = self.value(CONSTRAINTS)
        refuse(constraints is not None)
        parts = der.Members(constraints)
        authority, length = parts.optional(der.BOOLEAN), parts.optional(der.INTEGER)
        parts.end()
        refuse(authority is not None and authority.boolean())
        refuse(length is None or length.small() >= below)
        usage, purposes = self.usage(), self.purposes()
        refuse(usage is None or usage & KEY_CERT_SIGN)
        refuse(purposes is None or {TIME_STAMPING, ANY_PURPOSE} & {*purposes})

    def is_named_by(self, certificate):
        """`certificate` names it as its issuer."""
        if self.subject != certificate.issuer:
            return False
        authority = certificate.value(AUTHORITY_KEY)
        key = authority and der.Members(authority).optional(der.context(0, False))
        own = self.value(SUBJECT_KEY) if key else None
        return own is None or key.content == own.octets()

    def names(self):
        """DER of each name of its subject, as GeneralNames."""
        alternative = self.value(ALTERNATIVE_NAMES)
        others = alternative.members(der.SEQUENCE) if alternative else ()
        return [der.encode(der.context(4), self.subject), *(one.raw for one in others)]

def two(value):
    members = value.members(der.SEQUENCE)
    der.need(len(members) == 2)
    return members

def whole_bytes(value):
    data, unused = value.bits()
    der.need(unused == 0)
    return data

def seconds_of(value):
    seconds, has_fraction = value.time()
    der.need(not has_fraction)
    return seconds

def name_of(value):
    for relative in value.members(der.SEQUENCE):
        for attribute in relative.members(der.SET):
            two(attribute)[0].object_id()
    return value.raw

def find_path(signer, others, roots, time):
    """The certificates from `signer` over `others` to one of `roots`. Raises Malformed if there is none
    without the name constraints of an issuer."""
    tries, has_constraints = 0, False

    def issues(issuer, path):
        nonlocal tries, has_constraints
        last = path[-1]
        if (not holds(issuer.is_named_by, last) or any(issuer.raw == one.raw for one in path)):
            return False
        tries += 1
        refuse(tries <= TRY_LIMIT)
        is_issuer = holds(issuer.check_issuer, time, len(path) - 1) and holds(
            signatures.verifies, issuer.key, last.algorithm.raw, last.signed, last.signature)
        if is_issuer and NAME_CONSTRAINTS in issuer.extensions:
            has_constraints, is_issuer = True, False
        return is_issuer

    def extend(path):
        for root in roots:
            if issues(root, path):
                return [*path, root]
        for issuer in others if len(path) + 1 < PATH_LIMIT else ():
            if issuer.subject != issuer.issuer and issues(issuer, path):
                found = extend([*path, issuer])
                if found:
                    return found
        return None

    path = extend([signer])
    require(path or not has_constraints, "unsupported")
    refuse(path)
    return path

def read_pem(text):
    """The certificates in the bytes of a PEM file; ValueError if there are none."""
    blocks = re.findall(b"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", text, re.S)
    try:
        found = [Certificate(base64.b64decode(b"".join(block.split()), validate=True))
                 for block in blocks]
    except Malformed:
        found = []
    if not found:
        raise ValueError("expected certificates in PEM")
    return found
