/**
 * Refusals of a witness, and the rule about proposed times that rounds and heads share.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";

/** How far a proposed time may be ahead of the witness's clock, in seconds. */
export const MAX_SECONDS_AHEAD = 5;

/** How far a proposed time may be behind the witness's clock, in seconds. */
export const MAX_SECONDS_BEHIND = 60;

/** Refuses with `time_refused` a `timestamp` (Unix seconds) that is too far from `clock`. */
export function checkTime(clock: Clock, what: string, timestamp: number): void {
  const now = unixSeconds(clock);
  if (timestamp > now + MAX_SECONDS_AHEAD || timestamp < now - MAX_SECONDS_BEHIND) {
    throw refuse(
      "time_refused",
      what,
      `a time from ${now - MAX_SECONDS_BEHIND} to ${now + MAX_SECONDS_AHEAD}`,
      String(timestamp),
    );
  }
}

/** An error with `code`: what cannot be done, and why. */
export function refuse(
  code: ErrorCode,
  what: string,
  required: string,
  found: string,
): CountersignError {
  return new CountersignError(code, `Cannot ${what}: ${required} required, ${found} found`);
}
