/**
 * An async iterator with one item of lookahead.
 *
 * @module
 */

export class Cursor<T> {
  readonly #items: AsyncIterator<T>;
  #ahead: IteratorResult<T> | undefined;

  constructor(items: AsyncIterable<T>) {
    this.#items = items[Symbol.asyncIterator]();
  }

  /** The next item, without removing it; `undefined` at the end. */
  async peek(): Promise<T | undefined> {
    this.#ahead ??= await this.#items.next();
    return this.#ahead.done ? undefined : this.#ahead.value;
  }

  /** Removes and returns the next item; `undefined` at the end. */
  async next(): Promise<T | undefined> {
    const item = await this.peek();
    // The end stays, so that a finished iterator is not called again.
    if (this.#ahead?.done !== true) this.#ahead = undefined;
    return item;
  }
}
