/**
 * Shortens long time-outs, so that the program itself can be tested with them.
 *
 * @module
 */

/** Until disposed of, timers of a second and more take a hundredth of their time. */
export function shortenTimers(): Disposable {
  const { setTimeout } = globalThis;
  globalThis.setTimeout =
    ((handler: () => void, ms = 0, ...args: unknown[]) =>
      setTimeout(handler, ms < 1000 ? ms : ms / 100, ...args as [])) as typeof setTimeout;
  return {
    [Symbol.dispose]() {
      globalThis.setTimeout = setTimeout;
    },
  };
}
