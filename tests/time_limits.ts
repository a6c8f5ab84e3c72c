/**
 * The time limits of single calls in the hands of a test. They count what a machine does, and one
 * that is stopped for some seconds would end calls that a test expects to succeed.
 *
 * @module
 */

/** As long as it is in use, `AbortSignal.timeout(ms)` aborts after `limitOf(ms)` milliseconds. */
export class TimeLimits implements Disposable {
  readonly #timeout = AbortSignal.timeout;

  /** Never, unless told otherwise. */
  constructor(limitOf: (ms: number) => number = () => Infinity) {
    AbortSignal.timeout = (ms) => {
      const limitMs = limitOf(ms);
      if (limitMs !== Infinity) return this.#timeout.call(AbortSignal, limitMs);
      return new AbortController().signal;
    };
  }

  [Symbol.dispose](): void {
    AbortSignal.timeout = this.#timeout;
  }
}

/** A wait is of so many parts, and a process that is stopped loses one of them. */
const PARTS = 10;

/**
 * Waits for `work`, but no longer than `ms` in which this process runs; answers whether it was done.
 * What came while the process was stopped is seen before its time is over.
 */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  const done = work.then(() => true);
  for (let part = 0; part < PARTS; part++) {
    let timer;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms / PARTS);
    });
    const isDone = await Promise.race([done, late]);
    clearTimeout(timer);
    if (isDone) return true;
  }
  return false;
}
