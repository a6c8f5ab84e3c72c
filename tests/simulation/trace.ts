/**
 * Hashes the ordered events of a simulation, and optionally prints them.
 *
 * @module
 */

export class Trace {
  readonly #print: ((line: string) => void) | undefined;
  #high = 0xdeadbeef;
  #low = 0x41c6ce57;
  #length = 0;

  constructor(print?: (line: string) => void) {
    this.#print = print;
  }

  note(line: string): void {
    this.#length++;
    for (let i = 0; i < line.length; i++) {
      const code = line.charCodeAt(i);
      this.#high = Math.imul(this.#high ^ code, 2654435761);
      this.#low = Math.imul(this.#low ^ code, 1597334677);
    }
    // Each half depends on the other, so every line changes both.
    const high = this.#high ^ (this.#low >>> 15);
    this.#low ^= this.#high >>> 13;
    this.#high = high;
    this.#print?.(line);
  }

  /** The number of lines and a 64-bit hash of all lines. */
  get digest(): string {
    const hex = (word: number) => (word >>> 0).toString(16).padStart(8, "0");
    return `${this.#length}:${hex(this.#high)}${hex(this.#low)}`;
  }
}
