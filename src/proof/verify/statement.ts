/**
 * One sentence that says what a proof proves, or why it proves nothing. The command line and the page
 * say it with the same words; each adds its own advice.
 *
 * @module
 */

import { momentText } from "../../base/moment_text.ts";
import type { Attestation } from "../format/attestation.ts";
import { epochText } from "./epoch_text.ts";
import { type FollowedNetwork, latestOf, signersOfLeaf } from "./followed_network.ts";
import type { VerifyReason } from "./reasons.ts";
import type { TimeBracket } from "./time_bracket.ts";
import type { LayerStatus } from "./verdict.ts";
import { reasonText } from "./verdict_words.ts";

/** Findings about one proof. */
export interface ProofFacts {
  readonly attestation: Attestation;
  /** Its configuration was used, with the epochs that were followed from it. */
  readonly network: FollowedNetwork;
  readonly valid: boolean;
  /** Why it is not valid. */
  readonly reason?: VerifyReason | undefined;
  readonly field?: string | undefined;
  readonly witness?: string | undefined;
  /** Number of witnesses whose signatures of the attestation verify. */
  readonly signatures: number;
  readonly time: TimeBracket;
  /** `undefined` for an attestation without a bundle. */
  readonly batch?: LayerStatus | undefined;
  /** Ids of the peers that count, if they meet the policy. */
  readonly peers?: readonly string[] | undefined;
  /** The file that the proof should be about. */
  readonly file?: string | undefined;
  /** The file, or other words for what is attested. */
  readonly subject: string;
}

/** A sentence without a period, and why the proof is not valid. */
export interface Statement {
  readonly sentence: string;
  /** Empty if the sentence says it. */
  readonly reason: string;
}

export function statementOf(facts: ProofFacts): Statement {
  return facts.valid ? { sentence: provenSentence(facts), reason: "" } : refusedStatement(facts);
}

/** "report.txt existed by …; 2 of 3 witnesses of … signed it, and it is in their log". */
function provenSentence(facts: ProofFacts): string {
  const { subject, time, network, attestation } = facts;
  const [by] = time.not_after;
  // A bracket that contradicts itself gives no time.
  const existed = by === undefined || time.contradictions.length > 0
    ? "is attested, with times that contradict each other"
    : `existed by ${momentText(by.time)}`;
  const signers = signersOfLeaf(network, attestation.sequence) ?? network;
  const { length } = signers.witnesses;
  return `${subject} ${existed}; ${facts.signatures} of ${length} ` +
    `${length === 1 ? "witness" : "witnesses"} of ${network.id}${signersText(network, signers)} ` +
    `signed it${placeText(facts)}`;
}

/** " (epoch 0; now epoch 2, followed from the pin of epoch 0)"; empty before the first succession. */
function signersText(network: FollowedNetwork, { epoch = 0 }: FollowedNetwork): string {
  const { epoch: latest = 0 } = latestOf(network);
  if (latest === 0) return "";
  const text = epochText(network);
  return epoch === latest ? ` (${text})` : ` (epoch ${epoch}; now ${text})`;
}

function placeText({ batch, peers = [] }: ProofFacts): string {
  switch (batch) {
    case undefined:
      return "";
    case "verified":
      return peers.length === 0
        ? ", and it is in their log"
        : `, it is in their log, and ${peers.join(", ")} cosigned that log`;
    case "absent":
      return ", but the proof does not show yet that it is in their log";
    default:
      return ", but the proof that it is in their log does not verify";
  }
}

function refusedStatement(facts: ProofFacts): Statement {
  const { reason, file, network, attestation } = facts;
  // Whatever failed: nothing of another network verifies here, not even its chain.
  if (isOfOtherNetwork(facts)) {
    const sentence = `The proof is of network ${attestation.network_id}, and the configuration ` +
      `in use is for ${network.id}`;
    return { sentence, reason: "" };
  }
  if (reason === "hash_mismatch") {
    const other = file === undefined
      ? ""
      : `: ${file} has changed, or the proof was saved for another file`;
    const sentence = `The proof is genuine but belongs to another file${other}`;
    return { sentence, reason: "" };
  }
  const sentence = `The proof does not verify with the keys of ${network.id}`;
  return { sentence, reason: reasonText(facts) };
}

/** Then nothing of the proof can be verified under the configuration in use. */
export function isOfOtherNetwork(
  { attestation, network }: Pick<ProofFacts, "attestation" | "network">,
): boolean {
  return attestation.network_id !== network.id;
}
