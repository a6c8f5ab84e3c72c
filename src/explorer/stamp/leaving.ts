/**
 * The browser's own question before a reader leaves a page with proofs that are not saved.
 *
 * @module
 */

import type { StampQueue } from "./stamp_queue.ts";

/** Listens only while there is something to lose: a listener slows down the way back to the page. */
export function warnBeforeLeaving(stamps: StampQueue): void {
  const warn = (event: Event) => event.preventDefault();
  stamps.rows.subscribe(() => {
    if (stamps.hasUnsaved) addEventListener("beforeunload", warn);
    else removeEventListener("beforeunload", warn);
  });
}
