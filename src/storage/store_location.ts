/**
 * The location of a store: its file and machine. The store of a gateway and the state of a witness
 * record it, so that a copy of the folder is detected before it signs or accepts anything.
 *
 * @module
 */

import { type Bytes, hexOf, utf8 } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";

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

/** How to check a location. */
export interface LocationCheck {
  /** The operator confirms that the original is stopped for good: a new location is accepted and stored. */
  readonly moved: boolean;
}

/** What was copied, and why two of it must not run. */
export interface Copied {
  readonly name: string;
  readonly danger: string;
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
export function checkLocation(
  path: string,
  { name, danger }: Copied,
  stored: unknown,
  now: StoreLocation,
): void {
  if (stored === null) return;
  const before = parseLocation(name, stored);
  const isOtherFile = differ(before.inode, now.inode) || differ(before.created, now.created);
  const isOtherHost = differ(before.host, now.host);
  if (!isOtherFile && !(isOtherHost && before.device !== now.device)) return;
  const found = isOtherFile
    ? `inode ${before.inode} made at ${timeText(before.created)} then, ` +
      `inode ${now.inode} made at ${timeText(now.created)} now`
    : `device ${before.device} then and ${now.device} now, on another machine`;
  throw new CountersignError(
    "store_copied",
    `Cannot open ${name} "${path}": it is not where it was last used (${found}), so it was copied, ` +
      `moved or restored. ${danger}. Stop the original for good, make sure that this is its newest ` +
      "copy, and start once with --moved",
  );
}

/** Whether the stored location is `now`, in every member. */
export function isSameLocation(stored: unknown, now: StoreLocation): boolean {
  return JSON.stringify(stored) === JSON.stringify(now);
}

/** True when both are known and differ. */
function differ<T>(before: T | null, now: T | null): boolean {
  return before !== null && now !== null && before !== now;
}

function timeText(ms: number | null): string {
  return ms === null ? "an unknown time" : new Date(ms).toISOString();
}

function parseLocation(name: string, stored: unknown): StoreLocation {
  const { version, device, inode, created, host } = stored as Record<string, unknown>;
  if (typeof version === "number" && version > VERSION) {
    throw new CountersignError(
      "format_unsupported",
      `Cannot open ${name}: this program reads location record version ${VERSION}, and it has ` +
        `${version}. Use the program that wrote it, or a later one`,
    );
  }
  if (
    version === VERSION && typeof device === "number" &&
    (inode === null || typeof inode === "number") &&
    (created === null || typeof created === "number") &&
    (host === null || typeof host === "string")
  ) return { version, device, inode, created, host };
  throw new CountersignError(
    "store_corrupt",
    `Cannot open ${name}: the location record is damaged`,
  );
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
