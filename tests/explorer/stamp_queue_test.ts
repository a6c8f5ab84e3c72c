import assert from "node:assert/strict";
import { GatewayLine } from "../../src/explorer/gateway_line.ts";
import { setImmediate } from "node:timers/promises";
import {
  HashPool,
  type HashReport,
  type HashWorker,
} from "../../src/explorer/hashing/hash_pool.ts";
import { StampQueue } from "../../src/explorer/stamp/stamp_queue.ts";
import { announcement, stampSteps } from "../../src/explorer/stamp/stamp_steps.ts";
import { type Delays, HASH, JobGateway, refusal, unreachable, whole } from "./job_gateway.ts";

type Listener = (event: MessageEvent<HashReport>) => void;

/** A worker that says what a test makes it say. */
class FakeWorker implements HashWorker {
  #tell: Listener | undefined;
  isEnded = false;
  postMessage(): void {}
  addEventListener(type: string, listener: (event: never) => void): void {
    if (type === "message") this.#tell = listener as Listener;
  }
  terminate(): void {
    this.isEnded = true;
  }
  tell(data: HashReport): void {
    this.#tell!({ data } as MessageEvent<HashReport>);
  }
}

function makeQueue(gateway: JobGateway = new JobGateway(), maxNew = Infinity) {
  const workers: FakeWorker[] = [];
  /** Milliseconds, negative where nothing may shorten the pause. */
  const waits: number[] = [];
  const pause = (ms: number) => {
    waits.push(ms);
    return setImmediate();
  };
  const startWorker = () => {
    workers.push(new FakeWorker());
    return workers.at(-1)!;
  };
  const pauses = { wait: pause, sleep: (ms: number) => pause(-ms), random: () => 0 };
  const queue = new StampQueue({
    ...pauses,
    gateway: gateway.api,
    questions: new GatewayLine(pauses),
    submitNew: (hashes, waitSeconds) => gateway.api.submit(hashes, waitSeconds),
    maxNew: () => Promise.resolve(maxNew),
    hashing: new HashPool(startWorker, 2),
    later: (notify) => notify(),
  });
  return { queue, workers, gateway, waits };
}

const file = (name: string) => ({ name, file: new File(["content"], name) });
const hashNumber = (number: number) => number.toString(16).padStart(64, "0");

async function settle(): Promise<void> {
  for (let i = 0; i < 60; i++) await setImmediate();
}

Deno.test("StampQueue hashes two files at a time, submits and follows them", async () => {
  const { queue, workers, gateway } = makeQueue();
  queue.addFiles(["a", "b", "c"].map(file));
  assert.deepEqual(queue.rows.state.map(({ name, phase }) => [name, phase]), [
    ["c", "queued"],
    ["b", "hashing"],
    ["a", "hashing"],
  ]);
  const { id } = queue.rows.state.at(-1)!;
  queue.follower.show([id]);
  workers[0]!.tell({ kind: "progress", done: 3, size: 7 });
  assert.equal(queue.rows.get(id)!.done, 3);
  assert.equal(announcement(queue.rows.get(id)!), "a: hashing");
  workers[0]!.tell({ kind: "hashed", hash: HASH, size: 7 });
  await settle();
  assert.deepEqual(queue.rows.state.map(({ phase }) => phase), ["hashing", "hashing", "settled"]);
  assert.equal(queue.rows.get(id)!.bundle!.value.batch_inclusion?.batch.id, 12);
  assert.equal(announcement(queue.rows.get(id)!), "a: batched");
  assert.deepEqual(gateway.asked[0], `submit ${HASH}`);
  assert.equal(workers.length, 2);
});

Deno.test("StampQueue.cancel() terminates the worker, and retry() starts again", async () => {
  const { queue, workers } = makeQueue();
  queue.addFiles([file("a")]);
  const { id } = queue.rows.state[0]!;
  queue.cancel(id);
  await settle();
  assert.equal(queue.rows.get(id)!.phase, "cancelled");
  assert.ok(workers[0]!.isEnded);
  assert.equal(queue.hasUnsaved, false);
  queue.retry(id);
  queue.retry(id);
  assert.equal(workers.length, 2);
  workers[1]!.tell({ kind: "hashed", hash: HASH, size: 7 });
  await settle();
  assert.equal(queue.rows.get(id)!.phase, "settled");
  assert.equal(queue.hasUnsaved, true);
  queue.rows.change(id, { isSaved: true });
  assert.equal(queue.hasUnsaved, false);
});

Deno.test("StampQueue keeps a refusal in its row, and retry() starts with the hash", async () => {
  const { queue, gateway, workers } = makeQueue();
  gateway.faults.push(refusal(400));
  queue.addHash(HASH);
  queue.addHash(HASH);
  await settle();
  const [row, ...others] = queue.rows.state;
  assert.deepEqual([row!.phase, others.length], ["failed", 0]);
  assert.ok(row!.error instanceof Error);
  queue.retry(row!.id);
  await settle();
  assert.deepEqual([queue.rows.state[0]!.phase, queue.rows.state[0]!.error], [
    "settled",
    undefined,
  ]);
  assert.equal(workers.length, 0);
});

Deno.test("StampQueue.remove() stops the row, also while its submission is repeated", async () => {
  const { queue, workers, gateway } = makeQueue();
  queue.addFiles([file("a")]);
  queue.remove(queue.rows.state[0]!.id);
  await settle();
  assert.deepEqual([queue.rows.state.length, workers[0]!.isEnded], [0, true]);
  gateway.faults.push(...Array.from({ length: 5 }, unreachable));
  queue.addHash(hashNumber(1));
  queue.addHash(hashNumber(2));
  queue.remove(queue.rows.state[0]!.id);
  await settle();
  assert.equal(gateway.asked.filter((what) => what === `submit ${hashNumber(1)}`).length, 6);
  assert.ok(gateway.asked.every((what) => what !== "submit 2"));
});

Deno.test("many hashes take few requests, and one hash of several rows is sent once", async () => {
  const { queue, gateway } = makeQueue(new JobGateway({ pending: 3, unbatched: 2 }));
  for (let i = 0; i < 1_000; i++) queue.addHash(hashNumber(i));
  await settle();
  assert.equal(queue.rows.inPhase("settled").length, 1_000);
  assert.ok(gateway.asked.length < 20, gateway.asked.join());
  assert.ok(gateway.asked.every((what) => what !== "bundle"));
  const { queue: other, gateway: once, workers } = makeQueue();
  other.addHash(hashNumber(1));
  other.addFiles(["a", "b"].map(file));
  for (const worker of workers) worker.tell({ kind: "hashed", hash: HASH, size: 7 });
  await settle();
  assert.deepEqual(once.asked, ["submit 2", "status"]);
  assert.equal(other.rows.inPhase("settled").length, 3);
});

Deno.test("new hashes are sent in the portions that a gateway with tokens gets", async () => {
  const { queue, gateway } = makeQueue(new JobGateway(), 2);
  for (let i = 0; i < 5; i++) queue.addHash(hashNumber(i));
  await settle();
  assert.deepEqual(gateway.asked.filter((what) => what.startsWith("submit")), [
    "submit 2",
    "submit 2",
    `submit ${hashNumber(4)}`,
  ]);
});

/** The states of the steps of the only row, each time that they changed. */
async function journey(gateway: JobGateway, shown: boolean) {
  const { queue, waits } = makeQueue(gateway);
  const seen: string[] = [];
  queue.rows.subscribe(() => {
    const steps = stampSteps(queue.rows.state[0]!, queue.follower.anchoring);
    const states = steps.map(({ state }) => state).join(" ");
    if (states !== seen.at(-1)) seen.push(states);
  });
  queue.addHash(HASH);
  if (shown) queue.follower.show([1]);
  await settle();
  return { seen, waits, phase: queue.rows.state[0]!.phase };
}

Deno.test("a hash on show is followed from its acceptance to the last anchor", async () => {
  const gateway = new JobGateway({ pending: 2, unbatched: 2, unanchored: 3 });
  gateway.peers = ["peer.example"];
  const { seen, phase } = await journey(gateway, true);
  assert.deepEqual(seen, [
    "active waiting waiting waiting",
    "done active waiting waiting",
    "done done active waiting",
    "done done done active",
    "done done done done",
  ]);
  assert.equal(phase, "settled");
  assert.equal(gateway.asked.filter((what) => what.startsWith("submit")).length, 1);
});

Deno.test("a hash that is not on show is followed into the log", async () => {
  const gateway = new JobGateway({ unbatched: 1 });
  gateway.peers = ["peer.example"];
  const { phase } = await journey(gateway, false);
  assert.equal(phase, "anchoring");
  assert.ok(!gateway.asked.includes("bundle"));
});

Deno.test("a lost line is shown once, and what was asked goes on where it was", async () => {
  const stages: Delays[] = [{}, { pending: 1 }, { unbatched: 1 }, { unanchored: 1 }];
  for (const stage of stages) {
    for (let before = 0; before < 3; before++) {
      const gateway = new JobGateway(stage);
      gateway.peers = ["peer.example"];
      const { queue } = makeQueue(gateway);
      const { submissions, questions } = queue.follower;
      let lost = 0;
      for (const line of [submissions, questions]) {
        line.subscribe(() => {
          if (line.state !== undefined) lost++;
        });
      }
      const answered = new Array(before).fill(undefined);
      gateway.faults.push(...answered, unreachable(), refusal(502), refusal(429));
      queue.addHash(HASH);
      queue.follower.show([1]);
      await settle();
      assert.deepEqual([submissions.state, questions.state], [undefined, undefined]);
      assert.equal(queue.rows.state[0]!.phase, "settled");
      // A request that waits for another one's answer is not repeated.
      assert.ok(lost > 0 && lost <= 3, `${lost}`);
      assert.deepEqual(gateway.faults, []);
    }
  }
});

Deno.test("an unchanged proof stays the same object", async () => {
  const { queue } = makeQueue();
  queue.addHash(HASH);
  queue.follower.show([1]);
  await settle();
  const { bundle } = queue.rows.get(1)!;
  assert.deepEqual(bundle!.value, { ...whole, cross_anchors: [] });
  assert.equal(await queue.follower.fetchProof(queue.rows.get(1)!), bundle);
});
