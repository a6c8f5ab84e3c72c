/**
 * Files that only their owner may read, made before a database would make them for everyone.
 *
 * @module
 */

/**
 * Makes an empty file at `path` for its owner alone unless there is one. Not while the process has
 * it open as a database: closing any handle on a file gives up the process's POSIX locks on it.
 */
export async function makePrivateFile(path: string): Promise<void> {
  const file = await Deno.open(path, { create: true, write: true, mode: 0o600 });
  file.close();
}
