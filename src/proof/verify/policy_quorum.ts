/**
 * Cosignatures under a checkpoint, counted by a trust policy (c2sp.org/tlog-policy).
 *
 * @module
 */

import { type LogPolicy, meetsQuorum } from "../format/log_policy.ts";
import type { VerifiedLine } from "./note.ts";

/** The witnesses of a policy whose cosignatures verify, by the policy's names. */
export interface PolicyCount {
  readonly cosigners: readonly { readonly name: string; readonly timestamp: number }[];
  readonly meetsQuorum: boolean;
}

/** Counts `lines`, which were verified with the keys of `policy`. */
export function countByPolicy(policy: LogPolicy, lines: readonly VerifiedLine[]): PolicyCount {
  const cosigners = [...policy.witnesses].flatMap(([name, witness]) => {
    const times = lines.filter(({ key }) => key === witness.key).map((line) => line.timestamp ?? 0);
    return times.length === 0 ? [] : [{ name, timestamp: Math.max(...times) }];
  });
  const names = new Set(cosigners.map(({ name }) => name));
  return { cosigners, meetsQuorum: meetsQuorum(policy, names) };
}
