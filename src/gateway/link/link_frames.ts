/**
 * The frames between a sequencer and the fronts in other threads of its process; both ends are always of one
 * version. Integers are big-endian. A damaged frame is a fault of the program: `internal`.
 *
 *     assign       id u32 || sealed runs u32 || digests u32 || spends u32
 *                  || position u32 for each spend || ids, 32 bytes each || digests, 32 bytes each
 *                  || nothing, or the trace: trace id 16 || span id 8 || flags u8
 *     outcomes     kind u8 || front u32 || (id u32 || runs u32 || first new u64 || (first u64 || count u32) each)
 *                  each
 *     refusals     kind u8 || front u32 || JSON
 *     index        kind u8: the next message of the front's port has the index
 *     updates      kind u8 || the update (`link_updates.ts`)
 *
 * An outcome has its sequences as runs of consecutive ones; without runs the request was stale.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, textOf, utf8 } from "../../base/bytes.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import { RecordReader } from "../../proof/format/record_reader.ts";
import type { AssignRequest } from "../fronts/ports.ts";
import type { TraceContext } from "../tracer.ts";

/** First byte of a frame to fronts. */
export const FRAME_KIND = {
  outcomes: 1,
  refusals: 2,
  index: 3,
  accepted: 4,
  confirmed: 5,
  other: 6,
} as const;

/** A request that was answered with sequences, or `undefined` if it was stale. */
export interface Outcome {
  readonly id: number;
  readonly sequences: readonly number[] | undefined;
  /** That of `Assigned`. */
  readonly firstNew: number;
}

/** A request that failed. */
export interface Refusal {
  readonly id: number;
  readonly code: ErrorCode;
  readonly message: string;
}

const ASSIGN_HEADER = 16;
const TRACE_ID_LENGTH = 16;
const TRACE_LENGTH = 25;
const ADDRESS_LENGTH = 5;
const OUTCOME_HEADER = 16;
const RUN_LENGTH = 12;

/** Reads a frame in order. */
export class FrameReader extends RecordReader {
  constructor(frame: Uint8Array) {
    super(frame, "frame");
  }

  flag(): boolean {
    const value = this.bytes(1)[0]!;
    if (value > 1) throw this.corrupt();
    return value === 1;
  }

  json<T>(): T {
    try {
      return JSON.parse(textOf(this.remaining()));
    } catch {
      throw this.corrupt();
    }
  }

  override corrupt(): CountersignError {
    return damagedFrame();
  }
}

function damagedFrame(): CountersignError {
  return new CountersignError("internal", "Cannot read a frame between sequencer and front");
}

export function encodeAssign(id: number, request: AssignRequest): Bytes {
  const { digests, spends, sealedRuns, trace } = request;
  const positions = spends?.positions ?? [];
  const idsStart = ASSIGN_HEADER + 4 * positions.length;
  const digestsStart = idsStart + HASH_LENGTH * positions.length;
  const end = digestsStart + digests.length;
  const frame = new Uint8Array(trace === undefined ? end : end + TRACE_LENGTH);
  writeUint32(frame, 0, id);
  writeUint32(frame, 4, sealedRuns);
  writeUint32(frame, 8, digests.length / HASH_LENGTH);
  writeUint32(frame, 12, positions.length);
  positions.forEach((position, i) => writeUint32(frame, ASSIGN_HEADER + 4 * i, position));
  if (spends !== undefined) frame.set(spends.ids, idsStart);
  frame.set(digests, digestsStart);
  if (trace !== undefined) writeTrace(frame.subarray(end), trace);
  return frame;
}

function writeTrace(bytes: Bytes, { traceId, spanId, traceFlags }: TraceContext): void {
  bytes.setFromHex(traceId);
  bytes.subarray(TRACE_ID_LENGTH).setFromHex(spanId);
  bytes[TRACE_LENGTH - 1] = traceFlags;
}

function readTrace(bytes: Bytes): TraceContext {
  return {
    traceId: bytes.subarray(0, TRACE_ID_LENGTH).toHex(),
    spanId: bytes.subarray(TRACE_ID_LENGTH, TRACE_LENGTH - 1).toHex(),
    traceFlags: bytes[TRACE_LENGTH - 1]!,
  };
}

/** A small array has no buffer until a view needs one, so a view would be the most expensive part. */
function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** The request's bytes are views of `frame`. */
export function decodeAssign(frame: Bytes): { id: number; request: AssignRequest } {
  if (frame.length < ASSIGN_HEADER) throw damagedFrame();
  const view = new DataView(frame.buffer, frame.byteOffset);
  const spent = view.getUint32(12);
  const idsStart = ASSIGN_HEADER + 4 * spent;
  const digestsStart = idsStart + HASH_LENGTH * spent;
  const count = view.getUint32(8);
  const end = digestsStart + HASH_LENGTH * count;
  const hasTrace = frame.length === end + TRACE_LENGTH;
  if (count === 0 || frame.length !== end && !hasTrace) throw damagedFrame();
  const id = view.getUint32(0);
  const sealedRuns = view.getUint32(4);
  const digests = frame.subarray(digestsStart, end);
  const request = spent === 0 ? { digests, sealedRuns } : {
    digests,
    spends: {
      positions: Array.from({ length: spent }, (_, i) => view.getUint32(ASSIGN_HEADER + 4 * i)),
      ids: frame.subarray(idsStart, digestsStart),
    },
    sealedRuns,
  };
  if (!hasTrace) return { id, request };
  return { id, request: { ...request, trace: readTrace(frame.subarray(end)) } };
}

/** One frame, or several of about `maxLength` bytes. */
export function* encodeOutcomes(
  front: number,
  outcomes: readonly Outcome[],
  maxLength: number,
): Generator<Bytes> {
  let length = ADDRESS_LENGTH;
  let part: OutcomeRuns[] = [];
  for (const { id, sequences, firstNew } of outcomes) {
    const runs = runsOf(sequences ?? []);
    const added = OUTCOME_HEADER + RUN_LENGTH * runs.length;
    if (part.length > 0 && length + added > maxLength) {
      yield outcomesFrame(front, part, length);
      part = [];
      length = ADDRESS_LENGTH;
    }
    part.push({ id, firstNew, runs });
    length += added;
  }
  if (part.length > 0) yield outcomesFrame(front, part, length);
}

interface OutcomeRuns {
  readonly id: number;
  readonly firstNew: number;
  readonly runs: readonly SequenceRun[];
}

interface SequenceRun {
  readonly first: number;
  count: number;
}

function runsOf(sequences: readonly number[]): SequenceRun[] {
  const runs: SequenceRun[] = [];
  for (const sequence of sequences) {
    const last = runs.at(-1);
    if (last !== undefined && sequence === last.first + last.count) last.count++;
    else runs.push({ first: sequence, count: 1 });
  }
  return runs;
}

function outcomesFrame(
  front: number,
  outcomes: readonly OutcomeRuns[],
  length: number,
): Bytes {
  const frame = new Uint8Array(length);
  const view = new DataView(frame.buffer);
  view.setUint8(0, FRAME_KIND.outcomes);
  view.setUint32(1, front);
  let at = ADDRESS_LENGTH;
  for (const { id, firstNew, runs } of outcomes) {
    view.setUint32(at, id);
    view.setUint32(at + 4, runs.length);
    writeUint64(view, at + 8, firstNew);
    at += OUTCOME_HEADER;
    for (const { first, count } of runs) {
      writeUint64(view, at, first);
      view.setUint32(at + 8, count);
      at += RUN_LENGTH;
    }
  }
  return frame;
}

function writeUint64(view: DataView, at: number, value: number): void {
  view.setUint32(at, Math.floor(value / 2 ** 32));
  view.setUint32(at + 4, value % 2 ** 32);
}

/** The outcomes if they are those of `front`. */
export function decodeOutcomes(front: number, frame: Bytes): Outcome[] {
  const reader = new FrameReader(frame.subarray(1));
  if (reader.uint32() !== front) return [];
  const outcomes: Outcome[] = [];
  while (reader.hasMore) {
    const id = reader.uint32();
    const runs = reader.uint32();
    const firstNew = reader.uint64();
    const sequences: number[] = [];
    for (let i = 0; i < runs; i++) {
      const first = reader.uint64();
      const count = reader.uint32();
      if (count === 0 || sequences.length + count > MAX_SEQUENCES) throw reader.corrupt();
      for (let j = 0; j < count; j++) sequences.push(first + j);
    }
    outcomes.push({ id, sequences: runs === 0 ? undefined : sequences, firstNew });
  }
  return outcomes;
}

/** Bounds what a damaged frame makes of a few bytes. */
const MAX_SEQUENCES = 2 ** 20;

export function encodeRefusals(front: number, refusals: readonly Refusal[]): Bytes {
  const address = new Uint8Array(ADDRESS_LENGTH);
  const view = new DataView(address.buffer);
  view.setUint8(0, FRAME_KIND.refusals);
  view.setUint32(1, front);
  return concat(address, utf8(JSON.stringify(refusals)));
}

/** The refusals if they are those of `front`. */
export function decodeRefusals(front: number, frame: Bytes): Refusal[] {
  const reader = new FrameReader(frame.subarray(1));
  if (reader.uint32() !== front) return [];
  const refusals = reader.json<Refusal[]>();
  if (!Array.isArray(refusals)) throw reader.corrupt();
  return refusals;
}
