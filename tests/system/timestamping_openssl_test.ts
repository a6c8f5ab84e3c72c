/**
 * `openssl ts` and curl ask a running time-stamp authority in every form of request, and what a thief of its
 * key could sign.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, hexOf, textOf, utf8 } from "../../src/base/bytes.ts";
import { loadTimestampIdentity } from "../../src/config/timestamp_identity.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { TokenWriter } from "../../src/gateway/timestamping/token_writer.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { parseTimestamp } from "../../src/proof/timestamp/attested_token.ts";
import { encodeImprint } from "../../src/proof/timestamp/message_imprint.ts";
import { run } from "../scenarios/program.ts";
import { bls } from "../schemes.ts";
import { QUERY, SCHEMES, TimestampingGateway } from "./timestamping.ts";

const CONTENT = utf8("a release\n");
/** Within the certificates of a trial, which begin an hour before they are made. */
const EARLIER_SECONDS = 1_800;

/** Asks with curl for a token of `content.txt`; the reply is in `reply.tsr`. */
async function ask(gateway: TimestampingGateway, ...options: readonly string[]): Promise<Bytes> {
  const query = "ts -query -data content.txt -out query.tsq".split(" ");
  await gateway.succeed("openssl", ...query, ...options);
  const curl = [
    "-sSf",
    "--retry",
    "9",
    "-H",
    `Content-Type: ${QUERY}`,
    "--data-binary",
    "@query.tsq",
  ];
  await gateway.succeed("curl", ...curl, "-o", "reply.tsr", gateway.tsa);
  return await Deno.readFile(gateway.path("reply.tsr"));
}

/** Whether `openssl ts` verifies `reply.tsr`. */
async function opensslVerifies(
  gateway: TimestampingGateway,
  ...options: readonly string[]
): Promise<boolean> {
  const args = ["ts", "-verify", "-in", "reply.tsr", "-CAfile", "tsa-root.pem", ...options];
  const { code, stdout, stderr } = await gateway.run("openssl", ...args);
  assert.equal(code === 0, /Verification: OK/.test(stdout + stderr), stdout + stderr);
  return code === 0;
}

for (const scheme of SCHEMES) {
  Deno.test(`openssl ts verifies replies by ${scheme} to every form of request`, async () => {
    await using gateway = await TimestampingGateway.start({ scheme });
    await gateway.write("content.txt", CONTENT);
    await gateway.write("other.txt", "another release\n");
    for (const hash of ["SHA-256", "SHA-384", "SHA-512"] as const) {
      for (const nonce of [[], ["-no_nonce"]]) {
        for (const certificates of [["-cert"], []]) {
          const reply = await ask(
            gateway,
            `-${hash.replace("-", "").toLowerCase()}`,
            ...nonce,
            ...certificates,
          );
          const untrusted = certificates.length > 0 ? [] : ["-untrusted", "tsa.pem"];
          assert.ok(await opensslVerifies(gateway, "-queryfile", "query.tsq", ...untrusted));
          assert.ok(await opensslVerifies(gateway, "-data", "content.txt", ...untrusted));
          assert.ok(!await opensslVerifies(gateway, "-data", "other.txt", ...untrusted));
          // Without the certificate ours has no authority to check.
          if (certificates.length > 0) await gateway.requireValid(reply, CONTENT, hash);
          else assert.equal((await gateway.verdict(reply)).reason, "authority_refused");
        }
      }
    }
    // openssl shows why a request is rejected.
    await ask(gateway, "-sha1");
    const text = await gateway.succeed("openssl", "ts", "-reply", "-in", "reply.tsr", "-text");
    assert.match(text, /Status: Rejected/);
    assert.match(text, /unrecognized or unsupported algorithm identifier/i);
  });

  Deno.test(`a thief of the ${scheme} key deceives openssl ts, not our verifier`, async () => {
    await using gateway = await TimestampingGateway.start({ scheme });
    await gateway.write("content.txt", CONTENT);
    const reply = await ask(gateway, "-sha256", "-cert", "-no_nonce");
    const { info: { genTime, serial, imprint } } = await gateway.requireValid(reply, CONTENT);
    const writer = new TokenWriter(
      await loadTimestampIdentity(
        { keyFile: gateway.path("tsa.key"), certificatesFile: gateway.path("tsa.pem") },
        { bls, report: () => {}, env: () => undefined },
      ),
      kernels,
    );
    const signAgain = async (time: number) => {
      const token = await writer.write({
        imprint: encodeImprint(imprint),
        serial: BigInt(`0x${hexOf(serial)}`),
        time,
        accuracySeconds: 60,
        withCertificates: true,
        proof: textOf(parseTimestamp(reply).proof!, "malformed_bundle"),
      });
      await gateway.write("reply.tsr", token);
      assert.ok(await opensslVerifies(gateway, "-data", "content.txt", "-token_in"));
      return token;
    };
    await gateway.requireValid(await signAgain(genTime), CONTENT);
    const { valid, reason, field, authority } = await gateway.verdict(
      await signAgain(genTime - EARLIER_SECONDS),
    );
    assert.deepEqual([valid, reason, field], [false, "field_mismatch", "gen_time"]);
    assert.equal(authority.status, "verified");
    await gateway.write("network.public.json", publicNetworkJson(gateway.network));
    const args = "verify-proof reply.tsr --file content.txt --tsa-root tsa-root.pem".split(" ");
    const { code, stdout } = await run(
      [...args, "--network-config", "network.public.json"],
      { cwd: gateway.folder },
    );
    assert.equal(code, 1, stdout);
    assert.match(stdout, /signed by the authority, but not by the witnesses/);
  });
}

Deno.test("a network with BLS signatures gives tokens like any other", async () => {
  await using gateway = await TimestampingGateway.start({ signatures: "bls" });
  await gateway.write("content.txt", CONTENT);
  const reply = await ask(gateway, "-sha384", "-cert");
  assert.ok(await opensslVerifies(gateway, "-data", "content.txt"));
  const { proof } = await gateway.requireValid(reply, CONTENT, "SHA-384");
  assert.ok("signature" in proof!.bundle.signed_attestation);
});
