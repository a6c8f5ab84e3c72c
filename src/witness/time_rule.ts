/**
 * The rule about proposed times of rounds and tree heads (protocol.md "Witness").
 *
 * @module
 */

import { type Clock, unixSeconds } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import { MAX_SECONDS_AHEAD, MAX_SECONDS_BEHIND } from "../proof/format/witness_request.ts";

/** Rejects with `time_refused` a `timestamp` (Unix seconds) that is too far from `clock`. */
export function checkTime(
  clock: Clock,
  action: string,
  timestamp: number,
  behind = MAX_SECONDS_BEHIND,
): void {
  const now = unixSeconds(clock);
  if (timestamp >= now - behind && timestamp <= now + MAX_SECONDS_AHEAD) return;
  throw new CountersignError(
    "time_refused",
    `Cannot ${action}: its time is ${timestamp}, and this witness's clock shows ${now}. Times from ` +
      `${behind} s before to ${MAX_SECONDS_AHEAD} s after the clock are accepted`,
  );
}
