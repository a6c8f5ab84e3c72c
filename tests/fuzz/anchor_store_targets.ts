/**
 * Readers of the records of `anchors.kv`.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import {
  decodeAnchor,
  decodeContradiction,
  decodeCrossAnchor,
  decodeListedAnchor,
  decodePeerLink,
  decodeSeenHead,
  decodeWitnessed,
  encodeAnchor,
  encodeContradiction,
  encodeCrossAnchor,
  encodeListedAnchor,
  encodePeerLink,
  encodeSeenHead,
  encodeWitnessed,
} from "../../src/storage/anchors/anchor_codec.ts";
import type { AnyContradiction } from "../../src/proof/format/federation.ts";
import type { ListedAnchor } from "../../src/gateway/events/event_ports.ts";
import {
  AGGREGATE,
  anchor,
  contradiction,
  crossAnchor,
  seen,
  witnessed,
} from "../storage/anchor_records.ts";
import { threeEpochs, twoSuccessions } from "../proof/verify/test_succession.ts";
import type { Target } from "./engine.ts";

/** A record of strict JSON, which white space may spell otherwise: what it says is read back. */
function record<T>(
  name: string,
  values: readonly T[],
  codec: { readonly encode: (value: T) => Bytes; readonly decode: (value: Bytes) => T },
): Target {
  return {
    name,
    covers: [`storage/anchors/anchor_codec.ts#${name}`],
    codes: ["store_corrupt"],
    seeds: values.map(codec.encode),
    read(input) {
      const read = codec.decode(input);
      assert.deepEqual(codec.decode(codec.encode(read)), read);
    },
  };
}

const LISTED_HEAD = { tree_size: 9, root_hash: "5a".repeat(32) };

const LISTED_CROSS_ANCHOR: ListedAnchor = {
  type: "cross_anchor.added",
  at: 1_766_275_300,
  data: JSON.stringify({ witnessing_network: "p", ...LISTED_HEAD }),
};

const LISTED_EXTERNAL_ANCHOR: ListedAnchor = {
  type: "external_anchor.added",
  at: 1_766_275_300,
  data: JSON.stringify({ provider: "rfc3161", status: "confirmed", ...LISTED_HEAD }),
};

export const ANCHOR_STORE_TARGETS: readonly Target[] = [
  record("decodeCrossAnchor", [crossAnchor("p", 9), crossAnchor("p", 9, AGGREGATE)], {
    encode: encodeCrossAnchor,
    decode: (value) => decodeCrossAnchor("p", 9, value),
  }),
  record("decodeAnchor", [anchor("tsa", 9)], {
    encode: encodeAnchor,
    decode: (value) => decodeAnchor({ service: "tsa", status: "confirmed", size: 9 }, value),
  }),
  record("decodeSeenHead", [seen("a", 5)], {
    encode: encodeSeenHead,
    decode: (value) => decodeSeenHead("a", value),
  }),
  record("decodePeerLink", [threeEpochs().links[0]], {
    encode: encodePeerLink,
    decode: (value) => decodePeerLink("p", 0, value),
  }),
  record("decodeWitnessed", [witnessed(9)], {
    encode: encodeWitnessed,
    decode: (value) => decodeWitnessed({ size: 9, meetsQuorum: true }, value),
  }),
  record("decodeListedAnchor", [LISTED_CROSS_ANCHOR, LISTED_EXTERNAL_ANCHOR], {
    encode: encodeListedAnchor,
    decode: (value) => decodeListedAnchor(0, value),
  }),
  record<AnyContradiction>("decodeContradiction", [
    contradiction("a", 1),
    contradiction("a", 1, 9),
    twoSuccessions(),
  ], {
    encode: encodeContradiction,
    decode: (value) => decodeContradiction(0, value),
  }),
];
