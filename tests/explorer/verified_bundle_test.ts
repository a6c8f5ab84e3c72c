import assert from "node:assert/strict";
import {
  recogniseText,
  withChain,
  wrongFileText,
} from "../../src/explorer/verify/supplied_file.ts";
import { verifiedBundle } from "../../src/explorer/verify/verified_bundle.ts";
import { portableSuite } from "../schemes.ts";
import { SCHEMES } from "../schemes.ts";
import { threeEpochs } from "../verify/test_succession.ts";
import { batchedBundle, digestOf, makeLog, TestNetwork } from "../verify/fixture.ts";

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

Deno.test("a saved proof without a chain is followed by a chain file, and by no other", async () => {
  const { log, epochs: [pinned], links } = threeEpochs();
  const { succession: _, ...bundle } = log.bundle(12);
  const levelWith = async (chain: typeof links | readonly []) => {
    const text = recogniseText(JSON.stringify(chain));
    const followed = text.kind === "chain" ? withChain(bundle, text.links) : bundle;
    const { verdict } = await verifiedBundle(crypto, trusting(pinned), followed, undefined);
    return verdict.valid;
  };
  assert.equal(await levelWith([]), false);
  assert.equal(await levelWith(links), true);
  const { links: others } = threeEpochs("ed25519", "other.example");
  assert.equal(await levelWith(others), false);
  // A shorter file does not replace what the proof has.
  const whole = { ...bundle, succession: [...links] };
  assert.equal(withChain(whole, [links[0]]), whole);
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
  assert.notEqual(wrongFileText("configuration"), wrongFileText("other"));
});
