/**
 * Readers of every event, and bursts of new hashes, each of which is an event for each reader.
 *
 * @module
 */

import { systemClock } from "../../../src/base/clock.ts";
import { randomDigests } from "../../digests.ts";
import { type Attack, repeat, type Tally } from "../attack.ts";
import { post } from "./request_flood.ts";
import { readStream } from "./stream_reader.ts";

const BULK = 1_000;
/** Bulk requests of a burst. */
const BURST = 3;
/** Milliseconds until the readers are there, and between two bursts. */
const PAUSE_MS = 1_000;

export const liveFollowers: Attack = async ({ url, connections }, tally, signal) => {
  await Promise.all([
    repeat(connections, signal, () => readStream(url, "", tally, signal)),
    submitBursts(url, tally, signal),
  ]);
};

async function submitBursts(url: string, tally: Tally, signal: AbortSignal): Promise<void> {
  const bulkUrl = new URL("/v1/attestations/batch", url);
  const bulk = () => ({
    url: bulkUrl,
    mediaType: "application/json",
    body: JSON.stringify({
      hashes: Array.from({ length: BULK }, () => randomDigests(1).toHex()),
    }),
  });
  while (!signal.aborted) {
    await systemClock.sleep(PAUSE_MS);
    await Promise.all(Array.from({ length: BURST }, () => post(bulk(), tally, signal)));
  }
}
