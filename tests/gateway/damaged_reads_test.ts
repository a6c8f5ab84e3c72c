/**
 * Reads stores with one damaged record through every read route: every served answer verifies
 * offline, and no read ends the gateway. `DAMAGED_STORES` is the number of stores of each scheme.
 */

import assert from "node:assert/strict";
import { HASH_LENGTH } from "../../src/base/bytes.ts";
import { hasCode } from "../../src/base/errors.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import { logKeys } from "../../src/storage/log/log_keys.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import {
  decodeIntakeRow,
  decodeStoredRound,
  withChecksum,
} from "../../src/storage/log/record_codec.ts";
import { inFolder } from "../server/captured_io.ts";
import { Random, seedOf } from "../fuzz/random.ts";
import { IS_LONG } from "../long_runs.ts";
import { eachScheme } from "../schemes.ts";
import { hashesOf } from "./checker.ts";
import { randomDigests, TestNetwork, until } from "./fixture.ts";
import { joinFront } from "./front_site.ts";
import { type Answers, OfflineClient } from "./offline_client.ts";

const STORES = Number(Deno.env.get("DAMAGED_STORES") ?? (IS_LONG ? 40 : 20));
const BATCHES = [300, 240, 90];
const SAMPLE = [0, 31, 299, 300, 511, 512, 629];

/** A record of a store file. */
interface StoredRecord {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

/** One damage to one record. */
interface RecordDamage {
  readonly name: string;
  readonly key: Deno.KvKey;
  /** The record that replaces the one at `key`; `undefined` if it is deleted. */
  readonly value: unknown;
  /** Sequences that the record is about. */
  readonly sequences: readonly number[];
}

/** A log of three batches in the file at `path`. */
async function makeLog(path: string, scheme: SignatureScheme) {
  const network = new TestNetwork(scheme);
  const { gateway, faults } = await network.start(await openKvLogStore(path, "network"));
  const hashes: string[] = [];
  const heads: SignedTreeHead[] = [];
  for (const count of BATCHES) {
    const digests = randomDigests(count);
    hashes.push(...hashesOf(digests));
    for (const part of [0, 1, 2]) {
      const at = part * Math.ceil(count / 3) * HASH_LENGTH;
      await gateway.jobs.accept(digests.slice(at, at + Math.ceil(count / 3) * HASH_LENGTH));
    }
    await until(() => gateway.log.latest()?.sth.tree_head.tree_size === hashes.length);
  }
  for (let size = 1; size <= hashes.length; size++) {
    const sth = await gateway.log.sthAt(size);
    if (sth !== undefined) heads.push(sth);
  }
  const client = await OfflineClient.of(gateway, { network: network.network, hashes, heads });
  await gateway.stop();
  assert.deepEqual(faults, []);
  using kv = await Deno.openKv(path);
  const records: StoredRecord[] = await Array.fromAsync(kv.list({ prefix: [] }));
  return { network, client, records };
}

/** Damage number `i`, of each kind of record in turn. */
function damageOf(records: readonly StoredRecord[], i: number): RecordDamage {
  const random = new Random(seedOf("damaged store", i));
  // Reads use rounds, digests, tiles and heads; the start reads the others.
  const kind = ["rd", "in", "t", "sth", "rd", "n", "in", "sth", "e", "head"][i % 10]!;
  const kin = records.filter(({ key }) => key[0] === kind);
  const { key, value } = random.pick(kin);
  const bytes = (value as Uint8Array).slice();
  const at = random.below(bytes.length);
  const ways: readonly (() => readonly [string, unknown])[] = [
    () => {
      bytes[at]! ^= 1 << random.below(8);
      return [`bit of byte ${at} flipped`, bytes];
    },
    () => {
      bytes[at]! ^= 1 << random.below(8);
      return [`bit of byte ${at} flipped`, bytes];
    },
    () => {
      bytes.fill(0, at, at + 16);
      return [`bytes from ${at} zero`, bytes];
    },
    () => ["cut short", bytes.slice(0, at)],
    () => ["another of its kind", random.pick(kin).value],
    () => ["a text", "no bytes"],
    () => ["gone", undefined],
  ];
  const [words, damaged] = random.pick(ways)();
  const name = `${i}: ${key.join("/")}, ${words}`;
  return { name, key, value: damaged, sequences: sequencesOf({ key, value }) };
}

function sequencesOf({ key: [kind, first = 0, index = 0], value }: StoredRecord): number[] {
  const start = Number(first);
  const range = (start: number, size: number) =>
    [start, start + Math.floor(size / 2), start + size - 1].filter((sequence) => sequence < 630);
  if (kind === "rd") return range(start, decodeStoredRound(start, value as Uint8Array).size);
  if (kind === "in") {
    return range(start, decodeIntakeRow(start, value as Uint8Array).digests.length / HASH_LENGTH);
  }
  if (kind === "t") return range(Number(index) * 256, 256);
  if (kind === "n") return range(start * 256, 256);
  return kind === "sth" ? [start - 1] : [];
}

async function inflict(path: string, { key, value }: RecordDamage): Promise<void> {
  using kv = await Deno.openKv(path);
  if (value === undefined) await kv.delete(key);
  else await kv.set(key, value);
}

/** Half of the records are damaged while the gateway runs. */
function isInflictedLate({ name, key }: Pick<RecordDamage, "name" | "key">): boolean {
  return key[0] !== "e" && key[0] !== "head" && seedOf(name, 1) % 2 === 1;
}

/**
 * The answers of a gateway, or of a front of it, over a damaged copy of the log; `undefined` if the gateway
 * does not start.
 */
async function askDamaged(
  { network, client }: Pick<Awaited<ReturnType<typeof makeLog>>, "network" | "client">,
  path: string,
  damage: RecordDamage,
  options: Parameters<TestNetwork["start"]>[1] = {},
): Promise<Answers | undefined> {
  const isLate = isInflictedLate(damage);
  if (!isLate) await inflict(path, damage);
  const store = await openKvLogStore(path, "network");
  let running;
  try {
    running = await network.start(store, options);
  } catch (error) {
    store.close();
    assert.ok(hasCode(error, "store_corrupt"), `${damage.name}: ${error}`);
    assert.ok(!isLate, damage.name);
    return undefined;
  }
  const { gateway, faults } = running;
  const front = seedOf(damage.name, 2) % 2 === 0
    ? await joinFront(network, gateway.sequencer, path, options)
    : undefined;
  if (isLate) await inflict(path, damage);
  const service = front?.front ?? gateway;
  const sequences = new Set([...SAMPLE, ...damage.sequences]);
  // Rounds are cached with their trees after some reads.
  await client.ask(service, sequences);
  const answers = await client.ask(service, sequences);
  front?.end();
  await gateway.stop();
  assert.deepEqual(faults, [], damage.name);
  return answers;
}

eachScheme.test("a gateway or front over a damaged record serves only answers that verify", (scheme) =>
  inFolder(async (folder) => {
    const sound = `${folder}/sound.kv`;
    const log = await makeLog(sound, scheme);
    const counts = { refusedAtStart: 0, refused: 0, whole: 0 };
    for (let i = 0; i < (scheme === "bls" ? Math.max(10, STORES / 4) : STORES); i++) {
      const damage = damageOf(log.records, i);
      const path = `${folder}/damaged.kv`;
      for (const suffix of ["", "-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
      await Deno.copyFile(sound, path);
      const answers = await askDamaged(log, path, damage);
      if (answers === undefined) {
        counts.refusedAtStart++;
        continue;
      }
      const isHeadGone = damage.value === undefined && damage.key[0] === "sth";
      const wrong = answers.wrong.filter((path) => !isHeadGone || !path.startsWith("/v1/batches"));
      assert.deepEqual(wrong, [], damage.name);
      const codes = new Set(answers.refused.keys());
      // A digest read before the damage is cached, and lookups of the damaged hash do not find it.
      if (damage.key[0] === "in") codes.delete("hash_unknown");
      // A deleted head is undetectable: the next one also closes its batch.
      if (isHeadGone) {
        for (const code of ["tree_size_not_published", "batch_not_found"]) codes.delete(code);
      }
      codes.delete("internal");
      assert.deepEqual([...codes], [], damage.name);
      if (answers.refused.size > 0) counts.refused++;
      else counts.whole++;
    }
    assert.ok(counts.refused > 0 && counts.refusedAtStart > 0, JSON.stringify(counts));
  }));

Deno.test("control: a record that was written wrong, with its checksum, is served, and the client refuses it", () =>
  inFolder(async (folder) => {
    const path = `${folder}/store.kv`;
    const log = await makeLog(path, "ed25519");
    const key = logKeys.round(0);
    const stored = log.records.find((record) => record.key.join() === key.join())!;
    const record = (stored.value as Uint8Array).slice(0, -8);
    // Of the first signature.
    record[30]! ^= 1;
    const value = withChecksum(0, record);
    const damage = { name: "a signature", key, value, sequences: [0] };
    const answers = await askDamaged(log, path, damage);
    const hash = log.client.hashOf(0);
    for (const route of ["attestations", "bundle"]) {
      assert.ok(answers!.wrong.includes(`/v1/${route}/${hash}`), answers!.wrong.join());
    }
  }));

Deno.test("control: the same of a tree head", () =>
  inFolder(async (folder) => {
    const path = `${folder}/store.kv`;
    const log = await makeLog(path, "ed25519");
    const [size, nextSize] = log.records.flatMap(({ key: [kind, size] }) =>
      kind === "sth" ? [size as number] : []
    );
    assert.ok(nextSize !== undefined, "the latest head is verified at the start");
    const key = logKeys.sth(size!);
    const stored = log.records.find((record) => record.key.join() === key.join())!;
    const record = (stored.value as Uint8Array).slice(0, -8);
    // Of the last signature.
    record[record.length - 1]! ^= 1;
    const value = withChecksum(size!, record);
    // Heads are in memory once the gateway has started, so this damage must be there before.
    const names = Array.from({ length: 100 }, (_, i) => `a signature (${i})`);
    const name = names.find((name) => !isInflictedLate({ name, key }))!;
    const damage = { name, key, value, sequences: [0] };
    const answers = await askDamaged(log, path, damage);
    const hash = log.client.hashOf(0);
    assert.ok(answers!.wrong.includes(`/v1/bundle/${hash}`), answers!.wrong.join());
  }));
