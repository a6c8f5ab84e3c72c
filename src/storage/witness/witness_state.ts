/**
 * {@linkcode WitnessState} on disk: heads and releases in Deno KV, signed rounds in a journal.
 *
 * A witness that lost its state could sign a second tree for a size that it has signed before. So a
 * missing state is created only on request (protocol.md "Witness").
 *
 * @module
 */

import { hash } from "node:crypto";
import { CountersignError } from "../../base/errors.ts";
import type {
  Release,
  StateVersion,
  WitnessedHead,
  WitnessedRound,
  WitnessState,
} from "../../witness/ports.ts";
import { prepareDatabase } from "../database_probe.ts";
import { writeTemporary } from "../disk_write.ts";
import { acquireLock, type LockFile } from "../lock_file.ts";
import { journalFiles, RoundJournal } from "./round_journal.ts";
import { plainReason, reasonOf, storeFault } from "../store_fault.ts";
import { StoreKv } from "../store_kv.ts";
import {
  checkLocation,
  type Copied,
  isSameLocation,
  type LocationCheck,
  locationOf,
} from "../store_location.ts";
import { type Bytes, concat, equalBytes, hexOf, textOf, utf8 } from "../../base/bytes.ts";

/** Raised when this program would misread what a later one writes. */
const FORMAT_VERSION = 1;

const COPIED_STATE: Copied = {
  name: "witness state",
  danger: "Two witnesses with copies of one state can sign two histories",
};

/** Size of the probe's file: more than any single write. */
const PROBE_BYTES = 512 * 1024;

const stateKeys = {
  format: (): Deno.KvKey => ["witness_state_format"],
  location: (): Deno.KvKey => ["place"],
  head: (origin: string): Deno.KvKey => ["head", origin],
  releases: (): Deno.KvKey => ["release"],
  release: (number: number): Deno.KvKey => ["release", number],
  probe: (): Deno.KvKey => ["probe"],
} as const;

/** The files of the state at `path`: database, lock, journal, and the probe's temporary file. */
export function witnessStateFiles(path: string): readonly string[] {
  return [path, lockPath(path), ...journalFiles(path), probePath(path)];
}

function probePath(path: string): string {
  return `${path}.probe`;
}

export function lockPath(path: string): string {
  return `${path}.lock`;
}

/** {@linkcode WitnessState} on disk; the versionstamp of a head is its swap token. */
export class KvWitnessState implements WitnessState {
  readonly #path: string;
  readonly #kv: StoreKv;
  readonly #lock: LockFile;
  #journal: RoundJournal | undefined;

  constructor(path: string, kv: Deno.Kv, lock: LockFile) {
    this.#path = path;
    this.#kv = new StoreKv(kv);
    this.#lock = lock;
  }

  async load(
    origin: string,
  ): Promise<(WitnessedHead & { readonly version: StateVersion }) | undefined> {
    const entry = await this.#kv.get(stateKeys.head(origin));
    if (entry.versionstamp === null) return undefined;
    return { ...readHead(origin, entry.value), version: entry.versionstamp };
  }

  async replace(
    origin: string,
    expected: StateVersion | undefined,
    next: WitnessedHead,
  ): Promise<StateVersion | undefined> {
    const key = stateKeys.head(origin);
    const result = await commit(
      this.#kv.atomic()
        .check({ key, versionstamp: expected ?? null })
        .set(key, headRow(origin, next)),
    );
    return result.ok ? result.versionstamp : undefined;
  }

  async loadSigned(): Promise<readonly WitnessedRound[]> {
    this.#journal?.close();
    this.#journal = undefined;
    const { journal, rounds } = await RoundJournal.open(this.#path);
    this.#journal = journal;
    return rounds;
  }

  async appendSigned(rounds: readonly WitnessedRound[], cosigned: number): Promise<void> {
    await this.#openJournal().append(rounds, cosigned);
  }

  async loadReleases(): Promise<readonly Release[]> {
    const releases: Release[] = [];
    for await (const { value } of this.#kv.list<Release>({ prefix: stateKeys.releases() })) {
      releases.push(value);
    }
    return releases;
  }

  async probe(): Promise<void> {
    // Database and journal files have free space inside. Only a new file shows that the disk is full.
    await writeTemporary(probePath(this.#path), PROBE_BYTES);
    await commit(this.#kv.atomic().set(stateKeys.probe(), true));
    await this.#journal?.sync();
  }

  /**
   * Releases the rounds that end beyond `release.from`; call it after `loadSigned`. The release is recorded
   * first: one that a crash interrupts is recorded and has no effect.
   */
  async release(release: Release): Promise<void> {
    const number = (await this.loadReleases()).length;
    await commit(this.#kv.atomic().set(stateKeys.release(number), { ...release }));
    await this.#openJournal().append([{ releasedFrom: release.from }], 0);
  }

  #openJournal(): RoundJournal {
    if (this.#journal !== undefined) return this.#journal;
    throw new CountersignError("internal", "Cannot append rounds: the journal is not loaded");
  }

  close(): void {
    this.#journal?.close();
    this.#kv.close();
    this.#lock.release();
  }
}

/**
 * Opens the state at `path`. `witness_state_missing` when it is missing or incomplete, `data_in_use` when
 * another process has it open, `store_corrupt` when it is damaged, `format_unsupported` for another
 * version. With `locationCheck`, rejects with `store_copied` when it was last used elsewhere, and stores
 * the location.
 */
export async function openWitnessState(
  path: string,
  locationCheck?: LocationCheck,
): Promise<KvWitnessState> {
  // Before the lock, which would create a file in a mistyped folder, and before Deno KV, which would
  // create a database in an empty file.
  if (!await isNonEmptyFile(path)) throw stateMissing(path);
  return await withLock(path, async (kv, lock) => {
    await checkFormat(kv, path);
    if (locationCheck !== undefined) await takeLocation(kv, path, locationCheck);
    return new KvWitnessState(path, kv, lock);
  });
}

/** Checks where the state was last used, and stores where it is now. */
async function takeLocation(kv: Deno.Kv, path: string, { moved }: LocationCheck): Promise<void> {
  const now = await locationOf(path);
  const { value } = await kv.get(stateKeys.location());
  if (!moved) checkLocation(path, COPIED_STATE, value, now);
  // A witness also starts where nothing can be written, and then refuses to sign.
  if (isSameLocation(value, now)) return;
  await commit(kv.atomic().set(stateKeys.location(), now));
}

/**
 * Creates the state at `path` of a witness that continues from `heads`, by origin. One commit, so that no
 * crash leaves a state below what the witness has signed. `file_failed` when a state or the journal of
 * one exists, `data_in_use` when another process has it open.
 */
export async function createWitnessState(
  path: string,
  heads: ReadonlyMap<string, WitnessedHead>,
): Promise<void> {
  await withLock(path, async (kv, lock) => {
    const format = stateKeys.format();
    if ((await kv.get(format)).versionstamp !== null) {
      throw new CountersignError(
        "file_failed",
        `Cannot create witness state "${path}": it exists already`,
      );
    }
    await createJournal(path);
    const commit = kv.atomic().set(format, FORMAT_VERSION);
    for (const [origin, { size, root, timestamp }] of heads) {
      commit.set(stateKeys.head(origin), headRow(origin, { size, root, timestamp }));
    }
    await commit.commit();
    kv.close();
    lock.release();
  });
}

/** Calls `use` with the locked database at `path`, and closes it when `use` throws. */
async function withLock<T>(
  path: string,
  use: (kv: Deno.Kv, lock: LockFile) => Promise<T>,
): Promise<T> {
  const lock = await acquireLock(lockPath(path));
  let kv;
  try {
    await prepareDatabase(path);
    kv = await Deno.openKv(path);
    return await use(kv, lock);
  } catch (error) {
    kv?.close();
    lock.release();
    if (error instanceof CountersignError) throw error;
    throw new CountersignError(
      "file_failed",
      `Cannot open witness state "${path}": ${plainReason(reasonOf(error))}`,
      { cause: error },
    );
  }
}

async function checkFormat(kv: Deno.Kv, path: string): Promise<void> {
  const { value: found } = await kv.get(stateKeys.format());
  if (found === FORMAT_VERSION) return;
  // The format row marks a state as complete. Without it, the file is unfinished or is not a state.
  if (found === null) throw stateMissing(path);
  throw new CountersignError(
    "format_unsupported",
    `Cannot open witness state "${path}": its format version is ${found}, and this program reads ` +
      `${FORMAT_VERSION}. Use the program that wrote it, or a later one`,
  );
}

/** Creates the journal of a new state; `file_failed` when an earlier state left a journal. */
async function createJournal(path: string): Promise<void> {
  const leftover = await RoundJournal.findFrames(path);
  if (leftover !== undefined) {
    throw new CountersignError(
      "file_failed",
      `Cannot create witness state "${path}": "${leftover}" is left over from an earlier state, and ` +
        `may contain what its witness signed. Restore that state, or move "${path}.rounds.*" to ` +
        "another folder",
    );
  }
  await RoundJournal.create(path);
}

/** After `storage_failed`, the outcome is unknown. */
async function commit(
  operation: Deno.AtomicOperation,
): Promise<Deno.KvCommitResult | Deno.KvCommitError> {
  try {
    return await operation.commit();
  } catch (cause) {
    throw storeFault("write", cause);
  }
}

async function isNonEmptyFile(path: string): Promise<boolean> {
  try {
    const { isFile, size } = await Deno.stat(path);
    return isFile && size > 0;
  } catch (error) {
    const { NotADirectory, NotFound } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return false;
    throw error;
  }
}

function stateMissing(path: string): CountersignError {
  return new CountersignError(
    "witness_state_missing",
    `Cannot open witness state "${path}": it is missing. If this witness has ever signed, its state is lost: ` +
      "start it once with --adopt --size SIZE --root HASH, the largest tree head that anyone has " +
      '("A witness whose state is lost" in docs/operating.md). Only a new witness starts with --adopt ' +
      "--size 0: after a loss, it could then sign a rewritten log",
  );
}

/** The value of `head` (docs/formats.md), without its checksum. */
type HeadRow = Omit<WitnessedHead, "checkpoint"> & { readonly checkpoint?: Bytes };

function headRow(origin: string, head: WitnessedHead): unknown {
  const { size, root, timestamp, epoch, checkpoint } = head;
  const row = {
    size,
    root,
    timestamp,
    ...(epoch !== undefined && { epoch }),
    // As bytes: the database would store a text in UTF-16, beyond its limit for a value.
    ...(checkpoint !== undefined && { checkpoint: utf8(checkpoint) }),
  };
  return { ...row, checksum: checksumOf(origin, row) };
}

/** A witness with a damaged head would sign a second text for what the head covers. */
function checksumOf(origin: string, { size, root, timestamp, epoch, checkpoint }: HeadRow): Bytes {
  const { number, logKey: key, begunBy, endedBy } = epoch ?? {};
  const facts = [origin, size, hexOf(root), timestamp, number, key && hexOf(key), begunBy, endedBy];
  const text = concat(utf8(JSON.stringify(facts)), checkpoint ?? new Uint8Array());
  return new Uint8Array(hash("sha256", text, "buffer"));
}

/** The head of `origin` that is stored as `value`; `store_corrupt`. */
function readHead(origin: string, value: unknown): WitnessedHead {
  try {
    const { checksum, ...row } = value as HeadRow & { readonly checksum: Bytes };
    if (equalBytes(checksum, checksumOf(origin, row))) {
      const { checkpoint, ...head } = row;
      return { ...head, ...(checkpoint !== undefined && { checkpoint: textOf(checkpoint) }) };
    }
  } catch {
    // A value of another type.
  }
  throw new CountersignError(
    "store_corrupt",
    `Cannot read the head of "${origin}" in the witness's state: the record is damaged. ` +
      '"or for a head" in docs/operating.md says what to do',
  );
}
