import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import {
  HeldLease,
  LEASE_MS,
  type LeaseHolder,
  type LeaseStore,
} from "../../src/gateway/held_lease.ts";
import { FakeClock } from "../fake_clock.ts";
import { LogLines } from "../log_lines.ts";
import { randomDigests, TestNetwork } from "./fixture.ts";
import { memoryStore } from "./fixture.ts";

/** A lease by the clock of a store, which a test can cut off. */
class ClockedLease implements LeaseStore {
  isReachable = true;
  /** How long an answer to a renewal is on its way. */
  answerMs = 0;
  readonly #clock: FakeClock;
  #held: { readonly epoch: number; readonly holder: LeaseHolder; readonly endMs: number };

  constructor(clock: FakeClock) {
    this.#clock = clock;
    this.#held = { epoch: 0, holder: { name: "nobody" }, endMs: -Infinity };
  }

  // deno-lint-ignore require-await -- rejects where it throws
  async reach() {
    this.#requireReachable();
  }

  take(holder: LeaseHolder) {
    this.#requireReachable();
    if (this.isHeld) return Promise.resolve({ heldBy: this.#held.holder, timeline: "1" });
    this.#held = { epoch: this.#held.epoch + 1, holder, endMs: this.#endMs };
    return Promise.resolve({ epoch: this.#held.epoch, timeline: "1" });
  }

  async renew(epoch: number) {
    this.#requireReachable();
    if (this.#held.epoch !== epoch) return false;
    this.#held = { ...this.#held, endMs: this.#endMs };
    await this.#clock.sleep(this.answerMs);
    return true;
  }

  // deno-lint-ignore require-await -- rejects where it throws
  async release(epoch: number) {
    this.#requireReachable();
    if (this.#held.epoch === epoch) this.#held = { ...this.#held, endMs: -Infinity };
  }

  get isHeld(): boolean {
    return this.#clock.nowMs() < this.#held.endMs;
  }

  get #endMs(): number {
    return this.#clock.nowMs() + LEASE_MS;
  }

  #requireReachable(): void {
    if (!this.isReachable) throw new CountersignError("storage_failed", "Cannot reach the store");
  }
}

async function taken(store: LeaseStore, clock: FakeClock, log = new LogLines()) {
  const context = { store, clock, report: log.report };
  const lease = await HeldLease.take(context, { name: "first" });
  assert.ok(lease instanceof HeldLease);
  const stop = new AbortController();
  const changes: boolean[] = [];
  const running = lease.run(() => changes.push(lease.isLive), stop.signal);
  running.catch(() => {});
  return { lease, running, stop, changes, context };
}

Deno.test("a renewed lease does not end, and is given back", async () => {
  const clock = new FakeClock();
  const store = new ClockedLease(clock);
  const { lease, running, stop, changes, context } = await taken(store, clock);
  await clock.advance(20 * LEASE_MS);
  assert.ok(lease.isLive);
  const refused = await HeldLease.take(context, { name: "second" });
  assert.deepEqual(refused, { heldBy: { name: "first" }, timeline: "1" });
  stop.abort();
  await running;
  assert.ok(!lease.isLive && !store.isHeld);
  assert.deepEqual(changes, []);
});

Deno.test("a holder that cannot renew stops before the lease ends, and goes on when it can", async () => {
  const clock = new FakeClock();
  const store = new ClockedLease(clock);
  const { lease, running, stop, changes } = await taken(store, clock);
  await clock.advance(1_200);
  store.isReachable = false;
  for (let ms = 0; ms < 2 * LEASE_MS; ms += 10) {
    await clock.advance(10);
    assert.ok(store.isHeld || !lease.isLive, `after ${ms} ms`);
  }
  assert.deepEqual(changes, [false]);
  store.isReachable = true;
  // Before a standby takes over, which waits 1 s.
  await clock.advance(200);
  assert.deepEqual(changes, [false, true]);
  stop.abort();
  await running;
});

Deno.test("a lease lasts from the request for it, however late the answer comes", async () => {
  const clock = new FakeClock();
  const store = new ClockedLease(clock);
  const { lease, running, stop } = await taken(store, clock);
  store.answerMs = 900;
  for (let ms = 0; ms < 5 * LEASE_MS; ms += 10) {
    if (ms === 3 * LEASE_MS) store.isReachable = false;
    await clock.advance(10);
    assert.ok(store.isHeld || !lease.isLive, `after ${ms} ms`);
  }
  assert.ok(!lease.isLive);
  stop.abort();
  await running;
});

Deno.test("a holder that slept while another one took the lease ends with fence_lost", async () => {
  const clock = new FakeClock();
  const store = new ClockedLease(clock);
  const { lease, running, context } = await taken(store, clock);
  await clock.advance(700);
  // A stopped process: time passes, and none of its timers fires.
  clock.stopFor(5 * LEASE_MS);
  assert.ok(!lease.isLive);
  assert.ok(await HeldLease.take(context, { name: "second" }) instanceof HeldLease);
  await clock.advance(500);
  await assert.rejects(running, { code: "fence_lost" });
  assert.ok(!lease.isLive);
});

Deno.test("without the lease, a gateway acknowledges neither new hashes nor known ones", async () => {
  const network = new TestNetwork();
  const store = await memoryStore();
  let isActive = true;
  const { gateway } = await network.start(store, { isActive: () => isActive });
  const [known, fresh] = [randomDigests(1).toHex(), randomDigests(1).toHex()];
  await gateway.jobs.submit(known, 10);
  // Without activeChanged(): a process that was suspended may answer before its timers fire.
  isActive = false;
  const standby = { code: "standby" };
  await assert.rejects(async () => await gateway.jobs.submit(known, undefined), standby);
  await assert.rejects(async () => await gateway.jobs.submit(fresh, undefined), standby);
  assert.equal(gateway.status.health, "standby");
  assert.ok(await gateway.jobs.get(known, undefined));
  isActive = true;
  gateway.activeChanged();
  await gateway.jobs.submit(fresh, 10);
  await gateway.stop();
});

Deno.test("without the lease, a gateway says of no hash that it is unknown", async () => {
  const network = new TestNetwork();
  let isActive = true;
  let failure: string | undefined;
  const { gateway } = await network.start(await memoryStore(), {
    isActive: () => isActive,
    leaseFailure: () => failure,
  });
  const [known, unknown] = [randomDigests(1).toHex(), randomDigests(1).toHex()];
  await gateway.jobs.submit(known, 10);
  const { jobs, proofs, log } = gateway.served;
  const read = async (hash: string) => await jobs.get(hash, undefined);
  await assert.rejects(read(unknown), { code: "hash_unknown" });
  isActive = false;
  assert.ok(await read(known));
  await assert.rejects(read(unknown), { code: "standby" });
  await assert.rejects(async () => await proofs.bundle(unknown), { code: "standby" });
  await assert.rejects(async () => await log.tile(0, 99, 1), { code: "standby" });
  // No gateway needs to have taken over.
  failure = "Connection refused";
  gateway.activeChanged();
  assert.equal(gateway.status.health, "storage_failed");
  await assert.rejects(read(unknown), { code: "storage_failed", message: /database.*not answer/ });
  failure = undefined;
  isActive = true;
  gateway.activeChanged();
  assert.equal(gateway.status.health, "ok");
  await assert.rejects(read(unknown), { code: "hash_unknown" });
  await gateway.stop();
});

Deno.test("a hash that was committed while the lease was lost is not acknowledged", async () => {
  const network = new TestNetwork();
  const store = await memoryStore();
  let isActive = true;
  const committing = Promise.withResolvers<void>();
  const { rounds } = store;
  const commit = rounds.commit.bind(rounds);
  rounds.commit = async (...change) => {
    const outcome = await commit(...change);
    isActive = false;
    committing.resolve();
    return outcome;
  };
  const { gateway } = await network.start(store, { isActive: () => isActive });
  const submitted = gateway.jobs.submit(randomDigests(1).toHex(), undefined);
  await assert.rejects(async () => await submitted, { code: "standby" });
  await committing.promise;
  await gateway.stop();
});
