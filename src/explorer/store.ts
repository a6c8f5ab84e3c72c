/**
 * A value that changes, and whose readers are notified.
 *
 * @module
 */

/** Each change replaces the state by another value. */
export class Store<T> {
  #state: T;
  readonly #listeners = new Set<() => void>();

  constructor(initial: T) {
    this.#state = initial;
  }

  get state(): T {
    return this.#state;
  }

  /** Calls `listener` after every change, until the result is called. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected setState(next: T): void {
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}
