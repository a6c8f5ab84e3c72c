"""Certificates of time-stamp authorities (RFC 5280) and the path from a signer to a trusted root."""

import base64
import re

import der
import signatures
from countersign_verify import Malformed
from signatures import refuse

TIME_STAMPING = "1.3.6.1.5.5.7.3.8"
KEY_USAGE, ALTERNATIVE_NAME, CONSTRAINTS, NAME_CONSTRAINTS, POLICIES, PURPOSES = (
    f"2.5.29.{arc}" for arc in (15, 17, 19, 30, 32, 37))
KNOWN = {KEY_USAGE, ALTERNATIVE_NAME, CONSTRAINTS, NAME_CONSTRAINTS, POLICIES, PURPOSES}
DIGITAL_SIGNATURE, NON_REPUDIATION, KEY_CERT_SIGN = 0x80, 0x40, 0x04  # in the first byte
PATH_LIMIT = 8  # certificates

class Certificate:
    def __init__(self, raw):
        self.raw = raw
        parts = der.Members(der.read(raw))
        signed, algorithm = parts.next(der.SEQUENCE), parts.next(der.SEQUENCE)
        self.signature, unused = parts.next(der.BITS).bits()
        parts.end()
        der.need(unused == 0)
        self.signed, self.algorithm = signed.raw, algorithm.raw
        parts = der.Members(signed)
        version = parts.optional(der.context(0))
        self.version = 0 if version is None else version.only(version.tag).integer()
        self.serial = parts.next().integer()
        der.need(parts.next(der.SEQUENCE).raw == self.algorithm)
        self.issuer = parts.next(der.SEQUENCE).raw
        self.not_before, self.not_after = (
            time.time()[0] for time in two(parts.next(der.SEQUENCE)))
        self.subject, self.key = parts.next(der.SEQUENCE).raw, parts.next(der.SEQUENCE).raw
        for unique_id in (1, 2):
            parts.optional(der.context(unique_id, False))
        extensions = parts.optional(der.context(3))
        parts.end()
        self.extensions = {}
        if extensions is not None:
            der.need(self.version == 2)
            for extension in extensions.only(extensions.tag).members(der.SEQUENCE):
                self.add_extension(der.Members(extension))

    def add_extension(self, parts):
        object_id, critical = parts.next().object_id(), parts.optional(der.BOOLEAN)
        content = parts.next().octets()
        parts.end()
        der.need(object_id not in self.extensions)
        self.extensions[object_id] = critical is not None and critical.boolean(), content

    def value(self, object_id):
        """The value of an extension, None if it has none."""
        return der.read(self.extensions[object_id][1]) if object_id in self.extensions else None

    def check_use(self, *bits):
        """It may be used for one of `bits` of the key usage."""
        usage = self.value(KEY_USAGE)
        if usage is not None:
            data, _ = usage.bits()
            refuse(data and any(data[0] & bit for bit in bits))

    def check_extensions(self):
        refuse(all(object_id in KNOWN for object_id, (critical, _) in self.extensions.items()
                   if critical))

    def is_valid_at(self, time):
        return self.not_before <= time <= self.not_after

    def purposes(self):
        value = self.value(PURPOSES)
        return None if value is None else [one.object_id() for one in value.members(der.SEQUENCE)]

    def check_signer(self, time):
        """The signer's certificate may sign tokens at `time` (RFC 3161, section 2.3)."""
        refuse(self.purposes() == [TIME_STAMPING] and self.extensions[PURPOSES][0])
        self.check_use(DIGITAL_SIGNATURE, NON_REPUDIATION)
        self.check_extensions()
        refuse(self.is_valid_at(time))

    def check_issuer(self, time, below):
        """It may issue a certificate with `below` issuers between that and the signer."""
        constraints = self.value(CONSTRAINTS)
        refuse(self.version == 2 and constraints is not None)
        parts = der.Members(constraints)
        authority, length = parts.optional(der.BOOLEAN), parts.optional(der.INTEGER)
        parts.end()
        refuse(authority is not None and authority.boolean())
        refuse(length is None or length.integer() >= below)
        self.check_use(KEY_CERT_SIGN)
        self.check_extensions()
        purposes = self.purposes()
        refuse(purposes is None or TIME_STAMPING in purposes)
        refuse(self.is_valid_at(time))
        if NAME_CONSTRAINTS in self.extensions:
            raise Malformed("unsupported")

    def signed_by(self, issuer):
        return (self.issuer == issuer.subject
                and signatures.verifies(issuer.key, self.algorithm, self.signed, self.signature))

def two(value):
    members = value.members(der.SEQUENCE)
    der.need(len(members) == 2)
    return members

def check_path(signer, others, roots, time):
    """A path leads from `signer` over `others` to one of `roots`."""
    unsupported = []

    def leads(certificate, seen):
        if any(certificate.raw == root.raw for root in roots):
            return True
        if len(seen) >= PATH_LIMIT:
            return False
        for issuer in (*roots, *others):
            if issuer.raw in seen or certificate.issuer != issuer.subject:
                continue
            try:
                below = sum(raw_issuer != subject for raw_issuer, subject in seen.values()) - (
                    signer.issuer != signer.subject)
                issuer.check_issuer(time, below)
                found = certificate.signed_by(issuer)
            except Malformed as malformed:
                if malformed.args[0] == "unsupported":
                    unsupported.append(malformed)
                continue
            except signatures.Failed:
                continue
            names = {**seen, issuer.raw: (issuer.issuer, issuer.subject)}
            if found and leads(issuer, names):
                return True
        return False

    if not leads(signer, {signer.raw: (signer.issuer, signer.subject)}):
        for malformed in unsupported:
            raise malformed
        refuse(False)

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
