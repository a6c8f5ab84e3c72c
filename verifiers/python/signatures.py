"""Signatures of time-stamp authorities: ECDSA on three curves of NIST, and RSA (RFC 8017). Nothing
here is secret, so nothing takes constant time."""

import hashlib
from functools import lru_cache

import der
from countersign_verify import Malformed, require

HASHES = {"2.16.840.1.101.3.4.2.1": "sha256", "2.16.840.1.101.3.4.2.2": "sha384",
          "2.16.840.1.101.3.4.2.3": "sha512"}
HASH_IDS = {name: object_id for object_id, name in HASHES.items()}
ECDSA = {"1.2.840.10045.4.3.2": "sha256", "1.2.840.10045.4.3.3": "sha384",
         "1.2.840.10045.4.3.4": "sha512"}
RSA = {"1.2.840.113549.1.1.11": "sha256", "1.2.840.113549.1.1.12": "sha384",
       "1.2.840.113549.1.1.13": "sha512"}
RSA_KEY, RSA_PSS, MGF1 = (f"1.2.840.113549.1.1.{arc}" for arc in (1, 10, 8))
EC_KEY = "1.2.840.10045.2.1"

class Refused(Exception):
    """An authority that is not to be trusted."""

def refuse(condition):
    if not condition:
        raise Refused

def holds(check, *inputs):
    """Whether a check of an authority answers True or nothing."""
    try:
        return check(*inputs) in (True, None)
    except Malformed as malformed:
        require(malformed.args[0] != "unsupported", "unsupported")
    except Refused:
        pass
    return False

class Curve:
    """y^2 = x^3 - 3x + b over the integers modulo p, with a point of prime order n."""

    def __init__(self, p, b, n, x, y):
        self.p, self.b, self.n, self.base = p, int(b, 16), int(n, 16), (int(x, 16), int(y, 16))
        self.size = (p.bit_length() + 7) // 8

    def contains(self, x, y):
        p = self.p
        return x < p and y < p and (y * y - x * x * x + 3 * x - self.b) % p == 0

    def add(self, first, second):
        if first is None or second is None:
            return first or second
        (x, y), (other_x, other_y), p = first, second, self.p
        if x == other_x:
            if (y + other_y) % p == 0:
                return None
            slope = (3 * x * x - 3) * pow(2 * y, -1, p) % p
        else:
            slope = (other_y - y) * pow(other_x - x, -1, p) % p
        sum_x = (slope * slope - x - other_x) % p
        return sum_x, (slope * (x - sum_x) - y) % p

    def sum(self, u, v, key):
        """u times the base and v times `key`."""
        both, result = self.add(self.base, key), None
        for i in reversed(range(self.n.bit_length())):
            result = self.add(result, result)
            bits = u >> i & 1, v >> i & 1
            if any(bits):
                result = self.add(result, {(1, 0): self.base, (0, 1): key, (1, 1): both}[bits])
        return result

# SEC 2, sections 2.4.2, 2.5.1 and 2.6.1.
CURVES = {
    "1.2.840.10045.3.1.7": Curve(
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b",
        "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
    "1.3.132.0.34": Curve(
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        "b3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875a"
        "c656398d8a2ed19d2a85c8edd3ec2aef",
        "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf"
        "581a0db248b0a77aecec196accc52973",
        "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a38"
        "5502f25dbf55296c3a545e3872760ab7",
        "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c0"
        "0a60b1ce1d7e819d7a431d7c90ea0e5f"),
    "1.3.132.0.35": Curve(
        2**521 - 1,
        "0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef1"
        "09e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b50"
        "3f00",
        "01ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "fffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e9138"
        "6409",
        "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d"
        "3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5"
        "bd66",
        "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e"
        "662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd1"
        "6650"),
}

def digest(name, data):
    return hashlib.new(name, data).digest()

def hash_of(value):
    """The hash function of an AlgorithmIdentifier."""
    object_id, parameters = der.algorithm(value)
    der.need(object_id in HASHES and is_null_or_absent(parameters))
    return HASHES[object_id]

def is_null_or_absent(parameters):
    return parameters is None or parameters.tag == der.NULL

def pss_parameters(parameters):
    """The hash function and the length of the salt (RFC 4055, section 3.1)."""
    refuse(parameters is not None)
    parts = der.Members(parameters)
    hashed, mask = parts.next(der.context(0)), parts.next(der.context(1))  # the defaults have SHA-1
    salt = parts.optional(der.context(2))
    parts.end()
    name = hash_of(hashed.only(hashed.tag))
    generator, inner = der.algorithm(mask.only(mask.tag))
    refuse(generator == MGF1 and inner and hash_of(inner) == name)
    length = 20 if salt is None else salt.only(salt.tag).small()
    refuse(length >= 0 and (salt is None or length != 20))  # DER leaves out defaults
    return name, length

def hash_in(algorithm, hash):
    """The hash function of a signature; `hash` is that of CMS, for one that names only RSA."""
    object_id, parameters = der.algorithm(algorithm)
    if object_id == RSA_PSS:
        return pss_parameters(parameters)[0]
    return {**ECDSA, **RSA, RSA_KEY: hash}.get(object_id)

@lru_cache(maxsize=4096)
def verifies(key, algorithm, message, signature, hash=None):
    """Whether the key of a SubjectPublicKeyInfo signed `message`; `key` and `algorithm` are DER, and
    `hash` is as for hash_in."""
    kind, parameters, key_bytes = key_of(key)
    algorithm = der.read(algorithm)
    (object_id, more), name = der.algorithm(algorithm), hash_in(algorithm, hash)
    refuse(name)
    if object_id in ECDSA:
        refuse(kind == EC_KEY and parameters and more is None)
        return verifies_ecdsa(CURVES.get(parameters.object_id()), key_bytes,
                              digest(name, message), signature)
    refuse(kind == RSA_KEY and is_null_or_absent(parameters))
    n, e = rsa_key(key_bytes)
    size, number = (n.bit_length() + 7) // 8, int.from_bytes(signature, "big")
    if len(signature) != size or number >= n:
        return False
    opened = pow(number, e, n)
    if object_id == RSA_PSS:
        return verifies_pss(opened, n.bit_length() - 1, *pss_parameters(more), message)
    refuse(is_null_or_absent(more))
    info = digest_info(name, digest(name, message))
    return opened.to_bytes(size, "big") == b"\0\1" + b"\xff" * (size - len(info) - 3) + b"\0" + info

def digest_info(name, digested):
    """DigestInfo of RFC 8017, section 9.2, which is a MessageImprint with NULL."""
    identifier = object_id_of(HASH_IDS[name])
    return der.encode(der.SEQUENCE, der.encode(der.SEQUENCE, identifier, b"\5\0"),
                      der.encode(der.OCTETS, digested))

def object_id_of(dotted):
    one, two, *arcs = map(int, dotted.split("."))
    content = b""
    for arc in (40 * one + two, *arcs):
        digits = bytes([arc & 0x7f])
        while arc := arc >> 7:
            digits = bytes([0x80 | arc & 0x7f]) + digits
        content += digits
    return der.encode(der.OBJECT_ID, content)

def key_of(key):
    """The algorithm of a key, its parameters, and the bytes of the key."""
    parts = der.Members(der.read(key))
    kind, parameters = der.algorithm(parts.next())
    key_bytes, unused = parts.next().bits()
    parts.end()
    der.need(unused == 0)
    return kind, parameters, key_bytes

def rsa_key(key_bytes):
    parts = der.Members(der.read(key_bytes))
    n, e = parts.next().integer(), parts.next().integer()
    parts.end()
    refuse(n.bit_length() >= 2048 and n & 1 and e >= 3 and e & 1)
    # Whoever makes a token chooses both: a larger power would take minutes.
    require(n.bit_length() <= 16384 and e.bit_length() <= 64, "unsupported")
    return n, e

def verifies_ecdsa(curve, point, hashed, signature):
    refuse(curve)
    size, n = curve.size, curve.n
    refuse(len(point) == 2 * size + 1 and point[0] == 4)
    key = int.from_bytes(point[1:size + 1], "big"), int.from_bytes(point[size + 1:], "big")
    refuse(curve.contains(*key))
    parts = der.Members(der.read(signature))
    r, s = parts.next().integer(), parts.next().integer()
    parts.end()
    if not (0 < r < n and 0 < s < n):
        return False
    z = int.from_bytes(hashed, "big") >> max(0, 8 * len(hashed) - n.bit_length())
    inverse = pow(s, -1, n)
    found = curve.sum(z * inverse % n, r * inverse % n, key)
    return found is not None and found[0] % n == r

def verifies_pss(opened, bits, name, salt_length, message):
    """RFC 8017, section 9.1.2."""
    hashed = digest(name, message)
    length, size = (bits + 7) // 8, len(hashed)
    if length < size + salt_length + 2 or opened.bit_length() > bits:
        return False
    encoded = opened.to_bytes(length, "big")
    masked, check_bytes, trailer = encoded[:-size - 1], encoded[-size - 1:-1], encoded[-1]
    mask = b"".join(digest(name, check_bytes + i.to_bytes(4, "big"))
                    for i in range(-(-len(masked) // size)))[:len(masked)]
    block = int.from_bytes(masked, "big") ^ int.from_bytes(mask, "big")
    block = (block & (1 << bits - 8 * (length - len(masked))) - 1).to_bytes(len(masked), "big")
    salt = block[len(masked) - salt_length:]
    padding = bytes(len(masked) - salt_length - 1) + b"\1"
    return (trailer == 0xbc and block[:len(padding)] == padding
            and digest(name, bytes(8) + hashed + salt) == check_bytes)
