/**
 * Names of the files of an archive.
 *
 * @module
 */

/** Names that are apart on every system, and do not leave the archive's folder. */
export class ArchiveNames {
  /** Some systems do not distinguish upper and lower case. */
  readonly #taken = new Set<string>();

  /** `path`, with a number if it is taken. */
  take(path: string): string {
    const safe = safePath(path);
    const dot = safe.indexOf(".", safe.lastIndexOf("/") + 2);
    const [stem, end] = dot < 0 ? [safe, ""] : [safe.slice(0, dot), safe.slice(dot)];
    let name = safe;
    for (let number = 2; this.#taken.has(folded(name)); number++) {
      name = `${stem} (${number})${end}`;
    }
    this.#taken.add(folded(name));
    return name;
  }
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function safePath(path: string): string {
  return path.split(/[/\\]+/).filter((segment) => segment !== "")
    .map((segment) => /^\.+$/.test(segment) ? "_" : segment).join("/");
}
