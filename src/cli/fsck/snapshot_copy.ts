/**
 * A writable copy of read-only databases. To open one, SQLite creates shared memory beside it
 * and merges the write-ahead file into it.
 *
 * @module
 */

import { basename, dirname, join } from "node:path";
import { CountersignError } from "../../base/errors.ts";
import { plainReason, reasonOf } from "../../storage/store_fault.ts";

/** A folder of copies; disposing of it removes them. */
export class SnapshotCopy implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<SnapshotCopy> {
    try {
      return new SnapshotCopy(await Deno.makeTempDir({ prefix: "countersign-fsck-" }));
    } catch (cause) {
      throw new CountersignError(
        "file_failed",
        "Cannot make a folder for a copy of the read-only data: " +
          `${plainReason(reasonOf(cause))}. Set TMPDIR to a folder that can be written`,
        { cause },
      );
    }
  }

  /** Copies the database at `path`, with its write-ahead file, if it is there. Returns its new path. */
  async add(path: string): Promise<string> {
    const copy = join(this.folder, basename(path));
    for (const suffix of ["", "-wal"]) {
      try {
        await Deno.copyFile(path + suffix, copy + suffix);
        await Deno.chmod(copy + suffix, 0o600);
      } catch (cause) {
        if (cause instanceof Deno.errors.NotFound) continue;
        throw new CountersignError(
          "file_failed",
          `Cannot copy "${path + suffix}" to "${this.folder}" to check it: ` +
            `${plainReason(reasonOf(cause))}. Set TMPDIR to a folder with room for it`,
          { cause },
        );
      }
    }
    return copy;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Whether the database at `path` can be opened for writing, and files made beside it. */
export async function isWritable(path: string): Promise<boolean> {
  try {
    (await Deno.open(path, { write: true })).close();
    await Deno.remove(await Deno.makeTempFile({ dir: dirname(path), prefix: "fsck-" }));
    return true;
  } catch (cause) {
    // A full disk still allows reads. Opening the database reports a missing file.
    const isReadOnly = cause instanceof Deno.errors.PermissionDenied ||
      cause instanceof Deno.errors.NotCapable || /read-only/i.test(reasonOf(cause));
    return !isReadOnly;
  }
}
