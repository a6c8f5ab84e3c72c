/**
 * One sentence that says what a proof proves, or why it proves nothing.
 *
 * @module
 */

import type { Attestation } from "../../proof/format/attestation.ts";
import { type FollowedNetwork, signersOfLeaf } from "../../proof/verify/followed_network.ts";
import { VERIFY_REASONS, type VerifyReason } from "../../proof/verify/reasons.ts";
import type { TimeBracket } from "../../proof/verify/time_bracket.ts";
import type { LayerStatus } from "../../proof/verify/verdict.ts";
import { momentText } from "../output.ts";
import { fileWord } from "../shell_word.ts";

/** Findings about one proof. */
export interface ProofFacts {
  readonly attestation: Attestation;
  readonly network: FollowedNetwork;
  readonly valid: boolean;
  readonly reason?: VerifyReason | undefined;
  /** Number of witnesses whose signatures of the attestation verify. */
  readonly signatures: number;
  /** Signers of the attestation that are not configured; nothing vouches for these ids. */
  readonly unknown: readonly string[];
  readonly time: TimeBracket;
  /** `undefined` for an attestation without a bundle. */
  readonly batch?: LayerStatus | undefined;
  /** Ids of the peers that count, if they meet the policy. */
  readonly peers?: readonly string[] | undefined;
  /** The file that the proof should be about. */
  readonly file?: string | undefined;
  /** A file that `file`, a checksum list, contains. */
  readonly listed?: string | undefined;
}

/** How many hex digits of the hash name content whose file is unknown. */
const SHOWN_HEX = 16;

const ANOTHER_EPOCH =
  " If the network had or has other witnesses, follow its succession: countersign network --pin " +
  "--gateway URL, or --pin FILE --chain FILE offline.";

export function statementOf(facts: ProofFacts): string {
  return facts.valid ? provenStatement(facts) : refusedStatement(facts);
}

function provenStatement(facts: ProofFacts): string {
  const { file, listed, time, network, attestation } = facts;
  const subject = listed ?? file ??
    `The content with SHA-256 ${attestation.hash.slice(0, SHOWN_HEX)}…`;
  const [by] = time.not_after;
  // A bracket that contradicts itself gives no time.
  const existed = by === undefined || time.contradictions.length > 0
    ? "is attested, with times that contradict each other"
    : `existed by ${momentText(by.time)}`;
  const list = listed === undefined ? "" : `it is listed in ${file}, `;
  const { witnesses } = signersOfLeaf(network, attestation.sequence) ?? network;
  const signed = `signed by ${facts.signatures} of ${witnesses.length} witnesses of ${network.id}`;
  const separator = listed === undefined ? ", " : ": ";
  return `${subject} ${existed}${separator}${list}${signed}${placeText(facts)}`;
}

function placeText({ batch, file, peers = [] }: ProofFacts): string {
  switch (batch) {
    case undefined:
      return "";
    case "verified":
      return peers.length === 0 ? ", in its log" : `, in its log, cosigned by ${peers.join(", ")}`;
    case "absent":
      return ", not yet in its log (refresh the proof later: countersign upgrade" +
        `${file === undefined ? "" : ` ${fileWord(file)}`})`;
    default:
      return "; its place in the log is not proved";
  }
}

/** Whether the attestation may be of an epoch that the verifier has no chain to. */
function mayBeOfAnotherEpoch({ reason, network, unknown }: ProofFacts): boolean {
  switch (reason) {
    case "threshold_not_met":
    case "signer_unknown":
      return unknown.length > 0;
    case "signature_invalid":
      // A witness may keep its id under a new key.
      return network.links === undefined && (network.epoch ?? 0) > 0;
    default:
      return false;
  }
}

function refusedStatement(facts: ProofFacts): string {
  const { reason, file, network, attestation } = facts;
  const proof = file === undefined ? "The proof" : `The proof of ${file}`;
  // Whatever failed: nothing of another network verifies here, not even its chain.
  if (attestation.network_id !== network.id) {
    return `${proof} is of network ${attestation.network_id}, but ${network.id} is trusted here ` +
      "(get the configuration of the proof's network from its operator: countersign network " +
      "--pin --gateway URL, or --network-config FILE)";
  }
  switch (reason) {
    case "hash_mismatch":
      return file === undefined
        ? "The proof is genuine but belongs to another hash"
        : `The proof is genuine but belongs to another file: ${file} has changed, or the proof ` +
          "was saved for another file";
    default:
      return `${proof} is not valid${reason === undefined ? "" : `: ${VERIFY_REASONS[reason]}`}` +
        (mayBeOfAnotherEpoch(facts) ? ANOTHER_EPOCH : "");
  }
}
