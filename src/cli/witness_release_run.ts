/**
 * Releases sequences that a stopped witness signed beyond its tree head.
 *
 * @module
 */

import { systemClock, unixSeconds } from "../base/clock.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode } from "../config/witness_node.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import type { CliIo } from "../server/io.ts";
import { endOfRound } from "../storage/witness/round_journal_codec.ts";
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
    const rounds = (await state.loadSigned()).filter((round) => endOfRound(round) > from);
    if (rounds.length === 0) {
      io.out(`Nothing to release: ${node.id} has signed no sequence from ${from} on`);
      return 0;
    }
    // A round is signed and released whole.
    const start = rounds.reduce((start, round) => Math.min(start, round.first), from);
    const first = Math.max(start, cosigned);
    const highest = rounds.reduce((end, round) => Math.max(end, endOfRound(round)), 0) - 1;
    const count = rounds.reduce(
      (n, round) => n + endOfRound(round) - Math.max(round.first, first),
      0,
    );
    io.err(`${node.id} has signed ${count} sequences from ${first} to ${highest} of ${origin}.`);
    io.err(
      "After the release it may sign another hash or time for each of them. An attestation made from",
    );
    io.err("its signatures may then be contradicted by a second one. Both would verify.");
    if (!yes && io.ask(`Type ${count} to release them:`) !== String(count)) {
      throw usage("not confirmed: type the number of sequences in a terminal, or add --yes");
    }
    await state.release({ from: first, count, timestamp: unixSeconds(systemClock) });
    io.out(`Released ${count} sequences from ${first} on`);
    return 0;
  } finally {
    state.close();
  }
}
