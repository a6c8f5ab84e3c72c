import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import {
  archivedRows,
  ArchiveNames,
  type ArchiveParts,
  bundleVerifier,
  makeArchive,
  savedText,
} from "../../src/explorer/stamp/proof_archive.ts";
import type { StampRow } from "../../src/explorer/stamp/stamp_rows.ts";
import { portableSuite } from "../schemes.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import { HASH, network, whole } from "./job_gateway.ts";

const job = {
  hash: HASH,
  attempts: 1,
  created_at: 1,
  updated_at: 1,
  status: "confirmed",
  progress: "batched",
  signed_attestation: whole.signed_attestation,
} as const;
const row = (id: number, name?: string): StampRow => ({
  id,
  hash: HASH,
  phase: "settled",
  job,
  ...(name !== undefined && { name }),
});

/** The entries of a zip, read by its directory at the end. */
async function entriesOf(zip: Blob): Promise<Readonly<Record<string, string>>> {
  const view = new DataView(await zip.arrayBuffer());
  const text = (start: number, length: number) =>
    new TextDecoder().decode(new Uint8Array(view.buffer, start, length));
  const end = view.byteLength - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  let at = view.getUint32(end + 16, true);
  assert.equal(at + view.getUint32(end + 12, true), end);
  const entries: [string, string][] = [];
  for (let i = 0; i < view.getUint16(end + 10, true); i++) {
    assert.equal(view.getUint32(at, true), 0x02014b50);
    const [size, length] = [view.getUint32(at + 24, true), view.getUint16(at + 28, true)];
    const local = view.getUint32(at + 42, true);
    assert.equal(view.getUint32(local, true), 0x04034b50);
    const name = text(at + 46, length);
    assert.equal(text(local + 30, length), name);
    entries.push([name, text(local + 30 + length, size)]);
    at += 46 + length;
  }
  return Object.fromEntries(entries);
}

Deno.test("ArchiveNames keeps names apart and inside the archive", () => {
  const names = new ArchiveNames();
  const paths = ["a/b.json", "A/b.json", "a/b.json", "../../etc/x", "/ü\\y", ".hidden"];
  assert.deepEqual(paths.map((path) => names.take(path)), [
    "a/b.json",
    "A/b (2).json",
    "a/b (3).json",
    "_/_/etc/x",
    "ü/y",
    ".hidden",
  ]);
});

Deno.test("ArchiveNames keeps long names apart and short enough", () => {
  const names = new ArchiveNames();
  for (const stem of ["a".repeat(238), `b.${"c".repeat(236)}`]) {
    const path = `docs/${stem}.countersign.json`;
    assert.equal(names.take(path), path);
    assert.equal(names.take(path), `docs/${stem.slice(0, 234)} (2).countersign.json`);
  }
});

const wholeProof = { text: "{}\n\n", value: whole };
const proofsBy = (proof: ArchiveParts["proofs"]["proof"]): ArchiveParts["proofs"] => ({
  prepare: (rows) => Promise.resolve(rows),
  proof,
});
const parts = {
  proofs: proofsBy(() => Promise.resolve(wholeProof)),
  verify: undefined,
  onProgress: () => {},
  now: 1_766_275_210,
  signal: new AbortController().signal,
};

Deno.test("makeArchive() names proofs by their files, and those that do not verify", async () => {
  const other = "0".repeat(64);
  const rows = [row(1, "docs/a.txt"), { ...row(2), hash: other }, row(3, "docs/b.txt")];
  const progress: number[] = [];
  const { zip, whole: inLog, invalid } = await makeArchive(rows, {
    ...parts,
    verify: (_, hash) => Promise.resolve(hash === other ? "invalid" : "verified"),
    onProgress: (done) => progress.push(done),
  });
  assert.deepEqual(inLog, [1, 2, 3]);
  assert.deepEqual(progress, [1, 2, 3]);
  assert.deepEqual(invalid, [rows[1]]);
  assert.deepEqual(await entriesOf(zip), {
    "docs/a.txt.countersign.json": "{}\n",
    "docs/b.txt.countersign.json": "{}\n",
    [`${other.slice(0, 16)}.countersign.json`]: "{}\n",
  });
});

Deno.test("makeArchive() tells proofs that are not in the log yet", async () => {
  const early = { text: "{}", value: { ...whole, batch_inclusion: null } };
  const archive = await makeArchive([row(1), row(2)], {
    ...parts,
    proofs: proofsBy(({ id }) => Promise.resolve(id === 1 ? early : wholeProof)),
  });
  assert.deepEqual([archive.count, archive.whole], [2, [2]]);
});

Deno.test("bundleVerifier() accepts no proof of which a layer fails", async () => {
  const trust = { network: network.configuration, peers: [] };
  const verify = bundleVerifier(portableSuite, trust);
  assert.equal(await verify(whole, HASH), "verified");
  assert.equal(await verify(whole, "0".repeat(64)), "invalid");
  const inclusion = whole.batch_inclusion!;
  const proof = inclusion.merkle_proof;
  const inclusion_path = proof.inclusion_path.map(() => "00".repeat(32));
  const batch_inclusion = { ...inclusion, merkle_proof: { ...proof, inclusion_path } };
  assert.equal(await verify({ ...whole, batch_inclusion }, HASH), "invalid");
});

Deno.test("proofs of another network than the pinned one are not called invalid", async () => {
  const peer = new TestNetwork("peer.example");
  const { id } = network.configuration;
  const archive = await makeArchive([row(1), row(2)], {
    ...parts,
    verify: bundleVerifier(portableSuite, { network: peer.configuration, peers: [] }),
  });
  assert.deepEqual([archive.invalid, archive.otherNetworks], [[], [id, id]]);
  assert.deepEqual(savedText(archive, peer.id), {
    tone: "warn",
    text: "They were not verified here, because your pin is of network peer.example. Choose the " +
      "configuration of stamp.example to verify them.",
  });
  const mixed = savedText({ count: 3, otherNetworks: [id] }, peer.id);
  assert.match(mixed.text, /^1 of them was not verified here, because /);
  const single = savedText({ count: 1, otherNetworks: [id] }, peer.id);
  assert.match(single.text, /^It was not verified here, .* to verify it\.$/);
  assert.equal(savedText({ count: 3, otherNetworks: [] }, id).tone, "good");
  assert.equal(savedText({ count: 3, otherNetworks: [] }, undefined).tone, "info");
});

Deno.test("makeArchive() saves the other proofs when the gateway refuses some", async () => {
  const rows = Array.from({ length: 30 }, (_, id) => row(id, `${id}.txt`));
  const refusal = new CountersignError("hash_unknown", "refused");
  let asked = 0;
  const refusing = (isRefused: (id: number) => boolean) => ({
    ...parts,
    proofs: proofsBy(({ id }) => {
      asked++;
      return isRefused(id) ? Promise.reject(refusal) : Promise.resolve(wholeProof);
    }),
  });
  const archive = await makeArchive(rows, refusing((id) => id % 10 === 7));
  assert.deepEqual(archive.refused.map(({ id }) => id), [7, 17, 27]);
  assert.deepEqual([archive.count, archive.whole.length], [27, 27]);
  assert.equal(Object.keys(await entriesOf(archive.zip)).length, 27);
  await assert.rejects(makeArchive(rows.slice(0, 1), refusing(() => true)), refusal);
  asked = 0;
  await assert.rejects(makeArchive(rows, refusing(() => true)), refusal);
  assert.ok(asked < 30);
});

Deno.test("makeArchive() ends with the first error, and when it is stopped", async () => {
  const rows = Array.from({ length: 20 }, (_, id) => row(id));
  let asked = 0;
  const failing = () => {
    asked++;
    return Promise.reject(new Error("gone"));
  };
  await assert.rejects(makeArchive(rows, { ...parts, proofs: proofsBy(failing) }), /gone/);
  assert.ok(asked < 20);
  asked = 0;
  const failingOnce = () =>
    asked++ === 2 ? Promise.reject(new Error("gone")) : Promise.resolve(wholeProof);
  await assert.rejects(makeArchive(rows, { ...parts, proofs: proofsBy(failingOnce) }), /gone/);
  assert.ok(asked < 12, "the others end too");
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(makeArchive(rows, { ...parts, signal }), /stopped/);
});

Deno.test("archivedRows() takes signed rows, and unsaved ones before the rest", () => {
  const { job: _, ...unsigned } = row(3);
  const rows = [row(1), { ...row(2), isSaved: true }, { ...unsigned, phase: "sending" as const }];
  assert.deepEqual(archivedRows(rows).map(({ id }) => id), [1]);
  assert.deepEqual(archivedRows(rows.slice(1)).map(({ id }) => id), [2]);
});
