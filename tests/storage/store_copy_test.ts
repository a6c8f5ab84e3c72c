import assert from "node:assert/strict";
import { openLogMeta } from "../../src/storage/log/kv_log_store.ts";
import { KvFence } from "../../src/storage/log/kv_fence.ts";
import { type CopyEnd, StoreCopy } from "../../src/storage/store_copy.ts";
import type { StoreEngine } from "../../src/storage/store_engine.ts";
import { openStoreKv } from "../../src/storage/store_kv.ts";
import { AcceptedMark, checkMeta, META_KEY, type StoreMeta } from "../../src/storage/store_meta.ts";

const NETWORK = "network";
const META = { format_version: 1, index_key: "0011223344556677", network: NETWORK };

/** Stores in files, opened again and again as processes do. */
class Places implements AsyncDisposable {
  readonly #opened: StoreEngine[] = [];
  readonly #folder = Deno.makeTempDirSync();

  async open(name: string): Promise<CopyEnd> {
    const openFile = (file: string) => openStoreKv(`${this.#folder}/${name}-${file}.kv`);
    const [log, anchors] = [await openFile("store"), await openFile("anchors")];
    this.#opened.push(log, anchors);
    return { name, log, anchors, fence: new KvFence(log) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const engine of this.#opened) engine.close();
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/** A log of many small records, some large ones, and values of each type. */
async function fill({ log, anchors, fence }: CopyEnd, rows = 1_200): Promise<void> {
  await fence.take();
  let commit = log.atomic().set(META_KEY, META).set(["place"], { version: 1, inode: 7 });
  for (let n = 0; n < rows; n++) {
    commit.set(["in", n * 28], new Uint8Array(40).fill(n));
    if (n % 400 === 399) {
      await commit.commit();
      commit = log.atomic();
    }
  }
  for (let n = 0; n < 11; n++) commit.set(["t", 0, n], new Uint8Array(60_000).fill(n));
  assert.ok((await commit.set(["ixd", 0], true).set(["head"], Uint8Array.of(9)).commit()).ok);
  assert.ok(
    (await anchors.atomic().set(META_KEY, { format_version: 1, network: NETWORK })
      .set(["ca", "peer", 5], Uint8Array.of(5)).commit()).ok,
  );
}

async function contents(engine: StoreEngine): Promise<[string, unknown][]> {
  const found: [string, unknown][] = [];
  for await (const { key, value } of engine.list({ prefix: [] }, { batchSize: 500 })) {
    const text = JSON.stringify(key);
    if (!['["fence"]', '["place"]', '["meta"]'].includes(text)) found.push([text, value]);
  }
  return found;
}

function metaOf({ log }: CopyEnd): Promise<StoreMeta> {
  return log.get<StoreMeta>(META_KEY).then(({ value }) => value!);
}

async function copy(from: CopyEnd, to: CopyEnd): Promise<number> {
  const copied = await StoreCopy.begin(from, to, { networkDigest: NETWORK });
  const count = await copied.run();
  await copied.finish();
  return count;
}

Deno.test("StoreCopy moves a log from a store to another", async () => {
  await using places = new Places();
  const [from, to] = [await places.open("from"), await places.open("to")];
  await fill(from);
  assert.equal(await copy(from, to), 1_200 + 11 + 2 + 2);
  assert.deepEqual(await contents(to.log), await contents(from.log));
  assert.deepEqual(await contents(to.anchors), await contents(from.anchors));
  assert.deepEqual(await metaOf(to), META);
  // No gateway starts on the source.
  const { mark, ...meta } = await metaOf(from);
  assert.deepEqual([mark?.state, mark?.other, meta], ["moved", "to", META]);
  const isMoved = { code: "store_copied", message: /"to"/ };
  assert.throws(() => checkMeta({ ...meta, mark: mark! }, NETWORK), isMoved);
});

Deno.test("openLogMeta() accepts with --moved only the mark that the process found first", async () => {
  await using places = new Places();
  const [from, to, third] = await Promise.all(["from", "to", "third"].map((n) => places.open(n)));
  await fill(from!, 400);
  const open = (accepted: AcceptedMark) => openLogMeta(from!.log, NETWORK, accepted);
  const standby = new AcceptedMark(true);
  assert.equal((await open(standby)).mark, undefined);
  await copy(from!, to!);
  await assert.rejects(open(standby), { code: "store_copied" });
  await assert.rejects(open(new AcceptedMark(false)), { code: "store_copied" });
  const restarted = new AcceptedMark(true);
  for (let i = 0; i < 2; i++) assert.equal((await open(restarted)).mark?.other, "to");
  assert.ok((await from!.log.atomic().set(META_KEY, META).commit()).ok);
  await copy(from!, third!);
  await assert.rejects(open(restarted), { code: "store_copied" });
});

Deno.test("StoreCopy refuses a target that is not empty, and leaves both as they were", async () => {
  await using places = new Places();
  const [from, to] = [await places.open("from"), await places.open("to")];
  await fill(from, 400);
  await fill(to, 400);
  await assert.rejects(copy(from, to), { code: "file_failed", message: /not empty/ });
  for (const end of [from, to]) {
    assert.deepEqual(await metaOf(end), META);
    // Its gateway would go on.
    await end.fence.check();
  }
});

Deno.test("StoreCopy starts again after an interruption at any commit", async () => {
  await using places = new Places();
  let [from, to] = [await places.open("from"), await places.open("to")];
  await fill(from, 400);
  const expected = await contents(from.log);
  for (let stopAt = 1;; stopAt++) {
    // Another process: both fences are taken again.
    [from, to] = [await places.open("from"), await places.open("to")];
    let commits = 0;
    const stopping = (end: CopyEnd): CopyEnd => {
      const within = (engine: StoreEngine): StoreEngine => ({
        get: (key) => engine.get(key),
        list: (selector, options) => engine.list(selector, options),
        close: () => engine.close(),
        atomic() {
          const commit = engine.atomic();
          const inner = commit.commit.bind(commit);
          commit.commit = () => {
            if (++commits < stopAt) return inner();
            throw Object.assign(new Error("the process ends"), { isEnd: true });
          };
          return commit;
        },
      });
      return { ...end, log: within(end.log), anchors: within(end.anchors) };
    };
    const clock = {
      nowMs: () => 1e12,
      elapsedMs: () => 1e12,
      sleep: () => Promise.reject(new Error("the process ends")),
    };
    const run = async () => {
      const options = { networkDigest: NETWORK, clock };
      const copied = await StoreCopy.begin(stopping(from), stopping(to), options);
      await copied.run();
      await copied.finish();
    };
    const isDone = await run().then(() => true, (error) => {
      assert.match(error.message, /the process ends/);
      return false;
    });
    const usable = await Promise.all([from, to].map(async (end) => {
      const { value } = await end.log.get<StoreMeta>(META_KEY);
      return value !== null && value.mark === undefined;
    }));
    assert.ok(!(usable[0] && usable[1]), "a gateway could start on both");
    if (!isDone) continue;
    assert.deepEqual(usable, [false, true]);
    assert.deepEqual(await contents(to.log), expected);
    assert.ok(stopAt > 5);
    return;
  }
});
