/**
 * What must hold after a fork. Each check answers its violations in words.
 *
 * @module
 */

import type { SignedByWitness } from "./witness_journals.ts";
import type { WitnessRecorder } from "./witness_recorder.ts";

/** An answer to a client that submits one hash after the other. */
export interface GatewayAnswer {
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly status: number;
  readonly code: string | undefined;
}

/**
 * The refusals of the witnesses may be on their way while so many requests are answered, one after
 * the other.
 */
const ANSWERS_ON_THE_WAY = 3;

export function isAccepted({ status }: GatewayAnswer): boolean {
  return status >= 200 && status < 300;
}

export function isRolledBack({ code }: GatewayAnswer): boolean {
  return code === "store_rolled_back";
}

/**
 * When the refusals of `recorder`'s witnesses put `threshold` out of reach; `Infinity` when they did
 * not.
 */
export function refusedMs({ records }: WitnessRecorder, threshold: number): number {
  return records.map((record) => record.refusedMs ?? Infinity)
    .toSorted((a, b) => a - b)[records.length - threshold]!;
}

/**
 * No hash is accepted once a gateway has refused one, nor once witnesses have refused its rounds or
 * heads, so many that the threshold is out of reach (`refusedMs`).
 */
export function checkRefusals(
  who: string,
  answers: readonly GatewayAnswer[],
  refusedMs: number,
): string[] {
  const first = answers.findIndex(isRolledBack);
  if (first < 0) return [`${who} never refused a hash`];
  const violations = answers.slice(first).filter(isAccepted)
    .map(({ status }) => `${who} answered ${status} after it had refused`);
  const late = answers.filter(({ sentMs }) => sentMs > refusedMs);
  for (const { status, answeredMs } of late.slice(ANSWERS_ON_THE_WAY).filter(isAccepted)) {
    const ms = Math.round(answeredMs - refusedMs);
    violations.push(`${who} answered ${status} ${ms} ms after too many witnesses had refused`);
  }
  return violations;
}

/**
 * No sequence has two hashes that a threshold of witnesses signed. No witness signed two hashes for
 * a sequence that its operator did not release. Whatever left a witness is in its journal.
 *
 * @param journals by witness
 * @param recorders what left each witness, to the original and to the copy
 */
export function checkSigned(
  threshold: number,
  journals: readonly SignedByWitness[],
  recorders: readonly WitnessRecorder[],
): string[] {
  const violations: string[] = [];
  /** Places of those who signed, by sequence and hash. */
  const signers = new Map<number, Map<string, Set<number>>>();
  const note = (place: number, sequence: number, hash: string) => {
    const hashes = signers.get(sequence) ?? new Map<string, Set<number>>();
    signers.set(sequence, hashes.set(hash, (hashes.get(hash) ?? new Set()).add(place)));
  };
  for (const [place, { hashes }] of journals.entries()) {
    for (const [sequence, found] of hashes) for (const hash of found) note(place, sequence, hash);
    for (const { records } of recorders) {
      for (const [sequence, hash] of records[place]!.signed) {
        note(place, sequence, hash);
        if (hashes.get(sequence)?.has(hash)) continue;
        violations.push(`witness ${place + 1} signed ${sequence} and has not stored its hash`);
      }
    }
  }
  for (const [sequence, hashes] of signers) {
    const sets = [...hashes.values()];
    if (sets.filter((set) => set.size >= threshold).length > 1) {
      violations.push(`a threshold signed two hashes at ${sequence}`);
    }
    for (const [place, { releasedFrom }] of journals.entries()) {
      const isReleased = releasedFrom.some((from) => sequence >= from);
      if (isReleased || sets.filter((set) => set.has(place)).length < 2) continue;
      violations.push(`witness ${place + 1} signed two hashes at ${sequence}`);
    }
  }
  return violations;
}
