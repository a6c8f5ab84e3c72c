"""Time-stamp tokens (RFC 3161, 5652 and 5816) that carry a proof: R1 to R8 of
docs/verification.md."""

import json

import certificates
import der
import signatures
from countersign_verify import Failed, Malformed, sha256, verify_bundle
from der import context, need
from signatures import refuse

SIGNED_DATA, TST_INFO = "1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"
CONTENT_TYPE, MESSAGE_DIGEST = "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4"
SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_V2 = (
    f"1.2.840.113549.1.9.16.2.{arc}" for arc in (12, 47))
ATTACHED_PROOF = ("1.2.840.113556.1.8000.2554.12017.45038.55770.16972.33603"
                  ".11366662.7117759.1")
ACCURACY_SECONDS = 60

def token_of(value):
    """The ContentInfo of a TimeStampResp, or the value itself."""
    parts = der.Members(value)
    start = parts.next()
    if start.tag != der.SEQUENCE:
        return value
    status = der.Members(start)
    need(status.next().integer() in (0, 1))
    status.optional(der.SEQUENCE)
    status.optional(der.BITS)
    status.end()
    token = parts.next(der.SEQUENCE)
    parts.end()
    return token

def attributes_of(value, is_ordered):
    """Pairs of the type and the values of each attribute."""
    found = []
    members = value.members()
    need(members)
    need(not is_ordered or [m.raw for m in members] == sorted(m.raw for m in members))
    for member in members:
        parts = der.Members(member)
        object_id, values = parts.next().object_id(), parts.next(der.SET).members()
        parts.end()
        need(values)
        found.append((object_id, values))
    return found

class Token:
    """R1."""

    def __init__(self, data):
        parts = der.Members(token_of(der.read(data)))
        need(parts.next().object_id() == SIGNED_DATA)
        signed_data = der.Members(parts.next(context(0)).only(context(0)))
        parts.end()
        need(signed_data.next().integer() == 3)
        for algorithm in signed_data.next(der.SET).members():
            der.algorithm(algorithm)
        content = der.Members(signed_data.next(der.SEQUENCE))
        need(content.next().object_id() == TST_INFO)
        self.info = content.next(context(0)).only(context(0)).octets()
        content.end()
        certs = signed_data.optional(context(0))
        self.certificates = [certificates.Certificate(one.raw)
                             for one in (certs.members() if certs else ())]
        signed_data.optional(context(1))
        self.read_signer(der.Members(signed_data.next(der.SET).only(der.SET)))
        signed_data.end()
        self.read_info(der.Members(der.read(self.info)))
        self.bundle = self.read_proof()

    def read_signer(self, parts):
        version, signer = parts.next().integer(), parts.next()
        if signer.tag == der.SEQUENCE:
            need(version == 1)
            name, serial = signer.members()
            self.signer = name.is_(der.SEQUENCE).raw, serial.integer()
        else:
            need(version == 3 and signer.tag == context(0, False))
            self.signer = signer.content
        self.hash = signatures.hash_of(parts.next())
        signed = parts.next(context(0))
        self.signed = der.encode(der.SET, signed.content)
        self.signed_attributes = attributes_of(signed, True)
        self.algorithm, self.signature = parts.next(der.SEQUENCE), parts.next().octets()
        unsigned = parts.optional(context(1))
        parts.end()
        self.unsigned_attributes = [] if unsigned is None else attributes_of(unsigned, False)

    def read_proof(self):
        """The text of the attached bundle, None without one."""
        found = [values for name, values in self.unsigned_attributes if name == ATTACHED_PROOF]
        if not found:
            return None
        need(len(found) == 1 and len(found[0]) == 1)
        parts = der.Members(found[0][0])
        need(parts.next().integer() == 1)
        text = parts.next().octets()
        parts.end()
        return text

    def read_info(self, parts):
        need(parts.next().integer() == 1)
        parts.next().object_id()
        imprint = der.Members(parts.next(der.SEQUENCE))
        self.imprint_hash = signatures.hash_of(imprint.next())
        self.imprint = imprint.next().octets()
        imprint.end()
        need(self.imprint_hash and len(self.imprint) == len(signatures.digest(self.imprint_hash, b"")))
        self.serial = parts.next().integer()
        self.time, self.has_fraction = parts.next(der.GENERALIZED_TIME).time()
        accuracy, self.accuracy = parts.optional(der.SEQUENCE), None
        if accuracy is not None:
            fields = der.Members(accuracy)
            seconds = fields.optional(der.INTEGER)
            smaller = [fields.optional(context(i, False)) for i in (0, 1)]
            fields.end()
            for one in smaller:
                need(one is None or 1 <= der.Value(der.INTEGER, one.content, b"").integer() <= 999)
            seconds = 0 if seconds is None else seconds.integer()
            need(seconds >= 0)
            self.accuracy = seconds if smaller == [None, None] else None
        ordering = parts.optional(der.BOOLEAN)
        need(ordering is None or ordering.boolean())  # FALSE is the default, which DER leaves out
        nonce = parts.optional(der.INTEGER)
        if nonce is not None:
            nonce.integer()
        authority = parts.optional(context(0))
        if authority is not None:
            authority.only(context(0))
        parts.optional(context(1))
        parts.end()

    def attested_hash(self):
        """What an attestation of the imprint is about."""
        if self.imprint_hash == "sha256":
            return self.imprint.hex()
        return sha256(signatures.digest_info(self.imprint_hash, self.imprint)).hex()

    def signed_attribute(self, object_id):
        """The one value of the one attribute, None if there is none."""
        found = [values for name, values in self.signed_attributes if name == object_id]
        refuse(len(found) <= 1 and all(len(values) == 1 for values in found))
        return found[0][0] if found else None

    def authority(self, roots):
        """R3 and R4. The status of the authority."""
        try:
            self.check_signature()
            if roots:
                certificates.check_path(
                    self.signer_certificate(), self.certificates, roots, self.time)
            return "verified" if roots else "not_checked"
        except Failed:
            return "refused"
        except Malformed as malformed:
            if malformed.args[0] == "unsupported":
                raise
            return "refused"

    def check_signature(self):
        """R3."""
        signer = self.signer_certificate()
        content_type = self.signed_attribute(CONTENT_TYPE)
        refuse(content_type is not None and content_type.object_id() == TST_INFO)
        digested = self.signed_attribute(MESSAGE_DIGEST)
        refuse(self.hash and digested is not None)
        refuse(digested.octets() == signatures.digest(self.hash, self.info))
        self.check_reference(signer)
        refuse(signatures.hash_in(self.algorithm) in (None, self.hash))
        refuse(signatures.verifies(signer.key, self.algorithm.raw, self.signed, self.signature,
                                   self.hash))
        signer.check_signer(self.time)

    def signer_certificate(self):
        """The one that the SignerInfo names."""
        def is_named(one):
            if isinstance(self.signer, tuple):
                return self.signer == (one.issuer, one.serial)
            key_id = one.value("2.5.29.14")
            return key_id is not None and key_id.octets() == self.signer
        named = [one for one in self.certificates if is_named(one)]
        refuse(named)
        return named[0]

    def check_reference(self, signer):
        """ESSCertID or ESSCertIDv2 (RFC 5035): the first reference names the signer."""
        found = False
        for object_id, has_algorithm in ((SIGNING_CERTIFICATE, False),
                                         (SIGNING_CERTIFICATE_V2, True)):
            value = self.signed_attribute(object_id)
            if value is None:
                continue
            found = True
            lists = value.members(der.SEQUENCE)
            need(len(lists) in (1, 2))
            references = lists[0].members(der.SEQUENCE)
            need(references)
            parts = der.Members(references[0])
            name = "sha256" if has_algorithm else "sha1"
            algorithm = parts.optional(der.SEQUENCE) if has_algorithm else None
            if algorithm is not None:
                name = signatures.hash_of(algorithm)
            refuse(name and parts.next().octets() == signatures.digest(name, signer.raw))
            issuer_serial = parts.optional(der.SEQUENCE)
            parts.end()
            if issuer_serial is not None:
                names, serial = certificates.two(issuer_serial)
                issuer = names.only(der.SEQUENCE)
                refuse(issuer.tag == context(4) and issuer.only(context(4)).raw == signer.issuer)
                refuse(serial.integer() == signer.serial)
        refuse(found)

    def differing(self, attestation):
        """R8: the first member that is not the attestation's."""
        if self.has_fraction or self.time != attestation["timestamp"]:
            return "gen_time"
        if self.serial >> 64 != attestation["sequence"]:
            return "serial_number"
        return None if self.accuracy == ACCURACY_SECONDS else "accuracy"

def verify_timestamp(data, network, peers=(), roots=(), content=None, distrust=()):
    """What the token in `data` proves, which may be a TimeStampResp. `roots` are PEM texts of trusted
    certificates, and `content` is what must have been stamped. Raises Malformed, and ValueError for
    roots that cannot be read."""
    roots = [root for text in roots for root in certificates.read_pem(text)]
    token = Token(data)
    authority, proof = token.authority(roots), None
    expected = token.imprint if content is None else signatures.digest(token.imprint_hash, content)
    if token.bundle is not None:
        proof = verify_bundle(token.bundle, network, peers, token.attested_hash(), distrust)
    reason, field = ("hash_mismatch" if token.imprint != expected else
                     "authority_refused" if authority == "refused" else
                     "attestation_missing" if proof is None else proof.get("reason")), None
    if reason is None:
        attestation = json.loads(token.bundle)["signed_attestation"]["attestation"]
        field = token.differing(attestation)
        reason = "field_mismatch" if field else None
    return {"result": "invalid" if reason else "valid", **({"reason": reason} if reason else {}),
            **({"field": field} if field else {}), "authority": authority,
            "gen_time": token.time, **({"proof": proof} if proof else {})}
