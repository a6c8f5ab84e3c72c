/**
 * One change of the source that breaks a promise of the product, and the tests that must notice it.
 *
 * @module
 */

/** A defect is put into the source as text, so that nothing of the product knows of it. */
export interface Defect {
  /** Unique, in words with hyphens. */
  readonly name: string;
  /** Path in the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** The harm to a user or an operator. */
  readonly harm: string;
  /** Test files that must each fail, the fastest that do. */
  readonly tests: readonly string[];
}

/** `source` with `defect` in it. Throws if its text does not occur exactly once. */
export function withDefect(source: string, { name, file, text, replacement }: Defect): string {
  const parts = source.split(text);
  if (parts.length === 2) return parts.join(replacement);
  throw new Error(
    `Cannot apply ${name}: its text occurs ${parts.length - 1} times in ${file}, not once`,
  );
}
