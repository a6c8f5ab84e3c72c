package countersign

import (
	"bytes"
	"crypto/ed25519"
	"math/big"
)

func number(text string) *big.Int {
	n, ok := new(big.Int).SetString(text, 0)
	if !ok {
		panic(text)
	}
	return n
}

// The curve of RFC 8032 section 5.1: -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo edP.
var (
	edP = number("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed")
	edL = number("0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed")
	edD = number("0x52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3")
	one = big.NewInt(1)
)

// An edPoint is projective: (x/z, y/z).
type edPoint struct{ x, y, z *big.Int }

func mulMod(p *big.Int, factors ...*big.Int) *big.Int {
	product := new(big.Int).Set(factors[0])
	for _, factor := range factors[1:] {
		product.Mod(product.Mul(product, factor), p)
	}
	return product
}

// add is complete, so it doubles too (Bernstein et al., "Twisted Edwards Curves", section 6).
func (p edPoint) add(q edPoint) edPoint {
	a, c, d := mulMod(edP, p.z, q.z), mulMod(edP, p.x, q.x), mulMod(edP, p.y, q.y)
	b, e := mulMod(edP, a, a), mulMod(edP, edD, c, d)
	f, g := new(big.Int).Sub(b, e), new(big.Int).Add(b, e)
	sum := mulMod(edP, new(big.Int).Add(p.x, p.y), new(big.Int).Add(q.x, q.y))
	sum.Sub(sum, c).Sub(sum, d)
	return edPoint{mulMod(edP, a, f, sum), mulMod(edP, a, g, new(big.Int).Add(d, c)), mulMod(edP, f, g)}
}

func (p edPoint) isIdentity() bool { return p.x.Sign() == 0 && p.y.Cmp(p.z) == 0 }

// decodeEd25519 reads the canonical encoding of a curve point (RFC 8032 section 5.1.3).
func decodeEd25519(key []byte) (edPoint, bool) {
	if len(key) != ed25519.PublicKeySize {
		return edPoint{}, false
	}
	reversed := make([]byte, len(key))
	for i, b := range key {
		reversed[len(key)-1-i] = b
	}
	sign := uint(reversed[0] >> 7)
	reversed[0] &= 0x7f
	y := new(big.Int).SetBytes(reversed)
	square := mulMod(edP, y, y)
	v := new(big.Int).Add(mulMod(edP, edD, square), one)
	u := square.Sub(square, one)
	x := mulMod(edP, u, v.ModInverse(v, edP))
	x = new(big.Int).ModSqrt(x.Mod(x, edP), edP)
	if x == nil || y.Cmp(edP) >= 0 || (x.Sign() == 0 && sign == 1) {
		return edPoint{}, false
	}
	if x.Bit(0) != sign {
		x.Sub(edP, x)
	}
	return edPoint{x, y, one}, true
}

// isEd25519Key is rule C6: the canonical encoding of a point of prime order.
func isEd25519Key(key []byte) bool {
	point, ok := decodeEd25519(key)
	if !ok || point.isIdentity() {
		return false
	}
	multiple := edPoint{new(big.Int), one, one}
	for i := edL.BitLen() - 1; i >= 0; i-- {
		multiple = multiple.add(multiple)
		if edL.Bit(i) == 1 {
			multiple = multiple.add(point)
		}
	}
	return multiple.isIdentity()
}

var identity = append([]byte{1}, make([]byte, 31)...)

// verifyEd25519 is rule S9 for keys of rule C6. Go's Verify compares the bytes of R, requires S < L
// and does not multiply by the cofactor.
func verifyEd25519(key, message, signature []byte) bool {
	return len(signature) == ed25519.SignatureSize && !bytes.Equal(signature[:32], identity) &&
		ed25519.Verify(key, message, signature)
}
