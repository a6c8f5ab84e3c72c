"""Ed25519 by the rules S9 and C6 of docs/verification.md: RFC 8032, section 5.1.7, without a
cofactor. Points are (X, Y, Z, T)."""

import hashlib
from functools import lru_cache

P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P

def multiply(scalar, point):
    result = (0, 1, 1, 0)
    for bit in f"{scalar:b}":
        result = add(result, result)
        result = add(result, point) if bit == "1" else result
    return result

def encode(point):
    z = pow(point[2], -1, P)
    return (point[1] * z % P | (point[0] * z % P & 1) << 255).to_bytes(32, "little")

@lru_cache(maxsize=4096)
def decode(data):
    """The point of a canonical encoding, otherwise None."""
    y = int.from_bytes(data, "little") & 2**255 - 1
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    x = x if x & 1 == data[31] >> 7 else P - x
    point = (x, y, 1, x * y % P)
    return point if x * x % P == square and encode(point) == data else None

IDENTITY, BASE = encode((0, 1, 1, 0)), decode(b"X" + b"f" * 31)

def is_key(data):
    """Whether `data` is the canonical encoding of a point of prime order."""
    point = decode(data) if len(data) == 32 and data != IDENTITY else None
    return point is not None and encode(multiply(L, point)) == IDENTITY

@lru_cache(maxsize=4096)
def verifies(key, message, signature):
    point, r, s = decode(key), signature[:32], int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or point is None or s >= L or r == IDENTITY:
        return False
    x, y, z, t = point
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % L
    return encode(add(multiply(s, BASE), multiply(k, (-x, y, z, -t)))) == r
