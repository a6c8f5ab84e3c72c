/**
 * A gateway and its witnesses killed with kill -9 under load, again and again: what was answered with
 * 2xx is there, and nothing signed is contradicted. `crash_run.ts` does it hundreds of times.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { UPPER_NODE_HEIGHT } from "../../src/proof/format/records.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { blsUnlessLong, IS_LONG } from "../long_runs.ts";
import { until } from "../gateway/fixture.ts";
import { nativeCrypto } from "../schemes.ts";
import { checkAccepted } from "./crash_checks.ts";
import { CrashLoop } from "./crash_loop.ts";
import { type Crash, wordsOf } from "./crash_plan.ts";
import { Load } from "./load.ts";

const ACCEPTED_BETWEEN_CRASHES = IS_LONG ? 1_000 : 200;

const atOnce = { delayMs: 0, downMs: 0, againAfterMs: undefined } as const;

const ONE_WITNESS: Crash = { ...atOnce, gateway: false, witnesses: [0], atCosigningOf: 0 };

const CRASHES: readonly Crash[] = [
  { ...atOnce, gateway: true, witnesses: [], atCosigningOf: undefined },
  ...IS_LONG ? [ONE_WITNESS] : [],
  { ...atOnce, gateway: true, witnesses: [0, 1, 2], atCosigningOf: 1, againAfterMs: 150 },
];

blsUnlessLong.test("kill -9 under load loses nothing accepted and contradicts nothing signed", async ({ scheme, t }) => {
  await using loop = await CrashLoop.start(scheme, { seed: "crash test", thinkMs: 0 });
  const { deployment, accepted, counts } = loop;

  for (const crash of CRASHES) {
    await t.step(
      `${wordsOf(crash)}, with ${ACCEPTED_BETWEEN_CRASHES} accepted and many in flight`,
      async () => {
        const heads = loop.headsSeen;
        await loop.crash(crash, ACCEPTED_BETWEEN_CRASHES);
        await until(() => loop.headsSeen > heads);
      },
    );
  }
  assert.ok(counts.leastAccepted >= ACCEPTED_BETWEEN_CRASHES);
  assert.ok(counts.inFlight >= CRASHES.length * Load.CLIENTS / 2, `${counts.inFlight} in flight`);
  assert.ok(
    counts.cosigningKills >= CRASHES.length - 1,
    `${counts.cosigningKills} kills while asked to cosign`,
  );

  await t.step("bundles of any age verify offline", async () => {
    await loop.quiet();
    const network = await deployment.network();
    const hashes = [...accepted];
    const { places } = await checkAccepted(deployment.address, hashes);
    assert.equal(places.size, hashes.length);
    for (
      const hash of [0, 0.25, 0.5, 0.75, 0.999].map((at) => hashes[Math.floor(at * hashes.length)])
    ) {
      const { text } = await deployment.get(`/v1/bundle/${hash}`);
      const verdict = await verifyBundle(nativeCrypto, { network, peers: [] }, parseBundle(text), {
        hash: hash!,
      });
      assert.equal(verdict.level, "batched");
    }
  });

  for await (const { what, violations } of loop.check()) {
    await t.step(`${what}: no violation`, () => assert.deepEqual(violations, []));
  }

  await t.step("one accepted hash lost from the store is found missing", async () => {
    const { hash, neighbours } = await loop.loseOne();
    await deployment.startGateway("--fronts", scheme === "bls" && IS_LONG ? "3" : "0");
    const { violations } = await checkAccepted(deployment.address, [...accepted]);
    const answered = (hashes: readonly string[], status: number) =>
      hashes.filter((hash) => accepted.has(hash))
        .map((hash) => `${hash} was accepted and is answered with ${status}`);
    const lost = answered([hash], 404);
    assert.equal(lost.length, 1);
    // Its neighbours under one node of the round's record cannot be verified, nor can the whole round.
    const unverifiable = answered(neighbours.slice(0, 2 ** UPPER_NODE_HEIGHT - 1), 500);
    assert.deepEqual([...lost, ...unverifiable].filter((one) => !violations.includes(one)), []);
    const damaged = [...lost, ...answered(neighbours, 500)];
    assert.deepEqual(violations.filter((one) => !damaged.includes(one)), []);
    assert.notDeepEqual(await loop.checkStore(), []);
  });
});
