/**
 * Arbitrary members of the wire's resources.
 *
 * @module
 */

import fc from "fast-check";
import { RESERVED_ORIGIN_PREFIXES } from "../../../src/proof/crypto/domains.ts";
import type { Attestation } from "../../../src/proof/format/attestation.ts";
import type { Beacon, RoundMessage } from "../../../src/proof/format/round.ts";
import type { TreeHead } from "../../../src/proof/format/tree_head.ts";

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const first = fc.constantFrom(...ALPHANUMERIC);
const further = fc.constantFrom(...`${ALPHANUMERIC}._~/-`);

/** Names of at most `maxLength` characters of protocol.md "Signed messages"'s alphabet. */
export function names(maxLength: number): fc.Arbitrary<string> {
  return fc.tuple(first, fc.string({ unit: further, maxLength: maxLength - 1 }))
    .map(([head, tail]) => head + tail);
}

/** Network ids. */
export const networkIds = names(96)
  .filter((name) => !RESERVED_ORIGIN_PREFIXES.some((prefix) => name.startsWith(prefix)));

/** Integers in [0, 2^53), the bounds and the powers of two among them. */
export const counts = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(1000),
  fc.constantFrom(0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1),
);

/** Lowercase hex of `byteLength` bytes. */
export function hex(byteLength: number): fc.Arbitrary<string> {
  return bytes(byteLength).map((value) => value.toHex());
}

/** `byteLength` bytes. */
export function bytes(byteLength: number): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  return fc.uint8Array({ minLength: byteLength, maxLength: byteLength })
    .map((value) => value.slice());
}

const plain = { noNullPrototype: true } as const;

export const attestations: fc.Arbitrary<Attestation> = fc.record({
  hash: hex(32),
  timestamp: counts,
  network_id: networkIds,
  sequence: counts,
}, plain);

export const beacons: fc.Arbitrary<Beacon | null> = fc.option(
  fc.record({ chain_hash: hex(32), round: counts, signature: hex(48) }, plain),
);

export const roundMessages: fc.Arbitrary<RoundMessage> = fc.record({
  network_id: networkIds,
  timestamp: counts,
  size: fc.integer({ min: 1, max: 512 }),
  root: hex(32),
  beacon: beacons,
}, plain);

export const treeHeads: fc.Arbitrary<TreeHead> = fc.record({
  network_id: networkIds,
  tree_size: counts,
  timestamp: counts,
  root_hash: hex(32),
}, plain);
