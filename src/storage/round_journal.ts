/**
 * The digests that a witness signed, in two append-only files that take turns.
 *
 * Entries go to the current file with one write and one `fdatasync`. Once it is large, and the other
 * file holds nothing beyond the cosigned size, the other one is written from its beginning under the
 * next generation. A reused file keeps its length, so that a sync writes no file metadata. For the
 * same reason a file grows by whole chunks of zeros.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { DigestRun } from "../witness/ports.ts";
import {
  decodeSegment,
  encodeEntries,
  encodeSegmentHeader,
  firstChecksum,
  type JournalEntry,
  type JournalSegment,
  SEGMENT_HEADER_LENGTH,
} from "./round_journal_codec.ts";
import { reasonOf } from "./store_fault.ts";

/** The length from which on a file gives way to the other one: about 130,000 digests. */
const SEGMENT_LENGTH = 4 * 2 ** 20;
const GROWTH_LENGTH = 256 * 1024;

/** The files of the journal of the state at `path`. */
export function journalFiles(path: string): readonly [string, string] {
  return [`${path}.rounds.0`, `${path}.rounds.1`];
}

interface Segment {
  readonly file: Deno.FsFile;
  fileLength: number;
  generation: number;
  length: number;
  checksum: Bytes;
  /** One past the highest sequence in it. */
  end: number;
}

/** See the module. Calls of `append` must not overlap. */
export class RoundJournal {
  #current: Segment;
  #other: Segment;
  readonly #segmentLength: number;

  private constructor(older: Segment, current: Segment, segmentLength: number) {
    this.#other = older;
    this.#current = current;
    this.#segmentLength = segmentLength;
  }

  /** Makes the files that are missing. What a file has is kept. `file_failed`. */
  static async create(path: string): Promise<void> {
    for (const [generation, name] of journalFiles(path).entries()) {
      await inFile(name, async () => {
        using file = await Deno.open(name, { create: true, read: true, write: true, mode: 0o600 });
        if ((await file.stat()).size >= SEGMENT_HEADER_LENGTH) return;
        writeAt(file, 0, encodeSegmentHeader(generation));
        await file.sync();
      });
    }
  }

  /**
   * Opens the journal of the state at `path`, and reads it. `witness_state_missing` without a file,
   * `store_corrupt` for a file that is no segment.
   */
  static async open(
    path: string,
    segmentLength: number = SEGMENT_LENGTH,
  ): Promise<{ readonly journal: RoundJournal; readonly runs: readonly DigestRun[] }> {
    const opened: { segment: Segment; entries: readonly JournalEntry[] }[] = [];
    try {
      for (const name of journalFiles(path)) opened.push(await openSegment(name));
    } catch (error) {
      for (const { segment } of opened) segment.file.close();
      throw error;
    }
    const [older, current] = opened
      .toSorted((a, b) => a.segment.generation - b.segment.generation) as [
        typeof opened[0],
        typeof opened[0],
      ];
    return {
      journal: new RoundJournal(older.segment, current.segment, segmentLength),
      runs: replay([...older.entries, ...current.entries]),
    };
  }

  /**
   * Appends `entries`, durable once it resolves. After a rejection the next call overwrites them. The
   * runs that end at or below `cosigned` may be dropped.
   */
  async append(entries: readonly JournalEntry[], cosigned: number): Promise<void> {
    const isFull = this.#current.length >= this.#segmentLength && this.#other.end <= cosigned;
    const header = encodeSegmentHeader(this.#current.generation + 1);
    const target = isFull
      ? {
        ...this.#other,
        generation: this.#current.generation + 1,
        length: SEGMENT_HEADER_LENGTH,
        checksum: firstChecksum(header),
        end: 0,
      }
      : this.#current;
    const { bytes, checksum } = encodeEntries(target.checksum, entries);
    const length = target.length + bytes.length;
    if (isFull) writeAt(target.file, 0, header);
    writeAt(target.file, target.length, bytes);
    let { fileLength } = target;
    if (length > fileLength) {
      const grown = Math.ceil(length / GROWTH_LENGTH) * GROWTH_LENGTH;
      writeAt(target.file, length, new Uint8Array(grown - length));
      fileLength = grown;
    }
    await target.file.syncData();
    const end = Math.max(target.end, endOf(entries));
    const written = { ...target, fileLength, length, checksum, end };
    if (isFull) this.#other = this.#current;
    this.#current = written;
  }

  close(): void {
    this.#current.file.close();
    this.#other.file.close();
  }
}

async function openSegment(
  name: string,
): Promise<{ readonly segment: Segment; readonly entries: readonly JournalEntry[] }> {
  return await inFile(name, async () => {
    const file = await Deno.open(name, { read: true, write: true });
    try {
      const { size } = await file.stat();
      const decoded = decodeSegment(await readAll(file, size));
      if (decoded === undefined) {
        throw new CountersignError(
          "store_corrupt",
          `Cannot read "${name}": it is not a witness's round journal`,
        );
      }
      return { segment: segmentOf(file, size, decoded), entries: decoded.entries };
    } catch (error) {
      file.close();
      throw error;
    }
  });
}

function segmentOf(file: Deno.FsFile, fileLength: number, decoded: JournalSegment): Segment {
  const { generation, length, checksum, entries } = decoded;
  return { file, fileLength, generation, length, checksum, end: endOf(entries) };
}

/** One past the highest sequence of `entries`. */
function endOf(entries: readonly JournalEntry[]): number {
  let end = 0;
  for (const entry of entries) {
    if ("digests" in entry) end = Math.max(end, entry.first + entry.digests.length / HASH_LENGTH);
  }
  return end;
}

/** The runs of `entries` without what a later release freed. */
function replay(entries: readonly JournalEntry[]): DigestRun[] {
  let runs: DigestRun[] = [];
  for (const entry of entries) {
    if ("digests" in entry) runs.push(entry);
    else runs = runsBelow(runs, entry.releasedFrom);
  }
  return runs;
}

/** `runs` without the sequences from `end` on. */
export function runsBelow(runs: readonly DigestRun[], end: number): DigestRun[] {
  return runs.filter(({ first }) => first < end).map(({ first, digests }) => ({
    first,
    digests: digests.subarray(0, (end - first) * HASH_LENGTH),
  }));
}

/** `runs` without the sequences below `start`. A run that was appended twice counts once. */
export function runsFrom(runs: readonly DigestRun[], start: number): DigestRun[] {
  const kept = runs.map(({ first, digests }) => ({
    first: Math.max(first, start),
    digests: digests.subarray(Math.max(0, start - first) * HASH_LENGTH),
  })).filter(({ digests }) => digests.length > 0);
  return [...new Map(kept.map((run) => [run.first, run])).values()];
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

/** Into the page cache: only a sync waits for the disk. */
function writeAt(file: Deno.FsFile, offset: number, bytes: Bytes): void {
  file.seekSync(offset, Deno.SeekMode.Start);
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

async function inFile<T>(name: string, use: () => Promise<T>): Promise<T> {
  try {
    return await use();
  } catch (cause) {
    if (cause instanceof CountersignError) throw cause;
    if (cause instanceof Deno.errors.NotFound) {
      throw new CountersignError(
        "witness_state_missing",
        `Cannot open "${name}": the file is missing, and with it what the witness has signed`,
        { cause },
      );
    }
    throw new CountersignError("file_failed", `Cannot open "${name}": ${reasonOf(cause)}`, {
      cause,
    });
  }
}
