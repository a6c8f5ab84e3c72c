/**
 * Command lines for the reader to copy, quoted so that a POSIX shell takes every name as it is.
 *
 * @module
 */

/** `word` as one word of a shell. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A name that begins with a hyphen would be taken for an option. */
function fileWord(name: string): string {
  return shellWord(name.startsWith("-") ? `./${name}` : name);
}

/** The name under which the bundle of a file, or of a hash alone, is saved. */
export function bundleName(row: { readonly name?: string; readonly hash: string }): string {
  return `${row.name ?? row.hash.slice(0, 16)}.countersign.json`;
}

/** Verifies the saved bundle, against the configuration that is pinned there. */
export function verifyCommand(row: { readonly name?: string; readonly hash: string }): string {
  const about = row.name === undefined ? `--hash ${row.hash}` : `--file ${fileWord(row.name)}`;
  return `countersign verify-proof --bundle ${fileWord(bundleName(row))} ${about}`;
}
