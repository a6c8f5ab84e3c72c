/**
 * The location of a store: its file and machine. The store records it, so that a copy of the folder is
 * detected before it forks the log.
 *
 * @module
 */

import { type Bytes, hexOf, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";

/** The machine's id on systems with systemd; each container may have another or none. */
export const HOST_ID_FILE = "/etc/machine-id";

const VERSION = 1;

/** The stored location. */
export interface StoreLocation {
  readonly version: number;
  readonly device: number;
  /** `null` when the file system has no inodes. */
  readonly inode: number | null;
  /** Creation time in milliseconds, since inodes are reused; `null` when unknown. */
  readonly created: number | null;
  /** Hash of the machine's id; `null` when it has none. */
  readonly host: string | null;
}

/** An open store's file. */
export type StoreFile = Pick<StoreLocation, "device" | "inode" | "created">;

/** The current location of the file at `path`. */
export async function locationOf(path: string): Promise<StoreLocation> {
  return { version: VERSION, ...await storeFileAt(path), host: await hostId() };
}

/** The current file at `path`. */
export async function storeFileAt(path: string): Promise<StoreFile> {
  const { dev, ino, birthtime } = await Deno.stat(path);
  return { device: dev, inode: ino, created: birthtime?.getTime() ?? null };
}

/**
 * Rejects with `store_copied` when the store was last used at another location. Another inode or
 * creation time means another file. Another device on another machine means another disk or a copy of
 * it. Either change alone is normal: device numbers change with a restart, machine ids with a container.
 */
export function checkLocation(path: string, stored: unknown, now: StoreLocation): void {
  if (stored === null) return;
  const before = parseLocation(stored);
  const isOtherFile = differ(before.inode, now.inode) || differ(before.created, now.created);
  const isOtherHost = differ(before.host, now.host);
  if (!isOtherFile && !(isOtherHost && before.device !== now.device)) return;
  const found = isOtherFile
    ? `inode ${before.inode} made at ${timeText(before.created)} then, ` +
      `inode ${now.inode} made at ${timeText(now.created)} now`
    : `device ${before.device} then and ${now.device} now, on another machine`;
  throw new CountersignError(
    "store_copied",
    `Cannot open store "${path}": it is not where it was last used (${found}), so it was copied, ` +
      "moved or restored. Two gateways over copies of one store fork its log. Stop the original for " +
      "good, make sure that this is its newest copy, and start once with --moved",
  );
}

/** Rejects with `storage_failed` when the file at `path` is no longer `opened`. */
export async function checkStoreFile(path: string, opened: StoreFile): Promise<void> {
  await checkFile("store", path, opened);
}

/** The write-ahead file of the open store at `path`; `undefined` when there is none. */
export async function walFileAt(path: string): Promise<StoreFile | undefined> {
  return await storeFileAt(`${path}-wal`).catch(() => undefined);
}

/**
 * Rejects with `storage_failed` when the write-ahead file of the store at `path` is no longer `opened`.
 * The last commits are only in this file until SQLite copies them into the store. SQLite deletes it only
 * when the last connection closes.
 */
export async function checkWalFile(path: string, opened: StoreFile): Promise<void> {
  await checkFile("write-ahead file of the store", `${path}-wal`, opened);
}

async function checkFile(what: string, path: string, opened: StoreFile): Promise<void> {
  let now: StoreFile | undefined;
  try {
    now = await storeFileAt(path);
  } catch (error) {
    // Another error of the file system does not show that the file is gone.
    if (!(error instanceof Deno.errors.NotFound)) return;
  }
  const isSame = now?.inode === opened.inode && now?.device === opened.device &&
    now?.created === opened.created;
  if (isSame) return;
  throw new CountersignError(
    "storage_failed",
    `The ${what} "${path}" was ${
      now === undefined ? "deleted" : "replaced"
    } while the gateway runs. ` +
      "Nothing is accepted and no round is signed; reads go on from the open files. Save the open " +
      'files before you stop the gateway: "storage_failed" in docs/operating.md',
  );
}

/** True when both are known and differ. */
function differ<T>(before: T | null, now: T | null): boolean {
  return before !== null && now !== null && before !== now;
}

function timeText(ms: number | null): string {
  return ms === null ? "an unknown time" : new Date(ms).toISOString();
}

function parseLocation(stored: unknown): StoreLocation {
  const { version, device, inode, created, host } = stored as Record<string, unknown>;
  if (typeof version === "number" && version > VERSION) {
    throw new CountersignError(
      "format_unsupported",
      `Cannot open store: this program reads location record version ${VERSION}, the store has ` +
        `${version}. Use the program that wrote it, or a later one`,
    );
  }
  if (
    version === VERSION && typeof device === "number" &&
    (inode === null || typeof inode === "number") &&
    (created === null || typeof created === "number") &&
    (host === null || typeof host === "string")
  ) return { version, device, inode, created, host };
  throw new CountersignError("store_corrupt", "Cannot open store: the location record is damaged");
}

async function hostId(): Promise<string | null> {
  let text: string;
  try {
    text = (await Deno.readTextFile(HOST_ID_FILE)).trim();
  } catch {
    return null;
  }
  if (!/^[0-9a-f]{32}$/.test(text)) return null;
  // machine-id(5): the id is confidential, a keyed hash of it is not.
  const digest = await crypto.subtle.digest("SHA-256", utf8(`countersign store place\n${text}\n`));
  return hexOf(new Uint8Array(digest) as Bytes).slice(0, 32);
}
