import assert from "node:assert/strict";
import { popProve } from "../../../src/proof/crypto/bls.ts";
import type { WitnessKey } from "../../../src/proof/format/network.ts";
import { checkNetwork } from "../../../src/proof/format/network_check.ts";
import { parseNetwork } from "../../../src/proof/format/network_reader.ts";
import { bls, configuredWitness, schemeSigner } from "../../schemes.ts";
import { TestNetwork } from "../verify/fixture.ts";
import { assertRefused } from "./mutated_text.ts";
import { generateKey } from "../../../src/proof/crypto/bls_key_gen.ts";

const network = new TestNetwork("net.example/proven", { scheme: "bls" });
const { configuration } = network;
const [first, second, third] = configuration.witnesses;

/** The configuration with another second witness. */
function text(change: { readonly [name in keyof WitnessKey]?: string | undefined }): string {
  return JSON.stringify({ ...configuration, witnesses: [first, { ...second, ...change }, third] });
}

function refusedAs(code: "malformed_configuration" | "invalid_configuration" | "invalid_key") {
  return (...texts: string[]) => assertRefused(texts, (json) => parseNetwork(json, bls), code);
}

const malformed = refusedAs("malformed_configuration");
const invalid = refusedAs("invalid_configuration");
const invalidKey = refusedAs("invalid_key");

/** `hex` with one of the flags of its first byte turned over. */
function withFlag(hex: string, flag: number): string {
  const first = parseInt(hex.slice(0, 2), 16) ^ flag;
  return first.toString(16).padStart(2, "0") + hex.slice(2);
}

/** `hex` with the sign bit of its point turned over: the negative of it. */
function negative(hex: string): string {
  return withFlag(hex, 0x20);
}

Deno.test("a bls configuration is read as it was written", () => {
  assert.deepEqual(parseNetwork(JSON.stringify(configuration), bls), configuration);
  assert.deepEqual(parseNetwork(JSON.stringify(configuration)), configuration);
  checkNetwork(configuration, bls);
});

Deno.test("a key without a proof of its possession is refused", () => {
  invalid(text({ proof_of_possession: undefined }));
});

Deno.test("a rogue key is refused, since nobody can prove its possession", () => {
  // Chosen so that the attacker alone signs for both: the honest keys drop out of the sum.
  const attacker = schemeSigner("bls", "attacker");
  const others = [first!, third!].map(({ pubkey }) => Uint8Array.fromHex(negative(pubkey)));
  const rogue = bls.aggregateKeys([attacker.publicKey, ...others])!;
  assert.ok(bls.keyValidate(rogue));
  const all = [rogue, ...[first!, third!].map(({ pubkey }) => Uint8Array.fromHex(pubkey))];
  assert.deepEqual(bls.aggregateKeys(all), attacker.publicKey, "the attack works without proofs");
  const pubkey = rogue.toHex();
  const { proof_of_possession: own } = configuredWitness("attacker", attacker);
  invalid(text({ pubkey, proof_of_possession: undefined }));
  invalid(text({ pubkey, proof_of_possession: own! }));
  invalid(text({ pubkey, proof_of_possession: attacker.sign(rogue).toHex() }));
});

Deno.test("a proof of possession of another key is refused", () => {
  invalid(text({ proof_of_possession: first!.proof_of_possession! }));
  invalid(text({ proof_of_possession: negative(second!.proof_of_possession!) }));
});

Deno.test("a signature over the key is no proof of its possession", () => {
  // Another domain: a witness may be brought to sign many things.
  const signer = schemeSigner("bls", second!.id);
  invalid(text({ proof_of_possession: signer.sign(signer.publicKey).toHex() }));
});

Deno.test("keys and proofs that are no points of their groups are refused", () => {
  const { pubkey } = second!;
  const keys = ["c0".padEnd(192, "0"), "00".repeat(96), "ff".repeat(96), "ab".repeat(96)];
  for (const key of keys) invalidKey(text({ pubkey: key }));
  // Uncompressed, as a flag says.
  invalidKey(text({ pubkey: withFlag(pubkey, 0x80) }));
  for (const proof_of_possession of ["c0".padEnd(96, "0"), "00".repeat(48), "ff".repeat(48)]) {
    invalid(text({ proof_of_possession }));
  }
  malformed(text({ pubkey: "ab".repeat(32) }), text({ pubkey: pubkey.toUpperCase() }));
  malformed(text({ proof_of_possession: "" }), text({ proof_of_possession: "ab".repeat(47) }));
});

Deno.test("a bls witness has no vkey, and an Ed25519 key is none of its", () => {
  invalid(text({ vkey: "" }));
  const ed25519 = configuredWitness(second!.id, schemeSigner("ed25519", "w"));
  malformed(text(ed25519));
});

Deno.test("public keys are distinct", () => {
  const { pubkey, proof_of_possession } = first!;
  invalid(text({ pubkey, proof_of_possession: proof_of_possession! }));
});

Deno.test("a key and its negative are two keys, whose sum verifies nothing", () => {
  // Both are possessed by whoever has one of them; a quorum of the two alone can never sign.
  const secret = generateKey(new Uint8Array(32).fill(7));
  const pubkey = bls.skToPk(secret).toHex();
  const proof_of_possession = popProve(bls, secret).toHex();
  parseNetwork(text({ pubkey, proof_of_possession }), bls);
  invalid(text({ pubkey: negative(pubkey), proof_of_possession: negative(proof_of_possession) }));
});
