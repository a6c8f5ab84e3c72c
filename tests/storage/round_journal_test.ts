import fc from "fast-check";
import assert from "node:assert/strict";
import { hexOf } from "../../src/base/bytes.ts";
import { journalFiles, RoundJournal } from "../../src/storage/witness/round_journal.ts";
import { decodeSegment, type JournalEntry } from "../../src/storage/witness/round_journal_codec.ts";
import type { WitnessedRound } from "../../src/witness/ports.ts";
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

const run = (first: number, ...names: string[]): WitnessedRound => ({
  first,
  digests: digestsOf(...names),
  timestamp: 1_700_000_000 + first % 7,
  beacon: null,
});

/** Digests by sequence. */
function bySequence(runs: readonly WitnessedRound[], start = 0): Map<number, string> {
  return new Map(
    runs.flatMap(({ first, digests }) =>
      Array.from(
        { length: digests.length / 32 },
        (_, i): [number, string] => [first + i, hexOf(digests.slice(32 * i, 32 * i + 32))],
      )
    ).filter(([sequence]) => sequence >= start),
  );
}

async function read(path: string, segmentLength?: number): Promise<readonly WitnessedRound[]> {
  const { journal, rounds } = await RoundJournal.open(path, segmentLength);
  journal.close();
  return rounds;
}

async function append(
  path: string,
  ...entries: readonly (readonly [JournalEntry[], number])[]
): Promise<void> {
  const { journal } = await RoundJournal.open(path);
  for (const [added, cosigned] of entries) await journal.append(added, cosigned);
  journal.close();
}

Deno.test("RoundJournal.open() reads the appended runs, over several openings", () =>
  inJournal(async (path) => {
    assert.deepEqual(await read(path), []);
    await append(path, [[run(5, "a", "b")], 0], [[run(7, "c"), run(2 ** 52, "d")], 0]);
    await append(path, [[run(0, "e")], 0]);
    const expected = [run(5, "a", "b"), run(7, "c"), run(2 ** 52, "d"), run(0, "e")];
    assert.deepEqual(await read(path), expected);
    const bytes = await Deno.stat(journalFiles(path)[0]);
    assert.equal(bytes.mode! & 0o777, 0o600);
  }));

Deno.test("RoundJournal.open() reads times and beacons", () =>
  inJournal(async (path) => {
    const beacon = { chain_hash: "5a".repeat(32), round: 2 ** 40, signature: "b7".repeat(48) };
    const rounds = [
      { ...run(5, "a", "b"), beacon },
      { ...run(7, "c"), timestamp: 0, beacon: { ...beacon, round: 0 } },
    ];
    await append(path, [rounds, 0]);
    assert.deepEqual(await read(path), rounds);
  }));

Deno.test("RoundJournal.open() drops rounds before a release, and none after it", () =>
  inJournal(async (path) => {
    await append(
      path,
      [[run(5, "a"), run(6, "b", "c"), run(9, "d")], 0],
      [[{ releasedFrom: 6 }], 0],
    );
    await append(path, [[run(7, "x")], 0]);
    assert.deepEqual(await read(path), [run(5, "a"), run(7, "x")]);
  }));

/** Lengths of the header and of a frame with one entry of one digest. */
const HEADER = 64, FRAME = 96;

Deno.test("RoundJournal.open() drops a last write that is incomplete at any byte", () =>
  inJournal(async (path) => {
    const [, current] = journalFiles(path);
    await append(path, [[run(0, "a")], 0]);
    const before = await Deno.readFile(current);
    // One write of two entries.
    await append(path, [[run(1, "b"), run(2, "c")], 0]);
    const after = await Deno.readFile(current);
    const start = HEADER + FRAME, length = FRAME + 64;
    for (let written = 0; written <= length; written++) {
      const torn = before.slice();
      torn.set(after.subarray(start, start + written), start);
      await Deno.writeFile(current, torn);
      const whole = written < length ? [0] : [0, 1, 2];
      assert.deepEqual([...bySequence(await read(path)).keys()], whole);
      // Only the end of the write reached the disk.
      const onlyEnd = before.slice();
      onlyEnd.set(after.subarray(start + written, start + length), start + written);
      await Deno.writeFile(current, onlyEnd);
      // The first bytes of a frame are zeros, as those of the file are.
      if (written > 7) {
        await append(path, [[run(1, "y")], 0]);
        assert.deepEqual(await read(path), [run(0, "a"), run(1, "y")]);
      }
      // A file that ends inside the write.
      await Deno.writeFile(current, after.subarray(0, start + written));
      assert.deepEqual([...bySequence(await read(path)).keys()], whole);
    }
  }));

Deno.test("RoundJournal loses no needed run when a write to a reused file is incomplete at any byte", () =>
  inJournal(async (path) => {
    const files = journalFiles(path);
    const snapshot = () => Promise.all(files.map((file) => Deno.readFile(file)));
    const { journal } = await RoundJournal.open(path, 300);
    let at = 0;
    // Until the first file has been reused more than once.
    for (; at < 30; at++) await journal.append([run(at, `${at}`)], at);
    let before = await snapshot(), after = before;
    const header = (bytes: Uint8Array) => hexOf(bytes.subarray(0, HEADER));
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
    // The header is written and synced first, and a disk writes it whole or not at all.
    for (const written of [0, ...Array.from({ length: FRAME + 1 }, (_, i) => HEADER + i)]) {
      const torn = before[reused]!.slice();
      torn.set(after[reused]!.subarray(0, written));
      await Deno.writeFile(files[reused]!, torn);
      const found = bySequence(await read(path, 300), cosigned);
      // Before, only this entry was durable beyond the cosigned size.
      assert.ok([...found.keys()].every((sequence) => sequence === cosigned));
      assert.equal(found.size, Number(written === HEADER + FRAME));
      if (written < HEADER + FRAME) {
        const { journal } = await RoundJournal.open(path, 300);
        await journal.append([run(cosigned, "again")], cosigned);
        journal.close();
        const needed = (await read(path, 300)).filter(({ first }) => first >= cosigned);
        assert.deepEqual(needed, [run(cosigned, "again")]);
      }
      for (const [i, bytes] of before.entries()) await Deno.writeFile(files[i]!, bytes);
    }
  }));

Deno.test("RoundJournal.open() rejects damage anywhere except in the last write", () =>
  inJournal(async (path) => {
    const files = journalFiles(path);
    const { journal } = await RoundJournal.open(path, 300);
    // Both files have been reused, and have frames with old content after them.
    for (let at = 0; at < 23; at++) await journal.append([run(at, `${at}`)], at);
    journal.close();
    assert.ok((await read(path, 300)).length > 3);
    const refused = { code: "store_corrupt" };
    let tails = 0;
    for (const file of files) {
      const whole = await Deno.readFile(file);
      const [other] = files.filter((name) => name !== file);
      const isCurrent = generationOf(whole) > generationOf(await Deno.readFile(other!));
      const frames = await framesIn(path, file);
      const end = HEADER + FRAME * frames;
      for (let at = 0; at < end; at++) {
        const damaged = whole.slice();
        damaged[at]! ^= 1 << (at % 8);
        await Deno.writeFile(file, damaged);
        if (isCurrent && at >= end - FRAME) {
          // Indistinguishable from a write that a crash interrupted.
          tails++;
          assert.equal(await framesIn(path, file), frames - 1);
        } else await assert.rejects(RoundJournal.open(path), refused, `${file} ${at}`);
      }
      // Zeroed pages, and a truncated file.
      for (let at = 0; at < end - FRAME; at += 32) {
        const lost = whole.slice().fill(0, at, at + 32);
        await Deno.writeFile(file, lost);
        await assert.rejects(RoundJournal.open(path), refused, `${file} ${at} empty`);
        if (isCurrent) continue;
        await Deno.writeFile(file, whole.subarray(0, at));
        await assert.rejects(RoundJournal.open(path), refused, `${file} cut off at ${at}`);
      }
      await Deno.writeFile(file, whole);
    }
    assert.equal(tails, FRAME);
  }));

Deno.test("RoundJournal.open() rejects an old copy of the older file", () =>
  inJournal(async (path) => {
    const files = journalFiles(path);
    const { journal } = await RoundJournal.open(path, 300);
    const snapshots: Uint8Array[][] = [];
    for (let at = 0; at < 20; at++) {
      await journal.append([run(at, `${at}`)], at);
      snapshots.push(await Promise.all(files.map((file) => Deno.readFile(file))));
    }
    journal.close();
    const last = snapshots.at(-1)!;
    const older = generationOf(last[0]!) < generationOf(last[1]!) ? 0 : 1;
    let refused = 0;
    for (const [moment, old] of snapshots.entries()) {
      if (hexOf(old[older]!) === hexOf(last[older]!)) continue;
      await Deno.writeFile(files[older]!, old[older]!);
      await assert.rejects(RoundJournal.open(path), { code: "store_corrupt" }, `${moment}`);
      refused++;
    }
    assert.ok(refused > 10);
  }));

Deno.test("RoundJournal.open() never reads digests as frames", () =>
  inJournal(async (path) => {
    const [, current] = journalFiles(path);
    await append(path, [[run(0, "a", "b", "c")], 0]);
    const bytes = await Deno.readFile(current);
    // A frame of one journal as digests of another, after an incomplete frame.
    const frame = bytes.slice(HEADER, HEADER + FRAME + 64);
    const torn = { ...run(3), digests: frame };
    await append(path, [[torn], 0]);
    const written = await Deno.readFile(current);
    written[HEADER + frame.length + 16]! ^= 1;
    await Deno.writeFile(current, written);
    assert.deepEqual(await read(path), [run(0, "a", "b", "c")]);
  }));

function generationOf(bytes: Uint8Array): number {
  return Number(new DataView(bytes.buffer).getBigUint64(16));
}

/** Number of frames with one entry in a file of the journal at `path`. */
async function framesIn(path: string, file: string): Promise<number> {
  const segment = decodeSegment(await Deno.readFile(file));
  assert.ok(segment !== undefined, path);
  return segment.entries.length;
}

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
            // The control drops needed runs.
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

Deno.test("the property detects a journal that drops needed runs", async () => {
  const { failed } = await fc.check(agreesWithMap(true), { numRuns: 60, endOnFailure: true });
  assert.ok(failed);
});

Deno.test("RoundJournal reuses a file only when its digests are cosigned", () =>
  inJournal(async (path) => {
    const lengths = async () =>
      (await Promise.all(journalFiles(path).map((file) => Deno.stat(file)))).map(({ size }) =>
        size
      );
    const many = (first: number) => ({ ...run(first), digests: new Uint8Array(500 * 32) });
    const { journal } = await RoundJournal.open(path, 100_000);
    for (let at = 0; at < 100; at++) await journal.append([many(at * 500)], at * 500);
    assert.ok((await lengths()).every((size) => size <= 2 ** 18));
    for (let at = 100; at < 130; at++) await journal.append([many(at * 500)], 50_000);
    journal.close();
    assert.equal(bySequence(await read(path), 50_000).size, 15_000);
  }));

Deno.test("RoundJournal.open() rejects a missing file and one that is not a journal", () =>
  inJournal(async (path) => {
    await append(path, [[run(0, "a")], 0]);
    for (const file of journalFiles(path)) {
      const bytes = await Deno.readFile(file);
      await Deno.remove(file);
      await assert.rejects(RoundJournal.open(path), { code: "witness_state_missing" });
      await Deno.writeFile(file, bytes.subarray(0, 63));
      await assert.rejects(RoundJournal.open(path), { code: "store_corrupt" });
      await Deno.writeFile(file, bytes);
    }
    assert.deepEqual(await read(path), [run(0, "a")]);
  }));
