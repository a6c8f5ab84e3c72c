import assert from "node:assert/strict";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import { momentText } from "../../src/base/moment_text.ts";
import {
  trustedTone,
  unpinnedSentence,
  verdictSentence,
  verifiedHead,
} from "../../src/explorer/verdict_text.ts";
import { verifiedBundle } from "../../src/explorer/verify/verified_bundle.ts";
import { makePin } from "../../src/explorer/trust.ts";
import { bls, portableSuite } from "../schemes.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { batchedBundle, digestOf, makeLog, TestNetwork } from "../proof/verify/fixture.ts";

const network = new TestNetwork("said.example");
const peer = new TestNetwork("peer.example");
const bundle = batchedBundle(makeLog(network));
const { hash, timestamp } = bundle.signed_attestation.attestation;
const START = `report.txt existed by ${momentText(timestamp)}; 2 of 3 witnesses of said.example`;

/** The sentence on `proof` of report.txt, which has `expected` as its hash. */
async function said(proof: ProofBundle, { configuration } = network, expected = hash) {
  const trust = { network: configuration, peers: [peer.configuration] };
  const found = await verifiedBundle(portableSuite, trust, proof, expected);
  const judged = { bundle: proof, network: configuration, fileName: "report.txt", ...found };
  return { ...verdictSentence(judged), head: verifiedHead(judged) };
}

Deno.test("verdictSentence() says what is proved, and no more", async () => {
  const batched = await said(bundle);
  assert.equal(batched.sentence, `${START} signed it, and it is in their log.`);
  assert.deepEqual([batched.tone, batched.notes], ["good", []]);
  assert.equal(batched.head, bundle.batch_inclusion!.sth.tree_head);
  const basic = await said({ ...bundle, batch_inclusion: null });
  assert.equal(
    basic.sentence,
    `${START} signed it, but the proof does not show yet that it is in their log.`,
  );
  assert.equal(basic.tone, "good");
});

Deno.test("verdictSentence() names the epoch that signed, and its number of witnesses", async () => {
  const { log, epochs: [zero, , two], links: succession } = threeEpochs();
  const saidOf = async (sequence: number, pinned: TestNetwork) => {
    const proof = { ...log.bundle(sequence), succession };
    return (await said(proof, pinned, log.attestations[sequence]!.attestation.hash)).sentence;
  };
  assert.match(
    await saidOf(20, zero),
    / 3 of 5 witnesses of epochs\.example \(epoch 2, followed from the pin of epoch 0\) signed it/,
  );
  assert.match(
    await saidOf(3, two),
    / 2 of 3 witnesses of epochs\.example \(epoch 0; now epoch 2, not followed further\) signed it/,
  );
  assert.match(
    await saidOf(20, two),
    / 3 of 5 witnesses of epochs\.example \(epoch 2, not followed further\) signed it/,
  );
});

Deno.test("trustedTone() is green only under keys of the reader's own file", () => {
  const text = JSON.stringify(network.configuration);
  const pinned = (source: "file" | "gateway") => ({
    home: makePin(text, { source, name: "network.json", pinnedAt: 5 }, bls),
    peers: [],
  });
  assert.equal(trustedTone("good", pinned("file")), "good");
  assert.equal(trustedTone("good", pinned("gateway")), "info");
  assert.equal(trustedTone("good", undefined), "info");
  assert.equal(trustedTone("warn", undefined), "warn");
});

Deno.test("verdictSentence() warns of a layer that does not verify", async () => {
  const inclusion = bundle.batch_inclusion!;
  const path = inclusion.merkle_proof.inclusion_path.map(() => "00".repeat(32));
  const misplaced = await said({
    ...bundle,
    batch_inclusion: {
      ...inclusion,
      merkle_proof: { ...inclusion.merkle_proof, inclusion_path: path },
    },
  });
  assert.equal(
    misplaced.sentence,
    `${START} signed it, but the proof that it is in their log does not verify.`,
  );
  assert.equal(misplaced.tone, "warn");
  assert.equal(misplaced.head, undefined);
});

Deno.test("verdictSentence() tells other files, other keys and other networks apart", async () => {
  const other = await said(bundle, network, digestOf("other"));
  assert.equal(
    other.sentence,
    "The proof is genuine but belongs to another file: report.txt has changed, or the proof was " +
      "saved for another file.",
  );
  const twin = new TestNetwork(network.id, { seeds: ["twin 1", "twin 2", "twin 3"] });
  const forged = await said(bundle, twin);
  assert.equal(forged.sentence, "The proof does not verify with the keys of said.example.");
  assert.equal(forged.notes.length, 1);
  const both = await said(bundle, twin, digestOf("other"));
  assert.deepEqual(both, forged);
  const foreign = await said(bundle, peer);
  assert.equal(
    foreign.sentence,
    "The proof is of network said.example, and the configuration in use is for peer.example.",
  );
  assert.deepEqual([other.tone, forged.tone, foreign.tone], ["bad", "bad", "warn"]);
});

Deno.test("unpinnedSentence() is red for another file, whoever signed the proof", () => {
  const { attestation } = bundle.signed_attestation;
  const other = unpinnedSentence(attestation, { name: "wrong.txt", hash: digestOf("other") });
  assert.deepEqual([other.tone, other.sentence], ["bad", "The proof is not about wrong.txt."]);
  for (const file of [undefined, { name: "report.txt", hash }]) {
    const { tone, sentence } = unpinnedSentence(attestation, file);
    assert.deepEqual([tone, sentence], ["info", "The proof is not verified yet"]);
  }
});
