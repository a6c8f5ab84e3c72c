/**
 * What the runtime gives out by itself, taken from the simulation while one runs: random bytes,
 * ids, the time of day and timers. The product takes its time from an injected clock but for a few
 * limits on single calls (`AbortSignal.timeout`, the tick of held answers), and its random numbers
 * from `crypto`.
 *
 * @module
 */

import type { Happening, Timeline } from "./timeline.ts";
import { MachineClock } from "./timeline.ts";
import type { Random } from "./random.ts";

type Replacements = readonly (readonly [object, string, unknown])[];

/** Runs `body` with all of that replaced; puts it back however that ends. */
export async function inSimulatedRuntime<T>(
  timeline: Timeline,
  random: Random,
  body: () => Promise<T>,
): Promise<T> {
  const undo = [...randomness(random), ...time(timeline)].map(([target, name, value]) => {
    const own = Object.getOwnPropertyDescriptor(target, name);
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    return () => {
      if (own === undefined) delete (target as Record<string, unknown>)[name];
      else Object.defineProperty(target, name, own);
    };
  });
  try {
    return await body();
  } finally {
    for (const restore of undo) restore();
  }
}

function randomness(random: Random): Replacements {
  const fill = <T extends ArrayBufferView>(array: T): T => {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
      .set(random.bytes(array.byteLength));
    return array;
  };
  const newId = () => {
    const hex = random.bytes(16).toHex();
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  };
  return [
    [crypto, "getRandomValues", fill],
    [crypto, "randomUUID", newId],
    [Math, "random", () => random.word() / 2 ** 32],
  ];
}

function time(timeline: Timeline): Replacements {
  const clock = new MachineClock(timeline, "runtime");
  const timers = new Map<number, Happening>();
  let count = 0;
  const start = (run: () => void, ms: number, isRepeated: boolean): number => {
    const id = ++count;
    const wait = () => {
      timers.set(
        id,
        timeline.in(ms, "timer", () => {
          if (isRepeated) wait();
          else timers.delete(id);
          run();
        }),
      );
    };
    wait();
    return id;
  };
  const stop = (id: number | undefined) => {
    timers.get(id ?? 0)?.cancel();
    timers.delete(id ?? 0);
  };
  const timeout = (ms: number): AbortSignal => {
    const controller = new AbortController();
    const reason = new DOMException("Signal timed out.", "TimeoutError");
    timeline.in(ms, "time limit", () => controller.abort(reason));
    return controller.signal;
  };
  return [
    [Date, "now", () => clock.nowMs()],
    [globalThis, "setTimeout", (run: () => void, ms = 0) => start(run, ms, false)],
    [globalThis, "setInterval", (run: () => void, ms = 0) => start(run, ms, true)],
    [globalThis, "clearTimeout", stop],
    [globalThis, "clearInterval", stop],
    [AbortSignal, "timeout", timeout],
  ];
}
