/**
 * Ed25519 over a round's message, with every implementation of the program and with noble's own.
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { utf8 } from "../src/bytes.ts";
import { verifyPortable, verifyWebCrypto } from "../src/crypto/ed25519.ts";
import { Ed25519Signer, generateSeed, verifyNative } from "../src/crypto/ed25519_native.ts";
import { encodeRoundMessage } from "../src/format/round.ts";

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
