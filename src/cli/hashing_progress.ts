/**
 * Progress bars of large files, on a terminal only.
 *
 * @module
 */

import { printable } from "../format/printable_text.ts";
import process from "node:process";
import type { CommandContext } from "./command_context.ts";

/** Smaller files are hashed before a bar could be read. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;
/** Characters of a name that leave room for the bar on a line of 80. */
const NAME_LENGTH = 30;

/** The bars of one run. */
export interface HashingProgress {
  /** What to tell of the bytes hashed of a file; `undefined` when it is not large. */
  of(name: string): ((bytes: number) => void) | undefined;
  stop(): void;
}

/** What this file uses of cli-progress, which has no types of its own. */
interface Bar {
  update(value: number): void;
  getTotal(): number;
}
interface Bars {
  create(total: number, start: number, payload: { readonly name: string }): Bar;
  remove(bar: Bar): boolean;
  stop(): void;
}

/** Bars for the large ones of files with `lengths`; `undefined` when there are none to show. */
export async function hashingProgress(
  { process: { showsProgress } }: CommandContext,
  lengths: ReadonlyMap<string, number>,
): Promise<HashingProgress | undefined> {
  const hasLarge = [...lengths.values()].some((length) => length >= LARGE_FILE_BYTES);
  if (!showsProgress || !hasLarge) return undefined;
  // Most runs have no use for it.
  const { default: progress } = await import("cli-progress");
  const bars: Bars = new progress.MultiBar({
    format: "{bar} {percentage}%  {name}",
    stream: process.stderr,
    clearOnComplete: true,
    // What an interrupted run must not leave behind: neither is ever changed.
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
