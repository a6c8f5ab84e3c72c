/**
 * `verify-proof --policy`: verifies a tlog-proof of any log by a policy file, without a network.
 *
 * @module
 */

import { type Bytes, textOf } from "../../bytes.ts";
import { leafHash } from "../../crypto/hashing.ts";
import { CountersignError } from "../../errors.ts";
import { type Attestation, parseAttestation } from "../../format/attestation.ts";
import { parseTlogProof } from "../../format/tlog_proof.ts";
import { VERIFY_REASONS } from "../../verify/reasons.ts";
import { verifyTlogProof } from "../../verify/tlog_proof.ts";
import { NOT_PROVEN } from "../../verify/verdict.ts";
import type { CommandContext } from "../command_context.ts";
import { contentOf, hashContent, readDocument, readLogPolicy } from "../input_file.ts";
import { timeText } from "../output.ts";
import { closingLines } from "../verdict_report.ts";

/** Entry bundles hold at most this many bytes of an entry (c2sp.org/tlog-tiles). */
const MAX_ENTRY_BYTES = 65_535;

export interface LogProofOptions {
  /** Files. */
  readonly proof: string;
  readonly policy: string;
  /** The entry's bytes; without it, the proof's extra data is an attestation. */
  readonly entry?: string | undefined;
  /** Hashes that the attestation must be about. */
  readonly hash?: string | undefined;
  readonly file?: string | undefined;
}

/** Exits 0 if the entry is in the log. */
export async function checkLogProof(
  context: CommandContext,
  { proof: name, policy: policyName, entry: entryName, hash, file }: LogProofOptions,
): Promise<number> {
  const { crypto, output } = context;
  const policy = await readLogPolicy(context, policyName);
  const proof = await readDocument(context, name, "malformed_text", parseTlogProof);
  const entry = entryName === undefined
    ? proof.extra
    : await contentOf(context, entryName, MAX_ENTRY_BYTES);
  const attestation = entryName === undefined ? attestationOf(proof.extra) : undefined;
  const result = await verifyTlogProof(crypto, policy, proof, leafHash(crypto.kernels, entry!));
  const wanted = [hash, file && await hashContent(context, file)].filter((one) =>
    one !== undefined
  );
  const { head: { origin, size }, cosigners } = result;
  const reason = result.reason ??
    (attestation && !isOf(attestation, { origin, index: proof.index })
      ? "field_mismatch"
      : undefined) ??
    (wanted.some((one) => one !== attestation?.hash) ? "hash_mismatch" : undefined);
  const facts = { origin, tree_size: size, index: proof.index };
  output.result({
    valid: reason === undefined,
    ...(reason !== undefined && { reason }),
    ...(result.field !== undefined && { field: result.field }),
    ...facts,
    ...(attestation && { hash: attestation.hash, timestamp: attestation.timestamp }),
    cosigners,
    policy: policyName,
    not_proven: NOT_PROVEN,
  }, [
    reason === undefined ? { text: "VALID", accent: "green" } : { text: "INVALID", accent: "red" },
    ...(reason === undefined ? [] : [VERIFY_REASONS[reason]]),
    `log: ${origin}`,
    `entry: ${proof.index} of a tree of ${size}`,
    ...(attestation
      ? [`hash: ${attestation.hash}`, `time: ${timeText(attestation.timestamp)}`]
      : []),
    `policy: ${policyName}`,
    ...cosigners.map((one) => `cosigned by ${one.name}: ${timeText(one.timestamp)}`),
    ...closingLines(),
  ]);
  return reason === undefined ? 0 : 1;
}

function attestationOf(extra: Bytes | undefined): Attestation {
  if (extra !== undefined) return parseAttestation(textOf(extra));
  throw new CountersignError(
    "usage",
    "Cannot verify proof: it does not contain its entry; name the entry's bytes with --entry FILE",
  );
}

/** The sequence of an attestation is its index in the log of its network. */
function isOf(
  { network_id, sequence }: Attestation,
  { origin, index }: { readonly origin: string; readonly index: number },
): boolean {
  return network_id === origin && sequence === index;
}
