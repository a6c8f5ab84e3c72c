/**
 * Keeps a copy up to date with its log until it is stopped. A failure is reported and tried again; it
 * never reaches the log.
 *
 * @module
 */

import { Backoff } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import { Condition, errorDetails, errorText, type Report } from "../../base/report.ts";
import type { CopyStep } from "./log_copy.ts";

export interface PublisherContext {
  readonly copy: { step(signal: AbortSignal): Promise<CopyStep> };
  readonly clock: Clock;
  readonly report: Report;
  /** Numbers in [0, 1), for pauses. */
  readonly random: () => number;
  /** Resolves when the log may have changed since the last call, or when `signal` aborts. */
  readonly changed: (signal: AbortSignal) => Promise<void>;
}

const PAUSES = { firstMs: 500, longestMs: 60_000 };

/** Copies until `signal` aborts. Never rejects. */
export async function keepPublishing(
  { copy, clock, report, random, changed }: PublisherContext,
  signal: AbortSignal,
): Promise<void> {
  const failing = new Condition({ clock, report });
  const pauses = new Backoff(PAUSES, random);
  while (!signal.aborted) {
    try {
      const { kind, size } = await copy.step(signal);
      failing.ended(`Published up to size ${size}`);
      pauses.reset();
      if (kind === "grown") report(`Published size ${size}`, { level: "debug", tree_size: size });
      if (kind !== "outrun") await changed(signal);
    } catch (error) {
      if (signal.aborted) return;
      failing.holds(errorText(error), { level: "error", ...errorDetails(error) });
      await clock.sleep(pauses.afterFailure(), signal);
    }
  }
}
