/**
 * A front's view of the anchors, in a worker that may only read their folder. Answers with its texts, and
 * with the name of the error of an attempt to open Deno KV.
 *
 * @module
 */

import { systemClock } from "../../src/base/clock.ts";
import type { AnchorsState } from "../../src/gateway/fronts/ports.ts";
import { type AnchorsStart, openFrontAnchors } from "../../src/server/anchoring/front_anchors.ts";
import { nativeCrypto } from "../schemes.ts";
import { anchorTexts } from "./anchor_texts.ts";

/** What the test sends. */
export interface FrontRead {
  readonly start: AnchorsStart;
  readonly state: AnchorsState;
  readonly size: number;
}

self.onmessage = async ({ data: { start, state, size } }: MessageEvent<FrontRead>) => {
  const front = openFrontAnchors(start, {
    crypto: nativeCrypto,
    clock: systemClock,
    damaged: () => {},
  })!;
  front.changed(state);
  const texts = await anchorTexts(front, size);
  const refusal = await Deno.openKv(start.file).then((kv) => kv.close(), ({ name }) => name);
  front.close();
  self.postMessage({ texts, refusal });
};
// Its modules take some turns to load, in which messages would be lost.
self.postMessage("loaded");
