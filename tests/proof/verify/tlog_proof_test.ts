import assert from "node:assert/strict";
import {
  type Bytes,
  bytesOfBase64,
  concat,
  fromHex,
  textOf,
  utf8,
} from "../../../src/base/bytes.ts";
import { leafHash } from "../../../src/proof/crypto/hashing.ts";
import type { ProofBundle } from "../../../src/proof/format/bundle.ts";
import {
  cosignatureLine,
  encodeNote,
  noteSignature,
} from "../../../src/proof/format/note_writer.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { encodeLogCheckpoint } from "../../../src/proof/format/log_checkpoint.ts";
import {
  encodeTlogProof,
  parseTlogProof,
  tlogProofOf,
} from "../../../src/proof/format/tlog_proof.ts";
import { cosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { policyText } from "../../../src/http/gateway/c2sp_routes.ts";
import { ReferenceTree } from "../merkle/reference.ts";
import { digestOf, nativeCrypto, signerOf, TestNetwork } from "./test_network.ts";
import { TestLog } from "./test_log.ts";
import { type ForeignProof, foreignProofs, reasonOf as reasonOfFiles } from "./tlog_proofs.ts";
import { withLogSignature } from "./vectors/head_cases.ts";

const network = new TestNetwork("net.example/home");
const log = new TestLog(network);
const COUNT = 13;
log.addRound(Array.from({ length: COUNT }, (_, i) => digestOf(`content ${i}`)), {
  timestamp: 1_766_275_200,
});

/** A bundle of `sequence` whose head all witnesses and the log signed. */
function bundleOf(sequence: number, size = COUNT): ProofBundle {
  const sth = withLogSignature(log.sth(size, 1_766_275_300, [0, 1, 2]), network.log);
  return log.bundle(sequence, log.batchInclusion(sequence, sth));
}

const proofOf = (sequence: number, size = COUNT) =>
  tlogProofOf(network.configuration, bundleOf(sequence, size));
const majority = policyText(network.configuration)!;
/** Under which no signature of the proof is spare. */
const strict = policyText(network.configuration)!.replace("group witnesses 2", "group witnesses 3");

/** The reason of the refusal; `undefined` for a valid proof. The entry is the extra data by default. */
function reasonOf(policy: string, text: string, entry?: Bytes): Promise<string | undefined> {
  const [, extra = ""] = /^extra (.*)$/m.exec(text) ?? [];
  const bytes = entry ?? bytesOfBase64(extra) ?? utf8("");
  return reasonOfFiles({ policy: utf8(policy), entry: bytes, proof: utf8(text) });
}

Deno.test("the proof of every leaf verifies in every tree, for its leaf alone", async () => {
  for (let size = 1; size <= COUNT; size++) {
    for (let sequence = 0; sequence < size; sequence++) {
      const proof = proofOf(sequence, size);
      assert.equal(await reasonOf(strict, proof), undefined, `${sequence} of ${size}`);
      const other = utf8("another entry");
      assert.equal(await reasonOf(strict, proof, other), "inclusion_invalid");
    }
  }
});

Deno.test("a proof is refused after any flip of any bit of it", async () => {
  const bytes = utf8(proofOf(4));
  for (const [at, byte] of bytes.entries()) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = bytes.slice();
      flipped[at] = byte ^ (1 << bit);
      let text;
      try {
        text = textOf(flipped);
      } catch {
        continue; // Not UTF-8: no text is read.
      }
      assert.notEqual(await reasonOf(strict, text), undefined, `bit ${bit} of byte ${at}`);
    }
  }
});

Deno.test("each step has its reason", async () => {
  const proof = proofOf(4);
  const edited = (pattern: RegExp, by: string) => {
    const text = proof.replace(pattern, by);
    assert.notEqual(text, proof);
    return text;
  };
  const lines = proof.trimEnd().split("\n");
  const without = (...names: string[]) =>
    lines.filter((line) => !names.some((name) => line.startsWith(`\u2014 ${name} `))).join("\n") +
    "\n";
  const [w1, w2, w3] = network.configuration.witnesses.map(({ id }) => id);
  const other = policyText(new TestNetwork("net.example/other").configuration)!;
  const { id } = network;
  const cases: readonly (readonly [string | undefined, string, string])[] = [
    [undefined, majority, proof],
    [undefined, majority, without(w1!)],
    ["threshold_not_met", majority, without(w1!, w3!)],
    ["threshold_not_met", strict, without(w2!)],
    [
      undefined,
      `log ${network.configuration.log_vkey}\nquorum none\n`,
      without(w1!, w2!, w3!),
    ],
    ["log_signature_missing", majority, without(id)],
    ["log_key_missing", other, proof],
    [
      "no_known_signature",
      policyText({
        ...network.configuration,
        log_vkey: encodeVkey({
          name: id,
          type: NOTE_TYPE.ed25519,
          publicKey: signerOf("x").publicKey,
        }),
      })!.replace(/^(witness|group|quorum).*\n/gm, "") + "quorum none\n",
      proof,
    ],
    ["leaf_beyond_tree", majority, edited(/index 4/, `index ${COUNT}`)],
    ["inclusion_invalid", majority, edited(/index 4/, "index 5")],
    ["inclusion_invalid", majority, edited(/(index 4\n).*\n/, "$1")],
    ["inclusion_invalid", majority, edited(/(index 4\n)(.*\n)/, "$1$2$2")],
    ["malformed_text", majority, edited(/index 4/, "index 04")],
    ["malformed_text", majority, edited(/index 4\n/, "")],
    ["malformed_text", majority, edited(/@v1/, "@v2")],
    ["malformed_text", majority, edited(/\n/g, "\r\n")],
    ["malformed_text", majority, edited(/^extra .*\n/m, "extra !\n")],
    ["malformed_text", majority, edited(/^(extra .*\n)/m, "$1$1")],
    ["malformed_text", majority, edited(/(index 4\n)/, "$1AAAA\n")],
    ["malformed_text", majority, edited(/(index 4\n)/, `$1${`${"A".repeat(43)}=\n`.repeat(60)}`)],
    ["malformed_text", majority, proof.slice(0, proof.indexOf("\n\n"))],
    ["malformed_text", majority, ""],
  ];
  for (const [i, [reason, policy, text]] of cases.entries()) {
    assert.equal(await reasonOf(policy, text), reason, `case ${i}`);
  }
});

Deno.test("a proof of another kind of log verifies: any origin, extension lines, no extra data", async () => {
  const origin = "sigsum.org/v1/tree/" + "e7".repeat(32) + ":8080_\u00fc";
  const entries = Array.from({ length: 6 }, (_, i) => utf8(`entry ${i}\0`));
  const tree = new ReferenceTree(entries.map((entry) => leafHash(nativeCrypto.kernels, entry)));
  const logKey = { name: origin, type: NOTE_TYPE.ed25519, publicKey: signerOf(origin).publicKey };
  const key = {
    name: "witness.example",
    type: NOTE_TYPE.cosignature,
    publicKey: signerOf("w").publicKey,
  };
  const text = encodeLogCheckpoint({
    origin,
    size: 6,
    root: concat(tree.root(6)),
    extensions: ["ext 1"],
  });
  const time = 1_766_275_300;
  const signatures = [
    noteSignature({ ...logKey, name: "unknown.example" }, new Uint8Array(64)),
    cosignatureLine(key, time, signerOf("w").sign(utf8(cosignatureMessage(time, text)))),
    noteSignature(logKey, signerOf(origin).sign(utf8(text))),
  ];
  const policy = `log ${encodeVkey(logKey)} https://log.example/\nwitness w ${
    encodeVkey(key)
  }\nquorum w\n`;
  const checkpoint = encodeNote({ text, signatures });
  const path = tree.inclusion(3, 6).map((hash) => concat(hash));
  const proof = encodeTlogProof({ index: 3, path, checkpoint });
  assert.equal(await reasonOf(policy, proof, entries[3]), undefined);
  assert.equal(await reasonOf(policy, proof, entries[2]), "inclusion_invalid");
  const withExtra = encodeTlogProof({ extra: fromHex("00ff"), index: 3, path, checkpoint });
  assert.equal(await reasonOf(policy, withExtra, entries[3]), undefined);
  const unsigned = proof.replace("ext 1", "ext 2");
  assert.equal(await reasonOf(policy, unsigned, entries[3]), "signature_invalid");
  assert.deepEqual(parseTlogProof(withExtra).extra, concat(fromHex("00ff")));
});

Deno.test("tlogProofOf() needs a batch, and the log's key and signature", () => {
  const bundle = bundleOf(4);
  const { batch_inclusion: inclusion } = bundle;
  const { log_signature: _, ...sth } = inclusion!.sth;
  const unsigned = { ...bundle, batch_inclusion: { ...inclusion!, sth } };
  const { log_vkey: __, ...keyless } = network.configuration;
  const refused = (code: string, make: () => unknown) => assert.throws(make, { code });
  refused("malformed_text", () => tlogProofOf(network.configuration, unsigned));
  refused("malformed_text", () => tlogProofOf(keyless, bundle));
  refused(
    "proof_refused",
    () => tlogProofOf(network.configuration, { ...bundle, batch_inclusion: null }),
  );
});

Deno.test("proofs that torchwood made verify, for their entries alone", async () => {
  const file = new URL("torchwood_proofs.jsonl", import.meta.url);
  const proofs = foreignProofs(await Deno.readTextFile(file));
  assert.equal(proofs.length, 11);
  for (const [i, one] of proofs.entries()) {
    assert.equal(await reasonOfFiles(one), undefined);
    const { entry }: ForeignProof = proofs[(i + 1) % proofs.length]!;
    assert.equal(await reasonOfFiles({ ...one, entry }), "inclusion_invalid");
  }
});
