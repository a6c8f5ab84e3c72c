import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { GatewayClient } from "../../src/client/gateway_client.ts";
import type { HashReport } from "../../src/explorer/hashing/file_hashing.ts";
import type { HashWorker } from "../../src/explorer/hashing/file_hashing.ts";
import { StampQueue } from "../../src/explorer/stamp/stamp_queue.ts";
import { announcement } from "../../src/explorer/stamp/stamp_steps.ts";
import { HASH, JobGateway, refusal } from "../client/job_gateway.ts";

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

function makeQueue(gateway: JobGateway = new JobGateway()) {
  const workers: FakeWorker[] = [];
  const queue = new StampQueue({
    // The queue makes no other requests.
    api: gateway.api as GatewayClient,
    startWorker: () => {
      workers.push(new FakeWorker());
      return workers.at(-1)!;
    },
    wait: () => Promise.resolve(),
    random: () => 0,
  });
  return { queue, workers, gateway };
}

const file = (name: string) => new File(["content"], name);

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await setImmediate();
}

Deno.test("StampQueue hashes two files at a time, submits and follows them", async () => {
  const { queue, workers, gateway } = makeQueue();
  queue.addFiles(["a", "b", "c"].map(file));
  await settle();
  assert.deepEqual(queue.state.map(({ name, phase }) => [name, phase]), [
    ["c", "queued"],
    ["b", "hashing"],
    ["a", "hashing"],
  ]);
  workers[0]!.tell({ kind: "progress", done: 3 });
  assert.equal(queue.state.at(-1)!.done, 3);
  assert.equal(announcement(queue.state.at(-1)!), "a: hashing");
  workers[0]!.tell({ kind: "hashed", hash: HASH });
  await settle();
  assert.deepEqual(queue.state.map(({ phase }) => phase), ["hashing", "hashing", "settled"]);
  assert.equal(queue.state.at(-1)!.bundle!.value.batch_inclusion?.batch.id, 12);
  assert.equal(announcement(queue.state.at(-1)!), "a: batched");
  assert.deepEqual(gateway.asked[0], `submit ${HASH}`);
  assert.ok(workers[0]!.isEnded);
});

Deno.test("StampQueue.cancel() terminates the worker, and retry() starts again", async () => {
  const { queue, workers } = makeQueue();
  queue.addFiles([file("a")]);
  await settle();
  const { id } = queue.state[0]!;
  queue.cancel(id);
  await settle();
  assert.equal(queue.state[0]!.phase, "cancelled");
  assert.ok(workers[0]!.isEnded);
  queue.retry(id);
  queue.retry(id);
  await settle();
  assert.equal(workers.length, 2);
  workers[1]!.tell({ kind: "hashed", hash: HASH });
  await settle();
  assert.equal(queue.state[0]!.phase, "settled");
});

Deno.test("StampQueue keeps a refusal in its row, and retry() starts with the hash", async () => {
  const { queue, gateway, workers } = makeQueue();
  gateway.faults.push(refusal(400));
  queue.addHash(HASH);
  queue.addHash(HASH);
  await settle();
  const [row, ...others] = queue.state;
  assert.deepEqual([row!.phase, others.length], ["failed", 0]);
  assert.ok(row!.error instanceof Error);
  queue.retry(row!.id);
  await settle();
  assert.deepEqual([queue.state[0]!.phase, queue.state[0]!.error], ["settled", undefined]);
  assert.equal(workers.length, 0);
});

Deno.test("StampQueue.remove() stops the row and its notifications", async () => {
  const { queue, workers } = makeQueue();
  let notified = 0;
  const end = queue.subscribe(() => notified++);
  queue.addFiles([file("a")]);
  await settle();
  queue.remove(queue.state[0]!.id);
  await settle();
  assert.deepEqual([queue.state.length, workers[0]!.isEnded], [0, true]);
  const before = notified;
  await settle();
  assert.equal(notified, before);
  end();
});
