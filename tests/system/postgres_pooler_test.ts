/**
 * Gateways that reach PostgreSQL through a pooler in transaction mode.
 *
 * @module
 */

import assert from "node:assert/strict";
import { eventually } from "../scenarios/deployment.ts";
import { IS_LONG } from "../long_runs.ts";
import { FailoverSite } from "./failover_site.ts";

const ENOUGH = 10;

/** A pooler refuses settings of a client unless it is told to ignore them. */
const POOLERS = IS_LONG ? [[], ["ignore_startup_parameters = options"]] : [[]];

for (const pooled of POOLERS) {
  const name = pooled.join() || "that refuses the client's settings";
  Deno.test(`through a pooler ${name}, a standby takes over and nothing is lost`, async (t) => {
    await using site = await FailoverSite.start("ed25519", { pooled, witnesses: 1 });
    await site.accept(ENOUGH);

    await t.step("the active gateway hands over", async () => {
      await site.handOver();
      await site.accept(ENOUGH);
    });

    await t.step("the active gateway is killed", async () => {
      const active = await site.active();
      await site.killGateway(active);
      await site.accept(ENOUGH);
      await site.startGateway(active);
    });

    // Their connections do share sessions, which reject the names of statements.
    await eventually("a session rejects the name of a statement", () => {
      const isRejected = /prepared statement "countersign_[0-9a-f]{32}"/.test(site.postgres.log);
      return Promise.resolve(isRejected || undefined);
    });

    await t.step("the database is killed", async () => {
      await site.postgres.stop("SIGKILL");
      await site.postgres.start();
      await site.accept(ENOUGH);
    });

    await t.step("the pooler is killed", async () => {
      await site.pooler!.kill();
      await site.pooler!.start();
      await site.accept(ENOUGH);
    });

    assert.deepEqual(await site.check(), []);
    assert.deepEqual(await site.audit(), []);
  });
}
