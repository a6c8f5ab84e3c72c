/**
 * Makes the names of new files durable.
 *
 * @module
 */

/**
 * Syncs `folder`. Does nothing on Windows, which opens no folders, and in a confined role, which may
 * open single files only: the common file systems sync the name of a new file with the file.
 */
export async function syncFolder(folder: string): Promise<void> {
  const { state } = await Deno.permissions.query({ name: "read", path: folder });
  if (state !== "granted" || Deno.build.os === "windows") return;
  using opened = await Deno.open(folder);
  await opened.sync();
}
