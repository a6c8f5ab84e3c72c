/** Damage of a copy with three levels of tiles: every fault is named, and nothing else. */

import assert from "node:assert/strict";
import { type Bytes, hexOf, textOf, utf8 } from "../../../../src/base/bytes.ts";
import { CountersignError } from "../../../../src/base/errors.ts";
import { FaultLog } from "../../../../src/logs/audit/faults.ts";
import { auditPublished } from "../../../../src/logs/audit/published/published_audit.ts";
import { loadCompiledKernels } from "../../../../src/proof/crypto/compiled_kernels.ts";
import { encodeAttestation } from "../../../../src/proof/format/attestation.ts";
import { encodeNote } from "../../../../src/proof/format/note_writer.ts";
import { encodeCheckpointBody } from "../../../../src/proof/format/tree_head.ts";
import { TILE_WIDTH } from "../../../../src/proof/merkle/tile.ts";
import { TestNetwork } from "../../../gateway/fixture.ts";
import { nativeCrypto } from "../../../schemes.ts";
import { SyntheticLog } from "../../publishing/synthetic_log.ts";

const SIZE = TILE_WIDTH ** 2 + 300;
const { network } = new TestNetwork("ed25519");
const crypto = { ...nativeCrypto, kernels: await loadCompiledKernels() };

class AttestedLog extends SyntheticLog {
  protected override entryText(sequence: number): string {
    const hash = sequence.toString(16).padStart(64, "0");
    return encodeAttestation({ hash, network_id: network.id, sequence, timestamp: 1_700_000_000 });
  }
}

const log = new AttestedLog();
log.grow(SIZE);

/** By `level/index/width`: the bytes that are served instead, none, or a refusal. */
type Damage = Readonly<Record<string, (bytes: Bytes) => Bytes | undefined>>;

/** The faults of an audit, without the one that every copy here has: no witness signed its checkpoint. */
async function audited(damage: Damage, root = hexOf(log.root(SIZE))) {
  log.requested.length = 0;
  const faults = new FaultLog();
  const head = { network_id: network.id, tree_size: SIZE, root_hash: root };
  const text = encodeCheckpointBody(head);
  const keyId = new Uint8Array(4);
  const signature = { name: network.id, keyId, payload: new Uint8Array(64) };
  const report = await auditPublished({
    source: {
      name: "copy",
      checkpoint: () => Promise.resolve(encodeNote({ text, signatures: [signature] })),
      succession: () => log.succession(),
      async tile(address) {
        const bytes = await log.tile(address);
        const change = damage[`${address.level}/${address.index}/${address.width}`];
        return bytes && change ? change(bytes) : bytes;
      },
    },
    follow: () => Promise.resolve(network),
    crypto,
    faults,
    onProgress: () => {},
  });
  const [unsigned, ...found] = faults.listed;
  assert.deepEqual([unsigned?.part, unsigned?.place], ["checkpoint", String(SIZE)]);
  return { report, found: found.map(({ part, place }) => `${part} ${place}`), faults: found };
}

const gone = () => undefined;
const refused = () => {
  throw new CountersignError("gateway_refused", "Cannot get tile: the gateway answered 400");
};
const flipped = (bytes: Bytes) => bytes.with(7, bytes[7]! ^ 1);
/** Another hash in the entry of `sequence`. */
const changed = (sequence: number) => (bytes: Bytes) => {
  const hash = sequence.toString(16).padStart(64, "0");
  return utf8(textOf(bytes).replace(hash, `f${hash.slice(1)}`));
};

const CASES: readonly (readonly [what: string, damage: Damage, found: readonly string[]])[] = [
  ["two tiles, one of which is refused, and entries of two bundles", {
    "0/9/256": flipped,
    "0/12/256": refused,
    "entries/0/256": changed(5),
    "entries/257/44": changed(65_800),
  }, ["tile 0/9", "tile 0/12", "entry 5", "entry 65800"]],
  ["an upper tile that is gone", { "1/0/256": gone }, ["tile 1/0"]],
  ["tiles of the right edge", {
    "0/257/44": flipped,
    "1/1/1": gone,
    "2/0/1": (tile) => tile.slice(1),
  }, [
    "tile 0/257",
    "tile 1/1",
    "tile 2/0",
  ]],
  ["an upper tile, and an entry below it", {
    "1/0/256": flipped,
    "entries/1/256": changed(300),
  }, ["tile 1/0", "tile 1/0", "tile 0/1"]],
  ["an entry and its tile", { "0/1/256": gone, "entries/1/256": changed(300) }, [
    "tile 0/1",
    "tile 0/1",
  ]],
  ["an entry below a tile of the right edge", {
    "1/1/1": flipped,
    "entries/256/256": changed(65_600),
  }, ["tile 1/1", "checkpoint 65836", "tile 0/256"]],
];

Deno.test("an audit reads each part of a copy once", async () => {
  const { report, found } = await audited({});
  assert.deepEqual(found, []);
  assert.deepEqual([report.entries, report.tiles, report.not_compared], [SIZE, 258 + 2 + 1, []]);
  assert.equal(log.requested.length, 258 + report.tiles);
  assert.equal(new Set(log.requested).size, log.requested.length);
});

Deno.test("an audit names every damaged part of a copy, and only these", async (t) => {
  for (const [what, damage, expected] of CASES) {
    await t.step(what, async () => {
      const { found, faults, report } = await audited(damage);
      assert.deepEqual(found.toSorted(), expected.toSorted(), JSON.stringify(faults));
      assert.deepEqual(report.not_compared, []);
    });
  }
});

Deno.test("an audit under another root blames the checkpoint alone", async () => {
  const { found, faults } = await audited({}, "00".repeat(32));
  assert.deepEqual(found, [`checkpoint ${SIZE}`]);
  assert.match(faults[0]!.problem, /^root 0+ is not that of the tree at size 65836/);
});

Deno.test("an audit goes on after entries and tile are lost, and says what it could not compare", async () => {
  const inner = await audited({ "0/9/256": gone, "entries/9/256": gone, "0/12/256": flipped });
  assert.deepEqual(inner.found, ["tile 0/9", "entry bundle 9", "tile 0/12"]);
  assert.deepEqual(inner.report.not_compared, []);
  const last = await audited({ "0/257/44": gone, "entries/257/44": gone, "0/12/256": flipped });
  assert.deepEqual(last.found, ["tile 0/257", "tile 0/12", "entry bundle 257"]);
  assert.deepEqual(last.report.not_compared, [
    "the roots of 1 tree heads: entries and tiles below them are lost",
  ]);
});
