import type { WitnessedReads } from "../../../src/gateway/witnessing/ports.ts";

/** Of a log that no witness outside its network cosigned. */
export const NO_COSIGNATURES: WitnessedReads = {
  at: () => Promise.resolve(undefined),
  covering: () => Promise.resolve(undefined),
};
