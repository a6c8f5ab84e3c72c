/**
 * Ed25519 over a round's message, and ML-DSA-44 over a tree's, with every implementation of the program and with noble's own.
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { ml_dsa44 } from "@noble/post-quantum/ml-dsa.js";
import { utf8 } from "../src/base/bytes.ts";
import { verifyPortable, verifyWebCrypto } from "../src/proof/crypto/ed25519.ts";
import { Ed25519Signer, generateSeed, verifyNative } from "../src/proof/crypto/ed25519_native.ts";
import { verifyMlDsa, verifyMlDsaPortable } from "../src/proof/crypto/ml_dsa.ts";
import { MlDsaSigner } from "../src/proof/crypto/ml_dsa_signer.ts";
import { encodeVkey, NOTE_TYPE } from "../src/proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../src/proof/format/note_writer.ts";
import { encodeRoundMessage } from "../src/proof/format/round.ts";
import { encodeSubtreeMessage } from "../src/proof/format/subtree_cosignature.ts";
import { openAnchorDatabase } from "../src/storage/anchors/anchor_database.ts";
import { KvWitnessedStore } from "../src/storage/anchors/kv_witnessed_store.ts";

const seed = generateSeed();
const signer = new Ed25519Signer(seed);
const message = utf8(encodeRoundMessage({
  network_id: "bench.example/log-01234567",
  timestamp: 1_800_000_000,
  size: 512,
  root: "ab".repeat(32),
  beacon: null,
}));
const signature = signer.sign(message);
const { publicKey } = signer;

const algorithm = { name: "Ed25519" };
const pair = await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"]) as CryptoKeyPair;

Deno.bench("node:crypto", { group: "ed25519 sign", baseline: true }, () => {
  signer.sign(message);
});

Deno.bench("WebCrypto", { group: "ed25519 sign" }, async () => {
  await crypto.subtle.sign(algorithm, pair.privateKey, message);
});

Deno.bench("noble", { group: "ed25519 sign" }, () => {
  ed25519.sign(message, seed);
});

Deno.bench("node:crypto", { group: "ed25519 verify", baseline: true }, () => {
  verifyNative(publicKey, message, signature);
});

Deno.bench("WebCrypto", { group: "ed25519 verify" }, async () => {
  await verifyWebCrypto(publicKey, message, signature);
});

Deno.bench("portable", { group: "ed25519 verify" }, () => {
  verifyPortable(publicKey, message, signature);
});

// Another rule than ours, for comparison only.
Deno.bench("noble's own verify", { group: "ed25519 verify" }, () => {
  ed25519.verify(signature, message, publicKey);
});

// ML-DSA-44 over the message of a cosignature.
const mlDsaSeed = generateSeed();
const mlDsaSigner = await MlDsaSigner.of(mlDsaSeed);
const tree = encodeSubtreeMessage({
  cosigner: "bench.example/log-01234567/w1",
  origin: "bench.example/log-01234567",
  timestamp: 1_800_000_000,
  start: 0,
  end: 1_000_000,
  root: new Uint8Array(32),
});
const mlDsaSignature = await mlDsaSigner.sign(tree);
const { secretKey } = ml_dsa44.keygen(mlDsaSeed);

Deno.bench("WebCrypto", { group: "ML-DSA-44 sign", baseline: true }, async () => {
  await mlDsaSigner.sign(tree);
});

Deno.bench("noble", { group: "ML-DSA-44 sign" }, () => {
  ml_dsa44.sign(tree, secretKey);
});

Deno.bench("WebCrypto", { group: "ML-DSA-44 verify", baseline: true }, async () => {
  await verifyMlDsa(mlDsaSigner.publicKey, tree, mlDsaSignature);
});

Deno.bench("noble", { group: "ML-DSA-44 verify" }, () => {
  verifyMlDsaPortable(mlDsaSigner.publicKey, tree, mlDsaSignature);
});

// The lines of a log and three witnesses under one checkpoint.
const folder = await Deno.makeTempDir();
const database = await openAnchorDatabase(`${folder}/anchors.kv`, "bench");
const store = new KvWitnessedStore(database);
const lineKey = {
  name: "bench.example/log-01234567/w1",
  type: NOTE_TYPE.mlDsaCosignature,
  publicKey: mlDsaSigner.publicKey,
};
const stored = {
  vkey: encodeVkey(lineKey),
  line: encodeSignatureLine(cosignatureLine(lineKey, 1_800_000_000, mlDsaSignature)),
};
let size = 0;
globalThis.addEventListener("unload", () => {
  database.close();
  Deno.removeSync(folder, { recursive: true });
});

Deno.bench("Deno KV", { group: "store four ML-DSA-44 lines" }, async () => {
  const lines = Array.from({ length: 4 }, () => stored);
  await store.save({ size: size++, rootHash: "ab".repeat(32), lines, meetsQuorum: true });
});
