/**
 * The key that signs submissions to a Rekor log, and the keys of logs. Public keys are
 * SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7), with a fixed prefix for each algorithm (RFC 5480,
 * RFC 8410).
 *
 * @module
 */

import { type Bytes, concat, equalBytes, textOf } from "../../bytes.ts";
import { ED25519_KEY_LENGTH } from "../../crypto/ed25519_rule.ts";
import { P256_KEY_LENGTH, p256PublicKey } from "../../crypto/p256.ts";
import { CountersignError } from "../../errors.ts";
import { parsePem } from "../../format/pem.ts";

/** A public key of a log or an entry. */
export interface RekorKey {
  readonly algorithm: "p256" | "ed25519";
  /** An uncompressed point, or the 32 bytes of an Ed25519 key. */
  readonly publicKey: Bytes;
}

/** The key that signs submissions. Never logged. */
export interface SubmitterKey {
  /** 32 bytes. */
  readonly secret: Bytes;
  readonly publicKey: Bytes;
}

const ALGORITHMS = [
  {
    algorithm: "p256",
    prefix: Uint8Array.fromHex("3059301306072a8648ce3d020106082a8648ce3d030107034200"),
    length: P256_KEY_LENGTH,
  },
  {
    algorithm: "ed25519",
    prefix: Uint8Array.fromHex("302a300506032b6570032100"),
    length: ED25519_KEY_LENGTH,
  },
] as const;

/** Encodes a public key in DER. */
export function encodeSpki({ algorithm, publicKey }: RekorKey): Bytes {
  return concat(ALGORITHMS.find((one) => one.algorithm === algorithm)!.prefix, publicKey);
}

/** Decodes a public key; `undefined` for another algorithm or encoding. */
export function decodeSpki(der: Uint8Array): RekorKey | undefined {
  for (const { algorithm, prefix, length } of ALGORITHMS) {
    const isOf = der.length === prefix.length + length &&
      equalBytes(der.subarray(0, prefix.length), prefix);
    if (isOf) return { algorithm, publicKey: der.slice(prefix.length) as Bytes };
  }
  return undefined;
}

/**
 * Reads the key of a file: one PKCS#8 block (RFC 5958) with a P-256 key, as
 * `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` writes it.
 *
 * @throws CountersignError `invalid_configuration`
 */
export async function readSubmitterKey(file: Bytes): Promise<SubmitterKey> {
  try {
    const blocks = parsePem(textOf(file));
    const [block] = blocks;
    if (blocks.length !== 1 || block!.label !== "PRIVATE KEY") throw invalidKey();
    const curve = { name: "ECDSA", namedCurve: "P-256" };
    const key = await crypto.subtle.importKey("pkcs8", block!.bytes, curve, true, ["sign"]);
    const { d = "" } = await crypto.subtle.exportKey("jwk", key);
    const secret = Uint8Array.fromBase64(d, { alphabet: "base64url" });
    return { secret, publicKey: await p256PublicKey(secret) };
  } catch (cause) {
    // The cause is dropped: its message could contain parts of the secret.
    if (cause instanceof CountersignError || cause instanceof DOMException) throw invalidKey();
    throw cause;
  }
}

function invalidKey(): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    "Cannot use key of Rekor anchor: the file is not one PKCS#8 block (PEM) with a P-256 key",
  );
}
