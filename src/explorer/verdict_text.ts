/**
 * Verdicts and layers in plain English (protocol.md "Levels").
 *
 * @module
 */

import type { Attestation } from "../proof/format/attestation.ts";
import type { ProofBundle } from "../proof/format/bundle.ts";
import type { TreeHead } from "../proof/format/tree_head.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import type { LayerStatus, Level, Verdict } from "../proof/verify/mod.ts";
import { isOfOtherNetwork, type ProofFacts, statementOf } from "../proof/verify/statement.ts";
import type { Tone } from "./components/badge.tsx";
import { plural } from "./text.ts";
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
  const { bundle, verdict, network, fileName, isOtherFile } = proof;
  const { layers: { attestation: layer, batch, federation }, level, followed, time } = verdict;
  const facts: ProofFacts = {
    attestation: bundle.signed_attestation.attestation,
    network: followed ?? network,
    ...layer,
    valid: verdict.valid && !isOtherFile,
    ...(verdict.valid && isOtherFile && { reason: "hash_mismatch" }),
    signatures: layer.signatures?.verified ?? 0,
    time,
    batch: batch.status,
    peers: level === "federated" ? federation.counted : undefined,
    file: fileName,
    subject: fileName ?? "The file with this hash",
  };
  const { sentence, reason } = statementOf(facts);
  if (facts.valid) {
    const tone = time.contradictions.length > 0 ? "warn" : verdictText(verdict).tone;
    return { tone, sentence: `${sentence}.`, notes: failedAnchors(verdict) };
  }
  const isForeign = isOfOtherNetwork(facts);
  const note = isForeign
    ? `Choose the configuration of ${facts.attestation.network_id} to verify it.`
    : reason;
  return {
    tone: isForeign ? "warn" : "bad",
    sentence: `${sentence}.`,
    notes: note === "" ? [] : [note],
  };
}

/** What is known of a proof or token without a pin. That it is not about `file` is certain. */
export function unpinnedSentence(
  { hash, network_id: network }: Pick<Attestation, "hash" | "network_id">,
  file?: { readonly name: string; readonly hash: string },
  what: "proof" | "token" = "proof",
): VerdictSentence {
  if (file !== undefined && file.hash !== hash) {
    const note = `${file.name} has changed, or the ${what} was saved for another file.`;
    return { tone: "bad", sentence: `The ${what} is not about ${file.name}.`, notes: [note] };
  }
  return {
    tone: "info",
    sentence: `The ${what} is not verified yet`,
    notes: [
      `It claims that ${network} signed it. Choose the configuration of that network to verify this.`,
    ],
  };
}

/** The tree head that covers the attestation, as far as it is verified. */
export function verifiedHead(
  { bundle, verdict }: Pick<JudgedProof, "bundle" | "verdict">,
): TreeHead | undefined {
  const isVerified = verdict.layers.batch.status === "verified";
  return isVerified ? bundle.batch_inclusion?.sth.tree_head : undefined;
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
