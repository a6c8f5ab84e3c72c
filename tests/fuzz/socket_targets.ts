/**
 * Readers of the messages between a sequencer and fronts in other processes (`src/transport`).
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/bytes.ts";
import { encodeAssign, encodeOutcomes, encodeRefusals } from "../../src/transport/link_frames.ts";
import { encodeUpdates } from "../../src/transport/link_updates.ts";
import {
  decodeBeat,
  decodeCharges,
  decodeDirectory,
  decodeFrame,
  decodeHello,
  decodeNumbered,
  decodeSocketAssign,
  decodeWelcome,
  encodeBeat,
  encodeCharges,
  encodeDirectory,
  encodeHello,
  encodeNumbered,
  encodeWelcome,
  FRONT_KIND,
  joinFrames,
  SEQUENCER_KIND,
  splitFrames,
} from "../../src/transport/socket_frames.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/transport/socket_snapshot.ts";
import {
  decodeSocketOutcomes,
  decodeSocketRefusals,
  decodeSocketUpdate,
} from "../../src/transport/socket_updates.ts";
import { ScriptedSequencer } from "../gateway/scripted_sequencer.ts";
import { SAMPLE_REQUESTS, sampleUpdates } from "../transport/link_samples.ts";
import type { Target } from "./engine.ts";

const FRAMES = "transport/socket_frames.ts";
const UPDATES = "transport/socket_updates.ts";
const codes = ["malformed_request"] as const;
const BUDGETS = 3;

/** A target whose inputs have one spelling. */
function exact<T>(
  name: string,
  { file = FRAMES, seeds, decode, encode }: {
    readonly file?: string;
    readonly seeds: readonly Bytes[];
    readonly decode: (input: Bytes) => T;
    readonly encode: (value: T, input: Bytes) => Bytes;
  },
): Target {
  return {
    name,
    covers: [`${file}#${name}`],
    codes,
    seeds,
    read(input): false | void {
      // The kind was read before.
      if (input.length === 0) return false;
      const value = decode(input);
      assert.deepEqual(encode(value, input), input);
    },
  };
}

function withKind(frame: Bytes, input: Bytes): Bytes {
  frame[0] = input[0]!;
  return frame;
}

function updateFrames(): Bytes[] {
  const frames: Bytes[] = [];
  sampleUpdates(encodeUpdates((frame) => frames.push(frame)));
  return frames;
}

const { index: _, ...snapshot } = new ScriptedSequencer().snapshot();
const head = {
  size: 9,
  root: new Uint8Array(32),
  timestamp: 7,
  logSignature: new Uint8Array(64),
  signatures: [{ witness: 1, signature: new Uint8Array(64) }],
};
const assigns = SAMPLE_REQUESTS.map((request, id) => {
  const assign = encodeAssign(id, request);
  const frame = new Uint8Array(1 + assign.length);
  frame[0] = FRONT_KIND.assign;
  frame.set(assign, 1);
  return frame;
});

export const SOCKET_TARGETS: readonly Target[] = [
  exact("splitFrames", {
    seeds: [joinFrames([Uint8Array.of(1)]), joinFrames(updateFrames())],
    decode: splitFrames,
    encode: joinFrames,
  }),
  exact("decodeHello", {
    seeds: [encodeHello({ lowest: 1, highest: 3, name: "front-1" })],
    decode: decodeHello,
    encode: (hello, input) => withKind(encodeHello(hello), input),
  }),
  exact("decodeWelcome", {
    seeds: [encodeWelcome(1, "{}")],
    decode: decodeWelcome,
    encode: ({ version, settings }, input) => withKind(encodeWelcome(version, settings), input),
  }),
  exact("decodeDirectory", {
    seeds: [encodeDirectory({ issuer: "issuer.example", text: "{}" })],
    decode: decodeDirectory,
    encode: (directory, input) => withKind(encodeDirectory(directory), input),
  }),
  exact("decodeBeat", {
    seeds: [encodeBeat({ inFlight: 1, waiters: 2, durable: 2 ** 40 })],
    decode: decodeBeat,
    encode: (beat, input) => withKind(encodeBeat(beat), input),
  }),
  exact("decodeNumbered", {
    seeds: [encodeNumbered(FRONT_KIND.sync, 7)],
    decode: decodeNumbered,
    encode: (id, input) => encodeNumbered(input[0]!, id),
  }),
  exact("decodeFrame", {
    seeds: [Uint8Array.of(FRONT_KIND.join), Uint8Array.of(FRONT_KIND.beat)],
    decode: (input) => decodeFrame(input, () => undefined),
    encode: (_, input) => input.subarray(0, 1),
  }),
  exact("decodeCharges", {
    seeds: [
      encodeCharges(SEQUENCER_KIND.charges, [
        { budget: 0, client: { high: 1, low: 2 ** 32 - 1 }, amount: 3 },
        { budget: 2, client: { high: 0, low: 7 }, amount: -0.25 },
      ]),
    ],
    decode: (input) => decodeCharges(input, BUDGETS),
    encode: (charges, input) => encodeCharges(input[0]!, charges),
  }),
  exact("decodeSocketAssign", {
    seeds: assigns,
    decode: decodeSocketAssign,
    encode({ id, request }, input) {
      const frame = new Uint8Array(input.length);
      frame[0] = input[0]!;
      frame.set(encodeAssign(id, request), 1);
      return frame;
    },
  }),
  exact("decodeSnapshot", {
    file: "transport/socket_snapshot.ts",
    seeds: [
      encodeSnapshot({ ...snapshot, redeemsTokens: false }),
      encodeSnapshot({ ...snapshot, latest: head, checkpoint: head, redeemsTokens: true }),
    ],
    decode: decodeSnapshot,
    encode: encodeSnapshot,
  }),
  exact("decodeSocketUpdate", {
    file: UPDATES,
    seeds: updateFrames(),
    decode: decodeSocketUpdate,
    encode([method, ...args]) {
      let frame: Bytes | undefined;
      const encoder = encodeUpdates((made) => frame = made);
      Reflect.apply(encoder[method], encoder, args);
      return frame!;
    },
  }),
  exact("decodeSocketOutcomes", {
    file: UPDATES,
    seeds: [
      ...encodeOutcomes(0, [
        { id: 1, sequences: [5, 6, 7, 2 ** 40, 6], firstNew: 2 ** 40 },
        { id: 2, sequences: undefined, firstNew: 0 },
      ], 2 ** 20),
    ],
    decode: decodeSocketOutcomes,
    encode: (outcomes) => [...encodeOutcomes(0, outcomes, Infinity)][0]!,
  }),
  exact("decodeSocketRefusals", {
    file: UPDATES,
    seeds: [encodeRefusals(0, [{ id: 7, code: "overloaded", message: "Too many \u00e4" }])],
    decode: decodeSocketRefusals,
    encode: (refusals) => encodeRefusals(0, refusals),
  }),
];
