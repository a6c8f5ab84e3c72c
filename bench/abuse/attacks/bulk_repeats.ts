/**
 * Bulk requests for 1,000 hashes of the log, which cost no token and no new leaf.
 *
 * @module
 */

import { numberedDigests } from "../../digests.ts";
import type { Attack } from "../attack.ts";
import { floodRequests } from "./request_flood.ts";

const HASHES = 1_000;

export const bulkRepeats: Attack = async (
  { url, connections, knownDigests },
  tally,
  signal,
) => {
  const bulkUrl = new URL("/v1/attestations/batch", url);
  await floodRequests(
    connections,
    () => ({
      url: bulkUrl,
      mediaType: "application/json",
      body: JSON.stringify({ hashes: someOf(knownDigests) }),
    }),
    tally,
    signal,
  );
};

/** Hashes at equal distances over the whole log; always the same ones in a small log. */
function someOf(knownDigests: number): string[] {
  const step = Math.floor(knownDigests / HASHES);
  const first = 1 + Math.floor(Math.random() * step);
  return Array.from({ length: HASHES }, (_, i) => numberedDigests(1, first + i * step).toHex());
}
