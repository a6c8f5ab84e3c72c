/**
 * The batches that a gateway lists, from the first one on. The list leads from the latest back, so it
 * is read in windows, each turned round.
 *
 * @module
 */

import type { Batch } from "../format/bundle.ts";
import type { FaultLog } from "./faults.ts";
import { BATCH_PAGE, type PublishedLog } from "./ports.ts";

/** Leaves of a window: as many batches are held at once at most. */
const WINDOW = 2 ** 14;

/** The batches of ids in (0, `size`], ascending. A list that cannot be read is a fault. */
export async function* readBatches(
  log: PublishedLog,
  size: number,
  faults: FaultLog,
): AsyncGenerator<Batch> {
  for (let start = 0; start < size; start += WINDOW) {
    const end = Math.min(start + WINDOW, size);
    const batches: Batch[] = [];
    for (let before = end + 1; before > start + 1;) {
      const page = await log.batches(before);
      if (page === undefined || "damage" in page) {
        faults.add("batch", `below ${before}`, "a list of batches", page?.damage ?? "none");
        return;
      }
      for (const batch of page.value) {
        if (batch.id >= before || batch.id < 1) {
          faults.add("batch", batch.id, `an id below ${before}, the one listed before it`, "more");
          return;
        }
        before = batch.id;
        if (batch.id > start) batches.push(batch);
      }
      if (page.value.length < BATCH_PAGE) break;
    }
    yield* batches.reverse();
  }
}
