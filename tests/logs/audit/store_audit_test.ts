import assert from "node:assert/strict";
import { LISTED_FAULTS } from "../../../src/logs/audit/faults.ts";
import { concat, uint64 } from "../../../src/base/bytes.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import { withChecksum } from "../../../src/storage/log/record_codec.ts";
import { randomDigests } from "../../gateway/fixture.ts";
import { eachScheme, eachSchemeInSteps } from "../../schemes.ts";
import { threeEpochs } from "../../proof/verify/test_succession.ts";
import { publish, type Records, StoredCopy } from "./stored_copy.ts";

/** A log of 600 attestations in three batches, and two digests without a round. */
function makeLog(scheme: SignatureScheme): Promise<StoredCopy> {
  return StoredCopy.of(scheme, async (gateway, network) => {
    for (const count of [290, 300, 10]) await publish(gateway, randomDigests(count));
    for (const witness of network.witnesses) witness.down = true;
    await gateway.jobs.accept(randomDigests(2));
  });
}

/** Changes to the records and the expected faults: `part place`, in order. */
type Damage = readonly [
  what: string,
  faults: readonly string[],
  (records: Records, copy: StoredCopy) => Promise<void>,
];

const ROUND_SIGNATURE = 1 + 2 + 8 + 4 + 2;
const STH_SIGNATURES = 1 + 32 + 8 + 64 + 64;
const WITNESSES = [1, 2, 3].map((i) => `witness test.example/log/w${i}`);

const DAMAGES: readonly Damage[] = [
  ["a byte of a digest", ["upper_nodes 0", "round_signatures 0"], (r) => r.flip(["in", 28], 20)],
  ["a digest twice", ["upper_nodes 0", "round_signatures 0", "digest 28"], async (r) => {
    const first = await r.bytes(["in", 0]);
    await r.change(["in", 28], (row) => row.set(first.subarray(8, 40), 8));
  }],
  ["a missing row", ["row 28"], (r) => r.remove(["in", 28])],
  ["a missing first row", ["row 0"], (r) => r.remove(["in", 0])],
  ["half a digest less", ["row 28"], (r) => r.change(["in", 28], (row) => row.slice(0, -16))],
  ["a digest less", ["row 55"], (r) => r.change(["in", 28], (row) => row.slice(0, -32))],
  [
    "a digest more",
    ["row 28"],
    (r) => r.change(["in", 28], (row) => concat(row, new Uint8Array(32))),
  ],
  ["a row without a digest", ["row 28"], (r) => r.change(["in", 28], (row) => row.slice(0, 8))],
  ["a time of a row beyond 2^53", ["row 28"], (r) => r.flip(["in", 28], 0)],
  ["a value that is not bytes", ["row 28"], (r) => r.set(["in", 28], "text")],
  [
    "a row at a fractional sequence",
    ["store keys"],
    (r) => r.set(["in", 28.5], new Uint8Array(40)),
  ],
  ["a missing round", ["round 290"], (r) => r.remove(["rd", 290])],
  [
    "a round with the checksum of another",
    ["round 0"],
    async (r) => r.setAsIs(["rd", 0], withChecksum(1, await r.bytes(["rd", 0]))),
  ],
  ["a missing last round", ["round 590"], (r) => r.remove(["rd", 590])],
  ["a round of another version", ["round 0"], (r) => r.change(["rd", 0], (v) => void (v[0] = 9))],
  ["a truncated round", ["round 0"], (r) => r.change(["rd", 0], (v) => v.slice(0, 30))],
  ["a round that overlaps", ["round 1"], async (r) => r.set(["rd", 1], await r.bytes(["rd", 0]))],
  [
    "a round beyond the accepted digests",
    ["round 601"],
    async (r) => r.set(["rd", 601], await r.bytes(["rd", 590])),
  ],
  [
    "a round with 0 attempts",
    ["round 0"],
    (r) => r.change(["rd", 0], (v) => void v.fill(0, 11, 15)),
  ],
  ["the time of a round", ["upper_nodes 0", "round_signatures 0"], (r) => r.flip(["rd", 0], 10)],
  ["a time of a round beyond 2^53", ["round 0"], (r) => r.flip(["rd", 0], 3)],
  [
    "a byte of a round's signature",
    ["round_signatures 0"],
    (r) => r.flip(["rd", 0], ROUND_SIGNATURE + 20),
  ],
  ["a byte of an upper node", ["upper_nodes 290"], (r) => r.flip(["rd", 290], -3)],
  ["a byte of the head's root", ["head 600"], (r) => r.flip(["head"], 8)],
  ["a truncated head", ["head head"], (r) => r.change(["head"], (v) => v.slice(0, 39))],
  ["a head beyond 2^53", ["head head"], (r) => r.flip(["head"], 0)],
  ["no head", ["head head"], (r) => r.remove(["head"])],
  [
    "a smaller head",
    ["head 599", "edge 0", ...WITNESSES, "sth 600"],
    (r) => r.change(["head"], (v) => v.set(uint64(599))),
  ],
  [
    "a larger head",
    ["round 600", "tile 0/2"],
    (r) => r.change(["head"], (v) => v.set(uint64(601))),
  ],
  ["a byte of an edge", ["edge 0"], (r) => r.flip(["e", 0], 7)],
  ["a missing edge", ["edge 1"], (r) => r.remove(["e", 1])],
  ["an extra edge", ["edge 2"], (r) => r.set(["e", 2], new Uint8Array(32))],
  ["a truncated edge", ["edge 0"], (r) => r.change(["e", 0], (v) => v.slice(0, -32))],
  ["a byte of a tile", ["tile 0/1"], (r) => r.flip(["t", 0, 1], -1)],
  ["a missing tile", ["tile 0/0"], (r) => r.remove(["t", 0, 0])],
  ["a truncated tile", ["tile 0/0"], (r) => r.change(["t", 0, 0], (v) => v.slice(32))],
  ["a byte of a tile's upper nodes", ["tile upper/1"], (r) => r.flip(["n", 1], 40)],
  ["missing upper nodes", ["tile upper/0"], (r) => r.remove(["n", 0])],
  ["extra upper nodes", ["tile upper/2"], async (r) => r.set(["n", 2], await r.bytes(["n", 1]))],
  ["an extra tile", ["tile 0/2"], async (r) => r.set(["t", 0, 2], await r.bytes(["t", 0, 1]))],
  [
    "a tile above the tree",
    ["tile 1/0"],
    async (r) => r.set(["t", 1, 0], await r.bytes(["t", 0, 1])),
  ],
  ["a digest and its leaf", [
    "upper_nodes 0",
    "round_signatures 0",
    "tile upper/0",
    "sth 290",
    "sth 590",
    ...WITNESSES,
    "head 600",
    "sth 600",
    "edge 1",
  ], async (r) => {
    await r.flip(["in", 28], 20);
    await r.flip(["t", 0, 0], 28 * 32);
  }],
  [
    "a byte of a published root",
    ["sth 590", "log_signature 590", "sth_signatures 590"],
    (r) => r.flip(["sth", 590], 32),
  ],
  [
    "a head published at another size",
    ["sth 589", "log_signature 589", "sth_signatures 589"],
    async (r) => r.set(["sth", 589], await r.bytes(["sth", 590])),
  ],
  [
    "a head published beyond the tree",
    ["sth 601", "log_signature 601", "sth_signatures 601"],
    async (r) => r.set(["sth", 601], await r.bytes(["sth", 590])),
  ],
  [
    "a published head of size 0",
    ["sth 0", "log_signature 0", "sth_signatures 0"],
    async (r) => r.set(["sth", 0], await r.bytes(["sth", 590])),
  ],
  [
    "a published head with the checksum of another",
    ["sth 590"],
    async (r) => r.setAsIs(["sth", 590], withChecksum(589, await r.bytes(["sth", 590]))),
  ],
  [
    "a row of digests with the checksum of another",
    ["row 28"],
    async (r) => r.setAsIs(["in", 28], withChecksum(0, await r.bytes(["in", 28]))),
  ],
  ["the time of a published head", ["sth_signatures 590"], (r) => r.flip(["sth", 590], 40)],
  ["a byte of the log's signature", ["log_signature 290"], (r) => r.flip(["sth", 290], 50)],
  ["a byte of the receipt signature", ["log_signature 290"], (r) => r.flip(["sth", 290], 110)],
  ["a byte of a cosignature", ["sth_signatures 290"], (r) => r.flip(["sth", 290], -1)],
  [
    "a truncated published head",
    ["sth 290"],
    (r) => r.change(["sth", 290], (v) => v.slice(0, -1)),
  ],
  ["the count of cosignatures", ["sth 600"], (r) => r.flip(["sth", 600], STH_SIGNATURES + 1)],
  ["a run marked complete before it is full", ["index 0"], (r) => r.set(["ixd", 0], true)],
  [
    "a second run marked complete before the first",
    ["index 1", "index 1"],
    (r) => r.set(["ixd", 1], true),
  ],
  [
    "a bucket of a run that is not full",
    ["index 0"],
    (r) => r.set(["ix", 0, 5], new Uint8Array(8)),
  ],
  ["an unknown key", ["store keys"], (r) => r.set(["stray"], 1)],
  ["a key below a known key", ["store keys"], (r) => r.set(["head", "copy"], 1)],
  ["a key without a number", ["store keys"], (r) => r.set(["in", "first"], 1)],
  [
    "a witness that remembers another root",
    ["witness test.example/log/w2"],
    (_, copy) => remember(copy, 1, (head) => ({ ...head, root: new Uint8Array(32) })),
  ],
  [
    "a witness that remembers a larger tree",
    ["witness test.example/log/w1"],
    (_, copy) => remember(copy, 0, (head) => ({ ...head, size: 601 })),
  ],
  ["a witness whose state is lost", ["witness test.example/log/w3"], (_, copy) => {
    copy.witnesses = copy.witnesses.with(2, { id: copy.witnesses[2]!.id, damage: "none" });
    return Promise.resolve();
  }],
];

type Head = { readonly size: number; readonly root: Uint8Array<ArrayBuffer> };

function remember(copy: StoredCopy, place: number, change: (head: Head) => Head): Promise<void> {
  const witness = copy.witnesses[place]!;
  assert.ok("head" in witness && witness.head !== undefined);
  copy.witnesses = copy.witnesses.with(place, { id: witness.id, head: change(witness.head) });
  return Promise.resolve();
}

eachSchemeInSteps.test("auditStore() reports every kind of damage once", async ({ scheme, t }) => {
  using copy = await makeLog(scheme);
  const clean = await copy.audit();
  assert.deepEqual(clean.faults.listed, []);
  const { index_runs, not_compared, ...counts } = clean.report;
  assert.deepEqual([index_runs, not_compared], [0, []]);
  assert.deepEqual(counts, {
    accepted: 602,
    rows: 24,
    rounds: counts.rounds,
    signed: 600,
    tree_size: 600,
    tiles: 2,
    sths: 3,
    published: 600,
    spent: 0,
    spent_rows: 0,
    spent_index_runs: 0,
    witness_heads: 3,
  });
  for (const [what, expected, damage] of DAMAGES) {
    // The records are of one form, but for signatures.
    if (scheme === "bls" && !expected.join().includes("sig")) continue;
    await t.step(what, async () => {
      const { faults } = await copy.auditDamaged((records) => damage(records, copy));
      const found = faults.listed.map(({ part, place }) => `${part} ${place}`);
      assert.deepEqual(found, expected, JSON.stringify(faults.listed, undefined, 1));
    });
  }
  assert.deepEqual((await copy.audit()).faults.listed, []);
});

eachScheme.test("auditStore() reports no fault for intact logs of other shapes", async (scheme) => {
  const shapes: readonly (readonly number[])[] = [[], [1], [255, 1], [256], [1, 1, 255, 400]];
  for (const counts of shapes) {
    using copy = await StoredCopy.of(scheme, async (gateway) => {
      for (const count of counts) await publish(gateway, randomDigests(count));
    });
    const { faults, report } = await copy.audit();
    const size = counts.reduce((sum, count) => sum + count, 0);
    assert.deepEqual(faults.listed, []);
    assert.deepEqual([report.tree_size, report.published, report.signed], [size, size, size]);
    assert.deepEqual(report.not_compared, []);
  }
});

Deno.test("auditStore() compares the tree with the roots with which epochs ended", async () => {
  using copy = await StoredCopy.of("ed25519", (gateway) => publish(gateway, randomDigests(8)));
  const { links: [link] } = threeEpochs();
  const { faults } = await copy.audit([link]);
  assert.deepEqual(faults.listed.map(({ part, place }) => `${part} ${place}`), ["head 8"]);
});

Deno.test("FaultLog counts all faults and lists few of each part", async () => {
  using copy = await StoredCopy.of("ed25519", async (gateway) => {
    for (let i = 0; i < 2 * LISTED_FAULTS; i++) await publish(gateway, randomDigests(1));
  });
  const { faults, report } = await copy.auditDamaged(async (records) => {
    for (let i = 0; i < 2 * LISTED_FAULTS; i++) await records.flip(["rd", i], -1);
    await records.remove(["in", 3]);
  });
  assert.equal(faults.counts.get("upper_nodes"), 2 * LISTED_FAULTS - 1);
  assert.equal(faults.counts.get("row"), 1);
  assert.equal(faults.total, 2 * LISTED_FAULTS);
  assert.equal(faults.listed.length, LISTED_FAULTS + 1);
  assert.equal(report.signed, 2 * LISTED_FAULTS - 1);
});

Deno.test("auditStore() reports what it cannot compare when digest and tile are lost", async () => {
  // The first round is not longer than the partial tile, which must not replace the lost tile.
  using copy = await StoredCopy.of("ed25519", async (gateway) => {
    for (const count of [40, 300, 260]) await publish(gateway, randomDigests(count));
  });
  const { faults, report } = await copy.auditDamaged(async (records) => {
    await records.remove(["in", 0]);
    await records.remove(["t", 0, 0]);
  });
  const found = faults.listed.map(({ part, place }) => `${part} ${place}`);
  assert.deepEqual(found, ["row 0", "tile 0/0"]);
  assert.equal(report.not_compared.length, 1);
  assert.match(report.not_compared[0]!, /above size 0/);
});
