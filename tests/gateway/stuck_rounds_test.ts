/**
 * Rounds that wait for one witness, because another one holds their text and the rest refuse its time.
 *
 * @module
 */

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { CountersignError } from "../../src/base/errors.ts";
import type { Bytes } from "../../src/base/bytes.ts";
import { eachScheme } from "../schemes.ts";
import { randomDigests } from "./fixture.ts";
import { Scenario } from "./scenario.ts";
import { scriptedSigner } from "./scripted_signer.ts";

eachScheme.test("sixteen rounds that wait for one witness keep no later round waiting", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { clock, log, network: { witnesses: [a, b] } } = scenario;
  const started = await scenario.start(scenario.open());
  const { gateway } = started;
  await scenario.submit(gateway, randomDigests(1));
  await scenario.settle(gateway);
  a!.down = b!.down = true;
  for (let i = 0; i < 20; i++) {
    await scenario.submit(gateway, randomDigests(1));
    await clock.advance(300);
  }
  clock.jump(2 * 3600_000);
  // `a` refuses the time of what the third witness signed; `b` is needed too.
  a!.down = false;
  await clock.advance(60_000);
  const stuck = Array.from({ length: 16 }, (_, i) => i + 1);
  assert.deepEqual(stuck.filter((first) => log.rounds.has(first)), []);
  // The four digests that had no round.
  assert.ok(log.rounds.has(17));
  assert.equal(gateway.status.depths.unformed, 0);
  for (let i = 0; i < 3; i++) {
    const [sequence] = await scenario.submit(gateway, randomDigests(1));
    await clock.until(() => log.rounds.has(sequence!), 1_000);
  }
  b!.down = false;
  await scenario.finish(started);
});

Deno.test("rounds that wait for a witness are bounded, and are not sent again for each that is signed", async () => {
  const attempts = new Map<number, number>();
  let isConflict = true;
  // Of three witnesses, one holds another text and the others are away.
  const witness = {
    id: "w",
    client: {
      sign: ({ firstSequence: first }: { readonly firstSequence: number }) => {
        attempts.set(first, (attempts.get(first) ?? 0) + 1);
        return isConflict
          ? Promise.reject(new CountersignError("round_conflict", "another text"))
          : Promise.resolve(new Uint8Array(64));
      },
    },
  };
  const pool = {
    witnesses: [witness, witness, witness],
    threshold: 2,
    witnessOrder: () => ({}),
    collect: async (
      _message: string,
      ask: (who: typeof witness, at: number, signal: AbortSignal) => Promise<Bytes>,
      signal: AbortSignal,
    ) => {
      try {
        await ask(witness, 0, signal);
        return [];
      } catch {
        throw new CountersignError("threshold_not_met", "a conflict, and two witnesses away");
      }
    },
  };
  const { clock, signer, signed } = scriptedSigner(pool);
  let end = 0;
  const advance = async (count: number) => {
    for (let i = 0; i < count; i++) {
      signer.advance(++end);
      await setImmediate();
    }
  };
  await advance(20);
  assert.equal(signer.roundsInFlight, 20);
  assert.equal(signer.isHeld, false);
  isConflict = false;
  await advance(40);
  const firsts = () => signed.map(({ first }) => first);
  assert.deepEqual(firsts(), Array.from({ length: 40 }, (_, i) => 20 + i));
  assert.deepEqual([...attempts.values()], Array(60).fill(1));
  isConflict = true;
  await advance(300);
  assert.equal(signer.roundsInFlight, 256);
  assert.equal(signer.isHeld, true);
  isConflict = false;
  await clock.advance(10_000);
  assert.equal(signer.roundsInFlight, 0);
  assert.equal(new Set(firsts()).size, signed.length);
  assert.equal(signed.reduce((sum, { size }) => sum + size, 0), end);
  signer.stop();
});
