/**
 * Timestamps of any shape that the format allows, for properties.
 *
 * @module
 */

import fc from "fast-check";
import { type Bytes, hexOf } from "../../../../src/base/bytes.ts";
import {
  encodeAttestation,
  encodeOperation,
  type Operation,
  OPERATION_TAG,
  type OtsAttestation,
  unary,
} from "../../../../src/gateway/anchors/opentimestamps/items.ts";
import {
  type Timestamp,
  timestampOf,
} from "../../../../src/gateway/anchors/opentimestamps/format.ts";

const { append, prepend, ...unaryTags } = OPERATION_TAG;

/** Bytes over a plain buffer. */
export function bytes(minLength: number, maxLength: number): fc.Arbitrary<Bytes> {
  return fc.uint8Array({ minLength, maxLength }).map((array) => new Uint8Array(array));
}

const uri = fc.string({
  unit: fc.constantFrom(..."aAzZ09-._/:"),
  maxLength: 40,
});

const height = fc.oneof(fc.maxSafeNat(), fc.nat(300), fc.constantFrom(0, 127, 128, 16_383, 16_384));

const attestation: fc.Arbitrary<OtsAttestation> = fc.oneof(
  uri.map((text) => ({ kind: "pending" as const, uri: text })),
  height.map((at) => ({ kind: "bitcoin" as const, height: at })),
  height.map((at) => ({ kind: "litecoin" as const, height: at })),
  height.map((at) => ({ kind: "ethereum" as const, height: at })),
  fc.tuple(bytes(8, 8), bytes(0, 200)).map(([tag, payload]) => ({
    kind: "unknown" as const,
    tag,
    payload,
  })),
);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.constantFrom(...Object.values(unaryTags)).map(unary),
  fc.tuple(fc.constantFrom(append, prepend), bytes(1, 40))
    .map(([tag, argument]) => ({ tag, argument })),
);

const attestations = (minLength: number) =>
  fc.uniqueArray(attestation, {
    minLength,
    maxLength: 4,
    selector: (one) => hexOf(encodeAttestation(one)),
  });

/** Timestamps of at most six messages on a path, for any message of 1 to 64 bytes. */
export const timestamps: fc.Arbitrary<Timestamp> = fc.letrec<{ leaf: Timestamp; tree: Timestamp }>(
  (tie) => ({
    leaf: attestations(1).map((list) => timestampOf(list)),
    tree: fc.oneof(
      { maxDepth: 5, depthIdentifier: "timestamp" },
      tie("leaf"),
      fc.tuple(
        attestations(0),
        fc.uniqueArray(fc.record({ operation, next: tie("tree") }, { noNullPrototype: true }), {
          minLength: 1,
          maxLength: 3,
          selector: (branch) => hexOf(encodeOperation(branch.operation)),
        }),
      ).map(([list, branches]) => timestampOf(list, branches)),
    ),
  }),
).tree;
