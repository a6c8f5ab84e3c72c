/** How much one bulk request reads before it yields to other work. */

import assert from "node:assert/strict";
import { type Bytes, concat, textOf } from "../../src/base/bytes.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { Assigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import type { Admission, LogStore, Repeats } from "../../src/gateway/ports.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { randomDigests, TestNetwork, until } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { sealSuspecting } from "./suspecting_run.ts";

/** A slice of {@linkcode FairTurns} is 1 ms. */
const MS_PER_READ = 0.25;
/** Maximum reads of a slice, including its last step, which may have several. */
const MOST_READS = 16;

/** Counts reads of a store, and the maximum in one turn of the event loop. */
class ReadMeter {
  readonly #startMs = systemClock.nowMs();
  #reads = 0;
  #seen = 0;
  most = 0;

  /** Only reads advance the time, so that the test does not depend on speed. */
  readonly clock: Clock = {
    nowMs: () => this.#startMs + this.#reads * MS_PER_READ,
    elapsedMs: () => this.#startMs + this.#reads * MS_PER_READ,
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };

  get reads(): number {
    return this.#reads;
  }

  /** `part` of a store, with counted reads. */
  metered<T extends object>(part: T): T {
    const names = new Set(["bucket", "rows", "rowAt", "roundBefore", "rounds", "firstAbove"]);
    return new Proxy(part, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (names.has(String(name))) this.#reads++;
          return Reflect.apply(value, target, args);
        };
      },
    });
  }

  /** The result of `work`; counts the turns of the event loop. */
  async watch<T>(work: () => Promise<T>): Promise<T> {
    this.#seen = this.#reads;
    this.most = 0;
    const timer = setInterval(() => this.#look(), 0);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      this.#look();
    }
  }

  #look(): void {
    this.most = Math.max(this.most, this.#reads - this.#seen);
    this.#seen = this.#reads;
  }
}

/** An admission that records its charges for repeats. */
class NotedRepeats implements Admission {
  readonly charged: Repeats[] = [];
  readonly client = "a";

  admit(): Bytes {
    return new Uint8Array();
  }

  chargeRepeats(repeats: Repeats): void {
    this.charged.push(repeats);
  }
}

Deno.test("a bulk request that looks up 1,000 digests in the store yields to other work", async () => {
  const suspect = randomDigests(1);
  const log = new MemoryLog();
  sealSuspecting(log, suspect);
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const meter = new ReadMeter();
  const index = await HashIndex.open(meter.metered(store.index), store.rounds, RUN_LEAVES);
  const writes = new StoreWrites(systemClock);
  const committer = new Committer(store.rounds, index, RUN_LEAVES, {
    writes,
    events: { accepted: () => {}, confirmed: () => {}, failed: assert.fail },
  });
  const intake = new Intake(index, new Assigner(index, committer), { clock: meter.clock });
  const admission = new NotedRepeats();
  const request = concat(...Array.from({ length: 1_000 }, () => suspect));
  const sequences = await meter.watch(() => intake.submit(request, admission));
  assert.deepEqual([...new Set(sequences)], [RUN_LEAVES]);
  assert.ok(meter.reads >= 1_000);
  assert.ok(meter.most <= MOST_READS, `${meter.most} reads in one turn`);
  assert.deepEqual(admission.charged, [{ stored: 1_000, recent: 0 }]);
  writes.stop();
});

Deno.test("a bulk answer of 1,000 old jobs reads the store in slices, and is charged before", async () => {
  const folder = await Deno.makeTempDir();
  const network = new TestNetwork();
  const meter = new ReadMeter();
  const open = async (): Promise<LogStore> => {
    const store = await openKvLogStore(`${folder}/log.kv`, "network");
    const { rounds, sths, index } = store;
    const parts = { rounds, sths, index };
    return new Proxy(store, {
      get: (target, name) => {
        const part = parts[name as keyof typeof parts];
        if (part !== undefined) return meter.metered(part);
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  };
  const digests = randomDigests(1_000);
  const first = await network.start(await open());
  for (let at = 0; at < digests.length; at += 32 * 20) {
    const sequences = await first.gateway.jobs.accept(digests.slice(at, at + 32 * 20));
    await first.gateway.jobs.settled(sequences, 30);
  }
  await until(() => first.gateway.log.latest()?.sth.tree_head.tree_size === 1_000);
  await first.gateway.stop();

  const { gateway, faults } = await network.start(await open(), { clock: meter.clock });
  await until(() => gateway.status.health === "ok");
  try {
    const admission = new NotedRepeats();
    const before = meter.reads;
    const { json, waiting } = await meter.watch(() =>
      gateway.jobs.submitAll(digests, undefined, admission)
    );
    assert.equal(waiting, -1);
    assert.equal((JSON.parse(textOf(json)) as unknown[]).length, 1_000);
    // At least one for each round.
    assert.ok(meter.reads - before >= 50);
    assert.ok(meter.most <= MOST_READS, `${meter.most} reads in one turn`);
    assert.deepEqual(admission.charged, [{ stored: 1_000, recent: 0 }]);
    // The rounds are cached by now.
    await gateway.jobs.submitAll(digests, undefined, admission);
    assert.deepEqual(admission.charged[1], { stored: 0, recent: 1_000 });
    // A request of one digest is never charged for it.
    await gateway.jobs.submit(digests.slice(0, 32).toHex(), undefined, admission);
    assert.equal(admission.charged.length, 2);
    assert.deepEqual(faults, []);
  } finally {
    await gateway.stop();
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("bulk answers that are made in turns do not share memory", async () => {
  let ms = systemClock.nowMs();
  // Every step of an answer takes a whole slice.
  const clock: Clock = { ...systemClock, nowMs: () => ms += 5 };
  const network = new TestNetwork("ed25519", 3, 2, clock);
  const { gateway } = await network.start(await openKvLogStore(":memory:", "test"));
  try {
    const lists = [randomDigests(100), randomDigests(100), randomDigests(100)];
    const answer = async (digests: Bytes, client: string) => {
      const admission = { admit: () => new Uint8Array(), client };
      const { json } = await gateway.jobs.submitAll(digests, undefined, admission);
      return JSON.parse(textOf(json)).map(({ hash }: { hash: string }) => hash).join("");
    };
    for (const digests of lists) {
      await gateway.jobs.submitAll(digests, undefined);
      await until(async () => (await gateway.jobs.submitAll(digests, undefined)).waiting < 0);
    }
    assert.deepEqual(
      await Promise.all(lists.map((digests, i) => answer(digests, `client ${i}`))),
      lists.map((digests) => digests.toHex()),
    );
  } finally {
    await gateway.stop();
  }
});
