/**
 * Progress bars for large files, on a terminal.
 *
 * @module
 */

import { printable } from "../../format/printable_text.ts";
import type { CommandContext } from "../command_context.ts";
import { openBars } from "../progress.ts";

/** Smaller files are hashed too fast for a bar. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;
/** Leaves room for the bar on a line of 80 characters. */
const NAME_LENGTH = 30;

export interface HashingProgress {
  /** Receives the number of hashed bytes of a file; `undefined` if it is not large. */
  of(name: string): ((bytes: number) => void) | undefined;
  stop(): void;
}

/** Bars for the large files among `lengths`; `undefined` if there are none. */
export async function hashingProgress(
  { process: { showsProgress } }: CommandContext,
  lengths: ReadonlyMap<string, number>,
): Promise<HashingProgress | undefined> {
  const hasLarge = [...lengths.values()].some((length) => length >= LARGE_FILE_BYTES);
  if (!showsProgress || !hasLarge) return undefined;
  const bars = await openBars("{bar} {percentage}%  {name}");
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
