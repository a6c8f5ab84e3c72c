/**
 * A gateway, its witnesses and the PostgreSQL server of its log killed with kill -9 under load. The long
 * version is `deno task crash --store postgres`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { checkAccepted } from "../scenarios/crash_checks.ts";
import { CrashLoop } from "../scenarios/crash_loop.ts";
import { type Crash, wordsOf } from "../scenarios/crash_plan.ts";
import { IS_LONG } from "../long_runs.ts";
import { PostgresServer } from "./postgres_server.ts";

const ACCEPTED_BETWEEN_CRASHES = 100;

const atOnce = {
  atCosigningOf: undefined,
  delayMs: 0,
  downMs: 0,
  againAfterMs: undefined,
} as const;

/** Short runs leave a crash of the gateway alone to `crash_test.ts`. */
const CRASHES: readonly Crash[] = [
  { ...atOnce, gateway: false, witnesses: [], database: true },
  ...(IS_LONG ? [{ ...atOnce, gateway: true, witnesses: [] }] : []),
  { ...atOnce, gateway: true, witnesses: [0], atCosigningOf: 0, database: true, againAfterMs: 150 },
];

Deno.test("kill -9 of gateway and database loses nothing accepted and contradicts nothing signed", async (t) => {
  await using postgres = await PostgresServer.start();
  await using loop = await CrashLoop.start("ed25519", {
    seed: "postgres crash test",
    thinkMs: 200,
    fronts: [1, 0],
    postgres,
  });
  for (const crash of CRASHES) {
    await t.step(wordsOf(crash), () => loop.crash(crash, ACCEPTED_BETWEEN_CRASHES));
  }
  assert.ok(loop.counts.databaseKills >= 2, `${loop.counts.databaseKills} kills of the database`);
  for await (const { what, violations } of loop.check()) {
    await t.step(`${what}: no violation`, () => assert.deepEqual(violations, []));
  }

  await t.step("one accepted hash lost from the database is found missing", async () => {
    const { hash } = await loop.loseOne();
    await loop.deployment.startGateway();
    const { violations } = await checkAccepted(loop.deployment.address, loop.accepted);
    const isFound = violations.includes(`${hash} was accepted and is answered with 404`);
    assert.equal(isFound, loop.accepted.has(hash), violations.join("\n"));
    assert.notDeepEqual(await loop.checkStore(), []);
  });
});
