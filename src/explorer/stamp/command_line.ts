/**
 * Command lines to copy, quoted for a POSIX shell.
 *
 * @module
 */

/** Quotes `word` where a shell would change it. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A leading `./` keeps a name that begins with a hyphen from being an option. */
export function fileWord(name: string): string {
  return shellWord(name.startsWith("-") ? `./${name}` : name);
}

/** The name of a file without its folders. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** The file name of a bundle, from the name of the stamped file or else from the hash. */
export function bundleName(
  row: { readonly name?: string | undefined; readonly hash: string },
): string {
  return `${row.name ?? row.hash.slice(0, 16)}.countersign.json`;
}

/** Verifies the bundle, saved beside its file, under the configuration that the command line has pinned. */
export function verifyCommand(
  row: { readonly name?: string | undefined; readonly hash: string },
): string {
  if (row.name !== undefined) return `countersign verify ${fileWord(row.name)}`;
  return `countersign verify-proof --bundle ${fileWord(bundleName(row))} --hash ${row.hash}`;
}

/** Verifies the latest tree head of the gateway, or of the copy of a log, whose page is at `url`. */
export function headCommand(url: URL, isCopy: boolean): string {
  const option = isCopy ? "--mirror" : "--gateway";
  return `countersign log sth --verify ${option} ${shellWord(new URL(".", url).href)}`;
}
