/**
 * Readers of the frames between a sequencer and its fronts (`src/http/outgoing`).
 *
 * @module
 */

import assert from "node:assert/strict";
import { concat } from "../../src/base/bytes.ts";
import type { Bytes } from "../../src/base/bytes.ts";
import {
  decodeAssign,
  decodeOutcomes,
  decodeRefusals,
  encodeAssign,
  encodeOutcomes,
  encodeRefusals,
  FRAME_KIND,
} from "../../src/gateway/link/link_frames.ts";
import { decodeUpdate, encodeUpdates } from "../../src/gateway/link/link_updates.ts";
import { SAMPLE_REQUESTS, sampleUpdates } from "../gateway/link/link_samples.ts";
import type { Target } from "./engine.ts";

const FRONT = 3;
const OUTCOMES = [
  { id: 1, sequences: [5, 6, 7, 2 ** 40, 6], firstNew: 2 ** 40 },
  { id: 2, sequences: undefined, firstNew: 0 },
  { id: 2 ** 32 - 1, sequences: [0], firstNew: 0 },
];
const REFUSALS = [
  { id: 7, code: "overloaded", message: "Too many digests wait" },
  { id: 8, code: "storage_failed", message: "The store rejects commits: \u00e4" },
] as const;

function outcomesFrame(outcomes: Parameters<typeof encodeOutcomes>[1]): Bytes {
  return concat(...encodeOutcomes(FRONT, outcomes, 2 ** 20));
}

function updateFrames(input?: Bytes): Bytes[] {
  const frames: Bytes[] = [];
  const encoder = encodeUpdates((frame) => frames.push(frame));
  if (input === undefined) sampleUpdates(encoder);
  else decodeUpdate(input, encoder);
  return frames;
}

export const LINK_TARGETS: readonly Target[] = [
  {
    name: "decodeAssign",
    covers: ["gateway/link/link_frames.ts#decodeAssign"],
    codes: ["internal"],
    seeds: SAMPLE_REQUESTS.map((request, id) => encodeAssign(id, request)),
    read(input) {
      const { id, request } = decodeAssign(input);
      assert.deepEqual(encodeAssign(id, request), input);
    },
  },
  {
    name: "decodeOutcomes",
    covers: ["gateway/link/link_frames.ts#decodeOutcomes"],
    codes: ["internal"],
    seeds: [outcomesFrame(OUTCOMES)],
    read(input): false | void {
      const outcomes = decodeOutcomes(FRONT, input);
      if (outcomes.length === 0) return false;
      // Runs have other spellings, which are never written.
      assert.deepEqual(decodeOutcomes(FRONT, outcomesFrame(outcomes)), outcomes);
    },
  },
  {
    name: "decodeRefusals",
    covers: ["gateway/link/link_frames.ts#decodeRefusals"],
    codes: ["internal"],
    seeds: [encodeRefusals(FRONT, REFUSALS)],
    read(input): false | void {
      const refusals = decodeRefusals(FRONT, input);
      if (refusals.length === 0) return false;
      assert.equal(
        JSON.stringify(decodeRefusals(FRONT, encodeRefusals(FRONT, refusals))),
        JSON.stringify(refusals),
      );
    },
  },
  {
    name: "decodeUpdate",
    covers: ["gateway/link/link_updates.ts#decodeUpdate"],
    codes: ["internal", "store_corrupt"],
    seeds: updateFrames().filter(([kind]) => kind !== FRAME_KIND.other),
    read(input): false | void {
      // The values of V8 stay in the memory of one process.
      if (input[0] === FRAME_KIND.other) return false;
      assert.deepEqual(updateFrames(input), [input]);
    },
  },
];
