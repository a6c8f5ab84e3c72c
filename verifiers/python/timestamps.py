"""Time-stamp tokens (RFC 3161, 5652 and 5816) that carry a proof: R1 to R8 of
docs/verification.md."""

import certificates
import der
import signatures
from countersign_verify import BUNDLE, read, sha256, verify_bundle
from der import context, need
from signatures import hash_of, holds, refuse

SIGNED_DATA, TST_INFO = "1.2.840.113549.1.7.2", "1.2.840.113549.1.9.16.1.4"
CONTENT_TYPE, MESSAGE_DIGEST = "1.2.840.113549.1.9.3", "1.2.840.113549.1.9.4"
SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_V2 = (
    f"1.2.840.113549.1.9.16.2.{arc}" for arc in (12, 47))
ATTACHED_PROOF = ("1.2.840.113556.1.8000.2554.12017.45038.55770.16972.33603"
                  ".11366662.7117759.1")
ACCURACY_SECONDS, CERTIFICATES_LIMIT = 60, 16

def token_of(value):
    """The ContentInfo of a TimeStampResp, or the value itself."""
    parts = der.Members(value)
    start = parts.next()
    if start.tag != der.SEQUENCE:
        return value
    status = der.Members(start)
    need(status.next().small() in (0, 1))
    texts = status.optional(der.SEQUENCE)
    need(texts is None or all(text.tag == der.UTF8 for text in texts.members()))
    status.optional(der.BITS)
    status.end()
    token = parts.next(der.SEQUENCE)
    parts.end()
    return token

def attributes_of(value):
    """The type and the values of each attribute."""
    found = []
    for member in value.members():
        parts = der.Members(member)
        found.append((parts.next().object_id(), parts.next(der.SET).members()))
        parts.end()
    return found

class Reference:
    """ESSCertID or ESSCertIDv2 (RFC 5035)."""

    def __init__(self, value, has_algorithm):
        parts, self.hash = der.Members(value), "sha256" if has_algorithm else "sha1"
        algorithm = parts.optional(der.SEQUENCE) if has_algorithm else None
        if algorithm is not None:
            self.hash = hash_of(algorithm)
        self.digest, self.issuer_serial = parts.next().octets(), None
        issuer_serial = parts.optional(der.SEQUENCE)
        parts.end()
        if issuer_serial is not None:
            names, serial = certificates.two(issuer_serial)
            name = names.only(der.SEQUENCE).is_(context(4))
            self.issuer_serial = name.content, serial.integer()

    def is_to(self, one):
        return (self.digest == signatures.digest(self.hash, one.raw)
                and self.issuer_serial in (None, (one.issuer, one.serial)))

class Token:
    """R1."""

    def __init__(self, data):
        parts = der.Members(token_of(der.read(data)))
        need(parts.next().object_id() == SIGNED_DATA)
        signed_data = der.Members(parts.next(context(0)).only(context(0)))
        parts.end()
        need(signed_data.next().small() in (1, 3))
        algorithms = [der.algorithm(one)[0] for one in signed_data.next(der.SET).members()]
        content = der.Members(signed_data.next(der.SEQUENCE))
        need(content.next().object_id() == TST_INFO)
        self.info = content.next(context(0)).only(context(0)).octets()
        content.end()
        certs = signed_data.optional(context(0))
        raw = [one.is_(der.SEQUENCE).raw for one in certs.members()] if certs else []
        need(len(raw) <= CERTIFICATES_LIMIT)
        self.certificates = [certificates.Certificate(one) for one in raw]
        signed_data.optional(context(1))
        self.read_signer(der.Members(signed_data.next(der.SET).only(der.SET)))
        signed_data.end()
        need(der.algorithm(self.digest_algorithm)[0] in algorithms)
        self.read_info(der.Members(der.read(self.info)))

    def read_signer(self, parts):
        version, signer = parts.next().small(), parts.next()
        need(version in (1, 3))
        if version == 1:
            name, serial = certificates.two(signer)
            self.signer = name.is_(der.SEQUENCE).raw, serial.integer()
        else:
            self.signer = signer.is_(context(0, False)).content
        self.digest_algorithm = parts.next(der.SEQUENCE)
        der.algorithm(self.digest_algorithm)
        signed = parts.next(context(0))
        self.signed = der.encode(der.SET, signed.content)
        self.read_signed_attributes(signed)
        self.algorithm, self.signature = parts.next(der.SEQUENCE), parts.next().octets()
        der.algorithm(self.algorithm)
        unsigned = parts.optional(context(1))
        parts.end()
        proofs = [values for object_id, values in (attributes_of(unsigned) if unsigned else ())
                  if object_id == ATTACHED_PROOF]
        need(len(proofs) <= 1)
        self.bundle = proof_in(proofs[0]) if proofs else None

    def read_signed_attributes(self, value):
        in_order = [member.raw for member in value.members()]
        need(in_order == sorted(in_order))
        attributes = attributes_of(value)
        by_type = dict(attributes)
        need(len(by_type) == len(attributes))

        def only(object_id):
            values = by_type.get(object_id, ())
            need(len(values) == 1)
            return values[0]

        need(only(CONTENT_TYPE).object_id() == TST_INFO)
        self.message_digest = only(MESSAGE_DIGEST).octets()
        self.references = []  # one list for each of both attributes
        for object_id in (SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_V2):
            if object_id in by_type:
                parts = der.Members(only(object_id))
                references = parts.next().members(der.SEQUENCE)
                parts.optional(der.SEQUENCE)
                parts.end()
                need(references)
                self.references.append([
                    Reference(one, object_id == SIGNING_CERTIFICATE_V2) for one in references])
        need(self.references)

    def read_info(self, parts):
        need(parts.next().small() == 1)
        parts.next().object_id()
        imprint = der.Members(parts.next(der.SEQUENCE))
        self.imprint_hash, self.imprint = hash_of(imprint.next()), imprint.next().octets()
        imprint.end()
        need(len(self.imprint) == len(signatures.digest(self.imprint_hash, b"")))
        self.serial = parts.next().integer()
        self.time, self.has_fraction = parts.next(der.GENERALIZED_TIME).time()
        need(self.time >= 0)
        accuracy = parts.optional(der.SEQUENCE)
        self.accuracy = None if accuracy is None else seconds_of(der.Members(accuracy))
        parts.optional(der.BOOLEAN)
        parts.optional(der.INTEGER)
        authority = parts.optional(context(0))
        self.authority_name = None if authority is None else authority.only(authority.tag).raw
        extensions = parts.optional(context(1))
        parts.end()
        if extensions is not None:
            need(not any(critical for critical, _ in
                         der.extensions(extensions, extensions.tag).values()))

    def attested_hash(self):
        """What an attestation of the imprint is about."""
        if self.imprint_hash == "sha256":
            return self.imprint.hex()
        return sha256(signatures.digest_info(self.imprint_hash, self.imprint)).hex()

    def authority(self, roots):
        """R3 and R4. The status of the authority."""
        if not holds(self.check_signature) or roots and not holds(self.check_root, roots):
            return "refused"
        return "verified" if roots else "not_checked"

    def signer_certificate(self):
        """The one that the SignerInfo and the references name."""
        def is_named(one):
            if isinstance(self.signer, tuple):
                return self.signer == (one.issuer, one.serial)
            key_id = one.value(certificates.SUBJECT_KEY)
            return key_id is not None and key_id.octets() == self.signer
        named = [one for one in self.certificates if is_named(one)
                 and all(first.is_to(one) for first, *_ in self.references)]
        refuse(named)
        return named[0]

    def check_signature(self):
        """R3."""
        signer, name = self.signer_certificate(), hash_of(self.digest_algorithm)
        refuse(self.authority_name in (None, *signer.names()))
        signer.check_signer(self.time)
        refuse(self.message_digest == signatures.digest(name, self.info))
        refuse(signatures.hash_in(self.algorithm, name) == name)
        refuse(signatures.verifies(signer.key, self.algorithm.raw, self.signed, self.signature, name))

    def check_root(self, roots):
        """R4."""
        path = certificates.find_path(
            self.signer_certificate(), self.certificates, roots, self.time)
        refuse(all(any(other.is_to(one) for one in path)
                   for _, *others in self.references for other in others))

    def differing(self, attestation):
        """R8: the first member that is not the attestation's."""
        if self.has_fraction or self.time != attestation["timestamp"]:
            return "gen_time"
        if self.accuracy != ACCURACY_SECONDS:
            return "accuracy"
        return None if self.serial >> 64 == attestation["sequence"] else "serial_number"

def seconds_of(accuracy):
    """The seconds of an Accuracy, None with smaller units."""
    seconds, smaller = accuracy.optional(der.INTEGER), []
    for number in (0, 1):
        part = accuracy.optional(context(number, False))
        if part is not None:
            smaller.append(part.small(part.tag))
    accuracy.end()
    seconds = 0 if seconds is None else seconds.small()
    need(seconds >= 0 and all(1 <= part <= 999 for part in smaller))
    return None if smaller else seconds

def proof_in(values):
    """The text of the bundle in an AttachedProof."""
    need(len(values) == 1)
    parts = der.Members(values[0])
    need(parts.next().small() == 1)
    text = parts.next().octets()
    parts.end()
    return text

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
        attestation = read(token.bundle, BUNDLE)["signed_attestation"]["attestation"]
        field = token.differing(attestation)
        reason = "field_mismatch" if field else None
    return {"result": "invalid" if reason else "valid", **({"reason": reason} if reason else {}),
            **({"field": field} if field else {}), "authority": authority,
            "gen_time": token.time, **({"proof": proof} if proof else {})}
