/**
 * No byte of a token can be changed, and no part of it cut out, so that it still verifies.
 *
 * @module
 */

import assert from "node:assert/strict";
import { authority, DIGEST, verdictOn } from "./fixture.ts";

/** Changed bits: of each place one of these, by turns, so that a run stays short. */
const MASKS = [0x01, 0x80, 0x10, 0xff, 0x02, 0x40, 0x20];
/** Every value of DER is met, and a run takes seconds; 1 is for a look at every place. */
const STEP = 5;
const CUTS = 50;

Deno.test("a token with a byte changed anywhere fails", async () => {
  // Without the root and without unsigned attributes, which nobody signs: all of it counts.
  const token = await authority.token(DIGEST);
  assert.equal((await verdictOn(token)).status, "verified");
  const survivors: number[] = [];
  for (let place = 0; place < token.length; place += STEP) {
    const changed = token.slice();
    changed[place]! ^= MASKS[(place / STEP) % MASKS.length]!;
    if ((await verdictOn(changed)).status !== "failed") survivors.push(place);
  }
  assert.deepEqual(survivors, []);
});

Deno.test("a token with bytes removed, repeated or truncated fails", async () => {
  const token = await authority.token(DIGEST);
  const step = Math.ceil(token.length / CUTS);
  for (let place = 0; place < token.length; place += step) {
    const [head, tail] = [token.slice(0, place), token.slice(place)];
    for (
      const changed of [
        head,
        tail.slice(place === 0 ? 1 : 0),
        new Uint8Array([...head, ...tail.slice(1)]),
        new Uint8Array([...head, tail[0]!, ...tail]),
        new Uint8Array([...head, ...tail.slice(step)]),
      ]
    ) assert.equal((await verdictOn(changed)).status, "failed", `at ${place}`);
  }
});
