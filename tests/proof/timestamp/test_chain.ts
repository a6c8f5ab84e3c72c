/**
 * Chains of three certificates, good but for what a test changes, and verdicts on their tokens.
 *
 * @module
 */

import { DIGEST, verdictOn } from "./fixture.ts";
import { signerExtensions, TestAuthority } from "./test_authority.ts";
import {
  type CertificateParts,
  EXTENSIONS,
  issue,
  KEY_CERT_SIGN,
  nameOf,
  pemOf,
  type TestCertificate,
} from "./test_certificates.ts";
import { testKey } from "./test_keys.ts";

/** The extensions of a good issuer. */
export const AUTHORITY = [EXTENSIONS.authority(), EXTENSIONS.keyUsage(KEY_CERT_SIGN)];
export const [rootKey, intermediateKey, signerKey] = await Promise.all([
  testKey("P-256", "root"),
  testKey("P-256", "intermediate"),
  testKey("P-256", "signer"),
]);
export const NAME = {
  root: nameOf("Root"),
  intermediate: nameOf("Intermediate"),
  signer: nameOf("Stamps"),
};
/** How the three certificates differ from good ones. */
export interface ChainChange {
  readonly root?: Partial<CertificateParts>;
  readonly intermediate?: Partial<CertificateParts>;
  readonly signer?: Partial<CertificateParts>;
}

/** Root, intermediate and signer; good but for `change`. */
export async function chainOf(change: ChainChange = {}): Promise<TestAuthority> {
  const root = await issue(rootKey, undefined, {
    subject: NAME.root,
    extensions: AUTHORITY,
    ...change.root,
  });
  const intermediate = await issue(intermediateKey, root, {
    subject: NAME.intermediate,
    serial: 2,
    extensions: AUTHORITY,
    ...change.intermediate,
  });
  const signer = await issue(signerKey, intermediate, {
    subject: NAME.signer,
    serial: 3,
    extensions: signerExtensions(),
    ...change.signer,
  });
  return new TestAuthority(root, intermediate, signer);
}

/** The verdict on a token of `chain`, with its own root unless told otherwise. */
export async function verdictOf(
  chain: TestAuthority,
  { roots = [chain.root], certificates = [chain.signer, chain.intermediate] }: {
    readonly roots?: readonly TestCertificate[];
    readonly certificates?: readonly TestCertificate[];
  } = {},
) {
  const token = await chain.token(DIGEST, { certificates: certificates.map(({ der }) => der) });
  return await verdictOn(token, { roots: [pemOf(...roots)] });
}
