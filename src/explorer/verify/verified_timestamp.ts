/**
 * Verifies a time-stamp token in this browser, with the details of the proof that it carries.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { TimestampVerdict } from "../../proof/timestamp/attested_token.ts";
import type { Certificate } from "../../proof/timestamp/certificate.ts";
import { type Trust, verifyBundle } from "../../proof/verify/mod.ts";
import type { TimestampScript } from "../assets.ts";
import type { SuppliedToken } from "./supplied_file.ts";
import { bundleDetails, type VerifiedBundle } from "./verified_bundle.ts";

/** A verdict on a token. */
export interface VerifiedTimestamp {
  /** The verdict on the token alone, without its file. */
  readonly verdict: TimestampVerdict;
  /** The token is about another digest than the expected one. */
  readonly isOtherFile: boolean;
  /** Absent if the token carries no proof. */
  readonly proof?: { readonly bundle: ProofBundle; readonly found: VerifiedBundle };
}

export interface TimestampComparison {
  /** Of the content, by the hash function of the token, in lowercase hex. */
  readonly digest?: string | undefined;
  /** One of them has to vouch for the authority, if there are any. */
  readonly roots: readonly Certificate[];
}

export async function verifiedTimestamp(
  { crypto, script }: { readonly crypto: CryptoSuite; readonly script: TimestampScript },
  trust: Trust,
  { token, bundle }: Pick<SuppliedToken, "token" | "bundle">,
  { digest, roots }: TimestampComparison,
): Promise<VerifiedTimestamp> {
  const { imprint } = token.info;
  const isOtherFile = digest !== undefined && digest !== hexOf(imprint.digest);
  if (bundle === undefined) {
    return { verdict: await script.judgeTimestamp(token, undefined, { roots }), isOtherFile };
  }
  const hash = script.attestedHash(crypto.kernels, imprint);
  const verdict = await verifyBundle(crypto, trust, bundle, { hash });
  const details = bundleDetails(crypto, trust, bundle, verdict);
  return {
    verdict: await script.judgeTimestamp(token, { bundle, verdict }, { roots }),
    isOtherFile,
    proof: { bundle, found: { verdict, isOtherFile, ...details } },
  };
}
