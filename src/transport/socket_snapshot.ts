/**
 * The snapshot of a sequencer as a frame, for a front in another process. It lacks the indexes: such a front
 * has its own.
 *
 *     kind || durable u64 || confirmed end u64 || ranges u32 || (first u64 || end u64) each
 *     || size u64 || root 32 || edges u32 || (length u32 || hashes) each
 *     || latest || checkpoint, each: 0, or 1 || head (`head_frame.ts`)
 *     || load || health, failing, status, anchors, epochs, each: length u32 || JSON
 *     || 1 if tokens are redeemed, else 0
 *
 * @module
 */

import { type Bytes, concat, equalBytes, HASH_LENGTH, textOf, uint64, utf8 } from "../bytes.ts";
import type { SthRecord } from "../format/records.ts";
import type { Snapshot } from "../gateway/fronts/ports.ts";
import { encodeHead, readHead } from "./head_frame.ts";
import type { FrameReader } from "./link_frames.ts";
import { encodeLoad, flag, list, readList, readLoad, sized, uint32 } from "./link_updates.ts";
import { decodeFrame, malformedFrame, SEQUENCER_KIND } from "./socket_frames.ts";
import {
  checkAnchors,
  checkEpochs,
  checkFailing,
  checkHealth,
  checkStatus,
} from "./socket_values.ts";

/** A snapshot without indexes. */
export interface SentSnapshot extends Omit<Snapshot, "index" | "spent"> {
  readonly redeemsTokens: boolean;
}

export function encodeSnapshot(snapshot: SentSnapshot): Bytes {
  const { durable, confirmed, tree, latest, checkpoint, load, redeemsTokens } = snapshot;
  const values = [
    snapshot.health,
    snapshot.failing,
    snapshot.status,
    snapshot.anchors,
    snapshot.epochs,
  ];
  return concat(
    Uint8Array.of(SEQUENCER_KIND.snapshot),
    uint64(durable),
    uint64(confirmed.end),
    uint32(confirmed.beyond.length),
    ...confirmed.beyond.flatMap(({ first, end }) => [uint64(first), uint64(end)]),
    uint64(tree.head.size),
    tree.head.root,
    ...list(tree.edges),
    ...head(latest),
    ...head(checkpoint),
    encodeLoad(load),
    ...values.flatMap((value) => sized(utf8(JSON.stringify(value)))),
    flag(redeemsTokens),
  );
}

/** The snapshot of a frame; `malformed_request`. */
export function decodeSnapshot(frame: Bytes): SentSnapshot {
  const snapshot = decodeFrame(frame, readSnapshot);
  checkHealth(snapshot.health);
  checkFailing(snapshot.failing);
  checkStatus(snapshot.status);
  checkAnchors(snapshot.anchors);
  checkEpochs(snapshot.epochs);
  if (!equalBytes(encodeSnapshot(snapshot), frame)) throw malformedFrame("a snapshot is malformed");
  return snapshot;
}

function readSnapshot(reader: FrameReader): SentSnapshot {
  const durable = reader.uint64();
  const end = reader.uint64();
  const beyond: { readonly first: number; readonly end: number }[] = [];
  for (let count = reader.uint32(); count > 0; count--) {
    beyond.push({ first: reader.uint64(), end: reader.uint64() });
  }
  const size = reader.uint64();
  const root = reader.bytes(HASH_LENGTH);
  const edges = readList(reader);
  const [latest, checkpoint] = [readOptionalHead(reader), readOptionalHead(reader)];
  const load = readLoad(reader);
  const [health, failing, status, anchors, epochs] = [0, 1, 2, 3, 4].map(() => readJson(reader));
  const redeemsTokens = reader.flag();
  return {
    durable,
    confirmed: { end, beyond },
    tree: { head: { size, root }, edges },
    latest,
    checkpoint,
    load,
    redeemsTokens,
    // They are checked before they are used.
    health: health as Snapshot["health"],
    failing: failing as Snapshot["failing"],
    status: status as Snapshot["status"],
    anchors: anchors as Snapshot["anchors"],
    epochs: epochs as Snapshot["epochs"],
  };
}

function head(record: SthRecord | undefined): Uint8Array[] {
  if (record === undefined) return [flag(false)];
  return [flag(true), encodeHead(record)];
}

function readOptionalHead(reader: FrameReader): SthRecord | undefined {
  return reader.flag() ? readHead(reader) : undefined;
}

function readJson(reader: FrameReader): unknown {
  const bytes = reader.bytes(reader.uint32());
  try {
    return JSON.parse(textOf(bytes));
  } catch {
    throw reader.corrupt();
  }
}
