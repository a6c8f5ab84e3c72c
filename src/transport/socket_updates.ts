/**
 * Reads the updates of a sequencer in another process: strictly, and before any of it is applied.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import {
  decodeOutcomes,
  decodeRefusals,
  encodeOutcomes,
  encodeRefusals,
  type Outcome,
  type Refusal,
} from "./link_frames.ts";
import { decodeUpdate, encodeUpdates, type FramedUpdates } from "./link_updates.ts";
import { malformedFrame } from "./socket_frames.ts";
import {
  checkAnchors,
  checkEpochs,
  checkFailing,
  checkHealth,
  checkRefusals,
  checkStatus,
} from "./socket_values.ts";

export type FollowerCall = {
  [Name in keyof FramedUpdates]: readonly [Name, ...Parameters<FramedUpdates[Name]>];
}[keyof FramedUpdates];

/** The call that `frame` is; `malformed_request` unless this program would have written it. */
export function decodeSocketUpdate(frame: Bytes): FollowerCall {
  let call: FollowerCall | undefined;
  const recorder = new Proxy({}, {
    get: (_, method) => (...args: unknown[]) => call = [method, ...args] as unknown as FollowerCall,
  }) as FramedUpdates;
  readable(frame, () => decodeUpdate(frame, recorder));
  check(call!);
  const same = encodeUpdates((again) => requireSame(again, frame));
  const [method, ...args] = call!;
  Reflect.apply(same[method], same, args);
  return call!;
}

function check(call: FollowerCall): void {
  switch (call[0]) {
    case "healthChanged":
      return checkHealth(call[1]);
    case "failingChanged":
      return checkFailing(call[1]);
    case "statusChanged":
      return checkStatus(call[1]);
    case "anchorsChanged":
      return checkAnchors(call[1]);
    case "epochEnded":
      return checkEpochs(call[1]);
  }
}

/** The outcomes of a frame; `malformed_request`. */
export function decodeSocketOutcomes(frame: Bytes): Outcome[] {
  const outcomes = readable(frame, () => decodeOutcomes(0, frame));
  const [again = new Uint8Array(0), ...more] = encodeOutcomes(0, outcomes, Infinity);
  requireSame(again, frame);
  if (more.length > 0) throw malformed(frame);
  return outcomes;
}

/** The refusals of a frame; `malformed_request`. */
export function decodeSocketRefusals(frame: Bytes): Refusal[] {
  const refusals = readable(frame, () => decodeRefusals(0, frame));
  checkRefusals(refusals);
  requireSame(encodeRefusals(0, refusals), frame);
  return refusals;
}

function readable<T>(frame: Bytes, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    throw malformed(frame);
  }
}

function requireSame(again: Bytes, frame: Bytes): void {
  if (!equalBytes(again, frame)) throw malformed(frame);
}

function malformed(frame: Bytes): CountersignError {
  return malformedFrame(`a frame of kind ${frame[0]} is malformed`);
}
