/**
 * Verdicts and layers in plain English (protocol.md "Levels").
 *
 * @module
 */

import type { ProofBundle } from "../proof/format/bundle.ts";
import type { TreeHead } from "../proof/format/tree_head.ts";
import { epochText } from "../proof/verify/epoch_text.ts";
import { type FollowedNetwork, latestOf, signersOfLeaf } from "../proof/verify/followed_network.ts";
import { type LayerStatus, type Level, type Verdict, VERIFY_REASONS } from "../proof/verify/mod.ts";
import type { SignedOutcome } from "../proof/verify/signed_outcome.ts";
import type { Tone } from "./components/badge.tsx";
import { plural, timeText } from "./text.ts";
import type { PinnedTrust } from "./trust.ts";

const LEVELS: Readonly<Record<Level, string>> = {
  invalid: "not valid",
  basic: "signed",
  batched: "in the log",
  federated: "in the log, which peers cosigned",
};

/** A level in a few words. A layer that failed is a warning; a missing layer is not. */
export function verdictText(
  { valid, level, layers }: Pick<Verdict, "valid" | "level" | "layers">,
): { readonly name: string; readonly tone: Tone } {
  const hasFailed = layers.batch.status === "failed" ||
    level === "batched" && layers.cross_anchors.some(({ status }) => status === "failed");
  return { name: LEVELS[level], tone: !valid ? "bad" : hasFailed ? "warn" : "good" };
}

/** `tone`, green only under keys that the reader chose: a gateway's own prove no more than its word. */
export function trustedTone(tone: Tone, pins: PinnedTrust | undefined): Tone {
  return tone === "good" && pins?.home.source !== "file" ? "info" : tone;
}

/** A verdict, and what it is about. */
export interface JudgedProof {
  readonly bundle: ProofBundle;
  readonly verdict: Verdict;
  /** Its configuration was used. */
  readonly network: FollowedNetwork;
  /** Name of the file that was compared with the proof. */
  readonly fileName?: string | undefined;
  readonly isOtherFile: boolean;
}

export interface VerdictSentence {
  readonly tone: Tone;
  readonly sentence: string;
  /** Further notes for the reader. */
  readonly notes: readonly string[];
}

export function verdictSentence(proof: JudgedProof): VerdictSentence {
  const { verdict, fileName = "the file", isOtherFile } = proof;
  const otherNote = `${fileName} has another hash than the attested file.`;
  if (!verdict.valid) {
    const refused = refusal(proof);
    return isOtherFile ? { ...refused, notes: [...refused.notes, otherNote] } : refused;
  }
  if (isOtherFile) {
    const sentence = "The proof is genuine but belongs to another file.";
    return { tone: "bad", sentence, notes: [otherNote] };
  }
  const notes = failedAnchors(verdict);
  const hasContradiction = verdict.time.contradictions.length > 0;
  if (hasContradiction) {
    notes.push("Two times in the proof contradict each other: see the details.");
  }
  const { tone } = verdictText(verdict);
  return { tone: hasContradiction ? "warn" : tone, sentence: existenceSentence(proof), notes };
}

/** "report.txt existed by …; 2 of 3 witnesses of … signed it, and it is in their log." */
function existenceSentence({ bundle, verdict, network, fileName }: JudgedProof): string {
  const { layers: { attestation, batch, federation }, level, time } = verdict;
  const by = time.not_after[0]?.time ?? bundle.signed_attestation.attestation.timestamp;
  const signed = attestation.signatures?.verified ?? 0;
  const { followed = network } = verdict;
  const { sequence } = bundle.signed_attestation.attestation;
  const signers = signersOfLeaf(followed, sequence) ?? network;
  const witnesses = plural(signers.witnesses.length, "witness", "witnesses");
  const start = `${fileName ?? "The file with this hash"} existed by ${timeText(by)}; ` +
    `${signed} of ${witnesses} of ${network.id}${signersText(followed, signers)} signed it`;
  if (level === "federated") {
    const peers = plural(federation.counted.length, "peer network");
    return `${start}, it is in their log, and ${peers} cosigned that log.`;
  }
  if (level === "batched") return `${start}, and it is in their log.`;
  return batch.status === "failed"
    ? `${start}, but the proof that it is in their log does not verify.`
    : `${start}. The proof does not show yet that it is in their log.`;
}

/** " (epoch 0; now epoch 2, followed from the pin of epoch 0)"; empty before the first succession. */
function signersText(network: FollowedNetwork, { epoch = 0 }: FollowedNetwork): string {
  const { epoch: latest = 0 } = latestOf(network);
  if (latest === 0) return "";
  const text = epochText(network);
  return epoch === latest ? ` (${text})` : ` (epoch ${epoch}; now ${text})`;
}

/** The tree head that covers the attestation, as far as it is verified. */
export function verifiedHead(
  { bundle, verdict }: Pick<JudgedProof, "bundle" | "verdict">,
): TreeHead | undefined {
  const isVerified = verdict.layers.batch.status === "verified";
  return isVerified ? bundle.batch_inclusion?.sth.tree_head : undefined;
}

function refusal({ bundle, verdict, network }: JudgedProof): VerdictSentence {
  const named = bundle.signed_attestation.attestation.network_id;
  if (named === network.id) {
    return {
      tone: "bad",
      sentence: `The proof does not verify with the keys of ${network.id}.`,
      notes: [reasonText(verdict.layers.attestation)],
    };
  }
  return {
    tone: "warn",
    sentence: `The proof is from ${named}, and the configuration in use is for ${network.id}.`,
    notes: [`Choose the configuration of ${named} to verify it.`],
  };
}

function failedAnchors({ layers }: Verdict): string[] {
  const failed = layers.cross_anchors.filter(({ status }) => status === "failed").length;
  if (failed === 0) return [];
  return [`${plural(failed, "cross-anchor")} ${failed === 1 ? "does" : "do"} not verify.`];
}

export const LAYER_STATUS: Readonly<
  Record<LayerStatus, { readonly name: string; readonly tone: Tone }>
> = {
  verified: { name: "Verified", tone: "good" },
  failed: { name: "Failed", tone: "bad" },
  absent: { name: "Absent", tone: "neutral" },
  not_checked: { name: "Not checked", tone: "warn" },
};

/** Why a check failed, with the field and the witness; empty where it did not. */
export function reasonText(
  { reason, field, witness }: Pick<Partial<SignedOutcome>, "reason" | "field" | "witness">,
): string {
  if (reason === undefined) return "";
  const where = [field, witness].filter((name) => name !== undefined).join(", ");
  return where === "" ? VERIFY_REASONS[reason] : `${VERIFY_REASONS[reason]} (${where})`;
}
