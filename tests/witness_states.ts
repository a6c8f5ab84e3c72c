/**
 * States of witnesses on disk.
 *
 * @module
 */

import { hasCode } from "../src/base/errors.ts";
import {
  createWitnessState,
  type KvWitnessState,
  openWitnessState,
} from "../src/storage/witness/witness_state.ts";

/** Opens the state at `path`; creates it if it is missing. */
export async function openOrCreateState(path: string): Promise<KvWitnessState> {
  try {
    return await openWitnessState(path);
  } catch (error) {
    if (!hasCode(error, "witness_state_missing")) throw error;
  }
  await createWitnessState(path, new Map());
  return await openWitnessState(path);
}
