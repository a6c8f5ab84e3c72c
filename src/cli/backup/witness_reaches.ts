/**
 * How far each witness of a network has signed, without changing what it has signed.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";
import { type Clock, withTimeLimit } from "../../clock.ts";
import type { OperatorNetwork } from "../../config/operator_network.ts";
import { expectedError } from "../../errors.ts";
import type { WitnessReach } from "../../format/witness_request.ts";
import { remoteWitness } from "../../server/gateway/opened_parts.ts";
import { openWitnessState } from "../../storage/witness/witness_state.ts";
import { SnapshotCopy } from "../fsck/snapshot_copy.ts";

/** Milliseconds that a witness has to answer. */
const ANSWER_MS = 30_000;

export interface AskedWitness {
  readonly id: string;
  /** Absent if the witness did not answer. */
  readonly reach?: WitnessReach;
  readonly failure?: string;
}

/** Asks all witnesses of `operator`, in the order of its network. */
export async function askedWitnesses(
  { network, witnesses }: OperatorNetwork,
  insecure: boolean,
  clock: Clock,
): Promise<AskedWitness[]> {
  const stop = new AbortController().signal;
  return await Promise.all(witnesses.map(async (witness, i): Promise<AskedWitness> => {
    const { id } = witness;
    try {
      if (witness.kind === "embedded") {
        return { id, reach: await storedReach(witness.stateFile, network.id) };
      }
      const client = remoteWitness(network, network.witnesses[i]!, witness, { insecure });
      return {
        id,
        reach: await await withTimeLimit(clock, ANSWER_MS, stop, (limit) => client.reach(limit)),
      };
    } catch (error) {
      return { id, failure: expectedError(error).message };
    }
  }));
}

/** From a copy of the state of an embedded witness, whose gateway is stopped. */
async function storedReach(stateFile: string, networkId: string): Promise<WitnessReach> {
  await using copy = await SnapshotCopy.create();
  const path = await copy.add(stateFile);
  for (const n of [0, 1]) await copy.add(`${stateFile}.rounds.${n}`);
  const state = await openWitnessState(path);
  try {
    const head = await state.load(networkId);
    const size = head?.size ?? 0;
    let signedEnd = size;
    for (const { first, digests } of await state.loadSigned()) {
      signedEnd = Math.max(signedEnd, first + digests.length / HASH_LENGTH);
    }
    return { size, ...(head !== undefined && { root: head.root }), signedEnd };
  } finally {
    state.close();
  }
}
