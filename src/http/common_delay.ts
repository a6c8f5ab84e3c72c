/**
 * Holds many answers back for about the same time by one timer.
 *
 * @module
 */

/** Resolves those that wait together, from half the time to the whole of it after they came. */
export class CommonDelay {
  readonly #ms: number;
  #waiting: (() => void)[] = [];
  /** Came before the last tick, and leave with the next. */
  #leaving: (() => void)[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#timer ??= setInterval(() => this.#tick(), this.#ms / 2);
    });
  }

  #tick(): void {
    for (const resolve of this.#leaving) resolve();
    this.#leaving = this.#waiting;
    this.#waiting = [];
    if (this.#leaving.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
