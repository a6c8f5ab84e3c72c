/**
 * Offline verification of OpenTimestamps proofs against Bitcoin block headers.
 *
 * @module
 */

import { equalBytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { Timestamp } from "./format.ts";
import { type BitcoinBlock, BitcoinHeaders, EASIEST_TARGET } from "./bitcoin.ts";
import { attestationsOf, type Attested, parseOtsProof } from "./proof.ts";
import type { AnchorClaim, AnchorVerdict } from "../ports.ts";

/**
 * Seconds by which a block may be younger than its header says. A miner has to date a block after the
 * median of the eleven before it (BIP 113), which lies about an hour back; the network takes times of
 * up to two hours ahead. Two hours cover both, as for the reference client.
 */
const BLOCK_TIME_ERROR = 7200;

/** Calendars or blocks that a reason names. */
const MAX_NAMED = 8;

/**
 * Verifies `claim`, whose roots are files of block headers ({@linkcode BitcoinHeaders}): its digest
 * leads to the Merkle root of a block. Of several blocks the one of the earliest time counts; one that
 * contradicts its header fails the claim unless another bears it out.
 */
export function verifyOpenTimestamps(
  claim: AnchorClaim,
  easiestTarget = EASIEST_TARGET,
): AnchorVerdict {
  let timestamp;
  try {
    timestamp = parseOtsProof(claim.digest, claim.proof);
  } catch (error) {
    return { status: "failed", reason: reasonOf(error) };
  }
  const attested = attestationsOf("bitcoin", claim.digest, timestamp);
  if (attested.length === 0) return withoutBlock(claim, timestamp);
  const required = `a header of Bitcoin block ${
    [...new Set(attested.map(({ attestation }) => attestation.height))]
      .slice(0, MAX_NAMED).join(" or ")
  } required`;
  if (claim.roots.length === 0) return { status: "not_checked", reason: required };
  let headers: BitcoinHeaders;
  try {
    headers = new BitcoinHeaders(claim.roots, easiestTarget);
  } catch (error) {
    return { status: "not_checked", reason: reasonOf(error) };
  }
  const findings = attested.map((one) => findingOf(one, headers));
  const blocks = findings.flatMap(({ block }) => block ?? []);
  if (blocks.length > 0) return verified(blocks);
  const contradiction = findings.find(({ contradicts }) => contradicts);
  if (contradiction !== undefined) return { status: "failed", reason: contradiction.reason! };
  const unusable = findings.find(({ reason }) => reason !== undefined);
  return { status: "not_checked", reason: unusable?.reason ?? required };
}

/** What headers say of one attestation; nothing where its block's is missing. */
interface Finding {
  /** Where they bear it out. */
  readonly block?: BitcoinBlock;
  /** Why they do not, or of what use they are not. */
  readonly reason?: string;
  readonly contradicts?: boolean;
}

/** Each by itself: what one calendar makes up takes nothing from the others. */
function findingOf(
  { message, attestation: { height } }: Attested<{ kind: "bitcoin"; height: number }>,
  headers: BitcoinHeaders,
): Finding {
  try {
    const block = headers.blockAt(height);
    if (block === undefined) return {};
    if (!equalBytes(block.merkleRoot, message)) {
      const reason = `another Merkle root in the header of Bitcoin block ${height}`;
      return { reason, contradicts: true };
    }
    headers.requireChained(height);
    return { block };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

function verified(agreeing: readonly BitcoinBlock[]): AnchorVerdict {
  const [{ height, hash, time }] = agreeing.toSorted((a, b) => a.time - b.time) as [BitcoinBlock];
  return {
    status: "verified",
    notAfter: time + BLOCK_TIME_ERROR,
    source: `Bitcoin block ${height} (hash ${hash})`,
  };
}

/** A proof that waits, or one of which nothing can be said. */
function withoutBlock(
  { digest, status }: AnchorClaim,
  timestamp: Timestamp,
): AnchorVerdict {
  if (status === "confirmed") {
    return { status: "failed", reason: "confirmed, without the attestation of a Bitcoin block" };
  }
  const uris = attestationsOf("pending", digest, timestamp).map(({ attestation }) =>
    attestation.uri
  );
  if (uris.length === 0) {
    return { status: "not_checked", reason: "no attestation of a Bitcoin block" };
  }
  const named = [...new Set(uris)].slice(0, MAX_NAMED);
  return { status: "not_checked", reason: `pending at ${named.join(", ")}` };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof CountersignError)) throw error;
  return error.message;
}
