/**
 * The state of an embedded witness whose gateway is stopped.
 *
 * @module
 */

import { holdLock } from "../../storage/lock_file.ts";
import { journalFiles } from "../../storage/witness/round_journal.ts";
import {
  type KvWitnessState,
  lockPath,
  openWitnessState,
} from "../../storage/witness/witness_state.ts";
import { SnapshotCopy } from "./snapshot_copy.ts";

/**
 * Calls `use` with a copy of the state at `stateFile`, since opening a state writes to it. `data_in_use` while
 * its witness runs; rejects like `openWitnessState`.
 */
export async function withStoredWitness<T>(
  stateFile: string,
  use: (state: KvWitnessState) => Promise<T>,
): Promise<T> {
  const lock = await holdLock(lockPath(stateFile));
  using _ = { [Symbol.dispose]: () => lock?.release() };
  await using copy = await SnapshotCopy.create();
  const path = await copy.add(stateFile);
  for (const file of journalFiles(stateFile)) await copy.add(file);
  const state = await openWitnessState(path);
  try {
    return await use(state);
  } finally {
    state.close();
  }
}
