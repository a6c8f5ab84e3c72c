import fc from "fast-check";
import assert from "node:assert/strict";
import { hexOf } from "../../src/bytes.ts";
import { journalFiles, RoundJournal, runsFrom } from "../../src/storage/round_journal.ts";
import type { JournalEntry } from "../../src/storage/round_journal_codec.ts";
import type { DigestRun } from "../../src/witness/ports.ts";
import { digestsOf } from "../witness/fixture.ts";

async function inJournal(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await RoundJournal.create(`${folder}/state.kv`);
    await run(`${folder}/state.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const run = (first: number, ...names: string[]): DigestRun => ({
  first,
  digests: digestsOf(...names),
});

/** Digests by sequence. */
function bySequence(runs: readonly DigestRun[], start = 0): Map<number, string> {
  return new Map(
    runsFrom(runs, start).flatMap(({ first, digests }) =>
      Array.from(
        { length: digests.length / 32 },
        (_, i): [number, string] => [first + i, hexOf(digests.slice(32 * i, 32 * i + 32))],
      )
    ),
  );
}

async function read(path: string, segmentLength?: number): Promise<readonly DigestRun[]> {
  const { journal, runs } = await RoundJournal.open(path, segmentLength);
  journal.close();
  return runs;
}

async function append(
  path: string,
  ...entries: readonly (readonly [JournalEntry[], number])[]
): Promise<void> {
  const { journal } = await RoundJournal.open(path);
  for (const [added, cosigned] of entries) await journal.append(added, cosigned);
  journal.close();
}

Deno.test("RoundJournal reads what was appended, over several openings", () =>
  inJournal(async (path) => {
    assert.deepEqual(await read(path), []);
    await append(path, [[run(5, "a", "b")], 0], [[run(7, "c"), run(2 ** 52, "d")], 0]);
    await append(path, [[run(0, "e")], 0]);
    const expected = [run(5, "a", "b"), run(7, "c"), run(2 ** 52, "d"), run(0, "e")];
    assert.deepEqual(await read(path), expected);
    const bytes = await Deno.stat(journalFiles(path)[0]);
    assert.equal(bytes.mode! & 0o777, 0o600);
  }));

Deno.test("RoundJournal forgets what was appended before a release, and nothing after it", () =>
  inJournal(async (path) => {
    await append(path, [[run(5, "a", "b", "c")], 0], [[{ releasedFrom: 6 }], 0]);
    await append(path, [[run(7, "x")], 0]);
    assert.deepEqual(await read(path), [run(5, "a"), run(7, "x")]);
  }));

Deno.test("RoundJournal drops a tail that is torn at any byte, and goes on behind what is whole", () =>
  inJournal(async (path) => {
    const [, current] = journalFiles(path);
    await append(path, [[run(0, "a")], 0]);
    const before = await Deno.readFile(current);
    // One write of two entries.
    await append(path, [[run(1, "b"), run(2, "c")], 0]);
    const after = await Deno.readFile(current);
    const start = 32 + 64;
    for (let written = 0; written <= 128; written++) {
      const torn = before.slice();
      torn.set(after.subarray(start, start + written), start);
      await Deno.writeFile(current, torn);
      const whole = written < 64 ? 1 : written < 128 ? 2 : 3;
      assert.deepEqual([...bySequence(await read(path)).keys()], [0, 1, 2].slice(0, whole));
      // The entry behind a torn one does not come back when another is written over the torn one.
      const onlyLast = before.slice();
      onlyLast.set(after.subarray(start + 64, start + 128), start + 64);
      onlyLast.set(after.subarray(start, start + Math.min(written, 63)), start);
      await Deno.writeFile(current, onlyLast);
      await append(path, [[run(1, "y")], 0]);
      assert.deepEqual(await read(path), [run(0, "a"), run(1, "y")]);
      // A file that ends with the tear.
      await Deno.writeFile(current, after.subarray(0, start + written));
      assert.equal((await read(path)).length, whole);
    }
  }));

Deno.test("RoundJournal loses nothing needed when a reused file is torn at any byte", () =>
  inJournal(async (path) => {
    const files = journalFiles(path);
    const snapshot = () => Promise.all(files.map((file) => Deno.readFile(file)));
    const { journal } = await RoundJournal.open(path, 200);
    let at = 0;
    // Until the first file has been reused more than once.
    for (; at < 30; at++) await journal.append([run(at, `${at}`)], at);
    let before = await snapshot(), after = before;
    const header = (bytes: Uint8Array) => hexOf(bytes.subarray(0, 32));
    let reused = -1;
    while (reused < 0) {
      before = after;
      await journal.append([run(at, `${at}`)], at);
      after = await snapshot();
      reused = after.findIndex((bytes, i) => header(bytes) !== header(before[i]!));
      at++;
    }
    journal.close();
    const cosigned = at - 1;
    for (let written = 0; written <= 96; written++) {
      const torn = before[reused]!.slice();
      torn.set(after[reused]!.subarray(0, written));
      await Deno.writeFile(files[reused]!, torn);
      const found = bySequence(await read(path, 200), cosigned);
      // Nothing beyond the cosigned size was durable before but this very entry.
      assert.ok([...found.keys()].every((sequence) => sequence === cosigned));
      assert.equal(found.size, Number(written === 96));
      if (written < 96) {
        const { journal } = await RoundJournal.open(path, 200);
        await journal.append([run(cosigned, "again")], cosigned);
        journal.close();
        assert.deepEqual(runsFrom(await read(path, 200), cosigned), [run(cosigned, "again")]);
      }
      for (const [i, bytes] of before.entries()) await Deno.writeFile(files[i]!, bytes);
    }
  }));

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ ahead: fc.nat(12), count: fc.integer({ min: 1, max: 5 }) }),
    },
    { weight: 2, arbitrary: fc.record({ cosign: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.record({ releaseAhead: fc.nat(8) }) },
    { weight: 1, arbitrary: fc.constant("open" as const) },
  ),
  { maxLength: 60 },
);

function agreesWithMap(forget: boolean) {
  return fc.asyncProperty(steps, (plan) =>
    inJournal(async (path) => {
      const expected = new Map<number, string>();
      let cosigned = 0, names = 0;
      let { journal } = await RoundJournal.open(path, 300);
      for (const step of plan) {
        if (step === "open") {
          journal.close();
          ({ journal } = await RoundJournal.open(path, 300));
        } else if ("cosign" in step) {
          cosigned += step.cosign;
        } else if ("releaseAhead" in step) {
          const releasedFrom = cosigned + step.releaseAhead;
          await journal.append([{ releasedFrom }], cosigned);
          for (const sequence of expected.keys()) {
            if (sequence >= releasedFrom) expected.delete(sequence);
          }
        } else {
          const first = cosigned + step.ahead;
          const texts = Array.from({ length: step.count }, () => `${names++}`);
          const fresh = texts.flatMap((name, i) => expected.has(first + i) ? [] : [{ name, i }]);
          await journal.append(
            fresh.map(({ name, i }) => run(first + i, name)),
            // The control drops what is still needed.
            forget ? cosigned + 40 : cosigned,
          );
          for (const { name, i } of fresh) expected.set(first + i, hexOf(digestsOf(name)));
        }
      }
      journal.close();
      const found = bySequence(await read(path, 300), cosigned);
      const needed = [...expected].filter(([sequence]) => sequence >= cosigned);
      assert.deepEqual(new Map([...found].toSorted()), new Map(needed.toSorted()));
    }));
}

Deno.test("RoundJournal agrees with a map over appends, releases, reuse and openings", () =>
  fc.assert(agreesWithMap(false), { numRuns: 60 }));

Deno.test("the property catches a journal that drops what is needed", async () => {
  const { failed } = await fc.check(agreesWithMap(true), { numRuns: 60, endOnFailure: true });
  assert.ok(failed);
});

Deno.test("RoundJournal reuses its files once their digests are cosigned, and only then", () =>
  inJournal(async (path) => {
    const lengths = async () =>
      (await Promise.all(journalFiles(path).map((file) => Deno.stat(file)))).map(({ size }) =>
        size
      );
    const many = (first: number) => ({ first, digests: new Uint8Array(500 * 32) });
    const { journal } = await RoundJournal.open(path, 100_000);
    for (let at = 0; at < 100; at++) await journal.append([many(at * 500)], at * 500);
    assert.ok((await lengths()).every((size) => size <= 2 ** 18));
    for (let at = 100; at < 130; at++) await journal.append([many(at * 500)], 50_000);
    journal.close();
    assert.equal(bySequence(await read(path), 50_000).size, 15_000);
  }));

Deno.test("RoundJournal.open() refuses a missing file and one that is no journal", () =>
  inJournal(async (path) => {
    await append(path, [[run(0, "a")], 0]);
    for (const file of journalFiles(path)) {
      const bytes = await Deno.readFile(file);
      await Deno.remove(file);
      await assert.rejects(RoundJournal.open(path), { code: "witness_state_missing" });
      await Deno.writeFile(file, bytes.subarray(0, 31));
      await assert.rejects(RoundJournal.open(path), { code: "store_corrupt" });
      await Deno.writeFile(file, bytes);
    }
    // create() keeps what is there.
    await RoundJournal.create(path);
    assert.deepEqual(await read(path), [run(0, "a")]);
  }));
