/**
 * Ed25519 signatures that other verification rules accept, over any message: made with the secret
 * scalar, since only its holder can make them.
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { concat, utf8 } from "../../../../src/base/bytes.ts";
import { portableKernels } from "../../../../src/proof/crypto/portable_kernels.ts";

const { Point } = ed25519;
const { Fn } = Point;
/** The order of the group that the base point generates. */
const ORDER = Fn.ORDER;
/** A point of order 8. */
const TORSION = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");

/** Signatures of the witness `<networkId>/w1` over `message` that break the rule of this project. */
export function equivocalSignatures(
  message: string,
  networkId: string,
): { readonly name: string; readonly signature: string }[] {
  const seed = portableKernels.sha256(utf8(`${networkId}/w1`));
  const { scalar, pointBytes: key } = ed25519.utils.getExtendedPublicKey(seed);
  const text = utf8(message);
  const challenge = (r: Uint8Array) => Fn.create(bytesToNumberLE(sha512(concat(r, key, text))));
  const signed = (r: Uint8Array, nonce: bigint) => ({
    r,
    s: Fn.create(nonce + challenge(r) * scalar),
  });
  const plain = signed(Point.BASE.multiply(7n).toBytes(), 7n);
  const torsion = signed(Point.BASE.multiply(7n).add(TORSION).toBytes(), 7n);
  const identity = signed(Point.ZERO.toBytes(), 0n);
  const hex = ({ r, s }: { r: Uint8Array; s: bigint }) => concat(r, numberToBytesLE(s, 32)).toHex();
  return [
    { name: "with S of at least L", signature: hex({ ...plain, s: plain.s + ORDER }) },
    { name: "with an R that holds only with the cofactor", signature: hex(torsion) },
    { name: "with the identity as R", signature: hex(identity) },
    { name: "with R and S of zeros", signature: "00".repeat(64) },
  ];
}
