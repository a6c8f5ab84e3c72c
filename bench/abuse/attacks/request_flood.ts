/**
 * Whole requests, as many as the connections carry. The answers are read and dropped.
 *
 * @module
 */

import { systemClock } from "../../../src/base/clock.ts";
import { repeat, type Tally } from "../attack.ts";

/** Milliseconds until a refused lane tries again: a flood of 429s would be another attack. */
const RETRY_MS = 50;

/** One request. */
export interface FloodRequest {
  readonly url: URL;
  readonly mediaType: string;
  readonly body: string;
}

/** Posts what `next` makes on `connections` lanes until `signal` aborts. */
export async function floodRequests(
  connections: number,
  next: () => FloodRequest,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  await repeat(connections, signal, () => post(next(), tally, signal));
}

/** Posts one request, and pauses where it was refused or could not be sent. */
export async function post(
  { url, mediaType, body }: FloodRequest,
  tally: Tally,
  signal: AbortSignal,
): Promise<void> {
  const headers = { "Content-Type": mediaType };
  tally.sent++;
  try {
    const answer = await fetch(url, { method: "POST", headers, body, signal });
    await answer.bytes();
    if (answer.status !== 429 && answer.status !== 503) {
      tally.accepted++;
      return;
    }
  } catch {
    if (signal.aborted) return;
  }
  tally.refused++;
  await systemClock.sleep(RETRY_MS);
}
