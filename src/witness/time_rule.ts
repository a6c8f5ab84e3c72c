/**
 * The rule about proposed times of rounds and tree heads (protocol.md "Witness").
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";

/** How far a proposed time may be ahead of the witness's clock. */
export const MAX_SECONDS_AHEAD = 5;

/** How far a proposed time may be behind the witness's clock. */
export const MAX_SECONDS_BEHIND = 60;

/** Rejects with `time_refused` a `timestamp` (Unix seconds) that is too far from `clock`. */
export function checkTime(clock: Clock, action: string, timestamp: number): void {
  const now = unixSeconds(clock);
  if (timestamp >= now - MAX_SECONDS_BEHIND && timestamp <= now + MAX_SECONDS_AHEAD) return;
  throw new CountersignError(
    "time_refused",
    `Cannot ${action}: its time is ${timestamp}, and this witness's clock shows ${now}. Times from ` +
      `${MAX_SECONDS_BEHIND} s before to ${MAX_SECONDS_AHEAD} s after the clock are accepted`,
  );
}
