/**
 * Offline verification of OpenTimestamps proofs against Bitcoin block headers.
 *
 * @module
 */

import { equalBytes } from "../../../base/bytes.ts";
import { expectedError } from "../../../base/errors.ts";
import { attestationsOf, parseOtsProof, type Timestamp } from "./format.ts";
import { type BitcoinBlock, BitcoinHeaders, EASIEST_TARGET } from "./bitcoin.ts";
import type { AnchorClaim, AnchorVerdict } from "../ports.ts";

/**
 * Maximum seconds between a block's time and its creation. A block's time is after the median of the
 * eleven before it (BIP 113), about an hour back, and at most two hours ahead of the network's time.
 * Two hours cover both, as in the reference client.
 */
const BLOCK_TIME_ERROR = 7200;

/** Maximum calendars or blocks in a reason. */
const MAX_NAMED = 8;

/**
 * Verifies that the digest of `claim` leads to the Merkle root of a block; the claim's roots are files
 * of block headers ({@linkcode BitcoinHeaders}). Of several blocks the earliest counts. An attestation
 * that contradicts its header fails the claim unless another attestation verifies.
 */
export function verifyOpenTimestamps(
  claim: AnchorClaim,
  easiestTarget = EASIEST_TARGET,
): AnchorVerdict {
  let timestamp;
  try {
    timestamp = parseOtsProof(claim.digest, claim.proof);
  } catch (error) {
    return { status: "failed", reason: expectedError(error).message };
  }
  const attested = attestationsOf("bitcoin", claim.digest, timestamp);
  if (attested.length === 0) return withoutBlock(claim, timestamp);
  const heights = new Set(attested.map(({ attestation }) => attestation.height));
  const missing = `no header of Bitcoin block ${[...heights].slice(0, MAX_NAMED).join(" or ")}`;
  if (claim.roots.length === 0) return { status: "not_checked", reason: missing };
  let headers: BitcoinHeaders;
  try {
    headers = new BitcoinHeaders(claim.roots, easiestTarget);
  } catch (error) {
    return { status: "not_checked", reason: expectedError(error).message };
  }
  const blocks: BitcoinBlock[] = [];
  let contradiction: string | undefined;
  let unusable: string | undefined;
  for (const { message, attestation: { height } } of attested) {
    try {
      const block = headers.blockAt(height);
      if (block === undefined) continue;
      if (equalBytes(block.merkleRoot, message)) {
        headers.requireChained(height);
        blocks.push(block);
      } else {
        contradiction ??= `the header of Bitcoin block ${height} has another Merkle root`;
      }
    } catch (error) {
      unusable ??= expectedError(error).message;
    }
  }
  if (blocks.length > 0) return verified(blocks);
  if (contradiction !== undefined) return { status: "failed", reason: contradiction };
  return { status: "not_checked", reason: unusable ?? missing };
}

function verified(agreeing: readonly BitcoinBlock[]): AnchorVerdict {
  const [{ height, hash, time }] = agreeing.toSorted((a, b) => a.time - b.time) as [BitcoinBlock];
  return {
    status: "verified",
    notAfter: time + BLOCK_TIME_ERROR,
    source: `Bitcoin block ${height} (hash ${hash})`,
  };
}

/** The verdict on a proof without a Bitcoin attestation. */
function withoutBlock(
  { digest, status }: AnchorClaim,
  timestamp: Timestamp,
): AnchorVerdict {
  if (status === "confirmed") {
    return {
      status: "failed",
      reason: "its status is confirmed, but no attestation is of a Bitcoin block",
    };
  }
  const uris = attestationsOf("pending", digest, timestamp).map(({ attestation }) =>
    attestation.uri
  );
  if (uris.length === 0) {
    return { status: "not_checked", reason: "no attestation is of a Bitcoin block" };
  }
  const named = [...new Set(uris)].slice(0, MAX_NAMED);
  return { status: "not_checked", reason: `pending at ${named.join(", ")}` };
}
