import assert from "node:assert/strict";
import { concat, hexOf, utf8 } from "../../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { SignedAttestation } from "../../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import type { RoundInclusion } from "../../../src/proof/format/round.ts";
import { attestationLeaf, verifySignedAttestation } from "../../../src/proof/verify/attestation.ts";
import { eachScheme } from "../../schemes.ts";
import { digestOf, nativeCrypto, TestLog, TestNetwork } from "./fixture.ts";

/** A network, a verifier of its attestations, and the attestations of one round of `size`. */
function makeAttesting(scheme: SignatureScheme) {
  const network = new TestNetwork("net.example/attestations", { scheme });
  const verify = (signed: SignedAttestation) =>
    verifySignedAttestation(nativeCrypto, network.configuration, signed);
  const round = (size: number, places?: readonly number[]): SignedAttestation[] => {
    const log = new TestLog(network);
    const hashes = Array.from({ length: size }, (_, i) => digestOf(`round ${size}, content ${i}`));
    log.addRound(hashes, { timestamp: 1_766_275_200, ...(places && { places }) });
    return log.attestations;
  };
  return { network, verify, round };
}

function moved(signed: SignedAttestation, place: Partial<RoundInclusion>): SignedAttestation {
  return { ...signed, round: { ...signed.round, ...place } };
}

eachScheme.test("every leaf of rounds of every size verifies", async (scheme) => {
  const { verify, round } = makeAttesting(scheme);
  for (const size of [1, 2, 3, 5, 8, 13, 512]) {
    const attestations = round(size);
    const places = size < 20 ? attestations.keys() : [0, 1, 255, 256, 510, 511];
    for (const i of places) {
      const result = await verify(attestations[i]!);
      assert.equal(result.valid, true, `${i} of ${size}`);
      assert.equal(result.verified, 2);
    }
  }
});

eachScheme.test("the leaf hash is SHA-256 of a zero byte and the five lines", async (scheme) => {
  const { verify, round } = makeAttesting(scheme);
  const [signed] = round(1);
  const { hash } = signed!.attestation;
  const text = `countersign/attestation/v1\nnet.example/attestations\n${hash}\n1766275200\n0\n`;
  const expected = hexOf(kernels.sha256(concat(Uint8Array.of(0), utf8(text))));
  const { leafHash } = await verify(signed!);
  assert.equal(hexOf(leafHash!), expected);
  assert.equal(hexOf(attestationLeaf(kernels, signed!.attestation)), expected);
});

eachScheme.test("an invalid attestation has no leaf hash in its result", async (scheme) => {
  const { verify, round } = makeAttesting(scheme);
  const [signed] = round(1, [0]);
  const result = await verify(signed!);
  assert.equal(result.reason, "threshold_not_met");
  assert.equal(result.verified, 1);
  assert(!("leafHash" in result));
});

eachScheme.test("a round has 1 to 512 attestations, and its leaf index is below its size", async (scheme) => {
  const { verify, round } = makeAttesting(scheme);
  const [signed] = round(1);
  assert.equal((await verify(moved(signed!, { size: 0 }))).reason, "round_size_invalid");
  assert.equal((await verify(moved(signed!, { size: 513 }))).reason, "round_size_invalid");
  assert.equal((await verify(moved(signed!, { index: 1 }))).reason, "round_index_invalid");
  const last = round(3)[2]!;
  assert.equal((await verify(moved(last, { size: 2 }))).reason, "round_index_invalid");
  assert.equal((await verify(moved(last, { index: 3 }))).reason, "round_index_invalid");
  // Sequence 0 cannot be the second of a round, with any path.
  assert.equal(
    (await verify(moved(signed!, { index: 1, size: 2 }))).reason,
    "round_index_invalid",
  );
  assert.equal((await verify(moved(signed!, { size: 512 }))).reason, "round_path_invalid");
});

eachScheme.test("an oversized round is refused even if the threshold signed it", async (scheme) => {
  const { network, verify, round } = makeAttesting(scheme);
  const oversized = round(512)[0]!;
  const path = [...oversized.round.inclusion_path, digestOf("sibling")];
  let root = attestationLeaf(kernels, oversized.attestation);
  for (const node of path) root = kernels.nodeHash(root, Uint8Array.fromHex(node));
  // Encoded here, because the product refuses to encode such a message.
  const text = `countersign/round/v1\n${network.id}\n1766275200\n1024\n${hexOf(root)}\nnone\n`;
  const place = { size: 1024, inclusion_path: path };
  const result = await verify({ ...moved(oversized, place), ...network.sign(text) });
  assert.equal(result.reason, "round_size_invalid");
});

eachScheme.test("an inner node is not accepted as a leaf", async (scheme) => {
  const { verify, round } = makeAttesting(scheme);
  // Second preimage: omit the leaf's sibling, and claim half the size and index.
  const signed = round(8)[6]!;
  const short = { index: 3, size: 4, inclusion_path: signed.round.inclusion_path.slice(1) };
  assert.equal((await verify(moved(signed, short))).reason, "signature_invalid");
});

eachScheme.test("swapped siblings are detected", async (scheme) => {
  const { verify, round } = makeAttesting(scheme);
  const signed = round(8)[6]!;
  const [a, b, c] = signed.round.inclusion_path;
  const swapped = moved(signed, { inclusion_path: [b!, a!, c!] });
  assert.equal((await verify(swapped)).reason, "signature_invalid");
  assert.equal((await verify(moved(signed, { index: 2 }))).reason, "signature_invalid");
});

eachScheme.test("a beacon is signed with its round", async (scheme) => {
  const { network, verify } = makeAttesting(scheme);
  const beacon = { chain_hash: "ab".repeat(32), round: 77, signature: "cd".repeat(48) };
  const log = new TestLog(network);
  log.addRound([digestOf("a"), digestOf("b")], { timestamp: 5, beacon });
  const signed = log.attestations[1]!;
  assert.equal((await verify(signed)).valid, true);
  for (
    const other of [
      null,
      { ...beacon, round: 78 },
      { ...beacon, chain_hash: "ac".repeat(32) },
      { ...beacon, signature: "ce".repeat(48) },
    ]
  ) {
    assert.equal((await verify(moved(signed, { beacon: other }))).reason, "signature_invalid");
  }
});

eachScheme.test("another network's attestation is refused before any signature is verified", async (scheme) => {
  const { network, verify } = makeAttesting(scheme);
  // The same witnesses and keys under another name: only the network id differs.
  const twin = new TestNetwork("net.example/twin", {
    scheme,
    seeds: network.configuration.witnesses.map(({ id }) => id),
  });
  const log = new TestLog(twin);
  log.addRound([digestOf("a")], { timestamp: 5 });
  const result = await verify(log.attestations[0]!);
  assert.equal(result.reason, "network_mismatch");
  assert.equal(result.field, "attestation.network_id");
});

eachScheme.test("signatures of a tree head are not valid for an attestation", async (scheme) => {
  const { network, verify } = makeAttesting(scheme);
  const log = new TestLog(network);
  log.addRound([digestOf("a")], { timestamp: 5 });
  const { tree_head: _, ...set } = network.signHead(log.head(1, 5));
  const result = await verify({ ...log.attestations[0]!, ...set });
  assert.equal(result.reason, "signature_invalid");
});
