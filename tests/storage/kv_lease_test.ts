/** The lease of a store without a clock, over a KV Connect server of the tests. */

import assert from "node:assert/strict";
import { LEASE_MS, type TakenLease } from "../../src/gateway/held_lease.ts";
import { openRemoteKv } from "../../src/storage/kv_connect.ts";
import { KvLease } from "../../src/storage/kv_lease.ts";
import { KvFence } from "../../src/storage/log/kv_fence.ts";
import { KV_TOKEN, KvConnectServer } from "./kv_connect_server.ts";

/** Processes, each with its own clock. */
class Leases implements AsyncDisposable {
  readonly server = new KvConnectServer();
  readonly #opened: { close(): void }[] = [];
  elapsedMs = 0;

  async open(): Promise<{ readonly lease: KvLease; readonly fence: KvFence }> {
    const engine = await openRemoteKv({ url: this.server.url, token: KV_TOKEN }, ["lease"]);
    this.#opened.push(engine);
    // Whole, since a sum of fractions can be short of the lease.
    const startMs = Math.floor(Math.random() * 1_000);
    const lease = new KvLease(engine, () => startMs + this.elapsedMs);
    return { lease, fence: new KvFence(engine, (commit) => lease.guard(commit)) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const engine of this.#opened) engine.close();
    await this.server[Symbol.asyncDispose]();
  }
}

const FIRST = { name: "first", url: "https://first.example/" };
const SECOND = { name: "second" };

function epochOf(taken: TakenLease): number {
  assert.ok("epoch" in taken, JSON.stringify(taken));
  return taken.epoch;
}

Deno.test("a lease that is renewed is not taken by another process", async () => {
  await using leases = new Leases();
  const [{ lease: first }, { lease: second }] = [await leases.open(), await leases.open()];
  const epoch = epochOf(await first.take(FIRST));
  for (let round = 0; round < 4; round++) {
    assert.deepEqual(await second.take(SECOND), { heldBy: FIRST, timeline: "" });
    leases.elapsedMs += LEASE_MS - 1;
    assert.ok(await first.renew(epoch));
  }
});

Deno.test("a lease that is not renewed ends after its time, and its holder learns of it", async () => {
  await using leases = new Leases();
  const [{ lease: first }, { lease: second }] = [await leases.open(), await leases.open()];
  const epoch = epochOf(await first.take(FIRST));
  assert.ok("heldBy" in await second.take(SECOND));
  leases.elapsedMs += LEASE_MS - 1;
  assert.ok("heldBy" in await second.take(SECOND));
  leases.elapsedMs += 1;
  assert.equal(epochOf(await second.take(SECOND)), epoch + 1);
  assert.equal(await first.renew(epoch), false);
  // Nor does it end the lease of the other process.
  await first.release();
  assert.ok("heldBy" in await first.take(FIRST));
});

Deno.test("a lease that is given back is taken at once", async () => {
  await using leases = new Leases();
  const [{ lease: first }, { lease: second }] = [await leases.open(), await leases.open()];
  await first.take(FIRST);
  assert.ok("heldBy" in await second.take(SECOND));
  await first.release();
  epochOf(await second.take(SECOND));
});

Deno.test("of processes that take a lease at once, one gets it", async () => {
  await using leases = new Leases();
  const opened = await Promise.all([1, 2, 3, 4].map(() => leases.open()));
  const taken = await Promise.all(opened.map(({ lease }) => lease.take(SECOND)));
  assert.equal(taken.filter((one) => "epoch" in one).length, 1);
});

Deno.test("a lease is taken and renewed although the answers of the server were lost", async () => {
  await using leases = new Leases();
  const { lease } = await leases.open();
  leases.server.faults.push("lost answer");
  const epoch = epochOf(await lease.take(FIRST));
  leases.server.faults.push("lost answer", "unavailable");
  assert.ok(await lease.renew(epoch));
  assert.ok(await lease.renew(epoch));
});

Deno.test("a process that has lost its lease does not take the fence", async () => {
  await using leases = new Leases();
  const [first, second] = [await leases.open(), await leases.open()];
  await first.lease.take(FIRST);
  await first.fence.take();
  await second.lease.take(SECOND);
  leases.elapsedMs += LEASE_MS;
  epochOf(await second.lease.take(SECOND));
  await second.fence.take();
  await assert.rejects(first.fence.take(), { code: "fence_lost" });
  await second.fence.check();
});
