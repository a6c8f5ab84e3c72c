/**
 * Libraries of others ask a running time-stamp authority, and read and verify its tokens: Debian's
 * python3-rfc3161ng, npm's `@sigstore/verify`, and Go's encoding/asn1.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { fileURLToPath } from "node:url";
import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { TSAWitness } from "@sigstore/sign";
import { toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify";
import { type Bytes, hexOf, utf8 } from "../../src/base/bytes.ts";
import { PROOF_ATTRIBUTE } from "../../src/proof/timestamp/attached_proof.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import { imprintOfContent, requestOf } from "../gateway/timestamping/fixture.ts";
import { run } from "../scenarios/program.ts";
import { runGo } from "./go.ts";
import { SCHEMES, TimestampingGateway } from "./timestamping.ts";

/** Debian's own interpreter, which finds Debian's packages. */
const PYTHON = "/usr/bin/python3";
const PYTHON_CLIENT = fileURLToPath(new URL("rfc3161ng_client.py", import.meta.url));
const GO_READER = fileURLToPath(new URL("token_asn1/main.go", import.meta.url));
const ARTIFACT = utf8("an artifact\n");

Deno.test("rfc3161ng verifies our tokens by RSA, the one scheme that it knows", async () => {
  await using gateway = await TimestampingGateway.start({ scheme: "rsa-3072" });
  for (const hash of ["SHA-256", "SHA-384", "SHA-512"] as const) {
    const token = parseTimestamp(await gateway.token(ARTIFACT, hash));
    // It takes the first certificate for the signer's.
    for (const certificate of [gateway.path("tsa.pem"), "-"]) {
      const name = hash.replace("-", "").toLowerCase();
      const args = [
        PYTHON_CLIENT,
        gateway.tsa,
        certificate,
        name,
        new TextDecoder().decode(ARTIFACT),
      ];
      const time = await gateway.succeed(PYTHON, ...args);
      assert.equal(Number(time), token.info.genTime);
    }
  }
});

for (const scheme of SCHEMES) {
  Deno.test(`Go's encoding/asn1 reads whole tokens by ${scheme}, with their proofs`, async () => {
    await using gateway = await TimestampingGateway.start({ scheme });
    for (const hash of ["SHA-256", "SHA-512"] as const) {
      const reply = await gateway.token(ARTIFACT, hash);
      await gateway.write("reply.tsr", reply);
      const { code, stdout, stderr } = await runGo(["run", GO_READER, gateway.path("reply.tsr")]);
      assert.equal(code, 0, stderr);
      const read = JSON.parse(stdout);
      const { info, proof } = parseTimestamp(reply);
      assert.deepEqual({ ...read, serial: BigInt(`0x${read.serial}`) }, {
        status: 0,
        serial: BigInt(`0x${hexOf(info.serial)}`),
        time: info.genTime,
        seconds: 60,
        type: PROOF_ATTRIBUTE,
        version: 1,
        bundle: new TextDecoder().decode(proof),
      });
    }
  });
}

/** A signature of {@linkcode ARTIFACT} as Sigstore's clients make it, with the key that verifies it. */
class SignedArtifact {
  readonly signature: Bytes;
  readonly #publicKey: Uint8Array;
  readonly #hint: string;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.signature = new Uint8Array(sign("sha256", ARTIFACT, privateKey));
    this.#publicKey = publicKey.export({ type: "spki", format: "der" });
    this.#hint = createHash("sha256").update(this.#publicKey).digest("base64");
  }

  /** Whether npm's verifier accepts the signature with `reply`, under `trustedRoot`. */
  verifies(reply: Bytes, trustedRoot: string): boolean {
    const material = toTrustMaterial(TrustedRoot.fromJSON(JSON.parse(trustedRoot)), {
      [this.#hint]: { rawBytes: Buffer.from(this.#publicKey), keyDetails: 5 },
    });
    const verifier = new Verifier(material, {
      ctlogThreshold: 0,
      tlogThreshold: 0,
      timestampThreshold: 1,
    });
    const bundle = bundleFromJSON({
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: {
        publicKey: { hint: this.#hint },
        tlogEntries: [],
        timestampVerificationData: { rfc3161Timestamps: [{ signedTimestamp: reply.toBase64() }] },
      },
      messageSignature: {
        messageDigest: {
          algorithm: "SHA2_256",
          digest: createHash("sha256").update(ARTIFACT).digest("base64"),
        },
        signature: this.signature.toBase64(),
      },
    });
    try {
      verifier.verify(toSignedEntity(bundle, Buffer.from(ARTIFACT)));
      return true;
    } catch (error) {
      assert.ok(error instanceof Error && error.name === "VerificationError", String(error));
      return false;
    }
  }
}

async function trustedRoot(gateway: TimestampingGateway): Promise<string> {
  const args = ["tsa", "trusted-root", "--certificates", gateway.path("tsa.pem")];
  const { code, stdout, stderr } = await run(args, { cwd: gateway.folder });
  assert.equal(code, 0, stderr);
  return stdout;
}

/** A reply about `content`, as Sigstore's route gives it. */
async function sigstoreReply(gateway: TimestampingGateway, content: Bytes): Promise<Bytes> {
  const body = requestOf(await imprintOfContent(content));
  const response = await gateway.post(body, { path: "/api/v1/timestamp" });
  assert.equal(response.status, 201);
  return new Uint8Array(await response.arrayBuffer());
}

Deno.test("sigstore-js asks for a token, with which its bundle verifies", async () => {
  await using gateway = await TimestampingGateway.start();
  const artifact = new SignedArtifact();
  const messageSignature = {
    messageDigest: { algorithm: 1, digest: createHash("sha256").update(ARTIFACT).digest() },
    signature: Buffer.from(artifact.signature),
  };
  const witness = new TSAWitness({ tsaBaseURL: gateway.url });
  const { rfc3161Timestamps } = await witness.testify({
    $case: "messageSignature",
    messageSignature,
  });
  const reply = new Uint8Array(rfc3161Timestamps![0]!.signedTimestamp);
  assert.ok(artifact.verifies(reply, await trustedRoot(gateway)));
  // It asks for no certificates: the trusted root has them.
  const { info, proof } = parseTimestamp(reply);
  assert.equal(
    hexOf(info.imprint.digest),
    createHash("sha256").update(artifact.signature).digest("hex"),
  );
  assert.ok(proof !== undefined);
});

Deno.test("a Sigstore bundle verifies with our token, under our trusted root alone", async () => {
  await using gateway = await TimestampingGateway.start();
  await using other = await TimestampingGateway.start();
  await using rsa = await TimestampingGateway.start({ scheme: "rsa-3072" });
  const artifact = new SignedArtifact();
  const ours = await trustedRoot(gateway);
  const reply = await sigstoreReply(gateway, artifact.signature);
  assert.ok(artifact.verifies(reply, ours));
  await gateway.requireValid(reply, artifact.signature);
  // Of another authority, of another signature, and with a changed time.
  const foreign = await sigstoreReply(other, artifact.signature);
  assert.ok(artifact.verifies(foreign, await trustedRoot(other)));
  assert.ok(!artifact.verifies(foreign, ours));
  assert.ok(!artifact.verifies(reply, await trustedRoot(other)));
  assert.ok(!artifact.verifies(await sigstoreReply(gateway, new SignedArtifact().signature), ours));
  const changed = reply.slice();
  const time = Buffer.from(changed).indexOf(`\x18\x0f${new Date().getUTCFullYear()}`, 0, "latin1");
  changed[time + 5]! ^= 1;
  assert.ok(!artifact.verifies(changed, ours));
  // @sigstore/verify 4.1 knows ECDSA only; docs/timestamping.md says so.
  const byRsa = await sigstoreReply(rsa, artifact.signature);
  assert.ok(!artifact.verifies(byRsa, await trustedRoot(rsa)));
});
