"""Ed25519 by the rule of docs/verification.md (S9, C6), in Python, standard library only.

RFC 8032, section 5.1.7, without a cofactor. Points are in extended coordinates (X, Y, Z, T).
Nothing here is secret, so nothing takes constant time.
"""

import hashlib
from functools import lru_cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


def encode(point):
    z = pow(point[2], -1, P)
    return (point[1] * z % P | (point[0] * z % P & 1) << 255).to_bytes(32, "little")


IDENTITY = encode((0, 1, 1, 0))


@lru_cache(maxsize=4096)
def decode(data):
    """The point of a canonical encoding, otherwise None."""
    y = int.from_bytes(data, "little") & 2**255 - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x & 1 != data[31] >> 7:
        x = P - x
    point = (x, y, 1, x * y % P)
    return point if x * x % P == square and encode(point) == data else None


BASE = decode(bytes([0x58]) + bytes([0x66]) * 31)


def is_key(data):
    """Whether `data` is the canonical encoding of a point of prime order (C6)."""
    point = decode(data)
    return point is not None and data != IDENTITY and encode(multiply(L, point)) == IDENTITY


@lru_cache(maxsize=4096)
def verifies(key, message, signature):
    """S9. R, the first half of `signature`, is compared and never decoded."""
    point, s = decode(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= L or signature[:32] == IDENTITY:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    x, y, z, t = multiply(int.from_bytes(digest, "little") % L, point)
    return encode(add(multiply(s, BASE), (-x, y, z, -t))) == signature[:32]
