/**
 * A sample signer (docs/signer.md) for keys in AWS KMS with key spec ECC_NIST_EDWARDS25519 and, for
 * time-stamp authorities (kind "tsa"), ECC_NIST_P256, RSA_3072 or RSA_4096. It serves the program's three
 * routes on a Unix socket and has KMS sign each text. It was tested against a local server that checks its
 * requests as KMS documents them, and never run against KMS.
 *
 * A text is at most 4,096 bytes, the limit of KMS: successions of large networks are longer, and need a
 * key in a file. Its configuration:
 *
 *     {"socket": "/run/countersign/signer.sock", "token_file": "/etc/countersign/signer.token",
 *      "region": "eu-central-1",
 *      "keys": [{"name": "example.org/w1", "kind": "witness", "key_id": "alias/w1"}]}
 *
 * The AWS credentials are AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if temporary, AWS_SESSION_TOKEN,
 * with kms:Sign and kms:GetPublicKey on these keys alone. AWS_ENDPOINT_URL_KMS names another endpoint, such
 * as that of a private network. Start it in the folder of the program:
 *
 *     deno run --allow-net --allow-env --allow-read --allow-write=/run/countersign \
 *       deploy/aws_kms_signer.ts kms.json
 *
 * @module
 */

import { AwsV4Signer } from "aws4fetch";
import type { Bytes } from "../src/base/bytes.ts";
import { loadToken } from "../src/config/bearer_tokens.ts";
import { isTimestampSignature, timestampSchemeOf } from "../src/config/timestamp_key.ts";
import { verifyNative } from "../src/proof/crypto/ed25519_native.ts";
import type { KeySigner } from "../src/proof/crypto/key_signer.ts";
import { CountersignError } from "../src/base/errors.ts";
import { type ServedSigner, signerApp } from "../src/http/signer/signer_app.ts";
import { serveOnSocket } from "../src/server/signer/signer_socket.ts";
import { stopOnSignals } from "../src/server/stop_signal.ts";
import type { KeyKind } from "../src/proof/format/signer_key.ts";

interface Configuration {
  readonly socket: string;
  readonly token_file: string;
  readonly region: string;
  readonly keys: readonly {
    readonly name: string;
    readonly kind: KeyKind;
    readonly key_id: string;
  }[];
}

/** Less than the 4 s for which witnesses and gateways wait. */
const TIMEOUT_MS = 3_500;
/** A DER SubjectPublicKeyInfo of Ed25519 is this and the 32 bytes of the key (RFC 8410). */
const SPKI_PREFIX = "302a300506032b6570032100";

function unavailable(reason: string): CountersignError {
  return new CountersignError("signer_unavailable", `Cannot use AWS KMS: ${reason}`);
}

function variable(name: string): string {
  const value = Deno.env.get(name);
  if (value === undefined) throw unavailable(`set ${name}`);
  return value;
}

/** Calls an action of KMS (JSON 1.1 protocol); its answer. */
async function call(region: string, action: string, members: object) {
  const sessionToken = Deno.env.get("AWS_SESSION_TOKEN");
  const request = await new AwsV4Signer({
    method: "POST",
    url: Deno.env.get("AWS_ENDPOINT_URL_KMS") ?? `https://kms.${region}.amazonaws.com/`,
    service: "kms",
    region,
    accessKeyId: variable("AWS_ACCESS_KEY_ID"),
    secretAccessKey: variable("AWS_SECRET_ACCESS_KEY"),
    ...(sessionToken !== undefined && { sessionToken }),
    headers: {
      "Content-Type": "application/x-amz-json-1.1",
      "X-Amz-Target": `TrentService.${action}`,
    },
    body: JSON.stringify(members),
  }).sign();
  const { method, headers, body } = request;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(request.url, { method, headers, body: body ?? null, signal })
    .catch(() => {
      throw unavailable("no answer");
    });
  const text = await response.text();
  // The body of a refusal may name the account.
  if (!response.ok) throw unavailable(`${action} was refused with status ${response.status}`);
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

function bytesIn(answer: Readonly<Record<string, unknown>>, name: string): Bytes {
  const value = answer[name];
  if (typeof value !== "string") throw unavailable(`${name} is missing`);
  return Uint8Array.fromBase64(value);
}

/** By scheme; each signs the message itself, not a digest of ours. */
const ALGORITHMS = {
  "ed25519": "ED25519_SHA_512",
  "ecdsa-p256": "ECDSA_SHA_256",
  "rsa-3072": "RSASSA_PKCS1_V1_5_SHA_256",
} as const;

type Signer = KeySigner<keyof typeof ALGORITHMS>;

async function kmsKey(region: string, KeyId: string, kind: KeyKind): Promise<Signer> {
  const spki = bytesIn(await call(region, "GetPublicKey", { KeyId }), "PublicKey");
  const key: Pick<Signer, "scheme" | "publicKey"> = kind === "tsa"
    ? { scheme: timestampSchemeOf(spki, KeyId), publicKey: spki }
    : { scheme: "ed25519", publicKey: ed25519KeyIn(spki, KeyId) };
  const { scheme, publicKey } = key;
  return {
    scheme,
    publicKey,
    async sign(message) {
      const signature = bytesIn(
        await call(region, "Sign", {
          KeyId,
          Message: message.toBase64(),
          MessageType: "RAW",
          SigningAlgorithm: ALGORITHMS[scheme],
        }),
        "Signature",
      );
      const isRight = scheme === "ed25519"
        ? verifyNative(publicKey, message, signature)
        : await isTimestampSignature({ scheme, publicKey }, message.slice(), signature);
      if (isRight) return signature;
      throw unavailable(`the signature of ${KeyId} does not verify`);
    },
  };
}

function ed25519KeyIn(spki: Bytes, KeyId: string): Bytes {
  const hex = spki.toHex();
  if (hex.length === SPKI_PREFIX.length + 64 && hex.startsWith(SPKI_PREFIX)) {
    return Uint8Array.fromHex(hex.slice(SPKI_PREFIX.length));
  }
  throw unavailable(`${KeyId} is not an Ed25519 key`);
}

const configuration: Configuration = JSON.parse(await Deno.readTextFile(Deno.args[0]!));
const { socket, token_file, region } = configuration;
const keys: ServedSigner[] = [];
for (const { name, kind, key_id } of configuration.keys) {
  keys.push({ name, kind, signer: await kmsKey(region, key_id, kind) });
}
const token = await loadToken({ kind: "file", path: token_file }, { env: () => undefined });
// deno-lint-ignore no-console
const report = (line: string) => console.error(line);
using stop = stopOnSignals();
const server = await serveOnSocket(socket, signerApp({ keys, token, report }), stop.signal);
await server.finished;
