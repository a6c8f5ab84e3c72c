import assert from "node:assert/strict";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { journalFiles, RoundJournal } from "../../src/storage/witness/round_journal.ts";
import type { WitnessedRound } from "../../src/witness/ports.ts";
import { digestsOf } from "../witness/fixture.ts";
import { PowerLossDisk } from "./power_loss.ts";

async function inFolder(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await use(`${folder}/state.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const run = (first: number): WitnessedRound => ({
  first,
  digests: digestsOf(`${first}`),
  timestamp: 1,
  beacon: null,
});

/** Distinct first sequences. */
async function read(path: string, segmentLength?: number): Promise<number[]> {
  const { journal, rounds } = await RoundJournal.open(path, segmentLength);
  journal.close();
  return [...new Set(rounds.map(({ first }) => first))];
}

/** The fourth run exceeds the length of a file. */
const SEGMENT_LENGTH = 400;

/** The current file exceeds its length, and sequences from 4 on in the other file are needed. */
async function fullJournal(path: string): Promise<RoundJournal> {
  await RoundJournal.create(path);
  const { journal } = await RoundJournal.open(path, SEGMENT_LENGTH);
  for (let first = 0; first < 8; first++) await journal.append([run(first)], 0);
  return journal;
}

type FileMethods = Pick<Deno.FsFile, "syncData" | "writeSync">;

/** Calls `use` while `faults` replace methods of all files. */
async function withFaults(
  faults: (real: FileMethods) => Partial<FileMethods>,
  use: () => Promise<void>,
): Promise<void> {
  const { prototype } = Deno.FsFile;
  const { syncData, writeSync } = prototype;
  Object.assign(prototype, faults({ syncData, writeSync }));
  try {
    await use();
  } finally {
    Object.assign(prototype, { syncData, writeSync });
  }
}

const noSpace = () => new Error("No space left on device (os error 28)");
const refused = { code: "storage_failed" };

/** The frame is written, the zeros behind it are not. */
function fullDisk({ writeSync }: FileMethods): Partial<FileMethods> {
  return {
    writeSync(this: Deno.FsFile, bytes) {
      if (bytes.every((byte) => byte === 0)) throw noSpace();
      return writeSync.call(this, bytes);
    },
  };
}

function failingSync(): Partial<FileMethods> {
  return { syncData: () => Promise.reject(noSpace()) };
}

for (const [name, faults] of Object.entries({ fullDisk, failingSync })) {
  Deno.test(`RoundJournal opens after a failed append and a change of files: ${name}`, () =>
    inFolder(async (path) => {
      const journal = await fullJournal(path);
      // Makes the frame extend the file.
      const current = journalFiles(path)[0];
      await Deno.truncate(current, 64 + 4 * 96);
      journal.close();
      const again = (await RoundJournal.open(path, SEGMENT_LENGTH)).journal;
      await withFaults(faults, () => assert.rejects(again.append([run(8)], 0), refused));
      // The frame is complete.
      assert.ok((await Deno.stat(current)).size >= 64 + 5 * 96);
      await again.append([run(8)], 8);
      await again.append([run(9)], 8);
      again.close();
      assert.deepEqual(await read(path), [4, 5, 6, 7, 8, 9]);
    }));
}

Deno.test("RoundJournal.append() can be retried when a failed append cannot be voided", () =>
  inFolder(async (path) => {
    const journal = await fullJournal(path);
    await withFaults(failingSync, () => assert.rejects(journal.append([run(8)], 0), refused));
    for (const faults of [failingSync, fullDisk]) {
      await withFaults(faults, () => assert.rejects(journal.append([run(8)], 8), refused));
    }
    await journal.append([run(8)], 8);
    journal.close();
    assert.deepEqual(await read(path), [4, 5, 6, 7, 8]);
  }));

for (const fault of ["unfinished", "lost"] as const) {
  Deno.test(`RoundJournal.open() makes durable what it reads: the last sync is ${fault}`, () =>
    inFolder(async (path) => {
      await RoundJournal.create(path);
      using disk = new PowerLossDisk(journalFiles(path));
      const { journal } = await RoundJournal.open(path);
      await journal.append([run(0)], 0);
      disk.syncFault = fault;
      await assert.rejects(journal.append([run(1)], 0), refused);
      // The process is killed. The page cache stays.
      journal.close();
      await assert.rejects(RoundJournal.open(path), refused);
      disk.syncFault = undefined;
      assert.deepEqual(await read(path), [0, 1]);
      disk.losePower();
      assert.deepEqual(await read(path), [0, 1]);
    }));

  Deno.test(`RoundJournal.open() makes a new header durable: the last sync is ${fault}`, () =>
    inFolder(async (path) => {
      const journal = await fullJournal(path);
      journal.close();
      using disk = new PowerLossDisk(journalFiles(path));
      const again = (await RoundJournal.open(path, SEGMENT_LENGTH)).journal;
      const { syncData } = Deno.FsFile.prototype;
      let syncs = 0;
      Deno.FsFile.prototype.syncData = function () {
        // The end of the current file is synced before the header of the other one.
        if (++syncs === 2) disk.syncFault = fault;
        return syncData.call(this);
      };
      await assert.rejects(again.append([run(8)], 8), refused);
      Deno.FsFile.prototype.syncData = syncData;
      again.close();
      disk.syncFault = undefined;
      assert.deepEqual(await read(path), [4, 5, 6, 7]);
      const last = (await RoundJournal.open(path, SEGMENT_LENGTH)).journal;
      await last.append([run(8)], 8);
      last.close();
      disk.losePower();
      assert.deepEqual(await read(path), [4, 5, 6, 7, 8]);
    }));
}

Deno.test("RoundJournal.create() overwrites what a crash leaves of it", () =>
  inFolder(async (path) => {
    const crashed = [0, 10, 64].map((length) => new Uint8Array(length));
    for (const content of crashed) {
      for (const name of journalFiles(path)) {
        await RoundJournal.create(path);
        await Deno.writeFile(name, content);
        await RoundJournal.create(path);
        assert.deepEqual(await read(path), []);
      }
    }
  }));

Deno.test("RoundJournal.create() syncs the files, then their folder", () =>
  inFolder(async (path) => {
    using disk = new PowerLossDisk([]);
    await RoundJournal.create(path);
    assert.deepEqual(disk.synced, [...journalFiles(path), dirname(path)]);
  }));

Deno.test("RoundJournal.create() needs access to its files only", () =>
  inFolder(async (path) => {
    const journalModule =
      new URL("../../src/storage/witness/round_journal.ts", import.meta.url).href;
    const script = `${dirname(path)}/create.ts`;
    await Deno.writeTextFile(
      script,
      `import { RoundJournal } from ${JSON.stringify(journalModule)};
      await RoundJournal.create(${JSON.stringify(path)});`,
    );
    const files = journalFiles(path).join();
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        // The configuration file of a script in another folder is not found.
        "run",
        "--config",
        fileURLToPath(new URL("../../deno.json", import.meta.url)),
        "--cached-only",
        "--no-check",
        "--no-prompt",
        `--allow-read=${files}`,
        `--allow-write=${files}`,
        script,
      ],
    }).output();
    assert.ok(success, new TextDecoder().decode(stderr));
    assert.deepEqual(await read(path), []);
  }));
