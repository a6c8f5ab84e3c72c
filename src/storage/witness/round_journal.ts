/**
 * The rounds that a witness signed, in two append-only files that alternate.
 *
 * Entries go to the current file with one write and one `fdatasync`. Once it is large, and the other
 * file has nothing beyond the cosigned size, the other file becomes the current one: a header of the
 * next generation voids its old content. A reused file keeps its length, so that a sync writes no file
 * metadata. For the same reason a file grows by chunks of zeros.
 *
 * A write that a crash interrupted is at the end of the current file, and no signature depends on it.
 * Any other invalid content is damage, and the journal does not open: the witness would sign other
 * texts for the lost sequences. An old copy of both files cannot be detected.
 *
 * @module
 */

import { dirname } from "node:path";
import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { WitnessedRound } from "../../witness/ports.ts";
import { syncFolder } from "../disk_write.ts";
import {
  decodeSegment,
  encodeFrame,
  encodeSegmentHeader,
  endOfRound,
  type JournalEntry,
  type JournalSegment,
  newSegmentHeader,
  replay,
  SEGMENT_HEADER_LENGTH,
  type SegmentHeader,
} from "./round_journal_codec.ts";
import { plainReason, reasonOf } from "../store_fault.ts";

const GROWTH_LENGTH = 256 * 1024;
/**
 * Length from which the files alternate: after 2,700 rounds of one digest without a beacon, or 16 of 512. A start
 * reads both files.
 */
const SEGMENT_LENGTH = GROWTH_LENGTH;
/** So many zeros are never the head of a frame. */
const VOID_LENGTH = 32;

/** The files of the journal of the state at `path`. */
export function journalFiles(path: string): readonly [string, string] {
  return [`${path}.rounds.0`, `${path}.rounds.1`];
}

interface Segment {
  readonly file: Deno.FsFile;
  readonly fileLength: number;
  readonly header: SegmentHeader;
  readonly length: number;
  /** One past its highest sequence. */
  readonly end: number;
}

/** A segment and its content. */
interface OpenedSegment {
  readonly name: string;
  readonly segment: Segment;
  /** Header and frames. */
  readonly bytes: Bytes;
  readonly entries: readonly JournalEntry[];
}

/** Calls of `append` must not overlap. */
export class RoundJournal {
  #current: Segment;
  #other: Segment;
  readonly #segmentLength: number;

  private constructor(older: Segment, current: Segment, segmentLength: number) {
    this.#other = older;
    this.#current = current;
    this.#segmentLength = segmentLength;
  }

  /**
   * Creates the files durably, before the state depends on them. Headers, which a crash may leave, are
   * overwritten. `storage_failed`.
   */
  static async create(path: string): Promise<void> {
    await createFiles(path).catch(refuseWrite);
  }

  /** The first journal file of the state at `path` that may contain frames. */
  static async findFrames(path: string): Promise<string | undefined> {
    for (const name of journalFiles(path)) {
      try {
        if ((await Deno.stat(name)).size > SEGMENT_HEADER_LENGTH) return name;
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return undefined;
  }

  /**
   * Opens and reads the journal of the state at `path`. The entries are durable once it resolves.
   * `witness_state_missing` when a file is missing, `store_corrupt` for damage, `storage_failed`.
   */
  static async open(
    path: string,
    segmentLength: number = SEGMENT_LENGTH,
  ): Promise<{ readonly journal: RoundJournal; readonly rounds: readonly WitnessedRound[] }> {
    const opened: OpenedSegment[] = [];
    try {
      for (const name of journalFiles(path)) opened.push(await openSegment(name));
      const [older, current] = inOrder(opened);
      await makeDurable(older, current).catch(refuseWrite);
      return {
        journal: new RoundJournal(older.segment, current.segment, segmentLength),
        rounds: replay([...older.entries, ...current.entries]),
      };
    } catch (error) {
      for (const { segment } of opened) segment.file.close();
      throw error;
    }
  }

  /**
   * Appends `entries`, durable once it resolves. After `storage_failed`, the next call overwrites or
   * voids them. Rounds that end at or below `cosigned` may be dropped.
   */
  async append(entries: readonly JournalEntry[], cosigned: number): Promise<void> {
    await this.#append(entries, cosigned).catch(refuseWrite);
  }

  async #append(entries: readonly JournalEntry[], cosigned: number): Promise<void> {
    if (entries.length === 0) return;
    if (this.#current.length >= this.#segmentLength && this.#other.end <= cosigned) {
      await this.#switchFiles();
    }
    const { file, header, length: position, end } = this.#current;
    const frame = encodeFrame(header.salt, position, entries);
    const length = position + frame.length;
    writeAt(file, position, frame);
    let { fileLength } = this.#current;
    if (length > fileLength) {
      const grown = Math.ceil(length / GROWTH_LENGTH) * GROWTH_LENGTH;
      writeAt(file, length, new Uint8Array(grown - length));
      fileLength = grown;
    }
    await file.syncData();
    this.#current = { file, fileLength, header, length, end: Math.max(end, endOf(entries)) };
  }

  /** Makes the other file the current one. Its old frames are void once the header is durable. */
  async #switchFiles(): Promise<void> {
    await this.#voidTail();
    const { file, fileLength } = this.#other;
    const header = newSegmentHeader(this.#current.header.generation + 1, this.#current.length);
    writeAt(file, 0, encodeSegmentHeader(header));
    await file.syncData();
    this.#other = this.#current;
    this.#current = { file, fileLength, header, length: SEGMENT_HEADER_LENGTH, end: 0 };
  }

  /**
   * Voids a complete frame after the end of the current file, which a failed append may leave. The next
   * header records where the file ends.
   */
  async #voidTail(): Promise<void> {
    const { file, length } = this.#current;
    const { size } = await file.stat();
    // Within the file, so that it works on a full disk.
    const voided = Math.min(VOID_LENGTH, size - length);
    writeAt(file, length, new Uint8Array(voided));
    await file.syncData();
  }

  /** Syncs the current file; `storage_failed`. */
  async sync(): Promise<void> {
    await this.#current.file.syncData().catch(refuseWrite);
  }

  close(): void {
    this.#current.file.close();
    this.#other.file.close();
  }
}

async function createFiles(path: string): Promise<void> {
  for (const [generation, name] of journalFiles(path).entries()) {
    using file = await Deno.open(name, { create: true, write: true, mode: 0o600 });
    const header = newSegmentHeader(generation, generation && SEGMENT_HEADER_LENGTH);
    writeAt(file, 0, encodeSegmentHeader(header));
    await file.sync();
  }
  await syncFolder(dirname(path));
}

function refuseWrite(cause: unknown): never {
  throw new CountersignError(
    "storage_failed",
    `Cannot write the journal of signed rounds: ${plainReason(reasonOf(cause))}`,
    { cause },
  );
}

async function openSegment(name: string): Promise<OpenedSegment> {
  return await withFileErrors(name, async () => {
    const file = await Deno.open(name, { read: true, write: true });
    try {
      const { size } = await file.stat();
      const content = await readAll(file, size);
      const decoded = decodeSegment(content);
      if (decoded === undefined) throw damaged(name);
      const { entries, length } = decoded;
      const bytes = content.subarray(0, length);
      return { name, segment: segmentOf(file, size, decoded), bytes, entries };
    } catch (error) {
      file.close();
      throw error;
    }
  });
}

/** The older and the current segment. The current one records the length of the older. */
function inOrder(opened: readonly OpenedSegment[]): readonly [OpenedSegment, OpenedSegment] {
  const [older, current] = opened.toSorted((a, b) =>
    a.segment.header.generation - b.segment.header.generation
  ) as [OpenedSegment, OpenedSegment];
  const { generation, previousLength } = current.segment.header;
  if (
    older.segment.header.generation !== generation - 1 || older.segment.length !== previousLength
  ) throw damaged(older.name);
  return [older, current];
}

/**
 * The last write may only be in the page cache: its process was killed before the sync ended, or the
 * sync failed and Linux marked the pages as clean. Only a rewrite of the same bytes makes the next sync
 * write them. The whole file costs a few milliseconds more than one frame.
 */
async function makeDurable(older: OpenedSegment, current: OpenedSegment): Promise<void> {
  writeAt(current.segment.file, 0, current.bytes);
  await current.segment.file.syncData();
  await older.segment.file.syncData();
}

function damaged(name: string): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot read "${name}": the round journal is damaged, and with it what the witness has signed. ` +
      '"round journal is damaged" in docs/operating.md says what to do',
  );
}

function segmentOf(file: Deno.FsFile, fileLength: number, decoded: JournalSegment): Segment {
  const { entries, length, ...header } = decoded;
  return { file, fileLength, header, length, end: endOf(entries) };
}

/** One past the highest sequence of `entries`. */
function endOf(entries: readonly JournalEntry[]): number {
  let end = 0;
  for (const entry of entries) {
    if ("digests" in entry) end = Math.max(end, endOfRound(entry));
  }
  return end;
}

async function readAll(file: Deno.FsFile, size: number): Promise<Bytes> {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size;) {
    const count = await file.read(bytes.subarray(at));
    if (count === null) return bytes.subarray(0, at);
    at += count;
  }
  return bytes;
}

/** Writes to the page cache; only a sync waits for the disk. */
function writeAt(file: Deno.FsFile, offset: number, bytes: Bytes): void {
  file.seekSync(offset, Deno.SeekMode.Start);
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

async function withFileErrors<T>(name: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    if (cause instanceof Deno.errors.NotFound) {
      throw new CountersignError(
        "witness_state_missing",
        `Cannot open "${name}": the file is missing. It records what the witness has signed. ` +
          'Restore it, or see "witness_state_missing" in docs/operating.md',
        { cause },
      );
    }
    throw new CountersignError(
      "file_failed",
      `Cannot open "${name}": ${plainReason(reasonOf(cause))}`,
      {
        cause,
      },
    );
  }
}
