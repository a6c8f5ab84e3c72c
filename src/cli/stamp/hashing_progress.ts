/**
 * Progress bars for large files, on a terminal.
 *
 * @module
 */

import { printable } from "../../format/printable_text.ts";
import process from "node:process";
import type { CommandContext } from "../command_context.ts";

/** Smaller files are hashed too fast for a bar. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;
/** Leaves room for the bar on a line of 80 characters. */
const NAME_LENGTH = 30;

export interface HashingProgress {
  /** Receives the number of hashed bytes of a file; `undefined` if it is not large. */
  of(name: string): ((bytes: number) => void) | undefined;
  stop(): void;
}

/** cli-progress has no types. */
interface Bar {
  update(value: number): void;
}
interface Bars {
  create(total: number, start: number, payload: { readonly name: string }): Bar;
  remove(bar: Bar): boolean;
  stop(): void;
}

/** Bars for the large files among `lengths`; `undefined` if there are none. */
export async function hashingProgress(
  { process: { showsProgress } }: CommandContext,
  lengths: ReadonlyMap<string, number>,
): Promise<HashingProgress | undefined> {
  const hasLarge = [...lengths.values()].some((length) => length >= LARGE_FILE_BYTES);
  if (!showsProgress || !hasLarge) return undefined;
  // Most runs do not need it.
  const { default: progress } = await import("cli-progress");
  const bars: Bars = new progress.MultiBar({
    format: "{bar} {percentage}%  {name}",
    stream: process.stderr,
    clearOnComplete: true,
    // An interrupted run must not leave the terminal changed.
    hideCursor: false,
    linewrap: true,
  }, progress.Presets.shades_classic);
  return {
    of(name) {
      const length = lengths.get(name) ?? 0;
      if (length < LARGE_FILE_BYTES) return undefined;
      const bar = bars.create(length, 0, { name: printable(name).slice(0, NAME_LENGTH) });
      return (bytes) => {
        bar.update(bytes);
        if (bytes >= length) bars.remove(bar);
      };
    },
    stop: () => bars.stop(),
  };
}
