/**
 * Control over the time limits of single calls. A machine that stops for some seconds would otherwise
 * end calls that a test expects to succeed.
 *
 * @module
 */

/** Until disposed, `AbortSignal.timeout(ms)` aborts after `limitOf(ms)` milliseconds. */
export class TimeLimits implements Disposable {
  readonly #timeout = AbortSignal.timeout;

  /** @param limitOf by default no call has a limit */
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

/** Parts of a wait. A process that is stopped loses at most one of them. */
const PARTS = 10;

/**
 * Waits for `work`, at most `ms` of this process's running time, and reports whether it is done. Work
 * that was done while the process was stopped still counts.
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
