/**
 * Verifies a time-stamp token with the proof that it carries. The page judges tokens without this file:
 * it has the verifier of bundles in another script.
 *
 * @module
 */

import { textOf } from "../../base/bytes.ts";
import { parseBundle, type ProofBundle } from "../format/bundle.ts";
import { verifyBundle } from "../verify/bundle.ts";
import type { Trust } from "../verify/cross_anchors.ts";
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import {
  judgeTimestamp,
  type TimestampExpectation,
  type TimestampVerdict,
} from "./attested_token.ts";
import { attestedHash } from "./message_imprint.ts";
import type { TimeStampToken } from "./token.ts";

/** The bundle that `token` carries, if any; `malformed_bundle`. */
export function bundleIn({ proof }: TimeStampToken): ProofBundle | undefined {
  return proof && parseBundle(textOf(proof, "malformed_bundle"));
}

/** `malformed_bundle` for a proof that is no bundle. */
export async function verifyTimestamp(
  crypto: VerifierCrypto,
  trust: Trust,
  token: TimeStampToken,
  expected: TimestampExpectation = {},
): Promise<TimestampVerdict> {
  const bundle = bundleIn(token);
  if (bundle === undefined) return await judgeTimestamp(token, undefined, expected);
  const hash = attestedHash(crypto.kernels, token.info.imprint);
  const verdict = await verifyBundle(crypto, trust, bundle, { hash });
  return await judgeTimestamp(token, { bundle, verdict }, expected);
}
