/**
 * Stores of the first release. The bytes are written here by hand, independently of the codecs: every later
 * program must read them.
 */

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { type Bytes, concat, uint64, utf8 } from "../../src/base/bytes.ts";
import { anyContradictionMembers } from "../../src/proof/format/federation.ts";
import { openAnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { KvAnchorList } from "../../src/storage/anchors/kv_anchor_list.ts";
import { KvFederationStore } from "../../src/storage/anchors/kv_federation_store.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { openAuditedFile, storedLogIn } from "../../src/storage/log/kv_stored_log.ts";
import { inFolder } from "../server/captured_io.ts";
import { twoSuccessions } from "../proof/verify/test_succession.ts";
import { row } from "./log_records.ts";

/** The record with number `key`, and its checksum. */
function withChecksum(key: number, record: Bytes): Bytes {
  const digest = hash("sha256", concat(uint64(key), record), "buffer");
  return concat(record, digest.subarray(0, 8));
}

const TIME = 1_800_000_000;
const DIGEST = new Uint8Array(32).fill(0xd1);
const ROOT = new Uint8Array(32).fill(0x10);
const NODE = new Uint8Array(32).fill(0x7e);
const LOG_SIGNATURE = new Uint8Array(64).fill(0x51);
const RECEIPT_SIGNATURE = new Uint8Array(64).fill(0x52);
const CHAIN = new Uint8Array(32).fill(0xc4);
const BEACON_SIGNATURE = new Uint8Array(48).fill(4);
const SIGNATURES = [new Uint8Array(64).fill(1), new Uint8Array(64).fill(2)] as const;
const AGGREGATE_SIGNATURE = new Uint8Array(48).fill(3);
const SPENT = new Uint8Array(32).fill(9);

/** Of witnesses 0 and 2. */
const SETS = {
  "a list of signatures": {
    bytes: concat(
      Uint8Array.fromHex("00" + "0002" + "000040"),
      SIGNATURES[0],
      Uint8Array.fromHex("000240"),
      SIGNATURES[1],
    ),
    signatures: [
      { witness: 0, signature: SIGNATURES[0] },
      { witness: 2, signature: SIGNATURES[1] },
    ],
  },
  "an aggregate": {
    bytes: concat(Uint8Array.fromHex("01" + "0001" + "a0"), AGGREGATE_SIGNATURE),
    signatures: { witnesses: [0, 2], signature: AGGREGATE_SIGNATURE },
  },
};

const BEACONS = {
  "no beacon": { bytes: Uint8Array.of(0), beacon: null },
  "a beacon": {
    bytes: concat(Uint8Array.of(1), CHAIN, uint64(77), BEACON_SIGNATURE),
    beacon: { chain_hash: CHAIN.toHex(), round: 77, signature: BEACON_SIGNATURE.toHex() },
  },
};

for (const [set, { bytes: setBytes, signatures }] of Object.entries(SETS)) {
  for (const [name, { bytes: beaconBytes, beacon }] of Object.entries(BEACONS)) {
    Deno.test(`a store of format 1 is read and continued: ${set}, ${name}`, () =>
      inFolder(async (folder) => {
        const path = `${folder}/store.kv`;
        const meta = { format_version: 1, index_key: "0102030405060708", network: "network" };
        {
          using kv = await Deno.openKv(path);
          await kv.set(["meta"], meta);
          await kv.set(["in", 0], withChecksum(0, concat(uint64(TIME), DIGEST)));
          const spent = concat(uint64(0), Uint8Array.fromHex("00000001"), SPENT);
          await kv.set(["sp", 0], withChecksum(0, spent));
          await kv.set(
            ["rd", 0],
            withChecksum(
              0,
              concat(
                Uint8Array.fromHex("01" + "0001"),
                uint64(TIME),
                Uint8Array.fromHex("00000003"),
                beaconBytes,
                setBytes,
                NODE,
              ),
            ),
          );
          await kv.set(
            ["sth", 1],
            withChecksum(
              1,
              concat(
                Uint8Array.of(1),
                ROOT,
                uint64(TIME),
                LOG_SIGNATURE,
                RECEIPT_SIGNATURE,
                setBytes,
              ),
            ),
          );
        }

        const audited = await storedLogIn((await openAuditedFile(path)).reads, path, "network");
        const rounds = await Array.fromAsync(audited.rounds());
        assert.ok(rounds.every((found) => "value" in found), JSON.stringify(rounds));
        const [spent] = await Array.fromAsync(audited.spent());
        const ids = { first: 0, intakeRow: 0, offsets: [0], ids: SPENT };
        assert.deepEqual(spent, { key: 0, value: ids });
        audited.close();

        const store = await openKvLogStore(path, "network");
        const intake = { first: 0, acceptedAt: TIME, digests: DIGEST };
        assert.deepEqual(await store.rounds.lastRow(), intake);
        const round = {
          first: 0,
          size: 1,
          timestamp: TIME,
          attempts: 3,
          beacon,
          signatures,
          upperNodes: NODE,
        };
        assert.deepEqual(await store.rounds.roundAt(0), round);
        assert.deepEqual(await store.sths.at(1), {
          size: 1,
          root: ROOT,
          timestamp: TIME,
          logSignature: LOG_SIGNATURE,
          receiptSignature: RECEIPT_SIGNATURE,
          signatures,
        });
        await store.takeFence();
        assert.equal(await store.rounds.commit([row(1, 2)], []), "stored");
        store.close();
        {
          using kv = await Deno.openKv(path);
          assert.deepEqual((await kv.get(["meta"])).value, meta);
        }
        const again = await openKvLogStore(path, "network");
        assert.deepEqual(await again.rounds.roundAt(0), round);
        assert.deepEqual(await again.rounds.lastRow(), row(1, 2));
        again.close();
      }));
  }
}

Deno.test("contradictions of an anchors.kv of format 1 are read, and others added", () =>
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
    const heads = {
      origin: "p.example",
      found_at: TIME,
      first: head("10"),
      second: head("11"),
      consistency_path: [],
    };
    const valueOf = (members: object, version = 1) =>
      concat(Uint8Array.of(version), utf8(JSON.stringify(members)));
    {
      using kv = await Deno.openKv(path);
      await kv.set(["meta"], { format_version: 1, network: "network" });
      await kv.set(["contra", 0], valueOf(heads));
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
    const [first] = await store.contradictions(0, 9);
    assert.deepEqual(anyContradictionMembers(first!), heads);
    const conflict = twoSuccessions();
    await store.addContradiction(first!);
    await store.addContradiction(conflict);
    database.close();
    {
      using kv = await Deno.openKv(path);
      const stored = await kv.get<Uint8Array>(["contra", 1]);
      assert.deepEqual(stored.value, valueOf(conflict));
      const { value: number } = await kv.get(["pair", conflict.origin, 0]);
      assert.deepEqual(number, uint64(1));
      await kv.set(["contra", 2], valueOf(heads, 2));
      await kv.set(["contra", 3], valueOf({ ...conflict, consistency_path: [] }));
    }
    const again = await open();
    assert.deepEqual(await again.store.contradictions(0, 2), [first, conflict]);
    for (const damaged of [2, 3]) {
      await assert.rejects(again.store.contradictions(damaged, 1), { code: "store_corrupt" });
    }
    again.database.close();
  }));
