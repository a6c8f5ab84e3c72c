/**
 * Stores of earlier programs. The bytes are written here by hand, independently of the codecs.
 */

import assert from "node:assert/strict";
import { concat, uint64, utf8 } from "../../src/bytes.ts";
import { anyContradictionMembers } from "../../src/format/federation.ts";
import { openAnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { KvAnchorList } from "../../src/storage/anchors/kv_anchor_list.ts";
import { KvFederationStore } from "../../src/storage/anchors/kv_federation_store.ts";
import { FORMAT_VERSION } from "../../src/storage/log/kv_log_store.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { openStoredLog } from "../../src/storage/log/kv_stored_log.ts";
import { decodeRound, decodeSth } from "../../src/format/record_codec.ts";
import { checkMeta } from "../../src/storage/store_meta.ts";
import { inFolder } from "../server/captured_io.ts";
import { twoSuccessions } from "../verify/test_succession.ts";
import { row } from "./log_records.ts";

const TIME = 1_800_000_000;
const DIGEST = new Uint8Array(32).fill(0xd1);
const ROOT = new Uint8Array(32).fill(0x10);
const NODE = new Uint8Array(32).fill(0x7e);
const LOG_SIGNATURE = new Uint8Array(64).fill(0x51);
const RECEIPT_SIGNATURE = new Uint8Array(64).fill(0x52);
const CHAIN = new Uint8Array(32).fill(0xc4);

/** Two signatures, of witnesses 0 and 2. */
const LIST = concat(
  Uint8Array.fromHex("0002" + "000040"),
  new Uint8Array(64).fill(1),
  Uint8Array.fromHex("000240"),
  new Uint8Array(64).fill(2),
);
/** One signature of witnesses 0 and 2. */
const AGGREGATE = concat(Uint8Array.fromHex("0001" + "05"), new Uint8Array(48).fill(3));
const BEACON = concat(CHAIN, uint64(77), new Uint8Array(48).fill(4));

function roundValue(version: number): Uint8Array {
  return concat(
    Uint8Array.of(version),
    Uint8Array.fromHex("0001"),
    uint64(TIME),
    Uint8Array.fromHex("00000003"),
    version > 2 ? BEACON : new Uint8Array(),
    version % 2 === 1 ? LIST : AGGREGATE,
    NODE,
  );
}

function sthValue(version: number): Uint8Array {
  const signatures = version % 2 === 1 ? LIST : AGGREGATE;
  const receipts = version > 2 ? RECEIPT_SIGNATURE : new Uint8Array();
  return concat(Uint8Array.of(version), ROOT, uint64(TIME), LOG_SIGNATURE, receipts, signatures);
}

/** Records of format version 1, by program. */
interface EarlierStore {
  readonly round: number;
  readonly sth: number;
  readonly hasSpent: boolean;
}

const EARLIER: Readonly<Record<string, EarlierStore>> = {
  "the first one, with lists of signatures": { round: 1, sth: 1, hasSpent: false },
  "one with aggregates": { round: 2, sth: 2, hasSpent: false },
  "one with beacons": { round: 3, sth: 1, hasSpent: false },
  "one with beacons and aggregates": { round: 4, sth: 2, hasSpent: false },
  "one with spent tokens": { round: 1, sth: 1, hasSpent: true },
};

async function writeStore(path: string, { round, sth, hasSpent }: EarlierStore): Promise<void> {
  using kv = await Deno.openKv(path);
  const meta = { format_version: 1, index_key: "0102030405060708", network: "network" };
  await kv.set(["meta"], meta);
  await kv.set(["in", 0], concat(uint64(TIME), DIGEST));
  await kv.set(["rd", 0], roundValue(round));
  await kv.set(["sth", 1], sthValue(sth));
  if (hasSpent) {
    await kv.set(
      ["sp", 0],
      concat(uint64(0), Uint8Array.fromHex("00000001"), new Uint8Array(32).fill(9)),
    );
  }
}

async function formatOf(path: string): Promise<unknown> {
  using kv = await Deno.openKv(path);
  return (await kv.get<{ format_version: number }>(["meta"])).value?.format_version;
}

for (const [name, earlier] of Object.entries(EARLIER)) {
  Deno.test(`a store of format 1 is read and raised: ${name}`, () =>
    inFolder(async (folder) => {
      const path = `${folder}/store.kv`;
      await writeStore(path, earlier);

      const audited = await openStoredLog(path, "network");
      const rounds = await Array.fromAsync(audited.rounds());
      assert.ok(rounds.every((found) => "value" in found), JSON.stringify(rounds));
      assert.equal((await Array.fromAsync(audited.spent())).length, Number(earlier.hasSpent));
      audited.close();
      assert.equal(await formatOf(path), 1, "fsck raises nothing");

      const store = await openKvLogStore(path, "network");
      assert.deepEqual(await store.rounds.lastRow(), {
        first: 0,
        acceptedAt: TIME,
        digests: DIGEST,
      });
      const round = await store.rounds.roundAt(0);
      const sth = await store.sths.at(1);
      assert.deepEqual([round?.timestamp, round?.attempts, round?.size], [TIME, 3, 1]);
      assert.equal(round?.beacon?.round, earlier.round > 2 ? 77 : undefined);
      assert.equal("witnesses" in round!.signatures, earlier.round % 2 === 0);
      assert.deepEqual(sth?.root, ROOT);
      assert.equal("witnesses" in sth!.signatures, earlier.sth === 2);
      await store.takeFence();
      assert.equal(await store.rounds.commit([row(1, 2)], []), "stored");
      // A second holder reads the raised format.
      await store.takeFence();
      store.close();
      assert.equal(await formatOf(path), FORMAT_VERSION);

      const again = await openKvLogStore(path, "network");
      assert.deepEqual(await again.rounds.roundAt(0), round);
      assert.deepEqual(await again.rounds.lastRow(), row(1, 2));
      again.close();
    }));
}

Deno.test("checkMeta() of an earlier program rejects this format", () =>
  inFolder(async (folder) => {
    const path = `${folder}/store.kv`;
    await writeStore(path, EARLIER["one with beacons"]!);
    const store = await openKvLogStore(path, "network");
    await store.takeFence();
    store.close();
    using kv = await Deno.openKv(path);
    const { value } = await kv.get<{ format_version: number; network: string }>(["meta"]);
    for (let earlier = 1; earlier < FORMAT_VERSION; earlier++) {
      assert.throws(() => checkMeta(value!, "network", earlier), { code: "format_unsupported" });
    }
    checkMeta(value!, "network", FORMAT_VERSION);
  }));

Deno.test("format 4 has rounds and tree heads up to version 4", () => {
  // Raise the format before a codec accepts more: older programs would report damage.
  assert.equal(FORMAT_VERSION, 4);
  for (const version of [1, 2, 3, 4]) assert.equal(decodeRound(0, roundValue(version)).size, 1);
  for (const version of [1, 2, 3, 4]) {
    const { signatures, receiptSignature } = decodeSth(1, sthValue(version));
    assert.equal("witnesses" in signatures, version % 2 === 0);
    assert.deepEqual(receiptSignature, version > 2 ? RECEIPT_SIGNATURE : undefined);
  }
  for (const version of [0, 5, 6, 255]) {
    assert.throws(() => decodeRound(0, roundValue(version)), { code: "store_corrupt" });
  }
  for (const version of [0, 5, 255]) {
    assert.throws(() => decodeSth(1, sthValue(version)), { code: "store_corrupt" });
  }
});

Deno.test("contradictions of an earlier anchors.kv are read, and two successions added to them", () =>
  inFolder(async (folder) => {
    const path = `${folder}/anchors.kv`;
    const head = (root: string) => ({
      sth: {
        tree_head: {
          network_id: "p.example",
          tree_size: 5,
          timestamp: TIME,
          root_hash: root.repeat(32),
        },
        signatures: [{ witness_id: "p.example/w1", signature: "5a".repeat(64) }],
      },
      log_signature: "51".repeat(64),
    });
    const value = JSON.stringify({
      origin: "p.example",
      found_at: TIME,
      first: head("10"),
      second: head("11"),
      consistency_path: [],
    });
    {
      using kv = await Deno.openKv(path);
      await kv.set(["meta"], { format_version: 1, network: "network" });
      await kv.set(["contra", 0], concat(Uint8Array.of(1), utf8(value)));
      await kv.set(["pair", "p.example", 5, "10".repeat(32), 5, "11".repeat(32)], uint64(0));
    }
    const open = async () => {
      const database = await openAnchorDatabase(path, "network");
      return {
        database,
        store: new KvFederationStore(database, await KvAnchorList.open(database)),
      };
    };
    const { database, store } = await open();
    const [earlier] = await store.contradictions(0, 9);
    assert.deepEqual(anyContradictionMembers(earlier!), JSON.parse(value));
    const conflict = twoSuccessions();
    await store.addContradiction(earlier!);
    await store.addContradiction(conflict);
    database.close();
    {
      using kv = await Deno.openKv(path);
      const stored = await kv.get<Uint8Array>(["contra", 1]);
      assert.deepEqual(stored.value, concat(Uint8Array.of(2), utf8(JSON.stringify(conflict))));
      const { value: number } = await kv.get(["pair", conflict.origin, 0]);
      assert.deepEqual(number, uint64(1));
      // The kind is in the version: neither value is read as the other.
      await kv.set(["contra", 2], concat(Uint8Array.of(2), utf8(value)));
    }
    const again = await open();
    assert.deepEqual(await again.store.contradictions(0, 2), [earlier, conflict]);
    await assert.rejects(again.store.contradictions(2, 9), { code: "store_corrupt" });
    again.database.close();
  }));
