"""BLS signatures of docs/verification.md (S10) on BLS12-381, in Python, standard library only.

Signatures are in G1 and keys in G2. Points of both groups are affine, with coordinates a + b*u in
Fp2, where u*u = -1; in G1, b = 0. Nothing here is secret, so nothing takes constant time.
"""

import hashlib
from functools import lru_cache

Z = -0xD201000000010000
R = Z**4 - Z**2 + 1
P = (Z - 1)**2 * R // 3 + Z

class Fp2:
    def __init__(self, a, b=0):
        self.a, self.b = a % P, b % P

    def __add__(self, other):
        return Fp2(self.a + other.a, self.b + other.b)

    def __sub__(self, other):
        return Fp2(self.a - other.a, self.b - other.b)

    def __mul__(self, other):
        return Fp2(self.a * other.a - self.b * other.b, self.a * other.b + self.b * other.a)

    def __truediv__(self, other):
        n = pow(other.a * other.a + other.b * other.b, -1, P)
        return self * Fp2(other.a * n, -other.b * n)

    def __eq__(self, other):
        return (self.a, self.b) == (other.a, other.b)

    def root(self):
        """A square root, or None."""
        a, b, power = self.a, self.b, (P + 1) // 4
        if b == 0:
            candidates = [Fp2(pow(a, power, P)), Fp2(0, pow(-a, power, P))]
        else:
            halves = [(a + sign * pow(a * a + b * b, power, P)) * pow(2, -1, P) for sign in (1, -1)]
            roots = [pow(half, power, P) for half in halves]
            candidates = [Fp2(root, b * pow(2 * root, -1, P)) for root in roots]
        return next((root for root in candidates if root * root == self), None)

ZERO, ONE = Fp2(0), Fp2(1)

def slope(p, q, a=ZERO):
    if p[0] == q[0]:
        return (Fp2(3) * p[0] * p[0] + a) / (p[1] + p[1])
    return (q[1] - p[1]) / (q[0] - p[0])

def add(p, q, a=ZERO):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and p[1] + q[1] == ZERO:
        return None
    m = slope(p, q, a)
    x = m * m - p[0] - q[0]
    return x, m * (p[0] - x) - p[1]

def multiply(scalar, point, a=ZERO):
    result = None
    while scalar:
        if scalar & 1:
            result = add(result, point, a)
        point, scalar = add(point, point, a), scalar >> 1
    return result

@lru_cache(maxsize=4096)
def decode_point(data):
    """The point of order r of a canonical compressed encoding (48 or 96 bytes), otherwise None."""
    numbers = [int.from_bytes(data[i:i + 48], "big") for i in range(0, len(data), 48)]
    numbers[0] &= 2**381 - 1
    if data[0] >> 6 != 2 or max(numbers) >= P:
        return None
    x, b = Fp2(*reversed(numbers)), Fp2(4) if len(data) == 48 else Fp2(4, 4)
    y = (x * x * x + b).root()
    if y is None or (len(data) == 48 and y.b != 0):
        return None
    y = y if ((y.b or y.a) > P // 2) == (data[0] >> 5 & 1 == 1) else ZERO - y
    return (x, y) if multiply(R, (x, y)) is None else None

# The curve isogenous to G1's, with the map to it by Velu's formulas from its subgroup of order 11.
ISO_A = Fp2(int(
    "00144698a3b8e9433d693a02c96d4982b0ea985383ee66a8"
    "d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d", 16))
ISO_B = Fp2(int(
    "12e2908d11688030018b12e8753eee3b2016c1f0f24f4070"
    "a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0", 16))

def simplified_swu(u):
    """RFC 9380, section 6.6.2, with Z = 11."""
    square = Fp2(11 * u * u)
    denominator = square * square + square
    x = ISO_B / (Fp2(11) * ISO_A)
    if denominator != ZERO:
        x = (ZERO - ISO_B / ISO_A) * (ONE + ONE / denominator)
    for x in (x, square * x):
        y = (x * x * x + ISO_A * x + ISO_B).root()
        if y is not None and y.b == 0:
            return x, y if y.a & 1 == u & 1 else ZERO - y
    raise AssertionError("one of both is a square")

@lru_cache(maxsize=None)
def kernel():
    order_11 = multiply((Z - 1)**2 // 3 * R // 11, simplified_swu(1), ISO_A)
    return [multiply(i, order_11, ISO_A) for i in range(1, 11)]

def map_to_g1_curve(u):
    point = x, y = simplified_swu(u)
    for q in kernel():
        moved = add(point, q, ISO_A)
        x, y = x + moved[0] - q[0], y + moved[1] - q[1]
    return x / Fp2(11**2), y / Fp2(11**3)

def hash_to_g1(message, domain):
    """BLS12381G1_XMD:SHA-256_SSWU_RO_ of RFC 9380."""
    sha256 = lambda data: hashlib.sha256(data).digest()
    suffix = domain + bytes([len(domain)])
    first = sha256(bytes(64) + message + b"\0\x80\0" + suffix)
    blocks = [sha256(first + b"\1" + suffix)]
    for i in range(2, 5):
        blocks.append(sha256(bytes(a ^ b for a, b in zip(first, blocks[-1])) + bytes([i]) + suffix))
    u, v = (int.from_bytes(blocks[i] + blocks[i + 1], "big") % P for i in (0, 2))
    return multiply(1 - Z, add(map_to_g1_curve(u), map_to_g1_curve(v)))

# Fp12 = Fp[w] / (w^12 - 2 w^6 + 2), where u = w^6 - 1; elements are lists of 12 integers.

def fp12_multiply(p, q):
    """One product of big integers whose 100-byte digits are the coefficients."""
    p, q = (b"".join(c.to_bytes(100, "little") for c in x) for x in (p, q))
    product = int.from_bytes(p, "little") * int.from_bytes(q, "little")
    product = product.to_bytes(2400, "little")
    c = [int.from_bytes(product[i:i + 100], "little") for i in range(0, 2300, 100)]
    for i in range(22, 11, -1):
        c[i - 6] += 2 * c[i]
        c[i - 12] -= 2 * c[i]
    return [x % P for x in c[:12]]

def fp12_power(base, exponent):
    result = base
    for bit in bin(exponent)[3:]:
        result = fp12_multiply(result, result)
        result = fp12_multiply(result, base) if bit == "1" else result
    return result

@lru_cache(maxsize=None)
def powers_of_w_to_p():
    """The images of 1, w, ..., w^11 under x -> x^p, which is linear."""
    image, powers = fp12_power([0, 1] + [0] * 10, P), [[1] + [0] * 11]
    for _ in range(11):
        powers.append(fp12_multiply(powers[-1], image))
    return list(zip(*powers))

def frobenius(x):
    return [sum(a * b for a, b in zip(x, row)) % P for row in powers_of_w_to_p()]

def conjugate(x):
    """The power p^6. It is the inverse up to a factor in Fp6, which `is_killed` disregards."""
    return [-c % P if i & 1 else c for i, c in enumerate(x)]

def is_killed(f):
    """Whether f^((p^12 - 1) / r) is 1.

    3 (p^4 - p^2 + 1) / r = (z - 1)^2 (z + p) (z^2 + p^2 - 1) + 3.
    """
    f = fp12_multiply(f, frobenius(frobenius(f)))
    a = fp12_power(fp12_power(f, 1 - Z), 1 - Z)
    a = fp12_multiply(frobenius(a), conjugate(fp12_power(a, -Z)))
    b = fp12_multiply(fp12_power(fp12_power(a, -Z), -Z), conjugate(a))
    b = fp12_multiply(b, frobenius(frobenius(a)))
    return not any(fp12_multiply(b, fp12_power(f, 3))[1::2])

def pairings_cancel(pairs):
    """Whether the product of e(p, q) over all (p in G1, q in G2) is 1."""
    product, points = [1] + [0] * 11, [q for _, q in pairs]

    def step(product, others):
        for i, (p, _) in enumerate(pairs):
            t, m = points[i], slope(points[i], others[i])
            c, s = m * t[0] - t[1], ZERO - m * p[0]
            line = [c.a - c.b, 0, s.a - s.b, p[1].a, 0, 0, c.b, 0, s.b, 0, 0, 0]
            product = fp12_multiply(product, [x % P for x in line])
            points[i] = add(t, others[i])
        return product

    for bit in bin(-Z)[3:]:
        product = step(fp12_multiply(product, product), list(points))
        product = step(product, [q for _, q in pairs]) if bit == "1" else product
    return is_killed(product)

MINUS_GENERATOR = bytes.fromhex(
    "b3e02b6052719f607dacd3a088274f65596bd0d09920b61a"
    "b5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e"
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02"
    "b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8")
SIGNATURE_POP = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_"
SIGNATURE_NUL = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
PROOF_OF_POSSESSION = b"BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_"
QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
QUICKNET_KEY = bytes.fromhex(
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064"
    "510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ec"
    "e45a")

@lru_cache(maxsize=4096)
def verifies(keys, message, signature, domain=SIGNATURE_POP):
    """Whether `signature` is the aggregate over `message` by all `keys`."""
    point, key = decode_point(signature), None
    for one in keys:
        key = add(key, decode_point(one))
    if key is None or point is None:
        return False
    generator = decode_point(MINUS_GENERATOR)
    return pairings_cancel([(point, generator), (hash_to_g1(message, domain), key)])

def is_possessed(key, proof):
    """C8. `proof` has hex digits, or is None."""
    return proof is not None and verifies((key,), key, bytes.fromhex(proof), PROOF_OF_POSSESSION)

def time_of_beacon(beacon):
    """T2 to T4: the time, or None and the reason in a list."""
    if beacon["chain_hash"] != QUICKNET:
        return None, ["beacon_chain_unknown"]
    time = 1692803367 + 3 * (beacon["round"] - 1)
    message = hashlib.sha256(beacon["round"].to_bytes(8, "big")).digest()
    if beacon["round"] >= 1 and time < 2**53 and verifies(
            (QUICKNET_KEY,), message, bytes.fromhex(beacon["signature"]), SIGNATURE_NUL):
        return time, []
    return None, ["beacon_invalid"]
