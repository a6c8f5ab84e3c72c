import { utf8 } from "../src/bytes.ts";
import { verifyPortable, verifyWebCrypto } from "../src/crypto/ed25519.ts";
import { Ed25519Signer, generateSeed, verifyNative } from "../src/crypto/ed25519_native.ts";

const signer = new Ed25519Signer(generateSeed());
const message = utf8("countersign/round/v1\n".padEnd(160, "."));
const signature = signer.sign(message);

Deno.bench("node:crypto", { group: "ed25519 sign" }, () => {
  signer.sign(message);
});

Deno.bench("node:crypto", { group: "ed25519 verify", baseline: true }, () => {
  verifyNative(signer.publicKey, message, signature);
});

Deno.bench("WebCrypto", { group: "ed25519 verify" }, async () => {
  await verifyWebCrypto(signer.publicKey, message, signature);
});

Deno.bench("portable", { group: "ed25519 verify" }, () => {
  verifyPortable(signer.publicKey, message, signature);
});
