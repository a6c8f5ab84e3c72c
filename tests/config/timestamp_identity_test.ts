import assert from "node:assert/strict";
import { join } from "node:path";
import { loadTimestampIdentity } from "../../src/config/timestamp_identity.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { ATTESTED_POLICY } from "../../src/proof/timestamp/attached_proof.ts";
import {
  DIGITAL_SIGNATURE,
  EXTENSIONS,
  issue,
  KEY_CERT_SIGN,
  nameOf,
  type TestCertificate,
  TIME_STAMPING,
} from "../proof/timestamp/test_certificates.ts";
import { intermediateKey, NAME, rootKey } from "../proof/timestamp/test_chain.ts";
import { inFolder } from "../server/captured_io.ts";
import {
  KEY_READING,
  timestampChain,
  timestampKey,
  writeTimestampFiles,
} from "./timestamp_files.ts";

/** Loads the key of `timestampKey()` with `certificates`. */
async function load(certificates: readonly TestCertificate[], policy?: string) {
  return await inFolder(async (folder) => {
    await writeTimestampFiles(folder, certificates);
    return await loadTimestampIdentity({
      keyFile: join(folder, "tsa.key"),
      certificatesFile: join(folder, "tsa.pem"),
      ...(policy !== undefined && { policy }),
    }, KEY_READING);
  });
}

async function refuses(
  certificates: readonly TestCertificate[],
  message: RegExp,
  code: ErrorCode = "invalid_configuration",
): Promise<void> {
  await assert.rejects(load(certificates), (error) => {
    assert.ok(error instanceof CountersignError);
    assert.equal(error.code, code);
    assert.match(error.message, message);
    assert.match(error.message, /tsa\.pem/);
    return true;
  });
}

Deno.test("loadTimestampIdentity() has the key, the chain in its order, and the policy", async () => {
  const chain = await timestampChain();
  const { signer } = await timestampKey();
  for (const length of [1, 2, 3]) {
    const certificates = chain.slice(0, length);
    const identity = await load(certificates);
    assert.deepEqual(
      identity.certificates.map(({ der }) => der),
      certificates.map(({ der }) => der),
    );
    assert.deepEqual(identity.signer.publicKey, signer.publicKey);
    assert.equal(identity.policy, ATTESTED_POLICY);
  }
  assert.equal((await load(chain, "1.2.3")).policy, "1.2.3");
});

Deno.test("loadTimestampIdentity() accepts certificates that have expired or are not valid yet", async () => {
  const expired = { notBefore: "200101000000Z", notAfter: "210101000000Z" };
  const early = { notBefore: "480101000000Z", notAfter: "490101000000Z" };
  assert.ok(await load(await timestampChain(expired)));
  assert.ok(await load(await timestampChain(early)));
  assert.ok(await load(await timestampChain({}, "ecdsa-p256", expired)));
});

Deno.test("loadTimestampIdentity() refuses the certificate of another key", async () => {
  const [, intermediate] = await timestampChain();
  const extensions = [EXTENSIONS.keyUsage(DIGITAL_SIGNATURE), EXTENSIONS.purposes([TIME_STAMPING])];
  const other = await issue(rootKey, intermediate, { subject: NAME.signer, extensions });
  await refuses([other, intermediate], /of CN=Stamps, is not of the key in ".*tsa\.key"/);
});

const usage = EXTENSIONS.keyUsage(DIGITAL_SIGNATURE);
const purpose = EXTENSIONS.purposes([TIME_STAMPING]);

Deno.test("loadTimestampIdentity() refuses a certificate that is not only for time stamps", async () => {
  const cases = [
    [[usage], /no critical extended key usage/],
    [[usage, EXTENSIONS.purposes([TIME_STAMPING], false)], /no critical extended key usage/],
    [[usage, EXTENSIONS.purposes([TIME_STAMPING, "1.3.6.1.5.5.7.3.3"])], /not its only purpose/],
    [[EXTENSIONS.keyUsage(KEY_CERT_SIGN), purpose], /not its only key usage/],
  ] as const;
  for (const [extensions, message] of cases) {
    await refuses(await timestampChain({ extensions }), message);
  }
});

Deno.test("loadTimestampIdentity() refuses a chain that is out of order or has gaps", async () => {
  const [leaf, intermediate, root] = await timestampChain();
  const order = /The file needs the certificate of the key first, each followed by its issuer's/;
  await refuses([leaf, root, intermediate], order);
  await refuses([leaf, root], order);
  await refuses([leaf, intermediate, root, root, root, intermediate], order);
  await refuses([root, intermediate, leaf], order);
  await refuses([root, intermediate], /no critical extended key usage/);
  const renamed = await issue(rootKey, undefined, { subject: NAME.intermediate });
  await refuses([leaf, renamed], /not a certificate authority/);
  const forged = await issue(rootKey, undefined, {
    subject: NAME.intermediate,
    extensions: [EXTENSIONS.authority()],
  });
  await refuses([leaf, forged], /did not sign/);
  const stranger = await issue(intermediateKey, root, { subject: nameOf("Other") });
  await refuses([leaf, stranger], /CN=Other is not the issuer of/);
});

Deno.test("loadTimestampIdentity() refuses files without certificates, or with too many", async () => {
  await refuses([], /no certificate in PEM/);
  const [leaf] = await timestampChain();
  await refuses(Array<TestCertificate>(9).fill(leaf), /more than 8/);
});
