package countersign

import (
	"bytes"
	"math/big"
)

// BLS signatures (S10) on BLS12-381: signatures in G1, keys in G2. Points of both groups are affine
// with coordinates a + b u in Fp2, where u^2 = -1; in G1 b is 0. Nothing here is secret, so nothing
// takes constant time.

const (
	signaturePOP      = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_"
	signatureNUL      = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
	proofOfPossession = "BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_"
)

var (
	minusZ   = number("0xd201000000010000")
	oneLessZ = new(big.Int).Add(minusZ, one) // 1 - z
	blsR     = number("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001")
	blsP     = number("0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab")
	half     = new(big.Int).Rsh(blsP, 1)
	rootExp  = new(big.Int).Rsh(new(big.Int).Add(blsP, one), 2) // (p + 1) / 4
)

func mod(n *big.Int) *big.Int { return n.Mod(n, blsP) }

func power(base, exponent *big.Int) *big.Int { return new(big.Int).Exp(mod(base), exponent, blsP) }

type fp2 struct{ a, b *big.Int }

func fp2Of(n int64) fp2 { return fp2{mod(big.NewInt(n)), new(big.Int)} }

func (x fp2) add(y fp2) fp2 {
	return fp2{mod(new(big.Int).Add(x.a, y.a)), mod(new(big.Int).Add(x.b, y.b))}
}

func (x fp2) sub(y fp2) fp2 {
	return fp2{mod(new(big.Int).Sub(x.a, y.a)), mod(new(big.Int).Sub(x.b, y.b))}
}

func (x fp2) mul(y fp2) fp2 {
	a, b := new(big.Int).Mul(x.a, y.a), new(big.Int).Mul(x.a, y.b)
	return fp2{mod(a.Sub(a, new(big.Int).Mul(x.b, y.b))), mod(b.Add(b, new(big.Int).Mul(x.b, y.a)))}
}

func (x fp2) div(y fp2) fp2 {
	norm := new(big.Int).Mul(y.a, y.a)
	norm.ModInverse(norm.Add(norm, new(big.Int).Mul(y.b, y.b)), blsP)
	return x.mul(fp2{mod(new(big.Int).Mul(y.a, norm)), mod(norm.Neg(norm.Mul(norm, y.b)))})
}

func (x fp2) equals(y fp2) bool { return x.a.Cmp(y.a) == 0 && x.b.Cmp(y.b) == 0 }

// root answers a square root, if there is one.
func (x fp2) root() (fp2, bool) {
	var candidates []fp2
	if x.b.Sign() == 0 {
		candidates = []fp2{
			{power(new(big.Int).Set(x.a), rootExp), new(big.Int)},
			{new(big.Int), power(new(big.Int).Neg(x.a), rootExp)},
		}
	} else {
		norm := new(big.Int).Mul(x.a, x.a)
		norm = power(norm.Add(norm, new(big.Int).Mul(x.b, x.b)), rootExp)
		halfOne := new(big.Int).ModInverse(big.NewInt(2), blsP)
		for _, sum := range []*big.Int{new(big.Int).Add(x.a, norm), new(big.Int).Sub(x.a, norm)} {
			a := power(sum.Mul(sum, halfOne), rootExp)
			double := new(big.Int).Lsh(a, 1)
			if inverse := new(big.Int).ModInverse(double, blsP); inverse != nil {
				candidates = append(candidates, fp2{a, mod(inverse.Mul(inverse, x.b))})
			}
		}
	}
	for _, candidate := range candidates {
		if candidate.mul(candidate).equals(x) {
			return candidate, true
		}
	}
	return fp2{}, false
}

// A point is nil at infinity. The curve is y^2 = x^3 + c x + b, with c = 0 but for the isogenous one.
type point struct{ x, y fp2 }

var zero = fp2Of(0)

// slope is that of the line through p and q, or of the tangent at p.
func slope(p, q *point, c fp2) fp2 {
	if p.x.equals(q.x) {
		return fp2Of(3).mul(p.x).mul(p.x).add(c).div(p.y.add(p.y))
	}
	return q.y.sub(p.y).div(q.x.sub(p.x))
}

func addPoints(p, q *point, c fp2) *point {
	switch {
	case p == nil:
		return q
	case q == nil:
		return p
	case p.x.equals(q.x) && p.y.add(q.y).equals(zero):
		return nil
	}
	m := slope(p, q, c)
	x := m.mul(m).sub(p.x).sub(q.x)
	return &point{x, m.mul(p.x.sub(x)).sub(p.y)}
}

func multiply(scalar *big.Int, p *point, c fp2) *point {
	var result *point
	for i := scalar.BitLen() - 1; i >= 0; i-- {
		result = addPoints(result, result, c)
		if scalar.Bit(i) == 1 {
			result = addPoints(result, p, c)
		}
	}
	return result
}

// Many signatures have the same keys, and many bundles the same tree head and beacon.
var (
	decoded  memo[*point]
	verified memo[bool]
)

// decodePoint answers the point of order r of a canonical compressed encoding (48 bytes of G1, 96 of
// G2), or nil.
func decodePoint(data []byte) *point {
	return decoded.get(string(data), func() *point { return decodeNewPoint(data) })
}

func decodeNewPoint(data []byte) *point {
	if data[0]>>6 != 2 {
		return nil
	}
	first := append([]byte{data[0] & 0x1f}, data[1:48]...)
	x, b := fp2{new(big.Int).SetBytes(first), new(big.Int)}, fp2Of(4)
	if len(data) == 96 {
		x = fp2{new(big.Int).SetBytes(data[48:]), x.a}
		b = fp2{b.a, b.a}
	}
	if x.a.Cmp(blsP) >= 0 || x.b.Cmp(blsP) >= 0 {
		return nil
	}
	y, exists := x.mul(x).mul(x).add(b).root()
	if !exists || (len(data) == 48 && y.b.Sign() != 0) {
		return nil
	}
	sign := y.b
	if sign.Sign() == 0 {
		sign = y.a
	}
	if (sign.Cmp(half) > 0) != (data[0]>>5&1 == 1) {
		y = zero.sub(y)
	}
	p := &point{x, y}
	if multiply(blsR, p, zero) != nil {
		return nil
	}
	return p
}

// The curve isogenous to that of G1. The map to it follows from its subgroup of order 11 (Velu).
var (
	isoA = fp2{number("0x00144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1d"), new(big.Int)}
	isoB = fp2{number("0x12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0"), new(big.Int)}
)

// simplifiedSWU is RFC 9380 section 6.6.2 with Z = 11.
func simplifiedSWU(n *big.Int) *point {
	u := fp2{n, new(big.Int)}
	square := fp2Of(11).mul(u).mul(u)
	x := isoB.div(fp2Of(11).mul(isoA))
	if denominator := square.mul(square).add(square); !denominator.equals(zero) {
		x = zero.sub(isoB.div(isoA)).mul(fp2Of(1).add(fp2Of(1).div(denominator)))
	}
	for _, x := range []fp2{x, square.mul(x)} {
		y, exists := x.mul(x).mul(x).add(isoA.mul(x)).add(isoB).root()
		if exists && y.b.Sign() == 0 {
			if y.a.Bit(0) != n.Bit(0) {
				y = zero.sub(y)
			}
			return &point{x, y}
		}
	}
	panic("one of both is a square")
}

// isoKernel are the ten points of order 11.
var isoKernel = func() (points []*point) {
	// The order of the curve is (z - 1)^2 / 3 * r.
	cofactor := new(big.Int).Mul(oneLessZ, oneLessZ)
	cofactor.Div(cofactor, big.NewInt(3*11))
	first := multiply(cofactor.Mul(cofactor, blsR), simplifiedSWU(one), isoA)
	for p := first; p != nil; p = addPoints(p, first, isoA) {
		points = append(points, p)
	}
	return points
}()

func mapToCurve(u *big.Int) *point {
	p := simplifiedSWU(u)
	x, y := p.x, p.y
	for _, q := range isoKernel {
		moved := addPoints(p, q, isoA)
		x, y = x.add(moved.x).sub(q.x), y.add(moved.y).sub(q.y)
	}
	return &point{x.div(fp2Of(11 * 11)), y.div(fp2Of(11 * 11 * 11))}
}

// hashToG1 is BLS12381G1_XMD:SHA-256_SSWU_RO_ of RFC 9380.
func hashToG1(message []byte, domain string) *point {
	suffix := append([]byte(domain), byte(len(domain)))
	first := sha(make([]byte, 64), message, []byte{0, 128, 0}, suffix)
	block := sha(first, []byte{1}, suffix)
	uniform := block
	for i := byte(2); i < 5; i++ {
		mixed := make([]byte, len(first))
		for j := range mixed {
			mixed[j] = first[j] ^ block[j]
		}
		block = sha(mixed, []byte{i}, suffix)
		uniform = append(uniform[:len(uniform):len(uniform)], block...)
	}
	u, v := mod(new(big.Int).SetBytes(uniform[:64])), mod(new(big.Int).SetBytes(uniform[64:]))
	return multiply(oneLessZ, addPoints(mapToCurve(u), mapToCurve(v), zero), zero)
}

// Elements of Fp12 = Fp[w] / (w^12 - 2 w^6 + 2), where u = w^6 - 1, by their coefficients.
type fp12 [12]*big.Int

func fp12Of(coefficients map[int]*big.Int) (x fp12) {
	for i := range x {
		x[i] = new(big.Int)
		if c := coefficients[i]; c != nil {
			x[i] = c
		}
	}
	return x
}

func (x fp12) mul(y fp12) (product fp12) {
	var c [23]*big.Int
	for i := range c {
		c[i] = new(big.Int)
	}
	term := new(big.Int)
	for i, a := range x {
		for j, b := range y {
			if a.Sign() != 0 && b.Sign() != 0 {
				c[i+j].Add(c[i+j], term.Mul(a, b))
			}
		}
	}
	for i := 22; i >= 12; i-- {
		term.Lsh(c[i], 1)
		c[i-6].Add(c[i-6], term)
		c[i-12].Sub(c[i-12], term)
	}
	for i := range product {
		product[i] = mod(c[i])
	}
	return product
}

func (x fp12) power(exponent *big.Int) fp12 {
	result := x
	for i := exponent.BitLen() - 2; i >= 0; i-- {
		result = result.mul(result)
		if exponent.Bit(i) == 1 {
			result = result.mul(x)
		}
	}
	return result
}

// wPowers are the images of 1, w, ..., w^11 under x -> x^p, which is linear.
var wPowers = func() (images [12]fp12) {
	w := fp12Of(map[int]*big.Int{1: one}).power(blsP)
	images[0] = fp12Of(map[int]*big.Int{0: one})
	for i := 1; i < 12; i++ {
		images[i] = images[i-1].mul(w)
	}
	return images
}()

func (x fp12) frobenius() fp12 {
	sums, term := fp12Of(nil), new(big.Int)
	for i, c := range x {
		for j, image := range wPowers[i] {
			sums[j].Add(sums[j], term.Mul(c, image))
		}
	}
	for i := range sums {
		mod(sums[i])
	}
	return sums
}

// conjugate is the power p^6: the inverse but for a factor in Fp6, which isKilled disregards.
func (x fp12) conjugate() fp12 {
	for i := 1; i < 12; i += 2 {
		x[i] = mod(new(big.Int).Neg(x[i]))
	}
	return x
}

// isKilled is true if f^((p^12 - 1) / r) is 1, by
// 3 (p^4 - p^2 + 1) / r = (z - 1)^2 (z + p) (z^2 + p^2 - 1) + 3.
func (f fp12) isKilled() bool {
	f = f.mul(f.frobenius().frobenius())
	a := f.power(oneLessZ).power(oneLessZ)
	a = a.frobenius().mul(a.power(minusZ).conjugate())
	b := a.power(minusZ).power(minusZ).mul(a.conjugate()).mul(a.frobenius().frobenius())
	b = b.mul(f.power(big.NewInt(3)))
	for i := 1; i < 12; i += 2 {
		if b[i].Sign() != 0 {
			return false
		}
	}
	return true
}

type pair struct{ inG1, inG2 *point }

// pairingsCancel is true if the product of the pairings is 1.
func pairingsCancel(pairs []pair) bool {
	product := fp12Of(map[int]*big.Int{0: one})
	moving := make([]*point, len(pairs))
	for i := range pairs {
		moving[i] = pairs[i].inG2
	}
	// step multiplies by the lines through the moving points and the others, and moves them there.
	step := func(other func(i int) *point) {
		for i, pair := range pairs {
			t, q := moving[i], other(i)
			m := slope(t, q, zero)
			c, s := m.mul(t.x).sub(t.y), zero.sub(m.mul(pair.inG1.x))
			product = product.mul(fp12Of(map[int]*big.Int{
				0: mod(new(big.Int).Sub(c.a, c.b)), 2: mod(new(big.Int).Sub(s.a, s.b)),
				3: pair.inG1.y.a, 6: c.b, 8: s.b,
			}))
			moving[i] = addPoints(t, q, zero)
		}
	}
	for i := minusZ.BitLen() - 2; i >= 0; i-- {
		product = product.mul(product)
		step(func(i int) *point { return moving[i] })
		if minusZ.Bit(i) == 1 {
			step(func(i int) *point { return pairs[i].inG2 })
		}
	}
	return product.isKilled()
}

var minusGenerator = bytesOfHex("b3e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8")

// verifyBLS is true if signature is the aggregate over message by all keys (S10).
func verifyBLS(keys [][]byte, message, signature []byte, domain string) bool {
	id := string(sha(bytes.Join(keys, nil), sha(message), signature, []byte(domain)))
	return verified.get(id, func() bool { return verifyNewBLS(keys, message, signature, domain) })
}

func verifyNewBLS(keys [][]byte, message, signature []byte, domain string) bool {
	signed := decodeNewPoint(signature)
	var sum *point
	for _, key := range keys {
		p := decodePoint(key)
		if p == nil {
			return false
		}
		sum = addPoints(sum, p, zero)
	}
	return signed != nil && sum != nil && pairingsCancel([]pair{
		{signed, decodePoint(minusGenerator)}, {hashToG1(message, domain), sum},
	})
}
