/**
 * Bodies of 64 KiB to `/v1/verify` that hold 32,767 JSON values and no SignedAttestation.
 *
 * @module
 */

import type { Attack } from "../attack.ts";
import { floodRequests } from "./request_flood.ts";

const BODY = `[${"0,".repeat(32_766)}0]`;

export const verifyValues: Attack = async ({ url, connections }, tally, signal) => {
  const request = {
    url: new URL("/v1/verify", url),
    mediaType: "application/json",
    body: BODY,
  };
  await floodRequests(connections, () => request, tally, signal);
};
