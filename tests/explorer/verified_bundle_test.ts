import assert from "node:assert/strict";
import { hasCode } from "../../src/base/errors.ts";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { makePin, replacedPin } from "../../src/explorer/trust.ts";
import { followedBy } from "../../src/explorer/verify/supplied_chain.tsx";
import {
  readSuppliedFile,
  recogniseText,
  sortFiles,
} from "../../src/explorer/verify/supplied_file.ts";
import { verifiedBundle } from "../../src/explorer/verify/verified_bundle.ts";
import { bls, portableSuite } from "../schemes.ts";
import { SCHEMES } from "../schemes.ts";
import { type FollowedNetwork, followSuccession } from "../../src/proof/verify/followed_network.ts";
import { verifyConflict } from "../../src/proof/verify/succession_conflict.ts";
import { rivalEpochs, threeEpochs } from "../proof/verify/test_succession.ts";
import { batchedBundle, digestOf, makeLog, TestNetwork } from "../proof/verify/fixture.ts";

const crypto = portableSuite;

function trusting({ configuration: network }: TestNetwork) {
  return { network, peers: [] };
}

for (const scheme of SCHEMES) {
  Deno.test(`a ${scheme} bundle is shown with its witnesses and paths`, async () => {
    const network = new TestNetwork("shown.example", { scheme });
    const bundle = batchedBundle(makeLog(network));
    const { hash } = bundle.signed_attestation.attestation;
    const shown = await verifiedBundle(crypto, trusting(network), bundle, hash);
    assert.equal(shown.verdict.level, "batched");
    assert.deepEqual(shown.witnesses.map(({ attestation, head }) => [attestation, head]), [
      ["verified", "verified"],
      ["verified", "verified"],
      ["missing", "missing"],
    ]);
    assert.deepEqual(shown.paths.map(({ tree, isVerified }) => [tree, isVerified]), [
      ["log", true],
      ["round", true],
    ]);
    const root = bundle.batch_inclusion!.sth.tree_head.root_hash;
    assert.equal(shown.paths[0]!.steps.at(-1)!.node, root);
  });
}

Deno.test("verifiedBundle() tells a genuine proof of another file from an invalid one", async () => {
  const network = new TestNetwork("shown.example");
  const bundle = batchedBundle(makeLog(network));
  const { hash } = bundle.signed_attestation.attestation;
  const own = await verifiedBundle(crypto, trusting(network), bundle, hash);
  assert.equal(own.isOtherFile, false);
  const other = await verifiedBundle(crypto, trusting(network), bundle, digestOf("other"));
  assert.deepEqual([other.isOtherFile, other.verdict.level], [true, "batched"]);
  const twin = new TestNetwork("shown.example", { seeds: ["twin 1", "twin 2", "twin 3"] });
  const forged = await verifiedBundle(crypto, trusting(twin), bundle, digestOf("other"));
  assert.equal(forged.verdict.valid, false);
  assert.ok(forged.paths.every(({ isVerified }) => !isVerified));
});

Deno.test("witnessRows() distinguishes unknown, wrong and uncounted witnesses", async () => {
  const network = new TestNetwork("shown.example");
  const bundle = batchedBundle(makeLog(network));
  const { signed_attestation: signed } = bundle;
  assert.ok("signatures" in signed);
  const [first, second] = signed.signatures;
  const stranger = { witness_id: "zz.example/w9", signature: first!.signature };
  const withStranger = { ...signed, signatures: [first!, second!, stranger] };
  const states = async (changed: typeof signed) => {
    const { witnesses } = await verifiedBundle(
      crypto,
      trusting(network),
      { ...bundle, signed_attestation: changed },
      undefined,
    );
    return witnesses.map(({ attestation }) => attestation);
  };
  assert.deepEqual(await states(withStranger), ["verified", "verified", "missing", "unknown"]);
  const wrong = { ...second!, signature: first!.signature };
  assert.deepEqual(await states({ ...signed, signatures: [first!, wrong] }), [
    "not_counted",
    "wrong",
    "missing",
  ]);
});

Deno.test("the reader's chain file leads on from the pin of its network, whatever the proof has", async () => {
  const { log, epochs: [zero], links } = threeEpochs();
  const peer = threeEpochs("ed25519", "peer.example");
  const pinOf = ({ configuration }: TestNetwork) =>
    makePin(
      JSON.stringify(configuration),
      { source: "file", name: "network.json", pinnedAt: 5 },
      bls,
    );
  const trust = { home: pinOf(zero), peers: [pinOf(peer.epochs[0])] };
  const follow = (chain: readonly unknown[]) => {
    const file = recogniseText(JSON.stringify(chain));
    assert.ok(file.kind === "chain");
    return followedBy(crypto, trust, { name: "chain.json", ...file }, 5);
  };
  const network = await follow(links);
  const validOf = async (bundle: ProofBundle) =>
    (await verifiedBundle(crypto, { network, peers: [] }, bundle, undefined)).verdict.valid;
  assert.equal(await validOf(log.bundle(12)), true);
  assert.equal((await follow(peer.links)).id, "peer.example");

  // A stranger's longer chain replaces nothing: its links are refused.
  const forged = makeLog(zero);
  const garbage = [...links, links[1]].map((link) => ({ ...link, nonce: digestOf("garbage") }));
  assert.equal(await validOf({ ...batchedBundle(forged), succession: garbage }), false);
  const refused = (error: unknown) => hasCode(error, "invalid_configuration");
  await assert.rejects(follow(garbage), refused);
  await assert.rejects(follow(threeEpochs("ed25519", "other.example").links), refused);
});

Deno.test("another succession than the kept one is refused with evidence that verifies", async () => {
  const { epochs: [zero], links } = threeEpochs();
  const { link } = rivalEpochs();
  const pin = (network: FollowedNetwork) => ({
    network,
    text: JSON.stringify(zero.configuration),
    source: "file" as const,
    name: "network.json",
    pinnedAt: 5,
  });
  const { network } = await followSuccession(crypto, zero.configuration, links);
  const supplied = { name: "rival.json", links: [link] };
  const conflict = { origin: zero.id, found_at: 7, first: links[0], second: link };
  const follow = () => followedBy(crypto, { home: pin(network), peers: [] }, supplied, 7);
  await assert.rejects(follow, { code: "proof_refused", source: "rival.json", conflict });
  assert.ok((await verifyConflict(crypto, zero.configuration, conflict)).valid);

  // Without a kept chain there is nothing to contradict.
  const fresh = { home: pin(zero.configuration), peers: [] };
  assert.equal((await followedBy(crypto, fresh, supplied, 7)).links?.length, 1);

  // So is a configuration that carries it, of whatever epoch.
  const carrying = { ...pin({ ...zero.configuration, succession: [link] }), pinnedAt: 9 };
  await assert.rejects(() => replacedPin(crypto, pin(network), carrying), {
    code: "proof_refused",
    source: "network.json",
    conflict: { ...conflict, found_at: 9 },
  });
});

Deno.test("recogniseText() recognises configurations and damaged bundles", () => {
  const network = new TestNetwork("shown.example");
  const text = JSON.stringify(batchedBundle(makeLog(network)));
  assert.equal(recogniseText(text).kind, "bundle");
  assert.equal(recogniseText(JSON.stringify(network.configuration)).kind, "configuration");
  for (const damaged of [text.slice(0, -1), text.replace('"sth"', '"head"'), `${text}x`]) {
    assert.equal(recogniseText(damaged).kind, "damaged_bundle");
  }
  for (const other of ["", "null", "[]", "{}", "some words", '{"a":1}', "12"]) {
    assert.equal(recogniseText(other).kind, "other");
  }
});

Deno.test("sortFiles() leaves no file out without a notice", () => {
  const network = new TestNetwork("shown.example");
  const proof = recogniseText(JSON.stringify(batchedBundle(makeLog(network))));
  const configuration = recogniseText(JSON.stringify(network.configuration));
  const other = recogniseText("not a proof");
  const sorted = (...kinds: readonly (typeof proof)[]) => {
    const files = kinds.map((supplied, i) => ({ file: { name: `${i}.x` }, supplied }));
    const { proof, content, notice, isAmbiguous } = sortFiles(files);
    return [proof?.file.name, content?.name, notice?.title, isAmbiguous];
  };
  // A file alone is kept until its proof is chosen.
  assert.deepEqual(sorted(other), [undefined, "0.x", undefined, false]);
  assert.deepEqual(sorted(other, proof), ["1.x", "0.x", undefined, false]);
  assert.deepEqual(sorted(proof, configuration), ["0.x", undefined, "1.x is not a proof", false]);
  const proofs = "2 proofs chosen: this page verifies one";
  assert.deepEqual(sorted(other, proof, proof), [undefined, undefined, proofs, true]);
  const contents = "2 files chosen: this page compares one";
  assert.deepEqual(sorted(other, proof, other), [undefined, undefined, contents, true]);
});

Deno.test("a file that is named like a proof is not taken for the file to be checked", async () => {
  const read = (content: BlobPart, name: string) =>
    readSuppliedFile(new File([content], name), () => Promise.reject(new Error("no token")));
  for (const damaged of ["", "{}", "no JSON", Uint8Array.of(0xff, 0x00)]) {
    const supplied = await read(damaged, "a.txt.countersign.json");
    assert.ok(supplied.kind === "damaged_bundle");
    assert.equal(/is empty$/.test(supplied.error.message), damaged === "");
  }
  const noticeOf = async (content: BlobPart, name: string) => {
    const { content: kept, notice } = sortFiles([
      { file: { name }, supplied: await read(content, name) },
    ]);
    assert.equal(kept, undefined);
    return notice;
  };
  assert.deepEqual(await noticeOf("c2sp.org/tlog-proof@v1\n", "a b.countersign.tlog-proof"), {
    title: "a b.countersign.tlog-proof is a tlog-proof, which this page does not read",
    text: "Choose the NAME.countersign.json of the same file, or run the command line: " +
      "countersign verify 'a b.countersign.tlog-proof'",
  });
  const receipt = await noticeOf(Uint8Array.of(0xd2, 0x84), "a.countersign.cose");
  assert.equal(
    receipt?.title,
    "a.countersign.cose is a COSE receipt, which this page does not read",
  );
  const archive = await noticeOf("PK", "proofs-20261130-090000 (1).zip");
  assert.match(archive!.text, /^Unpack it first\. .* countersign verify FOLDER\.$/);
});

Deno.test("an archive of proofs that was stamped is compared with its own proof", async () => {
  const name = "proofs-20261130-090000.zip";
  const archive = await readSuppliedFile(new File(["PK"], name), () => Promise.reject());
  const proof = recogniseText(JSON.stringify(batchedBundle(makeLog(new TestNetwork("a.example")))));
  const sorted = sortFiles([
    { file: { name: `${name}.countersign.json` }, supplied: proof },
    { file: { name }, supplied: archive },
  ]);
  assert.deepEqual([sorted.content?.name, sorted.notice], [name, undefined]);
});
