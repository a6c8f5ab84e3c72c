import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { acquireLock } from "../../src/storage/lock_file.ts";
import { journalFiles, RoundJournal } from "../../src/storage/witness/round_journal.ts";
import {
  createWitnessState,
  openWitnessState,
  witnessStateFiles,
} from "../../src/storage/witness/witness_state.ts";
import { testWitnessState } from "../witness/state_conformance.ts";
import { openOrCreateState } from "../witness_states.ts";

const head = { size: 3, root: new Uint8Array(32).fill(9), timestamp: 5 };

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Copies the files of the state at `from`. */
async function copyState(from: string, to: string): Promise<void> {
  const targets = witnessStateFiles(to);
  for (const [index, file] of witnessStateFiles(from).entries()) {
    await Deno.copyFile(file, targets[index]!).catch(() => {});
  }
  await Deno.copyFile(`${from}-wal`, `${to}-wal`).catch(() => {});
}

testWitnessState("KvWitnessState", async () => {
  const folder = await Deno.makeTempDir();
  const state = await openOrCreateState(`${folder}/state.kv`);
  const close = () => {
    state.close();
    Deno.removeSync(folder, { recursive: true });
  };
  return { state, close };
});

Deno.test("openWitnessState() reads the state of an earlier process", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    const first = await openOrCreateState(path);
    const version = await first.replace("a", undefined, head);
    first.close();
    const again = await openWitnessState(path);
    assert.deepEqual(await again.load("a"), { ...head, version });
    again.close();
  }));

Deno.test("openWitnessState() rejects a missing state and creates no file", () =>
  inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/file`, new Uint8Array(1));
    for (const path of ["state.kv", "none/state.kv", "file/state.kv", ""]) {
      await assert.rejects(openWitnessState(`${folder}/${path}`), {
        code: "witness_state_missing",
        // The first command is the safe one, with its reason.
        message: /state is lost: .*--adopt --size SIZE --root HASH.*--size 0: .*rewritten log/,
      });
    }
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["file"]);
  }));

Deno.test("openWitnessState() treats an empty file as missing and leaves it empty", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    await Deno.writeFile(path, new Uint8Array(0));
    await assert.rejects(openWitnessState(path), {
      code: "witness_state_missing",
    });
    assert.equal((await Deno.stat(path)).size, 0);
  }));

Deno.test("openWitnessState() rejects an incomplete state", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    (await Deno.openKv(path)).close();
    await assert.rejects(openWitnessState(path), {
      code: "witness_state_missing",
    });
    (await openOrCreateState(path)).close();
    (await openWitnessState(path)).close();
  }));

Deno.test("openWitnessState() rejects another format, a file that is not a database, and a folder", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    const kv = await Deno.openKv(path);
    await kv.set(["witness_state_format"], 2);
    kv.close();
    await Deno.writeTextFile(`${folder}/text.kv`, "a text that is no database ".repeat(100));
    await assert.rejects(openWitnessState(path), { code: "format_unsupported" });
    await assert.rejects(openWitnessState(`${folder}/text.kv`), { code: "file_failed" });
    await assert.rejects(createWitnessState(`${folder}/text.kv`, new Map()), {
      code: "file_failed",
    });
    await assert.rejects(openOrCreateState(`${folder}/none/state.kv`), {
      code: "file_failed",
    });
  }));

Deno.test("KvWitnessState.load() rejects a head of which anything has changed, and a value that is none", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    const whole = {
      ...head,
      epoch: { number: 1, logKey: new Uint8Array(32).fill(7), begunBy: "ab".repeat(32) },
      checkpoint: "a\n3\ncheckpoint\n",
    };
    await createWitnessState(path, new Map([["plain", head]]));
    {
      const state = await openWitnessState(path);
      assert.notEqual(await state.replace("whole", undefined, whole), undefined);
      state.close();
    }
    const kv = await Deno.openKv(path);
    const plain = (await kv.get<Record<string, unknown>>(["head", "plain"])).value!;
    const stored = (await kv.get<Record<string, unknown>>(["head", "whole"])).value!;
    const { checksum: _, ...unchecked } = plain;
    const other = (bytes: unknown, at = 0) =>
      (bytes as Uint8Array).map((byte, i) => i === at ? byte ^ 1 : byte);
    const rows = [
      7,
      null,
      {},
      unchecked,
      plain,
      { ...plain, size: 2 },
      { ...plain, size: 3n },
      { ...plain, root: other(plain["root"], 31) },
      { ...plain, root: "09" },
      { ...plain, timestamp: 6 },
      { ...plain, checksum: other(plain["checksum"]) },
      { ...plain, checksum: "" },
      { ...plain, epoch: { number: 0 } },
      { ...plain, checkpoint: new Uint8Array(1) },
      { ...stored, epoch: { ...whole.epoch, number: 0 } },
      { ...stored, epoch: { ...whole.epoch, logKey: other(whole.epoch.logKey) } },
      { ...stored, epoch: { ...whole.epoch, begunBy: "ac".repeat(32) } },
      { ...stored, epoch: { ...whole.epoch, endedBy: "ab".repeat(32) } },
      { ...stored, checkpoint: other(stored["checkpoint"], 2) },
      { ...stored, checkpoint: whole.checkpoint },
    ];
    for (const [i, row] of rows.entries()) await kv.set(["head", `${i}`], row);
    for (const [name, row] of [["plain", { ...plain, size: 2 }], ["whole", stored]] as const) {
      await kv.set(["head", name], row);
    }
    kv.close();
    const state = await openWitnessState(path);
    const { version, ...loaded } = (await state.load("whole"))!;
    assert.equal(typeof version, "string");
    assert.deepEqual(loaded, whole);
    await assert.rejects(state.load("plain"), { code: "store_corrupt" });
    for (const i of rows.keys()) {
      await assert.rejects(state.load(`${i}`), { code: "store_corrupt" }, JSON.stringify(i));
    }
    state.close();
  }));

Deno.test("createWitnessState() creates a state with the given heads, once", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    await createWitnessState(path, new Map([["a", head], ["b", { ...head, size: 9 }]]));
    await assert.rejects(createWitnessState(path, new Map([["a", { ...head, size: 1 }]])), {
      code: "file_failed",
    });
    const state = await openWitnessState(path);
    await assert.rejects(createWitnessState(path, new Map()), { code: "data_in_use" });
    assert.equal((await state.load("a"))?.size, 3);
    assert.equal((await state.load("b"))?.size, 9);
    assert.equal(await state.load("c"), undefined);
    state.close();
  }));

Deno.test("openWitnessState() rejects a copied state until --moved, also beside the original", () =>
  inFolder(async (folder) => {
    const [original, copy] = [join(folder, "state.kv"), join(folder, "copy.kv")];
    const use = async (path: string, moved: boolean) =>
      (await openWitnessState(path, { moved })).close();
    await createWitnessState(original, new Map());
    // A state that was never used is nowhere yet: `init` makes it on another machine.
    const unused = join(folder, "unused.kv");
    await copyState(original, unused);
    await use(unused, false);
    await use(original, false);
    await use(original, false);
    await copyState(original, copy);
    await assert.rejects(use(copy, false), {
      code: "store_copied",
      message: /^Cannot open witness state ".*": .*Two witnesses.*--moved$/,
    });
    await use(original, false);
    await use(copy, true);
    await use(copy, false);
    await use(original, false);
  }));

Deno.test("openWitnessState() rejects a second opener until the first closes", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    const first = await openOrCreateState(path);
    await assert.rejects(openWitnessState(path), { code: "data_in_use" });
    await assert.rejects(createWitnessState(path, new Map()), { code: "data_in_use" });
    first.close();
    (await openWitnessState(path)).close();
  }));

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

Deno.test("acquireLock() releases the lock when its process is killed", () =>
  inFolder(async (folder) => {
    const path = `${folder}/lock`;
    const lockModule = new URL("../../src/storage/lock_file.ts", import.meta.url).href;
    const script = `import { acquireLock } from ${JSON.stringify(lockModule)};
      await acquireLock(${JSON.stringify(path)});
      console.log("locked");
      setInterval(() => {}, 1000);`;
    await Deno.writeTextFile(`${folder}/hold.ts`, script);
    const holder = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "--config", CONFIG, "-A", `${folder}/hold.ts`],
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = holder.stdout.getReader();
    assert.match(new TextDecoder().decode((await reader.read()).value), /locked/);
    await assert.rejects(acquireLock(path), { code: "data_in_use" });
    holder.kill("SIGKILL");
    await holder.status;
    await reader.cancel();
    (await acquireLock(path)).release();
  }));

Deno.test("KvWitnessState.loadSigned() rejects a missing journal file, and one without a header", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    const run = { first: 3, digests: new Uint8Array(64).fill(7), timestamp: 1, beacon: null };
    for (let start = 0; start < 2; start++) {
      const state = await openOrCreateState(path);
      assert.deepEqual(await state.loadSigned(), start === 0 ? [] : [run]);
      if (start === 0) await state.appendSigned([run], 3);
      state.close();
    }
    for (const name of witnessStateFiles(path).slice(0, 4)) await Deno.stat(name);
    for (const code of ["store_corrupt", "witness_state_missing"]) {
      const [, last] = journalFiles(path);
      if (code === "store_corrupt") await Deno.writeFile(last, new Uint8Array(64));
      else await Deno.remove(last);
      const state = await openWitnessState(path);
      await assert.rejects(state.loadSigned(), { code });
      state.close();
    }
  }));

Deno.test("KvWitnessState.release() durably drops the rounds that end beyond a sequence", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    const round = (first: number, size: number) => ({
      first,
      digests: new Uint8Array(size * 32).map((_, i) => i),
      timestamp: first,
      beacon: null,
    });
    const first = await openOrCreateState(path);
    await first.loadSigned();
    await first.appendSigned([round(5, 1), round(6, 2)], 0);
    const releases = [{ from: 6, count: 2, timestamp: 7 }, { from: 5, count: 1, timestamp: 8 }];
    await first.release(releases[0]!);
    first.close();
    const again = await openWitnessState(path);
    assert.deepEqual(await again.loadSigned(), [round(5, 1)]);
    await again.release(releases[1]!);
    assert.deepEqual(await again.loadReleases(), releases);
    assert.deepEqual(await again.loadSigned(), []);
    again.close();
  }));

Deno.test("createWitnessState() rejects the journal of an earlier state and leaves it unchanged", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    const run = { first: 3, digests: new Uint8Array(64).fill(7), timestamp: 1, beacon: null };
    await createWitnessState(path, new Map());
    const state = await openWitnessState(path);
    await state.loadSigned();
    await state.appendSigned([run], 3);
    state.close();
    const journal = journalFiles(path);
    const before = await Promise.all(journal.map((name) => Deno.readFile(name)));
    await Deno.remove(path);
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(createWitnessState(path, new Map([["a", head]])), {
        code: "file_failed",
      });
      await assert.rejects(openOrCreateState(path), { code: "file_failed" });
      await assert.rejects(openWitnessState(path), {
        code: "witness_state_missing",
      });
    }
    assert.deepEqual(await Promise.all(journal.map((name) => Deno.readFile(name))), before);
    for (const name of journal) await Deno.rename(name, `${name}.old`);
    await createWitnessState(path, new Map([["a", head]]));
    const fresh = await openWitnessState(path);
    assert.deepEqual(await fresh.loadSigned(), []);
    fresh.close();
  }));

Deno.test("createWitnessState() accepts an empty journal that a crash left", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state.kv`;
    await RoundJournal.create(path);
    await Deno.writeFile(journalFiles(path)[1], new Uint8Array(64));
    await createWitnessState(path, new Map());
    const state = await openWitnessState(path);
    assert.deepEqual(await state.loadSigned(), []);
    state.close();
  }));
