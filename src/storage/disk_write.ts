/**
 * Writes that show whether a disk accepts files, and that make their names durable.
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { plainReason, reasonOf } from "./store_fault.ts";

/** Durably writes a file of `length` bytes and removes it; `storage_failed`. */
export async function writeTemporary(path: string, length: number): Promise<void> {
  try {
    await using opened = new AsyncDisposableStack();
    const file = await Deno.open(path, { create: true, truncate: true, write: true, mode: 0o600 });
    opened.defer(() => Deno.remove(path));
    opened.defer(() => file.close());
    const bytes = new Uint8Array(length);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    await file.syncData();
  } catch (cause) {
    throw new CountersignError(
      "storage_failed",
      `Cannot write ${length} bytes to "${path}": ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }
}

/**
 * Makes the names of new files in `folder` durable. Does nothing on Windows, which cannot open folders,
 * and in a confined role, which may open single files only: common file systems sync the name of a new
 * file with the file.
 */
export async function syncFolder(folder: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "read", path: folder });
  if (state !== "granted" || Deno.build.os === "windows") return;
  using opened = await Deno.open(folder);
  await opened.sync();
}
