/**
 * Anyone's refreshes of the public checkpoint at the witnesses, by `POST /add-checkpoint`.
 *
 * @module
 */

import { systemClock } from "../../../src/base/clock.ts";
import { encodeAddCheckpoint } from "../../../src/proof/format/add_checkpoint.ts";
import { parseNote } from "../../../src/proof/format/note.ts";
import type { Attack } from "../attack.ts";
import { floodRequests } from "./request_flood.ts";

/** Milliseconds between two looks at the gateway's checkpoint. */
const LOOK_MS = 50;

export const checkpointRefreshes: Attack = async (plan, tally, signal) => {
  const urls = plan.witnessUrls.map((url) => new URL("/add-checkpoint", url));
  let body = await refresh(plan.url);
  const follow = async () => {
    while (!signal.aborted) {
      await systemClock.sleep(LOOK_MS);
      body = await refresh(plan.url);
    }
  };
  let asked = 0;
  const next = () => ({ url: urls[asked++ % urls.length]!, mediaType: "text/plain", body });
  await Promise.all([follow(), floodRequests(plan.connections, next, tally, signal)]);
};

/** Asks for another cosignature of the latest head, from that head on. */
async function refresh(url: string): Promise<string> {
  const checkpoint = parseNote(await (await fetch(new URL("/checkpoint", url))).text());
  const [, size] = checkpoint.text.split("\n");
  return encodeAddCheckpoint({ oldSize: Number(size), consistencyPath: [], checkpoint });
}
