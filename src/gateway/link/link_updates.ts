/**
 * The updates of a sequencer as frames (`link_frames.ts`). Joining and the memory of indexes are messages of
 * a port. Those of every commit and every round are in binary:
 *
 *     accepted     load || end u64
 *     confirmed    load || first u64 || round length u32 || round || levels u32 || (length u32 || nodes) each
 *     load         formed u64 || backlog u64 || answer ms f64 || held u8
 *     other        the name of the update and its arguments, as `node:v8` writes them
 *
 * @module
 */

import { deserialize, serialize } from "node:v8";
import { type Bytes, concat, uint64 } from "../../base/bytes.ts";
import { decodeRound, encodeRound } from "../../proof/format/record_codec.ts";
import type { ConfirmedRound, Follower, SigningLoad } from "../fronts/ports.ts";
import { FRAME_KIND, FrameReader } from "./link_frames.ts";

/** Updates that are frames. */
export type FramedUpdates = Omit<Follower, "joined" | "indexChanged">;

type OtherUpdates = Omit<FramedUpdates, "accepted" | "confirmed">;

/** Writes each update as a frame. */
export function encodeUpdates(write: (frame: Bytes) => void): FramedUpdates {
  const frame = (kind: keyof typeof FRAME_KIND, ...parts: readonly Uint8Array[]) =>
    write(concat(Uint8Array.of(FRAME_KIND[kind]), ...parts));
  const other =
    <Name extends keyof OtherUpdates>(name: Name) => (...values: Parameters<OtherUpdates[Name]>) =>
      frame("other", serialize([name, ...values]));
  return {
    accepted: (end, load) => frame("accepted", encodeLoad(load), uint64(end)),
    confirmed: ({ record, levels = [] }, load) =>
      frame(
        "confirmed",
        encodeLoad(load),
        uint64(record.first),
        ...sized(encodeRound(record)),
        uint32(levels.length),
        ...levels.flatMap(sized),
      ),
    treeGrown: other("treeGrown"),
    headCosigned: other("headCosigned"),
    healthChanged: other("healthChanged"),
    failingChanged: other("failingChanged"),
    statusChanged: other("statusChanged"),
    anchorsChanged: other("anchorsChanged"),
    epochEnded: other("epochEnded"),
  };
}

/** Calls the method of `follower` for an update. */
export function decodeUpdate(frame: Bytes, follower: FramedUpdates): void {
  const reader = new FrameReader(frame.subarray(1));
  switch (frame[0]) {
    case FRAME_KIND.accepted: {
      const load = readLoad(reader);
      const end = reader.uint64();
      reader.end();
      return follower.accepted(end, load);
    }
    case FRAME_KIND.confirmed: {
      const load = readLoad(reader);
      return follower.confirmed(readRound(reader), load);
    }
    case FRAME_KIND.other: {
      const [name, ...values] = deserialize(frame.subarray(1));
      const update = follower[name as keyof OtherUpdates] as (...values: unknown[]) => void;
      return update.apply(follower, values);
    }
    default:
      throw reader.corrupt();
  }
}

function encodeLoad({ formed, backlog, answerMs, isHeld }: SigningLoad): Bytes {
  return concat(uint64(formed), uint64(backlog), float64(answerMs), flag(isHeld));
}

function readLoad(reader: FrameReader): SigningLoad {
  return {
    formed: reader.uint64(),
    backlog: reader.uint64(),
    answerMs: reader.float64(),
    isHeld: reader.flag(),
  };
}

function readRound(reader: FrameReader): ConfirmedRound {
  const first = reader.uint64();
  const record = decodeRound(first, reader.bytes(reader.uint32()));
  const levels: Bytes[] = [];
  for (let count = reader.uint32(); count > 0; count--) levels.push(reader.bytes(reader.uint32()));
  reader.end();
  return levels.length === 0 ? { record } : { record, levels };
}

function sized(item: Uint8Array): Uint8Array[] {
  return [uint32(item.length), item];
}

function flag(value: boolean): Bytes {
  return Uint8Array.of(value ? 1 : 0);
}

function uint32(value: number): Bytes {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function float64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}
