/**
 * What the operators of a gateway and of a witness do about a failure of the witness.
 *
 * @module
 */

const SAME_HISTORY =
  "it has signed other hashes or another tree of this log: make sure that no other copy of this " +
  "store is in use";
const SAME_NETWORK = "compare its network file, and the log's key, with those of the gateway";
const SAME_TOKEN = "give it and the gateway the same token";

/** By the code of the failure. */
export const WITNESS_ADVICE: Partial<Readonly<Record<string, string>>> = {
  witness_unreachable: "make sure that it runs and that the gateway's machine reaches it",
  witness_storage_failed:
    "it cannot write its state: ask its operator to free space or repair the disk",
  signer_unavailable: "the signer of its key does not answer: see the log of the witness",
  token_required: SAME_TOKEN,
  token_refused: SAME_TOKEN,
  network_refused: SAME_NETWORK,
  log_signature_refused: SAME_NETWORK,
  time_refused: "compare the clocks of gateway and witness, and set the wrong one",
  beacon_refused: "make sure that beacons reach the gateway; compare clocks and beacon settings",
  sequence_conflict: SAME_HISTORY,
  round_conflict:
    "it has signed these hashes in a round of another gateway: make sure that only one gateway of this " +
    "log runs",
  tree_size_conflict: SAME_HISTORY,
  consistency_refused: SAME_HISTORY,
};
