/**
 * The statement of a proof, with the commands that the user may need next.
 *
 * @module
 */

import { isOfOtherNetwork, type ProofFacts, statementOf } from "../../proof/verify/statement.ts";
import { fileWord } from "../shell_word.ts";

/** What the command line adds to {@linkcode ProofFacts}. */
interface Facts extends Omit<ProofFacts, "subject"> {
  /** A file that `file`, a checksum list, contains. */
  readonly listed?: string | undefined;
  /** Hash function and digest of the content; that of the attestation when absent. */
  readonly digest?: readonly [algorithm: string, hex: string] | undefined;
  /** What `upgrade` takes to refresh the proof; `file` when absent. */
  readonly refreshed?: string | undefined;
  /** Signers of the attestation that are not configured; nothing vouches for these ids. */
  readonly unknown: readonly string[];
}

/** How many hex digits of the hash name content whose file is unknown. */
const SHOWN_HEX = 16;

export function statementText(facts: Facts): string {
  const { listed, attestation } = facts;
  const { digest: [algorithm, hex] = ["SHA-256", attestation.hash] } = facts;
  const { file = `The content with ${algorithm} ${hex.slice(0, SHOWN_HEX)}…` } = facts;
  const subject = listed === undefined ? file : `${listed} is listed in ${file}, which`;
  const { sentence, reason } = statementOf({ ...facts, subject });
  return `${sentence}${reason === "" ? "" : `: ${reason}`}${adviceText(facts)}`;
}

function adviceText(facts: Facts): string {
  const { valid, batch, file, refreshed = file } = facts;
  if (valid) {
    return batch === "absent"
      ? " (refresh the proof later: countersign upgrade" +
        `${refreshed === undefined ? "" : ` ${fileWord(refreshed)}`})`
      : "";
  }
  if (isOfOtherNetwork(facts)) {
    return " (get the configuration of the proof's network from its operator: countersign network " +
      "--pin --gateway URL, or --network-config FILE)";
  }
  return mayBeOfAnotherEpoch(facts)
    ? " If the network had or has other witnesses, follow its succession: countersign network --pin " +
      "--gateway URL, or --pin FILE --chain FILE offline."
    : "";
}

/** Whether the attestation may be of an epoch that the verifier has no chain to. */
function mayBeOfAnotherEpoch({ reason, network, unknown }: Facts): boolean {
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
