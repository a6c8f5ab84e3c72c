/**
 * Reading a stream one ahead.
 *
 * @module
 */

/** The items of a stream, the next of which can be seen before it is taken. */
export class Cursor<T> {
  readonly #items: AsyncIterator<T>;
  #ahead: IteratorResult<T> | undefined;

  constructor(items: AsyncIterable<T>) {
    this.#items = items[Symbol.asyncIterator]();
  }

  /** The next item, which stays the next; `undefined` at the end. */
  async peek(): Promise<T | undefined> {
    this.#ahead ??= await this.#items.next();
    return this.#ahead.done ? undefined : this.#ahead.value;
  }

  /** Takes the next item; `undefined` at the end. */
  async next(): Promise<T | undefined> {
    const item = await this.peek();
    // At the end there is nothing to take, and an iterator that ended is not asked again.
    if (this.#ahead?.done !== true) this.#ahead = undefined;
    return item;
  }
}
