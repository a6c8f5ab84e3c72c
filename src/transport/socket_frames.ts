/**
 * The messages between a sequencer and a front in another process, over a WebSocket. A message is one or more
 * frames, each after its length (u32). Integers are big-endian. A first byte gives the kind of a frame:
 *
 *     from the front
 *     hello        kind || lowest version u16 || highest version u16 || name
 *     join         kind: asks for a snapshot and the updates after it
 *     assign       kind || the frame of `link_frames.ts`
 *     sync         kind || id u32: answered after all updates that were published before
 *     beat         kind || requests in flight u32 || waiting requests u32 || durable u64
 *     charges      kind || (budget u8 || client 8 || amount f64) each
 *
 *     to the front
 *     welcome      kind || version u16 || settings (JSON)
 *     snapshot     kind || see `socket_snapshot.ts`
 *     synced       kind || id u32
 *     beat         kind
 *     charges      kind || as above
 *     directory    kind || name length u16 || name of an issuer || its directory (JSON)
 *     outcomes, refusals and updates as in `link_frames.ts`, with 0 as the number of the front
 *
 * A peer may send anything: every frame is refused that this program would not have written.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, textOf, utf8 } from "../bytes.ts";
import { CountersignError, errorBuilder } from "../errors.ts";
import { isFrontName } from "../format/names.ts";
import type { ClientKey } from "../limits/client_key.ts";
import type { AssignRequest } from "../gateway/fronts/ports.ts";
import { decodeAssign, FrameReader } from "./link_frames.ts";

export const malformedFrame = errorBuilder(
  "malformed_request",
  "Cannot read a message between front and sequencer",
);

/** The version of the link that this program speaks; 2 has epochs, 3 heads with ML-DSA-44 signatures. */
export const LINK_VERSION = 3;
/** Bytes of one message; a front or a sequencer that sends more is disconnected. */
export const MAX_MESSAGE = 2 ** 24;
const LENGTH_BYTES = 4;

/** First byte of a frame of a front. */
export const FRONT_KIND = { hello: 1, join: 2, assign: 3, sync: 4, beat: 5, charges: 6 } as const;

/** First byte of a frame to a front, beside those of `FRAME_KIND`. */
export const SEQUENCER_KIND = {
  welcome: 32,
  snapshot: 33,
  synced: 34,
  beat: 35,
  charges: 36,
  directory: 37,
} as const;

/** The first frame of a front. */
export interface Hello {
  readonly lowest: number;
  readonly highest: number;
  /** For operators. */
  readonly name: string;
}

/** State that a front sends several times a second. */
export interface FrontBeat {
  /** Requests of clients. */
  readonly inFlight: number;
  /** Of these, requests that wait for their jobs. */
  readonly waiters: number;
  /** Sequence after the last digest that the front knows. */
  readonly durable: number;
}

/** Units taken from the budgets of clients; negative if given back. */
export interface Charge {
  /** Index in `SHARED_BUDGETS`. */
  readonly budget: number;
  readonly client: ClientKey;
  readonly amount: number;
}

/** Joins frames into one message. */
export function joinFrames(frames: readonly Bytes[]): Bytes {
  let length = 0;
  for (const frame of frames) length += LENGTH_BYTES + frame.length;
  const message = new Uint8Array(length);
  const view = new DataView(message.buffer);
  let at = 0;
  for (const frame of frames) {
    view.setUint32(at, frame.length);
    message.set(frame, at + LENGTH_BYTES);
    at += LENGTH_BYTES + frame.length;
  }
  return message;
}

/** The frames of a message, as views of it; `malformed_request`. */
export function splitFrames(message: Bytes): Bytes[] {
  if (message.length > MAX_MESSAGE) throw malformedFrame("a message is too long");
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  const frames: Bytes[] = [];
  for (let at = 0; at < message.length;) {
    if (at + LENGTH_BYTES > message.length) throw malformedFrame("a length is cut off");
    const length = view.getUint32(at);
    at += LENGTH_BYTES;
    if (length === 0 || at + length > message.length) throw malformedFrame("a frame is cut off");
    frames.push(message.subarray(at, at + length));
    at += length;
  }
  if (frames.length === 0) throw malformedFrame("a message is empty");
  return frames;
}

/** `decode` of a reader after the kind of `frame`; every fault is `malformed_request`. */
export function decodeFrame<T>(frame: Bytes, decode: (reader: FrameReader) => T): T {
  return checked(frame, () => {
    const reader = new FrameReader(frame.subarray(1));
    const value = decode(reader);
    reader.end();
    return value;
  });
}

function checked<T>(frame: Bytes, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    throw malformedFrame(`a frame of kind ${frame[0]} is malformed`);
  }
}

export function encodeHello({ lowest, highest, name }: Hello): Bytes {
  return concat(Uint8Array.of(FRONT_KIND.hello), uint16(lowest), uint16(highest), utf8(name));
}

export function decodeHello(frame: Bytes): Hello {
  return decodeFrame(frame, (reader) => {
    const [lowest, highest] = [reader.uint16(), reader.uint16()];
    const name = textOf(reader.remaining());
    if (lowest === 0 || lowest > highest || !isFrontName(name)) throw reader.corrupt();
    return { lowest, highest, name };
  });
}

/** The request's bytes are views of `frame`; `malformed_request`. */
export function decodeSocketAssign(frame: Bytes): { id: number; request: AssignRequest } {
  return checked(frame, () => {
    const assign = decodeAssign(frame.subarray(1));
    const { digests, spends } = assign.request;
    const count = digests.length / HASH_LENGTH;
    let next = 0;
    for (const position of spends?.positions ?? []) {
      if (position < next || position >= count) throw malformedFrame("a position is wrong");
      next = position + 1;
    }
    return assign;
  });
}

export function encodeBeat({ inFlight, waiters, durable }: FrontBeat): Bytes {
  const frame = new Uint8Array(17);
  const view = new DataView(frame.buffer);
  view.setUint8(0, FRONT_KIND.beat);
  view.setUint32(1, inFlight);
  view.setUint32(5, waiters);
  view.setBigUint64(9, BigInt(durable));
  return frame;
}

export function decodeBeat(frame: Bytes): FrontBeat {
  return decodeFrame(frame, (reader) => ({
    inFlight: reader.uint32(),
    waiters: reader.uint32(),
    durable: reader.uint64(),
  }));
}

export function encodeNumbered(kind: number, id: number): Bytes {
  const frame = new Uint8Array(5);
  const view = new DataView(frame.buffer);
  view.setUint8(0, kind);
  view.setUint32(1, id);
  return frame;
}

export function decodeNumbered(frame: Bytes): number {
  return decodeFrame(frame, (reader) => reader.uint32());
}

export function encodeWelcome(version: number, settings: string): Bytes {
  return concat(Uint8Array.of(SEQUENCER_KIND.welcome), uint16(version), utf8(settings));
}

export function decodeWelcome(frame: Bytes): { version: number; settings: string } {
  return decodeFrame(frame, (reader) => ({
    version: reader.uint16(),
    settings: textOf(reader.remaining()),
  }));
}

/** The directory of an issuer of tokens that the gateway has accepted. */
export interface SentDirectory {
  readonly issuer: string;
  readonly text: string;
}

export function encodeDirectory({ issuer, text }: SentDirectory): Bytes {
  const name = utf8(issuer);
  return concat(Uint8Array.of(SEQUENCER_KIND.directory), uint16(name.length), name, utf8(text));
}

export function decodeDirectory(frame: Bytes): SentDirectory {
  return decodeFrame(frame, (reader) => ({
    issuer: textOf(reader.bytes(reader.uint16())),
    text: textOf(reader.remaining()),
  }));
}

const CHARGE_LENGTH = 17;

export function encodeCharges(kind: number, charges: readonly Charge[]): Bytes {
  const frame = new Uint8Array(1 + CHARGE_LENGTH * charges.length);
  const view = new DataView(frame.buffer);
  view.setUint8(0, kind);
  charges.forEach(({ budget, client, amount }, i) => {
    const at = 1 + CHARGE_LENGTH * i;
    view.setUint8(at, budget);
    view.setUint32(at + 1, client.high);
    view.setUint32(at + 5, client.low);
    view.setFloat64(at + 9, amount);
  });
  return frame;
}

/** Charges to the first `budgets` budgets. */
export function decodeCharges(frame: Bytes, budgets: number): Charge[] {
  return decodeFrame(frame, (reader) => {
    const charges: Charge[] = [];
    while (reader.hasMore) {
      const budget = reader.bytes(1)[0]!;
      const client = { high: reader.uint32(), low: reader.uint32() };
      const amount = reader.float64();
      if (budget >= budgets || Math.abs(amount) > MAX_AMOUNT) throw reader.corrupt();
      charges.push({ budget, client, amount });
    }
    return charges;
  });
}

/** Of one charge: above every budget. */
const MAX_AMOUNT = 2 ** 32;

function uint16(value: number): Bytes {
  return Uint8Array.of(value >>> 8, value);
}
