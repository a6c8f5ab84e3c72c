/**
 * The updates of a sequencer as frames (`link_frames.ts`). Joining and the memory of indexes are messages of
 * a port.
 *
 *     accepted     load || end u64
 *     confirmed    load || first u64 || round length u32 || round || levels u32 || (length u32 || nodes) each
 *     tree grown   size u64 || root 32 || edges u32 || (length u32 || hashes) each
 *     head         new u8 || head (`head_frame.ts`)
 *     failing      load || JSON
 *     health, status, anchors, epoch: JSON
 *     load         unformed u64 || backlog u64 || answer ms f64 || held u8
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, uint64, utf8 } from "../bytes.ts";
import { decodeRound, encodeRound } from "../format/record_codec.ts";
import type { ConfirmedRound, Follower, SigningLoad } from "../gateway/fronts/ports.ts";
import { encodeHead, readHead } from "./head_frame.ts";
import { FRAME_KIND, FrameReader } from "./link_frames.ts";

/** Updates that are frames. */
export type FramedUpdates = Omit<Follower, "joined" | "indexChanged">;

/** Writes each update as a frame. */
export function encodeUpdates(write: (frame: Bytes) => void): FramedUpdates {
  const frame = (kind: keyof typeof FRAME_KIND, ...parts: readonly Uint8Array[]) =>
    write(concat(Uint8Array.of(FRAME_KIND[kind]), ...parts));
  return {
    accepted: (end, load) => frame("accepted", encodeLoad(load), uint64(end)),
    confirmed: ({ record, levels = [] }, load) =>
      frame(
        "confirmed",
        encodeLoad(load),
        uint64(record.first),
        ...sized(encodeRound(record)),
        ...list(levels),
      ),
    treeGrown: ({ size, root }, edges) => frame("treeGrown", uint64(size), root, ...list(edges)),
    headCosigned: (record, isNew) => frame("headCosigned", flag(isNew), encodeHead(record)),
    healthChanged: (health) => frame("health", json(health)),
    failingChanged: (failing, load) => frame("failing", encodeLoad(load), json(failing)),
    statusChanged: (status) => frame("status", json(status)),
    anchorsChanged: (anchors) => frame("anchors", json(anchors)),
    epochEnded: (epochs) => frame("epoch", json(epochs)),
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
    case FRAME_KIND.treeGrown: {
      const head = { size: reader.uint64(), root: reader.bytes(HASH_LENGTH) };
      const edges = readList(reader);
      reader.end();
      return follower.treeGrown(head, edges);
    }
    case FRAME_KIND.headCosigned: {
      const isNew = reader.flag();
      const record = readHead(reader);
      reader.end();
      return follower.headCosigned(record, isNew);
    }
    case FRAME_KIND.health:
      return follower.healthChanged(reader.json());
    case FRAME_KIND.failing: {
      const load = readLoad(reader);
      return follower.failingChanged(reader.json(), load);
    }
    case FRAME_KIND.status:
      return follower.statusChanged(reader.json());
    case FRAME_KIND.anchors:
      return follower.anchorsChanged(reader.json());
    case FRAME_KIND.epoch:
      return follower.epochEnded(reader.json());
    default:
      throw reader.corrupt();
  }
}

function encodeLoad({ unformed, backlog, answerMs, isHeld }: SigningLoad): Bytes {
  return concat(uint64(unformed), uint64(backlog), float64(answerMs), flag(isHeld));
}

function readLoad(reader: FrameReader): SigningLoad {
  return {
    unformed: reader.uint64(),
    backlog: reader.uint64(),
    answerMs: reader.float64(),
    isHeld: reader.flag(),
  };
}

function readRound(reader: FrameReader): ConfirmedRound {
  const first = reader.uint64();
  const record = decodeRound(first, reader.bytes(reader.uint32()));
  const levels = readList(reader);
  reader.end();
  return levels.length === 0 ? { record } : { record, levels };
}

/** A count, then each of `items` after its length. */
function list(items: readonly Uint8Array[]): Uint8Array[] {
  return [uint32(items.length), ...items.flatMap(sized)];
}

function sized(item: Uint8Array): Uint8Array[] {
  return [uint32(item.length), item];
}

function readList(reader: FrameReader): Bytes[] {
  const items: Bytes[] = [];
  for (let count = reader.uint32(); count > 0; count--) items.push(reader.bytes(reader.uint32()));
  return items;
}

function json(value: unknown): Bytes {
  return utf8(JSON.stringify(value));
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
