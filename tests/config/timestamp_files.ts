/**
 * Key files and certificate files of time-stamp authorities.
 *
 * @module
 */

import { join } from "node:path";
import { newTimestampKey, type TimestampKey } from "../../src/config/timestamp_key.ts";
import type { KeyReading } from "../../src/config/key_file.ts";
import type { TimestampScheme } from "../../src/gateway/timestamping/timestamp_signer.ts";
import { signerExtensions } from "../proof/timestamp/test_authority.ts";
import {
  type CertificateParts,
  issue,
  pemOf,
  type TestCertificate,
} from "../proof/timestamp/test_certificates.ts";
import { AUTHORITY, intermediateKey, NAME, rootKey } from "../proof/timestamp/test_chain.ts";
import { bls } from "../schemes.ts";

export const KEY_READING: KeyReading = { bls, env: () => undefined, report: () => {} };

/** Signed attributes of a token, as DER: contentType and messageDigest. */
export const SIGNED_ATTRIBUTES = Uint8Array.fromHex(
  "314d301a06092a864886f70d010903310d060b2a864886f70d0109100104302f" +
    `06092a864886f70d01090431220420${"5a".repeat(32)}`,
);

const made = new Map<TimestampScheme, ReturnType<typeof newTimestampKey>>();

/** A key of `scheme`: one for all tests of a process. */
export function timestampKey(
  scheme: TimestampScheme = "ecdsa-p256",
): Promise<{ readonly signer: TimestampKey; readonly pem: string }> {
  const found = made.get(scheme) ?? newTimestampKey(scheme);
  made.set(scheme, found);
  return found;
}

/** Certificates of the key of `scheme`: its own, good but for `change`, the intermediate, the root. */
export async function timestampChain(
  change: Partial<CertificateParts> = {},
  scheme: TimestampScheme = "ecdsa-p256",
  issuers: Partial<CertificateParts> = {},
): Promise<[TestCertificate, TestCertificate, TestCertificate]> {
  const { signer } = await timestampKey(scheme);
  const root = await issue(rootKey, undefined, { subject: NAME.root, extensions: AUTHORITY });
  const intermediate = await issue(intermediateKey, root, {
    subject: NAME.intermediate,
    extensions: AUTHORITY,
    ...issuers,
  });
  const key = { ...rootKey, spki: signer.publicKey };
  const leaf = await issue(key, intermediate, {
    subject: NAME.signer,
    extensions: signerExtensions(),
    ...change,
  });
  return [leaf, intermediate, root];
}

/** Writes `tsa.key` and `tsa.pem` into `folder`; the member `timestamping` of `network.json`. */
export async function writeTimestampFiles(
  folder: string,
  certificates?: readonly TestCertificate[],
): Promise<{ readonly key_file: string; readonly certificates_file: string }> {
  await Deno.writeTextFile(join(folder, "tsa.key"), (await timestampKey()).pem, { mode: 0o600 });
  await Deno.writeFile(
    join(folder, "tsa.pem"),
    pemOf(...certificates ?? (await timestampChain()).slice(0, 2)),
  );
  return { key_file: "tsa.key", certificates_file: "tsa.pem" };
}
