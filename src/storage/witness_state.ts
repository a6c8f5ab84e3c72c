/**
 * {@linkcode WitnessState} on Deno KV: one SQLite file beside its lock file.
 *
 * A witness that lost its state could sign a second tree for a size it has signed before. So a
 * missing state is never made up: only whoever says `create` makes one (contract B8).
 *
 * @module
 */

import { HASH_LENGTH, isCount } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { StateVersion, WitnessedHead, WitnessState } from "../witness/ports.ts";
import { probeDatabase } from "./database_probe.ts";
import { acquireLock, type LockFile } from "./lock_file.ts";
import { makePrivateFile } from "./private_file.ts";
import { reasonOf } from "./store_fault.ts";

/** Bumped when a released version could misread what this one writes. */
const FORMAT_VERSION = 1;

const stateKeys = {
  format: (): Deno.KvKey => ["witness_state_format"],
  head: (origin: string): Deno.KvKey => ["head", origin],
} as const;

/** What a state at `path` is kept in: the database, and the file that its holder locks. */
export function witnessStateFiles(path: string): readonly [database: string, lock: string] {
  return [path, `${path}.lock`];
}

/** {@linkcode WitnessState} on Deno KV; the versionstamp is the swap token. */
export class KvWitnessState implements WitnessState {
  readonly #kv: Deno.Kv;
  readonly #lock: LockFile;

  constructor(kv: Deno.Kv, lock: LockFile) {
    this.#kv = kv;
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
    const { size, root, timestamp } = next;
    const result = await this.#kv.atomic()
      .check({ key, versionstamp: expected ?? null })
      .set(key, { size, root, timestamp })
      .commit();
    return result.ok ? result.versionstamp : undefined;
  }

  close(): void {
    this.#kv.close();
    this.#lock.release();
  }
}

/**
 * Opens the state at `path`, and makes it when there is none and `create` says so. Otherwise a
 * missing or half-made one is `witness_state_missing`. `data_in_use` when another process has it
 * open, `store_corrupt` for a damaged one, `format_unsupported` for one of another version.
 */
export async function openWitnessState(
  path: string,
  options: { readonly create: boolean },
): Promise<KvWitnessState> {
  // Before the lock, which would make a file in a folder that was mistyped, and before Deno KV, which
  // would make a database of an empty file.
  if (!options.create && !await holdsBytes(path)) throw stateMissing(path);
  return await withLock(path, async (kv, lock) => {
    await checkFormat(kv, path, options.create);
    return new KvWitnessState(kv, lock);
  });
}

/**
 * Makes the state at `path` of a witness that goes on from `heads`, by origin, in one commit: a
 * state that begins lower than its witness signed must not come from a crash. `file_failed` when
 * there is a state already, `data_in_use` when another process has it open.
 */
export async function createWitnessState(
  path: string,
  heads: ReadonlyMap<string, WitnessedHead>,
): Promise<void> {
  await withLock(path, async (kv, lock) => {
    const format = stateKeys.format();
    const commit = kv.atomic()
      .check({ key: format, versionstamp: null })
      .set(format, FORMAT_VERSION);
    for (const [origin, { size, root, timestamp }] of heads) {
      commit.set(stateKeys.head(origin), { size, root, timestamp });
    }
    const { ok } = await commit.commit();
    if (!ok) {
      throw new CountersignError(
        "file_failed",
        `Cannot create witness state "${path}": none there required, found one`,
      );
    }
    kv.close();
    lock.release();
  });
}

/** What `use` makes of the locked database at `path`, which is closed again when it throws. */
async function withLock<T>(
  path: string,
  use: (kv: Deno.Kv, lock: LockFile) => Promise<T>,
): Promise<T> {
  const [, lockFile] = witnessStateFiles(path);
  const lock = await acquireLock(lockFile);
  let kv;
  try {
    await makePrivateFile(path);
    probeDatabase(path);
    kv = await Deno.openKv(path);
    return await use(kv, lock);
  } catch (error) {
    kv?.close();
    lock.release();
    if (error instanceof CountersignError) throw error;
    throw new CountersignError(
      "file_failed",
      `Cannot open witness state "${path}": a database that can be written required, ` +
        `found "${reasonOf(error)}"`,
      { cause: error },
    );
  }
}

async function checkFormat(kv: Deno.Kv, path: string, create: boolean): Promise<void> {
  const key = stateKeys.format();
  const { value: found } = await kv.get(key);
  if (found === FORMAT_VERSION) return;
  if (found !== null) {
    throw new CountersignError(
      "format_unsupported",
      `Cannot open witness state "${path}": format version ${FORMAT_VERSION} required, found ` +
        String(found),
    );
  }
  // The format row is what makes a file a state: one without it was never finished, or is another's.
  if (!create) throw stateMissing(path);
  await kv.atomic().check({ key, versionstamp: null }).set(key, FORMAT_VERSION).commit();
}

async function holdsBytes(path: string): Promise<boolean> {
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
    `Cannot open witness state "${path}": the state of this witness required, found none`,
  );
}

function readHead(origin: string, value: unknown): WitnessedHead {
  if (typeof value === "object" && value !== null) {
    const { size, root, timestamp } = value as Record<string, unknown>;
    if (
      isCount(size) && isCount(timestamp) && root instanceof Uint8Array &&
      root.length === HASH_LENGTH
    ) return { size, root: root.slice(), timestamp };
  }
  throw new CountersignError(
    "store_corrupt",
    `Cannot read the head of "${origin}": a size, a root and a time required, found another value`,
  );
}
