/**
 * Releases sequences that a stopped witness signed beyond its tree head.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import { systemClock, unixSeconds } from "../clock.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode } from "../config/witness_node.ts";
import { CountersignError, errorBuilder } from "../errors.ts";
import type { CliIo } from "../server/io.ts";
import { runsFrom } from "../storage/witness/round_journal_codec.ts";
import { openWitnessState } from "../storage/witness/witness_state.ts";

const usage = errorBuilder("usage", "Cannot release");

export interface WitnessReleaseOptions {
  /** The node's `witness.json`. */
  readonly config: string;
  readonly origin: string;
  /** The first sequence to release. */
  readonly from: number;
  readonly yes: boolean;
}

/**
 * Changes the state of a stopped witness. `network_refused` if `origin` is not the witness's network,
 * `data_in_use` while the witness runs, `usage` below the cosigned size or without confirmation.
 */
export async function runWitnessRelease(
  { config, origin, from, yes }: WitnessReleaseOptions,
  io: CliIo,
): Promise<number> {
  const file = io.resolvePath(config);
  const node = parseWitnessNode(await readPrivateFile(file), file);
  if (origin !== node.networkId) {
    throw new CountersignError(
      "network_refused",
      `Cannot release: this witness signs rounds of ${node.networkId} only, not of ${origin}`,
    );
  }
  const state = await openWitnessState(node.stateFile);
  try {
    const cosigned = (await state.load(origin))?.size ?? 0;
    if (from < cosigned) {
      throw usage(`sequences below the cosigned size ${cosigned} cannot be released`);
    }
    const runs = runsFrom(await state.loadSigned(), from);
    const sequences = runs.flatMap(({ first, digests }) => [
      first,
      first + digests.length / HASH_LENGTH - 1,
    ]);
    const count = runs.reduce((sum, { digests }) => sum + digests.length / HASH_LENGTH, 0);
    if (count === 0) {
      io.out(`Nothing to release: ${node.id} has signed no sequence from ${from} on`);
      return 0;
    }
    const highest = sequences.reduce((highest, sequence) => Math.max(highest, sequence), from);
    io.err(`${node.id} has signed ${count} sequences from ${from} to ${highest} of ${origin}.`);
    io.err("After the release it may sign another hash for each of them. An attestation made from");
    io.err("its signatures may then be contradicted by a second one. Both would verify.");
    if (!yes && io.ask(`Type ${count} to release them:`) !== String(count)) {
      throw usage("not confirmed: type the number of sequences in a terminal, or add --yes");
    }
    await state.release({ from, count, timestamp: unixSeconds(systemClock) });
    io.out(`Released ${count} sequences from ${from} on`);
    return 0;
  } finally {
    state.close();
  }
}
