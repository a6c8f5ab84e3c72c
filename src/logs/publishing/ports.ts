/**
 * The ports of publishing: a log to read, and a copy to write. Both have the layout of
 * c2sp.org/tlog-tiles: `checkpoint`, and `tile/...` as {@linkcode tilePath} names it. A copy also has
 * the links of the log's succession, each in a file that is written once.
 *
 * @module
 */

import { type Bytes, textOf } from "../../base/bytes.ts";
import type { ChainSource } from "../../client/further_epochs.ts";
import type { TileSource } from "../../client/tile_reader.ts";
import { SUCCESSION_LINK, type SuccessionLink } from "../../proof/format/succession.ts";
import { tilePath } from "../../proof/merkle/tile.ts";

/** Path of the checkpoint. */
export const CHECKPOINT_PATH = "checkpoint";

/** Path in a copy of the link that ended `epoch`. */
export function linkPath(epoch: number): string {
  return `succession/${epoch}.json`;
}

/** The links in a copy, not verified, from the first epoch to the first file that is missing. */
export async function readLinks(
  read: (path: string) => Promise<Bytes | undefined>,
): Promise<SuccessionLink[]> {
  const links = [];
  for (let epoch = 0;; epoch++) {
    const bytes = await read(linkPath(epoch));
    if (bytes === undefined) return links;
    const context = { where: linkPath(epoch), code: "malformed_bundle" } as const;
    links.push(SUCCESSION_LINK.parseText(textOf(bytes, context.code), context));
  }
}

/** The address of a bucket, and the access key for it. */
export interface BucketPlace {
  readonly bucket: string;
  /** Path in the bucket: empty, or ends with a slash. */
  readonly prefix: string;
  /** URL of the service, which ends with a slash. */
  readonly endpoint: URL;
  readonly region: string;
  readonly accessKeyId: string;
}

/** A checkpoint with the required signatures. */
export interface AcceptedCheckpoint {
  /** The signed note. */
  readonly text: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Bytes;
  /** Unix seconds of the latest cosignature, if the rule checks cosignatures. */
  readonly cosignedAt?: number;
  /** How many witnesses cosigned it, if the rule checks cosignatures. */
  readonly cosigners?: number;
  /** Unix seconds from which on the required cosignatures exist; absent if the rule requires none. */
  readonly quorumAt?: number;
}

/** A log, as its operator or a mirror publishes it. What it returns is not verified. */
export interface LogSource extends TileSource, ChainSource {
  /** URL or folder, for messages. */
  readonly name: string;
  /** The latest checkpoint, a signed note; `undefined` if there is none. */
  checkpoint(signal?: AbortSignal): Promise<string | undefined>;
}

/** The checkpoint of a copy. */
export interface StoredCheckpoint {
  readonly text: string;
  /** Identifies what is stored, for a conditional write. */
  readonly version: string;
}

/**
 * Files of a copy. Paths are relative, of `[A-Za-z0-9._/-]`. Methods reject with `file_failed`.
 */
export interface CopyTarget {
  /** URL or folder, for messages. */
  readonly name: string;
  checkpoint(): Promise<StoredCheckpoint | undefined>;
  /**
   * Stores `text` if the stored checkpoint is still `expected` (`undefined` for none), atomically.
   * Returns whether `text` is stored now.
   */
  replaceCheckpoint(expected: StoredCheckpoint | undefined, text: string): Promise<boolean>;
  read(path: string): Promise<Bytes | undefined>;
  /**
   * Stores a file whole, or not at all. Returns false, and changes nothing, if there is one; the next
   * `sync` makes that one durable.
   */
  putNew(path: string, bytes: Bytes): Promise<boolean>;
  /** Makes durable all files that `putNew` was called for, also before a `sync` that failed. */
  sync(): Promise<void>;
  /** Removes the partial tiles below `<path>.p/`. */
  removePartials(path: string): Promise<void>;
}

export interface CopyPageFile {
  readonly bytes: Bytes;
  readonly mediaType: string;
  /** True if its name is a hash of its content. */
  readonly isImmutable: boolean;
}

/** A copy that can have the page. Rejects with `file_failed`. */
export interface PageTarget extends CopyTarget {
  /** Stores or replaces a file whole. */
  putPage(path: string, file: CopyPageFile): Promise<void>;
}

export function sourceOf(copy: Pick<CopyTarget, "name" | "checkpoint" | "read">): LogSource {
  return {
    name: copy.name,
    checkpoint: async () => (await copy.checkpoint())?.text,
    tile: ({ level, index, width }) => copy.read(tilePath(level, index, width)),
    succession: async () => ({ value: await readLinks((path) => copy.read(path)) }),
  };
}
