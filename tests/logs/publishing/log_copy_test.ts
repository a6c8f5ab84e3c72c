import assert from "node:assert/strict";
import { systemClock } from "../../../src/base/clock.ts";
import { CountersignError, hasCode } from "../../../src/base/errors.ts";
import { LogForked } from "../../../src/logs/publishing/log_copy.ts";
import type { CopyTarget } from "../../../src/logs/publishing/ports.ts";
import { DirectoryCopy } from "../../../src/storage/published/directory_copy.ts";
import { inFolder } from "../../server/captured_io.ts";
import { PowerLossDisk } from "../../storage/power_loss.ts";
import { Killed, KilledCopy, MemoryCopy, publisherOf, requireComplete } from "./copies.ts";
import { SyntheticLog } from "./synthetic_log.ts";

/** Sizes at tile boundaries and between them, in steps. */
const SIZES = [0, 1, 5, 255, 256, 257, 700, 1024, 1025];

async function grown(log: SyntheticLog, copy: CopyTarget, count: number): Promise<void> {
  log.grow(count);
  assert.deepEqual(await publisherOf(log, copy).step(), { kind: "grown", size: log.size });
}

/** Both kinds of copies, each in its initial state. */
const COPIES: Readonly<
  Record<string, (use: (copy: CopyTarget) => Promise<void>) => Promise<void>>
> = {
  "in memory": (use) => use(new MemoryCopy()),
  "in a folder": (use) =>
    inFolder(async (folder) => await use(await DirectoryCopy.open(folder, systemClock))),
};

for (const [where, withCopy] of Object.entries(COPIES)) {
  Deno.test(`a copy ${where} is complete at every size`, async () => {
    await withCopy(async (copy) => {
      const log = new SyntheticLog();
      const publisher = publisherOf(log, copy, 4);
      for (const size of SIZES) {
        log.grow(size - log.size);
        assert.deepEqual(await publisher.step(), { kind: "grown", size });
        assert.equal(await requireComplete(log, copy), size);
        assert.deepEqual(await publisher.step(), { kind: "same", size });
        assert.deepEqual(await publisherOf(log, copy).step(), { kind: "same", size });
      }
    });
  });
}

Deno.test("a step reads only what the copy lacks", async () => {
  const log = new SyntheticLog();
  const copy = new MemoryCopy();
  await grown(log, copy, 600);
  log.requested.length = 0;
  await grown(log, copy, 2);
  assert.ok(log.requested.length < 8, log.requested.join());
});

Deno.test("partial tiles are removed once the tile is full", async () => {
  await inFolder(async (folder) => {
    const copy = await DirectoryCopy.open(folder, systemClock);
    const log = new SyntheticLog();
    for (const count of [3, 4, 250]) await grown(log, copy, count);
    const names = await Array.fromAsync(Deno.readDir(`${folder}/tile/0`), ({ name }) => name);
    assert.deepEqual(names.toSorted(), ["000", "001.p"]);
    const bundles = await Array.fromAsync(
      Deno.readDir(`${folder}/tile/entries`),
      ({ name }) => name,
    );
    assert.deepEqual(bundles.toSorted(), ["000", "001.p"]);
    const left = await Array.fromAsync(Deno.readDir(`${folder}/.tmp`), ({ name }) => name);
    assert.deepEqual(left, ["lock"]);
  });
});

for (const isAfter of [false, true]) {
  const moment = isAfter ? "after" : "before";
  for (const [where, withCopy] of Object.entries(COPIES)) {
    // Syncs of a real disk are slow: fewer kills there.
    const stride = where === "in memory" ? 1 : 5;
    Deno.test(`a publisher ${where} that is killed ${moment} any call leaves a complete copy`, async () => {
      for (let at = 1;; at += stride) {
        let isDone = false;
        await withCopy(async (copy) => {
          const log = new SyntheticLog();
          await grown(log, copy, 250);
          log.grow(520);
          const killed = new KilledCopy(copy, at, isAfter);
          await publisherOf(log, killed, 2).step().catch((error) =>
            assert.ok(error instanceof Killed)
          );
          isDone = !killed.wasKilled;
          assert.ok([250, 770].includes(await requireComplete(log, copy)));
          log.grow(100);
          await publisherOf(log, copy, 2).step();
          assert.equal(await requireComplete(log, copy), 870);
        });
        if (isDone) return assert.ok(at > 10);
      }
    });
  }
}

Deno.test("files that a killed publisher left are durable before the next one's checkpoint", async () => {
  await inFolder(async (folder) => {
    const log = new SyntheticLog();
    log.grow(300);
    const left = bound(await DirectoryCopy.open(folder, systemClock));
    const killed = publisherOf(log, { ...left, sync: () => Promise.reject(new Killed()) });
    await assert.rejects(killed.step(), Killed);
    using disk = new PowerLossDisk([]);
    const copy = await DirectoryCopy.open(folder, systemClock);
    const synced: string[] = [];
    const next = publisherOf(log, {
      ...bound(copy),
      replaceCheckpoint(...args) {
        synced.push(...disk.synced);
        return copy.replaceCheckpoint(...args);
      },
    });
    assert.deepEqual(await next.step(), { kind: "grown", size: 300 });
    for (const path of ["tile/entries/001.p", "tile/entries", "tile/0/001.p", "tile/0", "tile"]) {
      assert.ok(synced.includes(`${folder}/${path}`), path);
    }
  });
});

Deno.test("DirectoryCopy.sync() repeats all that a failed one has left", async () => {
  await inFolder(async (folder) => {
    const copy = await DirectoryCopy.open(folder, systemClock);
    for (const path of ["tile/0/000", "tile/1/000", "tile/entries/000"]) {
      await copy.putNew(path, new Uint8Array(1));
    }
    await copy.putNew("tile/0/001.p/9", new Uint8Array(1));
    await Deno.rename(`${folder}/tile/1`, `${folder}/away`);
    await Deno.symlink("1", `${folder}/tile/1`);
    await assert.rejects(copy.sync(), { code: "file_failed" });
    await Deno.remove(`${folder}/tile/1`);
    await (await DirectoryCopy.open(folder, systemClock)).removePartials("tile/0/001");
    await Deno.rename(`${folder}/away`, `${folder}/tile/1`);
    using disk = new PowerLossDisk([]);
    await copy.sync();
    assert.deepEqual(disk.synced, [`${folder}/tile/1`, `${folder}/tile/entries`]);
    await copy.sync();
    assert.equal(disk.synced.length, 2);
  });
});

Deno.test("two publishers leave a complete copy that never shrinks", async () => {
  await inFolder(async (folder) => {
    const log = new SyntheticLog();
    const copies = [
      await DirectoryCopy.open(folder, systemClock),
      await DirectoryCopy.open(folder, systemClock),
    ];
    const publishers = copies.map((copy) => publisherOf(log, copy, 2));
    let last = 0;
    const kinds = new Set<string>();
    for (let turn = 0; turn < 40; turn++) {
      log.grow(17);
      const steps = await Promise.all(publishers.map((publisher) => publisher.step()));
      for (const { kind } of steps) kinds.add(kind);
      const size = await requireComplete(log, copies[0]!);
      assert.ok(size >= last);
      last = size;
    }
    assert.equal(last, log.size);
    assert.ok(kinds.has("grown"));
  });
});

Deno.test("a slow publisher does not replace a newer checkpoint", async () => {
  const log = new SyntheticLog();
  const copy = new MemoryCopy();
  await grown(log, copy, 10);
  const old = await log.checkpoint();
  log.grow(10);
  const overtaken: CopyTarget = {
    ...bound(copy),
    async sync() {
      log.grow(10);
      await publisherOf(log, copy).step();
    },
  };
  assert.deepEqual(await publisherOf(log, overtaken).step(), { kind: "outrun", size: 20 });
  assert.equal(await requireComplete(log, copy), 30);
  assert.notEqual(copy.text, old);
  log.rewind(10);
  assert.deepEqual(await publisherOf(log, copy).step(), { kind: "behind", size: 30 });
});

function bound(copy: CopyTarget): CopyTarget {
  return {
    name: copy.name,
    checkpoint: () => copy.checkpoint(),
    replaceCheckpoint: (expected, text) => copy.replaceCheckpoint(expected, text),
    read: (path) => copy.read(path),
    putNew: (path, bytes) => copy.putNew(path, bytes),
    sync: () => copy.sync(),
    removePartials: (path) => copy.removePartials(path),
  };
}

/** Two logs of one key that differ from entry 300 on. */
async function forkedAfter(copy: CopyTarget, size: number): Promise<SyntheticLog> {
  const seed = new Uint8Array(32).fill(5);
  const first = new SyntheticLog("forked", seed);
  first.grow(300);
  await grown(first, copy, size - 300);
  const second = new SyntheticLog("forked", seed);
  second.grow(300);
  return second;
}

for (
  const [what, at, growth] of [
    ["a larger", 512, 700],
    ["a larger, from a power of two", 512, 1],
    ["an equal", 700, 400],
    ["a smaller", 700, 350],
  ] as const
) {
  Deno.test(`a fork with ${what} size is refused, and its evidence kept`, async () => {
    const copy = new MemoryCopy();
    const fork = await forkedAfter(copy, at);
    fork.grow(what === "a larger, from a power of two" ? 213 : growth, "other ");
    const before = copy.text;
    const files = copy.files.size;
    await assert.rejects(publisherOf(fork, copy).step(), (error) => {
      assert.ok(error instanceof LogForked && hasCode(error, "tree_heads_contradict"));
      const evidence = JSON.parse(new TextDecoder().decode(copy.files.get(error.evidence)));
      assert.equal(evidence.origin, "forked");
      assert.notEqual(evidence.first_checkpoint, evidence.second_checkpoint);
      assert.equal(evidence.consistency_path.length > 0, fork.size !== at);
      return true;
    });
    assert.equal(copy.text, before);
    assert.equal(copy.files.size, files + 1);
  });
}

Deno.test("damaged data of the source are refused before they are written", async () => {
  for (const place of ["entries/0/256", "entries/2/188", "0/2/188", "1/0/2"]) {
    const log = new SyntheticLog();
    log.grow(700);
    const copy = new MemoryCopy();
    const damaged = Object.assign(Object.create(log), {
      checkpoint: () => log.checkpoint(),
      async tile(address: Parameters<SyntheticLog["tile"]>[0]) {
        const bytes = await log.tile(address);
        if (`${address.level}/${address.index}/${address.width}` === place) bytes![10]! ^= 1;
        return bytes;
      },
    });
    Object.defineProperty(damaged, "vkey", { value: log.vkey });
    await assert.rejects(publisherOf(damaged, copy).step(), (error) => {
      assert.ok(hasCode(error, "proof_refused"), String(error));
      return true;
    });
    assert.equal(copy.text, undefined);
    for (const [path, bytes] of copy.files) {
      const [, level = "", index = "", width = "256"] =
        /^tile\/(\w+)\/([0-9]+)(?:\.p\/([0-9]+))?$/.exec(path) ?? [];
      const address = {
        level: level === "entries" ? level : Number(level),
        index: Number(index),
        width: Number(width),
      } as const;
      assert.deepEqual(bytes, await log.tile(address), path);
    }
  }
});

Deno.test("a copy of another log, or with a damaged file, is refused", async () => {
  const copy = new MemoryCopy();
  const log = new SyntheticLog();
  await grown(log, copy, 300);
  const other = new SyntheticLog("another", new Uint8Array(32).fill(1));
  other.grow(400);
  await assert.rejects(publisherOf(other, copy).step(), CountersignError);
  copy.files.set("tile/0/001.p/144", new Uint8Array(144 * 32));
  log.grow(100);
  await assert.rejects(publisherOf(log, copy).step(), (error) => {
    assert.ok(hasCode(error, "file_failed"));
    assert.match(error.message, /tile\/0\/001\.p\/144 has other bytes/);
    return true;
  });
});

Deno.test("a log that shows no checkpoint any more is refused, and an empty one is not", async () => {
  const copy = new MemoryCopy();
  const log = new SyntheticLog();
  const checkpoint = log.checkpoint.bind(log);
  let isEmpty = true;
  Object.assign(log, { checkpoint: async () => isEmpty ? undefined : await checkpoint() });
  const publisher = publisherOf(log, copy);
  for (let steps = 0; steps < 2; steps++) {
    assert.deepEqual(await publisher.step(), { kind: "empty", size: 0 });
  }
  isEmpty = false;
  log.grow(300);
  assert.deepEqual(await publisher.step(), { kind: "grown", size: 300 });
  isEmpty = true;
  await assert.rejects(publisher.step(), { code: "no_tree_head" });
});

Deno.test("a log with three levels of tiles is copied to a folder, in two runs", async () => {
  await inFolder(async (folder) => {
    const log = new SyntheticLog();
    const size = 256 ** 2 + 300;
    log.grow(size);
    const copy = await DirectoryCopy.open(folder, systemClock);
    const killed = new KilledCopy(copy, 300, true);
    await publisherOf(log, killed, 16).step().catch((error) => assert.ok(error instanceof Killed));
    log.requested.length = 0;
    assert.deepEqual(await publisherOf(log, copy, 16).step(), { kind: "grown", size });
    // The second run takes what the first one left.
    assert.ok(log.requested.length < size / 256, String(log.requested.length));
    assert.equal(await requireComplete(log, copy), size);
  });
});
