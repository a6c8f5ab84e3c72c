"""What the reference implementation (Debian's python3-opentimestamps) makes of timestamps.

Takes a file of one JSON request, {"do": NAME, ...}, and writes one JSON answer. Bytes are in hex.
"""

import json
import random
import sys

from bitcoin.core import CBlockHeader
from opentimestamps.calendar import RemoteCalendar
from opentimestamps.core.dubious.notary import EthereumBlockHeaderAttestation
from opentimestamps.core.notary import (
    BitcoinBlockHeaderAttestation,
    LitecoinBlockHeaderAttestation,
    PendingAttestation,
    UnknownAttestation,
    VerificationError,
)
from opentimestamps.core.op import (
    OpAppend,
    OpHexlify,
    OpKECCAK256,
    OpPrepend,
    OpReverse,
    OpRIPEMD160,
    OpSHA1,
    OpSHA256,
)
from opentimestamps.core.serialize import (
    BytesDeserializationContext,
    BytesSerializationContext,
    DeserializationError,
)
from opentimestamps.core.timestamp import DetachedTimestampFile, Timestamp

CHAINS = {
    BitcoinBlockHeaderAttestation: "bitcoin",
    LitecoinBlockHeaderAttestation: "litecoin",
    EthereumBlockHeaderAttestation: "ethereum",
}
HASHES = [OpSHA1, OpRIPEMD160, OpSHA256, OpKECCAK256]
URI_LETTERS = "aAzZ09-._/:"


def serialized(thing):
    context = BytesSerializationContext()
    thing.serialize(context)
    return context.getbytes()


def named(attestation):
    if isinstance(attestation, PendingAttestation):
        return "pending " + attestation.uri
    if isinstance(attestation, UnknownAttestation):
        return "unknown %s %s" % (attestation.TAG.hex(), attestation.payload.hex())
    return "%s %d" % (CHAINS[type(attestation)], attestation.height)


def attested(stamp):
    found = [[stamp.msg.hex(), named(one)] for one in sorted(stamp.attestations)]
    for _, result in sorted(stamp.ops.items()):
        found += attested(result)
    return found


def shown(file):
    return {
        "hash": file.file_hash_op.TAG[0],
        "attested": attested(file.timestamp),
        "file": serialized(file).hex(),
    }


def file_of(text):
    return DetachedTimestampFile.deserialize(BytesDeserializationContext(bytes.fromhex(text)))


def read(request):
    """Each file as the reference reads and writes it, or the name of its error."""
    answers = []
    for text in request["files"]:
        try:
            answers.append(shown(file_of(text)))
        except (DeserializationError, ValueError) as error:
            answers.append({"error": type(error).__name__})
    return answers


def merge(request):
    """Each pair of files of one digest as one."""
    answers = []
    for first, second in request["pairs"]:
        whole = file_of(first)
        whole.timestamp.merge(file_of(second).timestamp)
        answers.append(shown(whole))
    return answers


def random_attestation(dice):
    kind = dice.randrange(5)
    if kind == 0:
        return PendingAttestation("".join(dice.choices(URI_LETTERS, k=dice.randrange(40))))
    if kind == 1:
        return UnknownAttestation(dice.randbytes(8), dice.randbytes(dice.randrange(300)))
    height = dice.choice([0, 127, 128, 16383, 16384, dice.randrange(2**21), dice.randrange(2**53)])
    return list(CHAINS)[kind - 2](height)


def random_operation(dice):
    kind = dice.randrange(4)
    if kind == 0:
        return OpReverse()
    if kind == 1:
        return dice.choice(HASHES)()
    if kind == 2:
        return OpHexlify()
    return dice.choice([OpAppend, OpPrepend])(dice.randbytes(dice.randrange(1, 200)))


def grow(dice, stamp, depth):
    for _ in range(dice.randrange(3)):
        stamp.attestations.add(random_attestation(dice))
    for _ in range(dice.randrange(4) if depth < 6 else 0):
        operation = random_operation(dice)
        if operation not in stamp.ops and len(stamp.msg) <= 1024:
            grow(dice, stamp.ops.add(operation), depth + 1)
    if not stamp.attestations and not stamp.ops:
        stamp.attestations.add(random_attestation(dice))


def write(request):
    """Files of random timestamps, the same for one seed."""
    dice = random.Random(request["seed"])
    answers = []
    for _ in range(request["count"]):
        hash_op = dice.choice(HASHES)()
        stamp = Timestamp(dice.randbytes(hash_op.DIGEST_LENGTH))
        grow(dice, stamp, 0)
        answers.append(shown(DetachedTimestampFile(hash_op, stamp)))
    return answers


def verify(request):
    """The times of the headers, by height, that a file's Bitcoin attestations are of."""
    times = []
    for message, attestation in file_of(request["file"]).timestamp.all_attestations():
        if isinstance(attestation, BitcoinBlockHeaderAttestation):
            header = bytes.fromhex(request["headers"][str(attestation.height)])
            block = CBlockHeader.deserialize(header)
            times.append(attestation.verify_against_blockheader(message, block))
    return sorted(times)


def accept(request):
    """Whether each file leads the digest to one of the headers, by height."""
    blocks = {
        int(height): CBlockHeader.deserialize(bytes.fromhex(header))
        for height, header in request["headers"].items()
    }
    return [accepts(text, bytes.fromhex(request["digest"]), blocks) for text in request["files"]]


def accepts(text, digest, blocks):
    try:
        file = file_of(text)
    except (DeserializationError, ValueError):
        return False
    if file.file_hash_op != OpSHA256() or file.file_digest != digest:
        return False
    for message, attestation in file.timestamp.all_attestations():
        if isinstance(attestation, BitcoinBlockHeaderAttestation) and attestation.height in blocks:
            try:
                attestation.verify_against_blockheader(message, blocks[attestation.height])
                return True
            except VerificationError:
                pass
    return False


def submit(request):
    """What the reference's client reads of a calendar's answer to a commitment."""
    calendar = RemoteCalendar(request["url"] + "/")
    return attested(calendar.submit(bytes.fromhex(request["commitment"]), timeout=10))


def complete(request):
    """What the reference's client reads of a calendar's answer when it asks for more."""
    calendar = RemoteCalendar(request["url"] + "/")
    return attested(calendar.get_timestamp(bytes.fromhex(request["commitment"]), timeout=10))


with open(sys.argv[1], encoding="utf-8") as source:
    asked = json.load(source)
ANSWERS = {
    "read": read,
    "merge": merge,
    "write": write,
    "verify": verify,
    "accept": accept,
    "submit": submit,
    "complete": complete,
}
json.dump(ANSWERS[asked["do"]](asked), sys.stdout)
