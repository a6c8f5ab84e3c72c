/**
 * Verifies a tlog-proof or a COSE receipt: by a policy file, which may be of any log, or a tlog-proof by the
 * trusted configuration of its network.
 *
 * @module
 */

import { type Bytes, textOf } from "../../base/bytes.ts";
import { leafHash } from "../../proof/crypto/hashing.ts";
import { CountersignError, errorBuilder, hasCode } from "../../base/errors.ts";
import { type Attestation, parseAttestation } from "../../proof/format/attestation.ts";
import { parseCoseReceipt } from "../../proof/format/cose_receipt.ts";
import { type LogPolicy, meetsQuorum } from "../../proof/format/log_policy.ts";
import { parseLogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import { parseNote } from "../../proof/format/note.ts";
import { parseTlogProof, type TlogProof } from "../../proof/format/tlog_proof.ts";
import { verifyCoseReceipt } from "../../proof/verify/cose_receipt.ts";
import { VERIFY_REASONS, type VerifyReason } from "../../proof/verify/reasons.ts";
import { verifyTlogProof } from "../../proof/verify/tlog_proof.ts";
import { NOT_PROVEN } from "../../proof/verify/verdict.ts";
import { namingFile } from "../../config/validation.ts";
import type { CommandContext } from "../command_context.ts";
import { contentOf, hashContent, readLogPolicy } from "../input_file.ts";
import { timeText } from "../output.ts";
import { policyOfNetwork } from "../../logs/publishing/checkpoint_rule.ts";
import { signersOfHead } from "../../proof/verify/followed_network.ts";
import { sourceJson, sourceText, type TrustedNetwork } from "../trusted_network.ts";
import type { BundleChecker } from "./bundle_check.ts";
import type { LogProof } from "./saved_proofs.ts";
import { closingLines } from "../verdict_report.ts";

export const usage = errorBuilder("usage", "Cannot verify proof");

/** Entry bundles hold at most this many bytes of an entry (c2sp.org/tlog-tiles). */
const MAX_ENTRY_BYTES = 65_535;
const MAX_PROOF_BYTES = 1 << 20;

const RECEIPT_HINT =
  "A COSE receipt has only the log's signature: verify it with a --policy FILE that has `quorum none`, or " +
  "verify the JSON proof or the tlog-proof in its place.";

export interface LogProofOptions {
  /** Name of the file with the proof. */
  readonly name: string;
  /** A file; without it, the configuration of the proof's network counts. */
  readonly policy?: string | undefined;
  /** The entry's bytes; without it, the proof's extra data is an attestation. */
  readonly entry?: string | undefined;
  /** For a receipt of consistency: the receipt of inclusion in the older tree. */
  readonly since?: string | undefined;
  /** Hashes that the attestation must be about. */
  readonly hash?: string | undefined;
  readonly file?: string | undefined;
}

/** Exits 0 if the entry is in the log, or one tree is a prefix of another. */
export async function checkLogProof(
  context: CommandContext,
  { kind, bytes }: LogProof,
  options: LogProofOptions,
  checker: BundleChecker,
): Promise<number> {
  const { name } = options;
  const policy = options.policy === undefined
    ? undefined
    : await readLogPolicy(context, options.policy);
  if (kind === "receipt") {
    if (policy === undefined) throw usage(`"${name}" is a COSE receipt. ${RECEIPT_HINT}`);
    return await checkReceipt(context, options, { policy, bytes });
  }
  const proof = namingFile(name, () => parseTlogProof(textOf(bytes)));
  const trust = policy === undefined
    ? await namingFile(name, () => trustedSigners(checker, proof.checkpoint))
    : { policy };
  return await checkTlogProof(context, options, proof, trust);
}

/** Whom a tlog-proof is verified by. */
interface ProofTrust {
  readonly policy: LogPolicy;
  /** Absent if the policy is a file. */
  readonly trusted?: TrustedNetwork;
}

/** No id of a witness has a space. */
const THRESHOLD = "the threshold";

/** Log and witnesses of the network that the checkpoint names, in the epoch of its size. */
async function trustedSigners(checker: BundleChecker, checkpoint: string): Promise<ProofTrust> {
  const { origin, size } = parseLogCheckpoint(parseNote(checkpoint).text);
  const trusted = await checker.trustedFor(origin).catch((cause) => {
    if (!hasCode(cause, "configuration_missing")) throw cause;
    const message = `${cause.message}; of a log without a configuration, give its --policy FILE`;
    throw new CountersignError(cause.code, message, { cause });
  });
  const signers = signersOfHead(trusted.network, size);
  if (signers === undefined) {
    throw usage(`the log ${origin} ended before tree size ${size}, by its configuration`);
  }
  const { logs, witnesses } = policyOfNetwork(signers);
  const group = { needed: signers.threshold, members: [...witnesses.keys()] };
  const groups = new Map([[THRESHOLD, group]]);
  return { policy: { logs, witnesses, groups, quorum: THRESHOLD }, trusted };
}

interface ReadFiles {
  readonly policy: LogPolicy;
  readonly bytes: Bytes;
}

async function checkTlogProof(
  context: CommandContext,
  options: LogProofOptions,
  proof: TlogProof,
  { policy, trusted }: ProofTrust,
): Promise<number> {
  if (options.since !== undefined) {
    throw usage("give --since with a COSE receipt of consistency, not with a tlog-proof");
  }
  const { leaf, attestation } = await entryOf(context, options, proof.extra);
  const result = await verifyTlogProof(context.crypto, policy, proof, leaf);
  const { head: { origin, size }, cosigners } = result;
  const place = { origin, index: proof.index };
  const reason = result.reason ?? await misplaced(context, options, { attestation, place });
  return report(context, options, {
    outcome: { ...result, reason },
    trusted,
    attestation,
    cosigners,
    facts: { origin, tree_size: size, index: proof.index },
  });
}

/** A receipt has no cosignatures, so it meets no quorum but `none`. */
async function checkReceipt(
  context: CommandContext,
  options: LogProofOptions,
  { policy, bytes }: ReadFiles,
): Promise<number> {
  const { crypto } = context;
  const keys = policy.logs.map(({ key }) => key);
  const unmet = meetsQuorum(policy, new Set()) ? undefined : "threshold_not_met" as const;
  const receipt = namingFile(options.name, () => parseCoseReceipt(bytes));
  const { origin, proof } = receipt;
  if (proof.kind === "inclusion") {
    if (options.since !== undefined) {
      throw usage("give --since with a receipt of consistency, not with one of inclusion");
    }
    const { leaf: leafHash, attestation } = await entryOf(context, options, receipt.entry);
    const result = await verifyCoseReceipt(crypto, keys, receipt, { leafHash });
    const place = { origin, index: proof.index };
    const reason = result.reason ?? unmet ??
      await misplaced(context, options, { attestation, place });
    return report(context, options, {
      outcome: { ...result, reason },
      unmet,
      attestation,
      facts: { origin, tree_size: proof.size, index: proof.index },
    });
  }
  const { since: olderName, entry, hash, file } = options;
  if (olderName === undefined) {
    throw usage(
      "this is a receipt of consistency: give --since OLDER, the receipt of inclusion in the older tree",
    );
  }
  if ((entry ?? hash ?? file) !== undefined) {
    throw usage(
      "give a receipt of consistency without --entry, --hash and --file: it is about no entry",
    );
  }
  const older = parseCoseReceipt(await contentOf(context, olderName, MAX_PROOF_BYTES));
  if (older.proof.kind !== "inclusion" || older.entry === undefined) {
    throw usage(`${olderName} is not a receipt of inclusion with its entry`);
  }
  const subject = { leafHash: leafHash(crypto.kernels, older.entry) };
  const first = await verifyCoseReceipt(crypto, keys, older, subject);
  const isSame = older.origin === origin && older.treeSize === proof.first;
  const result = !first.valid
    ? { ...first, field: "since" }
    : !isSame
    ? { valid: false, reason: "tree_size_mismatch", field: "since" } as const
    : await verifyCoseReceipt(crypto, keys, receipt, { firstRoot: first.root! });
  return report(context, options, {
    outcome: { ...result, reason: result.reason ?? unmet },
    unmet,
    facts: { origin, first: proof.first, second: proof.size },
  });
}

/** The entry named, or that in the proof, which is an attestation. */
async function entryOf(
  context: CommandContext,
  { entry: name }: LogProofOptions,
  contained: Bytes | undefined,
): Promise<{ readonly leaf: Bytes; readonly attestation: Attestation | undefined }> {
  const { kernels } = context.crypto;
  if (name === undefined) {
    const attestation = attestationOf(contained);
    return { leaf: leafHash(kernels, contained!), attestation };
  }
  const entry = await contentOf(context, name, MAX_ENTRY_BYTES);
  return { leaf: leafHash(kernels, entry), attestation: undefined };
}

/** Why the attestation is not the one at this place and about these hashes. */
async function misplaced(
  context: CommandContext,
  { hash, file }: LogProofOptions,
  { attestation, place }: {
    readonly attestation: Attestation | undefined;
    readonly place: { readonly origin: string; readonly index: number };
  },
): Promise<VerifyReason | undefined> {
  if (attestation !== undefined && !isOf(attestation, place)) return "field_mismatch";
  const wanted = [hash, file && await hashContent(context, file)];
  const isOther = wanted.some((one) => one !== undefined && one !== attestation?.hash);
  return isOther ? "hash_mismatch" : undefined;
}

interface ProofReport {
  /** Absent if the policy is a file. */
  readonly trusted?: TrustedNetwork | undefined;
  readonly outcome: { readonly reason?: VerifyReason | undefined; readonly field?: string };
  /** The reason if no receipt can meet the policy. */
  readonly unmet?: VerifyReason | undefined;
  readonly attestation?: Attestation | undefined;
  readonly cosigners?: readonly { readonly name: string; readonly timestamp: number }[];
  readonly facts: LogFacts;
}

/** An entry of a log, or two of its trees. */
type LogFacts =
  | { readonly origin: string; readonly tree_size: number; readonly index: number }
  | { readonly origin: string; readonly first: number; readonly second: number };

function factLines(facts: LogFacts): string[] {
  return [
    `log: ${facts.origin}`,
    "index" in facts
      ? `entry: ${facts.index} of a tree of ${facts.tree_size}`
      : `the tree of ${facts.first} is a prefix of the tree of ${facts.second}`,
  ];
}

function report(
  { output }: CommandContext,
  { policy }: LogProofOptions,
  { trusted, unmet, attestation, facts, ...report }: ProofReport,
): number {
  const { outcome: { reason, field }, cosigners = [] } = report;
  output.result({
    valid: reason === undefined,
    ...(reason !== undefined && { reason }),
    ...(field !== undefined && { field }),
    ...(reason !== undefined && reason === unmet && { hint: RECEIPT_HINT }),
    ...facts,
    ...(attestation && { hash: attestation.hash, timestamp: attestation.timestamp }),
    cosigners,
    ...(trusted === undefined ? { policy } : { configuration: sourceJson(trusted) }),
    not_proven: NOT_PROVEN,
  }, (shown) => [
    shown.valid ? { text: "VALID", accent: "green" } : { text: "INVALID", accent: "red" },
    ...(shown.reason === undefined ? [] : [VERIFY_REASONS[shown.reason]]),
    ...(shown.hint === undefined ? [] : [shown.hint]),
    ...factLines(shown),
    ...(shown.hash === undefined ? [] : [`hash: ${shown.hash}`]),
    ...(shown.timestamp === undefined ? [] : [`time: ${timeText(shown.timestamp)}`]),
    "configuration" in shown
      ? `configuration: ${sourceText(shown.configuration)}`
      : `policy: ${shown.policy}`,
    ...shown.cosigners.map((one) => `cosigned by ${one.name}: ${timeText(one.timestamp)}`),
    ...closingLines(),
  ]);
  return reason === undefined ? 0 : 1;
}

function attestationOf(extra: Bytes | undefined): Attestation {
  if (extra !== undefined) return parseAttestation(textOf(extra));
  throw usage("the proof does not contain its entry; give the entry with --entry FILE");
}

/** The sequence of an attestation is its index in the log of its network. */
function isOf(
  { network_id, sequence }: Attestation,
  { origin, index }: { readonly origin: string; readonly index: number },
): boolean {
  return network_id === origin && sequence === index;
}
