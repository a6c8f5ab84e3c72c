import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import type { IndexedSignatureSet } from "../../src/proof/format/records.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { FakeClock } from "../fake_clock.ts";
import { checkLog, hashesOf, LogFault, type LogPart } from "./checker.ts";
import { randomDigests, TestNetwork } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { eachScheme } from "../schemes.ts";

/** A log of 600 attestations in several rounds and three batches, one unsigned row at its end. */
async function makeLog(
  scheme: SignatureScheme,
): Promise<{ network: TestNetwork; log: MemoryLog; hashes: string[] }> {
  const clock = new FakeClock();
  const network = new TestNetwork(scheme, 3, 2, clock);
  const log = new MemoryLog();
  const { gateway, faults } = await network.start(new MemoryLogStore(log));
  const hashes: string[] = [];
  for (const count of [290, 300, 10]) {
    const digests = randomDigests(count);
    hashes.push(...hashesOf(digests));
    await gateway.jobs.accept(digests);
    await clock.until(() => gateway.log.latest()?.sth.tree_head.tree_size === hashes.length);
  }
  for (const witness of network.witnesses) witness.down = true;
  const waiting = randomDigests(2);
  hashes.push(...hashesOf(waiting));
  await gateway.jobs.accept(waiting);
  await gateway.stop();
  assert.deepEqual(faults, []);
  assert.deepEqual(log.violations, []);
  return { network, log, hashes };
}

eachScheme.test("checkLog() returns the sizes of a valid log", async (scheme) => {
  const { network, log, hashes } = await makeLog(scheme);
  const checked = await checkLog(new MemoryLogStore(log), network.network);
  assert.deepEqual(checked.hashes, hashes);
  assert.equal(checked.accepted, 602);
  assert.equal(checked.signed, 600);
  assert.equal(checked.confirmed, 600);
  assert.equal(checked.treeSize, 600);
  assert.equal(checked.published, 600);
  assert.deepEqual([...checked.roots.keys()], [290, 590, 600]);
  assert.deepEqual(network.heads.forks, []);
});

/** A change of one byte, number or record, and the part that must be reported. */
type Damage = readonly [LogPart, string, (log: MemoryLog) => void];

function first<T>(map: ReadonlyMap<unknown, T>): T {
  return [...map.values()][0]!;
}

function replace<T extends object>(map: Map<number, T>, key: number, change: Partial<T>): void {
  map.set(key, { ...map.get(key)!, ...change });
}

/** The one signature of an aggregate, or the last of a list. */
function lastSignature(set: IndexedSignatureSet): Bytes {
  return "witnesses" in set ? set.signature : set.at(-1)!.signature;
}

/** `set` with other witness indices. In a list, the signatures stay where they are. */
function withPlaces(
  set: IndexedSignatureSet,
  change: (witnessIndexes: readonly number[]) => readonly number[],
): IndexedSignatureSet {
  if ("witnesses" in set) return { ...set, witnesses: change(set.witnesses) };
  return change(set.map(({ witness }) => witness))
    .map((witness, i) => ({ ...set[i]!, witness }));
}

const DAMAGES: readonly Damage[] = [
  ["round_signatures", "a byte of a digest", (log) => log.rows.get(0)!.digests[5]! ^= 1],
  ["digests", "a digest twice", (log) => {
    log.rows.get(0)!.digests.set(log.rows.get(4)!.digests.subarray(0, 32));
  }],
  ["rows", "a row that is gone", (log) => log.rows.delete(8)],
  ["rows", "the first row that is gone", (log) => log.rows.delete(0)],
  ["rows", "half a digest less", (log) => {
    replace(log.rows, 4, { digests: log.rows.get(4)!.digests.slice(0, -16) });
  }],
  ["head", "a round that is gone", (log) => log.rounds.delete([...log.rounds.keys()][1]!)],
  ["round_signatures", "the size of a round", (log) => replace(log.rounds, 0, { size: 1 })],
  ["rounds", "a round that overlaps", (log) => {
    log.rounds.set(1, { ...first(log.rounds), first: 1 });
  }],
  ["rounds", "a round of what was not accepted", (log) => {
    log.rounds.set(601, { ...first(log.rounds), first: 601, size: 5 });
  }],
  ["round_signatures", "the time of a round", (log) => {
    replace(log.rounds, 0, { timestamp: log.rounds.get(0)!.timestamp + 1 });
  }],
  ["round_signatures", "a byte of a round's signature", (log) => {
    lastSignature(log.rounds.get(0)!.signatures)[47]! ^= 1;
  }],
  ["round_signatures", "the witness of a round's signature", (log) => {
    const { signatures } = log.rounds.get(0)!;
    replace(log.rounds, 0, {
      signatures: withPlaces(signatures, ([one, two]) => [one!, two! + 1]),
    });
  }],
  ["round_signatures", "one witness twice", (log) => {
    const { signatures } = log.rounds.get(0)!;
    replace(log.rounds, 0, { signatures: withPlaces(signatures, ([one]) => [one!, one!]) });
  }],
  ["round_signatures", "a signature too few", (log) => {
    const { signatures } = log.rounds.get(0)!;
    replace(log.rounds, 0, {
      signatures: withPlaces(signatures, (witnessIndexes) => witnessIndexes.slice(1)),
    });
  }],
  ["upper_nodes", "a byte of an upper node", (log) => log.rounds.get(0)!.upperNodes[9]! ^= 1],
  ["head", "a byte of the head's root", (log) => log.head!.head.root[0]! ^= 1],
  ["head", "the head's size", (log) => {
    log.head = { ...log.head!, head: { ...log.head!.head, size: 599 } };
  }],
  ["head", "a head beyond what is signed", (log) => {
    log.head = { ...log.head!, head: { ...log.head!.head, size: 601 } };
  }],
  ["tiles", "no head", (log) => log.head = undefined],
  ["edges", "a byte of an edge", (log) => log.edges[0]![7]! ^= 1],
  ["edges", "an edge too few", (log) => log.edges.pop()],
  ["edges", "an edge too many", (log) => log.edges.push(new Uint8Array(32))],
  ["tiles", "a byte of a tile", (log) => log.tiles.get("0/1")![8191]! ^= 1],
  ["tiles", "a tile that is gone", (log) => log.tiles.delete("0/0")],
  ["tiles", "a tile too many", (log) => log.tiles.set("0/2", log.tiles.get("0/1")!)],
  ["sths", "a byte of a published root", (log) => log.sths.get(590)!.root[31]! ^= 1],
  ["sths", "a head of another size", (log) => {
    log.sths.set(589, { ...log.sths.get(590)!, size: 589 });
  }],
  ["sths", "a head beyond the tree", (log) => {
    log.sths.set(601, { ...log.sths.get(590)!, size: 601 });
  }],
  ["sth_signatures", "the time of a head", (log) => {
    replace(log.sths, 590, { timestamp: log.sths.get(590)!.timestamp - 1 });
  }],
  ["sth_signatures", "a byte of a cosignature", (log) => {
    lastSignature(log.sths.get(290)!.signatures)[0]! ^= 1;
  }],
  ["log_signature", "a byte of the log's signature", (log) => {
    log.sths.get(290)!.logSignature[0]! ^= 1;
  }],
  ["index", "a run that is done before it is full", (log) => log.doneRuns.add(0)],
];

eachScheme.test("checkLog() detects every kind of damage, down to one byte", async (scheme) => {
  const { network, log } = await makeLog(scheme);
  for (const [part, what, damage] of DAMAGES) {
    const damaged = log.copy();
    damage(damaged);
    const found = await checkLog(new MemoryLogStore(damaged), network.network)
      .catch((error: unknown) => error);
    assert.ok(found instanceof LogFault, what);
    assert.equal(found.part, part, what);
  }
  await checkLog(new MemoryLogStore(log.copy()), network.network);
});
