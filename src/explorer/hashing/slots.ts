/**
 * Bounds how much of one kind of work runs at once: a browser has six connections to a site, and a
 * machine few cores.
 *
 * @module
 */

/** A number of places, handed out in order of arrival. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** What `work` answers, once there is a place. Rejects unstarted work at once when `signal` aborts. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      // The place goes to the one who waits longest, without being free in between.
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(signal.reason);
      };
      const take = () => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(take);
    });
  }
}
