/**
 * Which tree may follow the one that a witness cosigned last.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../base/bytes.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import { CountersignError } from "../base/errors.ts";
import { verifyConsistency } from "../proof/merkle/proof.ts";
import { emptyRoot } from "../proof/merkle/tree.ts";
import type { WitnessedEpoch, WitnessedHead } from "./ports.ts";

export type Tree = Pick<WitnessedHead, "size" | "root">;

/** `epoch_mismatch` unless `epoch` is number `named`. */
export function checkEpoch(epoch: WitnessedEpoch, named: number, action: string): void {
  if (epoch.number === named) return;
  throw new CountersignError(
    "epoch_mismatch",
    `Cannot ${action}: it names epoch ${named}, and this witness signs in epoch ${epoch.number}`,
  );
}

/** `epoch_mismatch` if `epoch` has ended. */
export function checkGrowth({ number, endedBy }: WitnessedEpoch, action: string): void {
  if (endedBy === undefined) return;
  throw new CountersignError(
    "epoch_mismatch",
    `Cannot ${action}: this witness has ended epoch ${number} and waits for the next one to begin`,
  );
}

/**
 * True when `path` shows that `to` extends `from` (RFC 9162 section 2.1.4.2). With an empty path,
 * every tree extends the empty one and itself.
 */
export function extendsTree(
  kernels: Kernels,
  from: Tree | undefined,
  to: Tree,
  path: readonly Bytes[],
): boolean {
  if (from === undefined || from.size === 0) {
    return path.length === 0 && (to.size > 0 || equalBytes(to.root, emptyRoot(kernels)));
  }
  return verifyConsistency(kernels, {
    first: from.size,
    second: to.size,
    firstRoot: from.root,
    secondRoot: to.root,
    path,
  });
}
