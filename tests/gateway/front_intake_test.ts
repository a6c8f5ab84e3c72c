/** The two halves of intake: look-ups and admission in fronts, assignment in the sequencer's thread. */

import assert from "node:assert/strict";
import { type Bytes, concat } from "../../src/base/bytes.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { Assigned, AssignRequest, SequencerLink } from "../../src/gateway/fronts/ports.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { IndexReplica } from "../../src/gateway/index/index_replica.ts";
import { wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import type { TraceContext, Tracer } from "../../src/gateway/tracer.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { SpentIds } from "../../src/gateway/index/spent_ids.ts";
import { Assigner, LinkAssigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import type { Admission, Repeats } from "../../src/gateway/ports.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";
import { Spending } from "./spending.ts";
import { withWrites } from "./store_writes.ts";

const MAX_BACKLOG = 65_536;

/** The sequencer's half over `log`. */
async function openSequencer(log = new MemoryLog(KV_LOG_LIMITS)) {
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const index = await HashIndex.open(store.index, store.rounds, log.end);
  const spent = await SpentIds.open(store, log.end);
  const committer = new Committer(store.rounds, index, log.end, {
    writes: new StoreWrites(new FakeClock()),
    spent,
    events: { accepted: () => {}, confirmed: () => {}, failed: assert.fail },
  });
  const assigner = new Assigner(index, committer, spent);
  return { store, index, spent, committer, assigner };
}

type SequencerHalf = Awaited<ReturnType<typeof openSequencer>>;

/** A front's half. It sees progress when it catches up, and when an assign is answered. */
class FrontHalf implements SequencerLink {
  durable: number;
  backlog = 0;
  /** Requests to the sequencer. */
  readonly requests: AssignRequest[] = [];
  /** Delays requests on their way. */
  gate: Promise<void> = Promise.resolve();
  readonly intake: Intake;
  readonly #sequencer: SequencerHalf;
  readonly #index: IndexReplica;
  readonly #spent: IndexReplica;

  constructor(sequencer: SequencerHalf, tracer?: Pick<Tracer, "currentRequest">) {
    const { store, index, spent, committer } = sequencer;
    this.#sequencer = sequencer;
    this.durable = committer.durable;
    const noRows = { rows: () => Promise.resolve([]) };
    this.#index = new IndexReplica(index.shared, { sealed: store.index, source: store.rounds });
    this.#spent = new IndexReplica(spent.index.shared, {
      sealed: store.spentIndex,
      source: noRows,
    });
    const source = new LinkAssigner(this, this, tracer);
    this.intake = new Intake(this.#index, source, { spent: this.#spent });
  }

  async assign(request: AssignRequest): Promise<Assigned | undefined> {
    this.requests.push(request);
    await this.gate;
    const { assigner, committer } = this.#sequencer;
    const assigned = assigner.assign(request);
    if (assigned === undefined) return undefined;
    await committer.whenDurable(Math.max(...assigned.sequences) + 1);
    this.catchUp();
    return assigned;
  }

  catchUp(): void {
    const { index, spent, committer } = this.#sequencer;
    this.#index.update(index.shared);
    this.#spent.update(spent.index.shared);
    this.durable = committer.durable;
    this.backlog = committer.backlog;
  }
}

const never: Admission = { admit: () => assert.fail("a known digest was admitted") };

Deno.test("a front answers durable digests itself, and has others assigned", async () => {
  const sequencer = await openSequencer();
  const [a, b] = [new FrontHalf(sequencer), new FrontHalf(sequencer)];
  const digests = randomDigests(3);
  const asked = new Spending(new Uint8Array());
  assert.deepEqual(await a.intake.submit(partOf(digests, 0, 1), asked), [0]);
  assert.deepEqual(asked.asked, [[0]]);
  // Known to be durable by one front only.
  assert.equal(a.intake.take(wordsOf(digests.slice()), 0, never), 0);
  assert.equal(a.requests.length, 1);
  assert.equal(await b.intake.take(wordsOf(digests.slice()), 0, never), 0);
  assert.equal(b.requests.length, 1);
  assert.equal(b.intake.take(wordsOf(digests.slice()), 0, never), 0);

  const words = wordsOf(digests.slice());
  const second = a.intake.take(words, 1, { admit: () => new Uint8Array() });
  // The caller reuses the array at once.
  words.fill(0);
  assert.equal(await second, 1);
  const mixed = concat(digests, partOf(digests, 2, 1));
  const charged: Repeats[] = [];
  const positions: (readonly number[])[] = [];
  const sequences = await b.intake.submit(mixed, {
    admit: (indexes) => {
      positions.push(indexes);
      return new Uint8Array();
    },
    chargeRepeats: (repeats) => charged.push(repeats),
  });
  assert.deepEqual(sequences, [0, 1, 2, 2]);
  assert.deepEqual(positions, [[2]]);
  assert.deepEqual(charged, [{ stored: 0, recent: 2 }]);
  assert.deepEqual(b.requests.at(-1)!.digests, mixed.slice(32));
  assert.equal(sequencer.index.end, 3);
});

Deno.test("a front sends the trace of a traced request with its digests", async () => {
  const trace = { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 };
  let current: TraceContext | undefined = trace;
  const tracer = { currentRequest: () => current };
  const front = new FrontHalf(await openSequencer(), tracer);
  assert.equal(await front.intake.take(wordsOf(randomDigests(1)), 0), 0);
  await front.intake.submit(randomDigests(2));
  current = undefined;
  await front.intake.submit(randomDigests(1));
  assert.deepEqual(front.requests.map((request) => request.trace), [trace, trace, undefined]);
});

Deno.test("of two fronts with one new digest, one has its token redeemed", async () => {
  const sequencer = await openSequencer();
  const fronts = [new FrontHalf(sequencer), new FrontHalf(sequencer)];
  const [digest, ids] = [randomDigests(1), randomDigests(2)];
  const sent = Promise.withResolvers<void>();
  const answers = fronts.map((front, i) => {
    front.gate = sent.promise;
    return front.intake.submit(digest, new Spending(partOf(ids, i, 1)));
  });
  await systemClock.sleep(0);
  assert.deepEqual(fronts.map(({ requests }) => requests.length), [1, 1]);
  sent.resolve();
  assert.deepEqual(await Promise.all(answers), [[0], [0]]);
  assert.equal(sequencer.spent.index.end, 1);
  // Known digests and new ones in one request: the tokens of the new ones are checked.
  const more = randomDigests(2);
  const request = concat(digest, more);
  const spent = concat(randomDigests(2), partOf(ids, 0, 1));
  await assert.rejects(fronts[1]!.intake.submit(request, new Spending(spent)), {
    code: "token_spent",
    message: new RegExp(partOf(more, 1, 1).toHex()),
  });
  assert.equal(sequencer.index.end, 1);
  const unspent = concat(randomDigests(2), partOf(ids, 1, 1));
  const accepted = await fronts[1]!.intake.submit(request, new Spending(unspent));
  assert.deepEqual(accepted, [0, 1, 2]);
  assert.equal(sequencer.spent.index.end, 3);
});

/** An open admission that counts new digests as a budget does. */
class Budget implements Admission {
  charged = 0;

  admit(positions: readonly number[]): Bytes {
    this.charged += positions.length;
    return new Uint8Array();
  }

  repeated(count: number): void {
    this.charged -= count;
  }
}

Deno.test("of requests for one new digest at the same time, one is charged", async () => {
  const sequencer = await openSequencer();
  const fronts = [new FrontHalf(sequencer), new FrontHalf(sequencer)];
  const digests = randomDigests(4);
  const sent = Promise.withResolvers<void>();
  for (const front of fronts) front.gate = sent.promise;
  const budgets = Array.from({ length: 5 }, () => new Budget());
  const [a, b] = fronts.map(({ intake }) => intake);
  const answers = [
    a!.take(wordsOf(digests.slice()), 0, budgets[0]),
    b!.take(wordsOf(digests.slice()), 0, budgets[1]),
    a!.submit(digests, budgets[2]),
    b!.submit(digests.slice(32), budgets[3]),
    b!.submit(concat(digests.slice(96), digests.slice(96)), budgets[4]),
  ];
  await systemClock.sleep(0);
  assert.deepEqual(budgets.map(({ charged }) => charged), [1, 1, 4, 3, 1]);
  sent.resolve();
  await Promise.all(answers);
  assert.deepEqual(budgets.map(({ charged }) => charged), [1, 0, 3, 0, 0]);
});

Deno.test("in one thread, too, one of two bulk requests for a new digest is charged", async () => {
  const { assigner, index } = await openSequencer();
  const intake = new Intake(index, assigner);
  const digests = randomDigests(10);
  const budgets = [new Budget(), new Budget()];
  await Promise.all(budgets.map((budget) => intake.submit(digests, budget)));
  assert.deepEqual(budgets.map(({ charged }) => charged), [10, 0]);
});

Deno.test("an id is redeemed only for a digest that is still new when it is assigned", async () => {
  const { assigner, index, spent } = await openSequencer();
  const [digests, ids] = [randomDigests(3), randomDigests(3)];
  const known = partOf(digests, 1, 1);
  assert.deepEqual(assigner.assign({ digests: known, sealedRuns: 0 })?.sequences, [0]);
  const spends = { positions: [0, 1, 2], ids };
  assert.deepEqual(assigner.assign({ digests, spends, sealedRuns: 0 }), {
    sequences: [1, 0, 2],
    firstNew: 1,
  });
  assert.equal(spent.index.end, 2);
  assert.equal(spent.index.probe(wordsOf(partOf(ids, 1, 1)), 0), -1);
  const others = randomDigests(2);
  const twice = { positions: [0, 1], ids: concat(partOf(ids, 1, 1), partOf(ids, 1, 1)) };
  assert.throws(() => assigner.assign({ digests: others, spends: twice, sealedRuns: 0 }), {
    code: "token_spent",
  });
  assert.equal(assigner.assign({ digests: others, sealedRuns: 1 }), undefined);
  assert.deepEqual([index.end, spent.index.end], [3, 2]);
});

Deno.test("the assigner refuses what has no room, though a front knows only an old backlog", async () => {
  const sequencer = await openSequencer();
  const { store, index, assigner } = sequencer;
  store.fault = (kind) => kind === "intake" ? "hang_not_stored" : undefined;
  const front = new FrontHalf(sequencer);
  const known = randomDigests(MAX_BACKLOG - 1);
  assigner.assign({ digests: known, sealedRuns: 0 });
  const asked = new Spending(new Uint8Array());
  await assert.rejects(front.intake.submit(randomDigests(2), asked), { code: "overloaded" });
  assert.equal(asked.asked.length, 1);
  assert.equal(index.end, MAX_BACKLOG - 1);
  // Repeats need no room.
  const request = concat(partOf(known, 0, 3), randomDigests(1));
  assert.equal(
    assigner.assign({ digests: request, sealedRuns: 0 })!.sequences.at(-1),
    MAX_BACKLOG - 1,
  );
  front.catchUp();
  await assert.rejects(front.intake.submit(randomDigests(1), never), { code: "overloaded" });
  assert.throws(() => front.intake.take(wordsOf(randomDigests(1)), 0, never), {
    code: "overloaded",
  });
});

/** A log in which one more digest fills a run. */
function almostFullLog(digests: Bytes): MemoryLog {
  const log = new MemoryLog(KV_LOG_LIMITS);
  const { digestsPerRow } = KV_LOG_LIMITS;
  for (let first = 0; first < RUN_LEAVES - 1; first += digestsPerRow) {
    const end = Math.min(first + digestsPerRow, RUN_LEAVES - 1);
    log.rows.set(first, { first, acceptedAt: 1, digests: digests.slice(first * 32, end * 32) });
  }
  return log;
}

Deno.test("a digest that is sealed while a front's request is on its way keeps its sequence", async () => {
  const sequencer = await openSequencer(almostFullLog(randomDigests(RUN_LEAVES - 1)));
  const { index } = sequencer;
  const [slow, quick] = [new FrontHalf(sequencer), new FrontHalf(sequencer)];
  const sent = Promise.withResolvers<void>();
  slow.gate = sent.promise;
  const digest = randomDigests(1);
  const budgets = [new Budget(), new Budget()];
  const bulk = slow.intake.submit(concat(digest, randomDigests(1)), budgets[0]);
  const single = slow.intake.take(wordsOf(digest.slice()), 0, budgets[1]);
  assert.deepEqual(await quick.intake.submit(digest), [RUN_LEAVES - 1]);
  await withWrites((writes) => index.seal(RUN_LEAVES, writes));
  assert.equal(index.sealedRuns, 1);
  sent.resolve();
  assert.deepEqual(await bulk, [RUN_LEAVES - 1, RUN_LEAVES]);
  assert.equal(await single, RUN_LEAVES - 1);
  assert.deepEqual(budgets.map(({ charged }) => charged), [1, 0]);
  // The store knows the single digest and one of the two: only the other is asked for again.
  assert.deepEqual(slow.requests.map(({ digests }) => digests.length / 32).sort(), [1, 1, 2]);
  assert.equal(index.end, RUN_LEAVES + 1);
});
