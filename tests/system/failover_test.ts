/**
 * A standby takes over a log in PostgreSQL from a gateway that was killed, stopped or suspended. The long
 * version is `failover_run.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { eventually } from "../scenarios/deployment.ts";
import { run } from "../scenarios/program.ts";
import { inFolder } from "../server/captured_io.ts";
import { configOf, FailoverSite } from "./failover_site.ts";

const ENOUGH = 30;
/** Longer than the lease. */
const SUSPENDED_MS = 4_000;

Deno.test("nothing accepted is lost when gateways and the database end, and others take over", async (t) => {
  await using site = await FailoverSite.start("ed25519");
  await site.accept(ENOUGH);

  await t.step("a second gateway that does not stand by is refused", async () => {
    const args = ["serve", "--config", configOf(0), "--data", "third", "--port", "0"];
    const { code, stderr } = await run(args, { cwd: site.deployment.folder });
    assert.equal(code, 1);
    assert.match(stderr, /another gateway is active/);
  });

  await t.step("a standby serves reads, and names the active gateway", async () => {
    const active = await site.active();
    const standby = 1 - active;
    const [known] = site.accepted;
    await eventually("a bundle of the standby", async () => {
      const { status } = await site.ask(standby, `/v1/bundle/${known}`);
      return status === 200 ? true : undefined;
    });
    const refused = await site.submit(standby, known!);
    assert.deepEqual([refused.status, refused.json.code], [503, "standby"]);
    assert.match(refused.json.detail, new RegExp(`http://active-${active}.example/`));
    const health = await site.ask(standby, "/health");
    // The probe of `deploy/kubernetes`.
    assert.equal((await site.ask(standby, "/openapi.json")).status, 200);
    assert.deepEqual([health.status, health.json.status], [503, "standby"]);
  });

  await t.step("a gateway that hands over becomes the standby of the next one", async () => {
    await site.handOver();
    await site.accept(ENOUGH);
  });

  await t.step("the standby takes over when the active one stops", async () => {
    const active = await site.active();
    assert.equal(await site.stopGateway(active), 0);
    await site.accept(ENOUGH);
    await site.startGateway(active);
  });

  await t.step("a standby waits while it cannot read the database", async () => {
    await site.takeOverWithoutReads();
    await site.accept(ENOUGH);
  });

  await t.step(
    "the standby takes over when the active one and the database are killed",
    async () => {
      const active = await site.active();
      await site.postgres.stop("SIGKILL");
      await site.killGateway(active);
      await site.postgres.start();
      await site.isActive(1 - active);
      await site.accept(ENOUGH);
      await site.startGateway(active);
    },
  );

  await t.step("a gateway that was suspended meanwhile ends, and accepts nothing", async () => {
    const active = await site.active();
    const server = site.server(active);
    server.signal("SIGSTOP");
    await pause(SUSPENDED_MS);
    await site.accept(ENOUGH);
    server.signal("SIGCONT");
    assert.equal(await server.ended(), 1);
    assert.match(server.stderr, /another (gateway|process) has taken/);
    site.forget(active);
    await site.startGateway(active);
  });

  assert.deepEqual(await site.check(), []);
  assert.deepEqual(await site.audit(), []);
  await site.resume();

  await t.step(
    "a replica that lacks commits and is promoted is store_rolled_back, before anything is accepted",
    () => promoteOldReplica(site),
  );
});

Deno.test("gateways of several threads stand by, take over and hand over", async (t) => {
  await using site = await FailoverSite.start("ed25519", { fronts: 2 });
  await site.accept(ENOUGH);

  await t.step("a gateway that hands over becomes the standby of the next one", async () => {
    await site.handOver();
    await site.accept(ENOUGH);
  });

  await t.step("the standby takes over when the active one is killed", async () => {
    const active = await site.active();
    await site.killGateway(active);
    await site.accept(ENOUGH);
    await site.startGateway(active);
  });

  await t.step("a standby waits while it cannot read the database", async () => {
    await site.takeOverWithoutReads();
    await site.accept(ENOUGH);
  });

  assert.deepEqual(await site.check(), []);
  // Both stop, one of them as a standby.
  assert.deepEqual(await site.audit(), []);
});

Deno.test("a gateway with its log in its folder has no standby", () =>
  inFolder(async (folder) => {
    const { code, stderr } = await run(["serve", "--standby", "--port", "0"], { cwd: folder });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /Cannot stand by/);
  }));

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Promotes a replica that lacks commits: nothing may be accepted from then on. */
async function promoteOldReplica(site: FailoverSite): Promise<void> {
  await using replica = await site.postgres.startReplica();
  await site.accept(ENOUGH);
  await replica.endReplication();
  await site.passed();
  await site.accept(ENOUGH);
  const active = await site.active();
  const standby = 1 - active;
  const lost = [...site.accepted].at(-1)!;
  // Of what no witness has signed, none could tell.
  await eventually("a hash that the replica lacks is signed", async () => {
    const { json } = await site.ask(active, `/v1/attestations/${lost}`);
    return json.status === "confirmed" || undefined;
  });
  const server = site.server(active);
  await site.postgres.stop("SIGKILL");
  // Its processes may go on for a moment, and answers may be under way. Of what is sent from here on, nothing
  // may be accepted.
  for (const proxy of site.proxies) proxy.switchTo(site.postgres.port);
  await site.passed();
  const accepted = site.accepted.size;
  await replica.promote();
  for (const proxy of site.proxies) proxy.switchTo(replica.port);
  // The gateway was active on both servers: it remembers what the replica lacks.
  assert.equal(await server.ended(), 1);
  assert.match(server.stderr, /replica.*promoted/);
  site.forget(active);
  await eventually("the standby finds the store rolled back", async () => {
    const { json } = await site.ask(standby, "/health");
    return json.status === "store_rolled_back" || undefined;
  });
  for (const hash of [lost, "ab".repeat(32)]) {
    await eventually("the standby refuses because of that", async () => {
      const { status, json } = await site.submit(standby, hash);
      // On a busy machine it may lose the lease meanwhile, and refuses because of that.
      assert.equal(status, 503);
      return json.code === "store_rolled_back" || undefined;
    });
  }
  assert.equal(site.accepted.size, accepted);
}
