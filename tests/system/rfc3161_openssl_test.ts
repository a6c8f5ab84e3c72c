/**
 * Time-stamp authorities of openssl's anchor over HTTP, their tokens verify here, and the files
 * made of them verify with `openssl ts -verify`.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { AnchorVerdict } from "../../src/gateway/anchors/ports.ts";
import { rfc3161 } from "../../src/gateway/anchors/rfc3161/provider.ts";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import { systemClock } from "../../src/base/clock.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { hasCode } from "../../src/base/errors.ts";
import { object } from "../../src/proof/format/schema.ts";
import type { AnchorProof } from "../../src/proof/format/records.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";
import { FetchAnchorHttp } from "../../src/http/outgoing/anchor_http.ts";
import { served } from "../http/outgoing/fixture.ts";
import { proofOf } from "../proof/timestamp/fixture.ts";
import { TestAuthority } from "../proof/timestamp/test_authority.ts";
import { pemOf } from "../proof/timestamp/test_certificates.ts";
import {
  type AuthorityOptions,
  OpensslAuthority,
  opensslVerifies,
  POLICY,
} from "./openssl_authority.ts";

const DIGEST = portableKernels.sha256(utf8("a checkpoint"));
const OTHER_DIGEST = portableKernels.sha256(utf8("another checkpoint"));
const EC_KEY = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"];

const AUTHORITIES: Readonly<Record<string, AuthorityOptions>> = {
  "RSA, an intermediate and ESSCertIDv2": {
    key: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"],
    hasIntermediate: true,
    settings: [
      "signer_digest = sha512",
      "ess_cert_id_alg = sha256",
      "ess_cert_id_chain = yes",
      "accuracy = secs:1, millisecs:500, microsecs:100",
      "clock_precision_digits = 6",
      "tsa_name = yes",
      "ordering = yes",
    ],
  },
  "ECDSA and ESSCertID": {
    key: EC_KEY,
    hasIntermediate: false,
    settings: ["signer_digest = sha256", "ess_cert_id_alg = sha1"],
  },
  "ECDSA on P-384 and ESSCertIDv2 by SHA-384": {
    key: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
    hasIntermediate: true,
    settings: ["signer_digest = sha384", "ess_cert_id_alg = sha384", "tsa_name = yes"],
  },
};

/** Anchors {@linkcode DIGEST} at `authority`, over HTTP. */
async function anchoredBy(
  authority: OpensslAuthority,
  members: Readonly<Record<string, string>> = {},
): Promise<AnchorProof> {
  let proof: AnchorProof | undefined;
  const respond = async (request: Request) => {
    const reply = await authority.reply(new Uint8Array(await request.arrayBuffer()));
    return new Response(reply, { headers: { "content-type": "application/timestamp-reply" } });
  };
  await served(respond, async (url) => {
    const value = parseStrictJson(
      JSON.stringify({ url, roots_file: "root.pem", ...members }),
      "malformed_configuration",
    );
    const where = { where: "anchors", code: "malformed_configuration" } as const;
    const service = await rfc3161.configure(object(rfc3161.members).parse(value, where), {
      http: new FetchAnchorHttp({ insecure: false }),
      clock: systemClock,
      insecure: false,
      readFile: () => authority.root(),
    });
    proof = await service.anchor(DIGEST, AbortSignal.timeout(120_000));
  });
  assert.ok(proof);
  return proof;
}

function verdictOn(anchor: AnchorProof, digest: Bytes, root: Bytes): Promise<AnchorVerdict> {
  return rfc3161.verify({ ...anchor, digest, roots: [root] });
}

for (const [name, options] of Object.entries(AUTHORITIES)) {
  Deno.test(`openssl's authority with ${name} anchors, and both verifiers agree`, async () => {
    await using authority = await OpensslAuthority.create(options);
    await using stranger = await OpensslAuthority.create({
      key: EC_KEY,
      hasIntermediate: false,
      settings: [],
    });
    const before = Math.floor(Date.now() / 1000);
    const anchor = await anchoredBy(authority, { policy: POLICY });
    const after = Math.floor(Date.now() / 1000);
    assert.ok(anchor.timestamp >= before && anchor.timestamp <= after);

    const root = await authority.root();
    const verdict = await verdictOn(anchor, DIGEST, root);
    assert.equal(verdict.status, "verified", JSON.stringify(verdict));
    if (verdict.status !== "verified") return;
    assert.equal(verdict.source, "RFC 3161 token of CN=signer");
    const latest = options.settings.some((line) => line.startsWith("accuracy")) ? 3 : 0;
    assert.ok(verdict.notAfter! >= anchor.timestamp);
    assert.ok(verdict.notAfter! <= anchor.timestamp + latest);

    const [file] = rfc3161.files(DIGEST, anchor.proof);
    assert.equal(file?.extension, ".tsr");
    assert.ok(await opensslVerifies(file.bytes, DIGEST, root));
    assert.match(await authority.text(file.bytes), new RegExp(`Policy OID: ${POLICY}`));

    // What one refuses the other refuses as well.
    const strange = await stranger.root();
    assert.equal((await verdictOn(anchor, OTHER_DIGEST, root)).status, "failed");
    assert.ok(!await opensslVerifies(file.bytes, OTHER_DIGEST, root));
    assert.equal((await verdictOn(anchor, DIGEST, strange)).status, "failed");
    assert.ok(!await opensslVerifies(file.bytes, DIGEST, strange));
  });
}

Deno.test("openssl's refusal of a request is told with its reason", async () => {
  await using authority = await OpensslAuthority.create({
    key: EC_KEY,
    hasIntermediate: false,
    settings: ["signer_digest = sha256"],
  });
  assert.equal((await anchoredBy(authority)).status, "confirmed");
  await assert.rejects(
    anchoredBy(authority, { policy: "1.2.3.4" }),
    (error) =>
      hasCode(error, "anchor_refused") &&
      /answered rejection, unacceptedPolicy/.test(error.message),
  );
});

for (
  const [kind, hash] of [["P-256", "SHA-256"], ["P-521", "SHA-512"], ["RSA", "SHA-384"]] as const
) {
  Deno.test(`openssl verifies a token of the tests' own authority with ${kind}`, async () => {
    const authority = await TestAuthority.create(kind, hash);
    const root = pemOf(authority.root);
    for (
      const [digest, isGood] of [[DIGEST, true], [OTHER_DIGEST, false]] as const
    ) {
      const [file] = rfc3161.files(DIGEST, proofOf(await authority.token(digest)));
      assert.equal(await opensslVerifies(file!.bytes, DIGEST, root), isGood);
    }
  });
}
