/**
 * A value that changes, and whose readers are notified.
 *
 * @module
 */

/** Something that can be read and watched. */
export interface Readable<T> {
  readonly state: T;
  /** Calls `listener` after every change, until the result is called. */
  subscribe(listener: () => void): () => void;
}

/** The readers of a value. */
export class Listeners {
  readonly #listeners = new Set<() => void>();

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Each change replaces the state by another value. */
export class Store<T> extends Listeners implements Readable<T> {
  #state: T;

  constructor(initial: T) {
    super();
    this.#state = initial;
  }

  get state(): T {
    return this.#state;
  }

  protected setState(next: T): void {
    this.#state = next;
    this.notify();
  }
}
