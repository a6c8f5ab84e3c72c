/**
 * All implementations of the BLS scheme that this machine can run, ours first.
 *
 * @module
 */

import { portableBls } from "../src/proof/crypto/portable_bls.ts";
import { BLS_BUILDS, loadWasmBls } from "../src/proof/crypto/wasm_kernels.ts";
import { blstContender } from "./bls_blst.ts";
import { blsEthContender, mclContender } from "./bls_mcl.ts";
import { nobleContender } from "./bls_noble.ts";
import { BLS_OPERATIONS, type BlsContender, type BlsOperation } from "./bls_operations.ts";
import { ownContender, ownInputs } from "./bls_own.ts";
import type { Trial } from "./interleaved.ts";

/** The loaded implementations, and notes about all. */
export interface BlsContenders {
  readonly present: readonly BlsContender[];
  readonly remarks: readonly string[];
}

/** Loads all; reports and omits those that fail to load. */
export async function loadBlsContenders(): Promise<BlsContenders> {
  const inputs = ownInputs(await loadWasmBls() ?? portableBls);
  const loads: Record<string, () => Promise<BlsContender>> = {};
  for (const build of BLS_BUILDS) {
    loads[build.name] = async () => {
      const bls = await loadWasmBls([build]);
      if (bls === undefined) throw new Error("this engine does not run it");
      return ownContender(build.name, bls, inputs);
    };
  }
  loads["portable"] = () =>
    Promise.resolve(ownContender("portable", portableBls, inputs, [
      "portable: ours over noble's points; many signatures by one random linear combination",
    ]));
  loads["noble"] = () => Promise.resolve(nobleContender(inputs));
  loads["mcl-wasm"] = () => mclContender(inputs);
  loads["bls-eth-wasm"] = blsEthContender;
  loads["blst, native"] = blstContender;
  const present: BlsContender[] = [];
  const absent: string[] = [];
  for (const [name, load] of Object.entries(loads)) {
    try {
      present.push(await load());
    } catch (error) {
      absent.push(`${name}: absent, ${error instanceof Error ? error.message : error}`);
    }
  }
  return { present, remarks: [...present.flatMap(({ remarks }) => remarks), ...absent] };
}

/** Trials of `operation` for every implementation that supports it; throws if a result is wrong. */
export function blsTrials(contenders: readonly BlsContender[], operation: BlsOperation): Trial[] {
  return contenders.flatMap(({ name, operations }) => {
    const run = operations[operation];
    if (run === undefined) return [];
    if (!run()) {
      throw new Error(`Cannot measure "${BLS_OPERATIONS[operation]}" by ${name}: it answers wrong`);
    }
    return [{ name, run: () => void run() }];
  });
}
