/**
 * `countersign witness --adopt`: a state for a witness whose own was lost, or that is new. Where it
 * starts from decides what it will never contradict, so the operator has to say it.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH, hexOf, integerOf } from "../bytes.ts";
import { systemClock, unixSeconds } from "../clock.ts";
import type { WitnessNode } from "../config/witness_node.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { CountersignError } from "../errors.ts";
import { emptyRoot } from "../merkle/tree.ts";
import { createWitnessState } from "../storage/witness_state.ts";
import type { WitnessedHead } from "../witness/ports.ts";
import type { CliIo } from "../server/io.ts";

/** The head to start from, as typed; asked for where absent. */
export interface AdoptedHead {
  readonly size?: string | undefined;
  readonly root?: string | undefined;
}

/** Creates the state of `node` as the operator describes it; it must not exist. */
export async function adoptState(
  node: WitnessNode,
  typed: AdoptedHead,
  io: CliIo,
): Promise<void> {
  const origins = node.logs.map((log) => log.origin);
  const heads = adoptedHeads(origins, typed, io, unixSeconds(systemClock));
  // A head of size 0 says as much as none.
  const grown = [...heads].filter(([, { size }]) => size > 0);
  await createWitnessState(node.stateFile, new Map(grown));
  for (const [origin, { size }] of heads) io.err(`Adopted ${origin} at size ${size}`);
}

/**
 * The head of every origin to start from. What is typed on the command line serves a witness of one
 * log; for more, or without it, the terminal is asked. `usage` without either, or for no head.
 *
 * @param now Unix seconds
 */
export function adoptedHeads(
  origins: readonly string[],
  typed: AdoptedHead,
  io: CliIo,
  now: number,
): Map<string, WitnessedHead> {
  const isTyped = typed.size !== undefined || typed.root !== undefined;
  if (isTyped && origins.length !== 1) {
    throw usage("adopt by --size and --root", "a witness of one log", `one of ${origins.length}`);
  }
  return new Map(origins.map((origin) => [
    origin,
    headOf(origin, isTyped ? typed : askedHead(origin, io), now),
  ]));
}

function askedHead(origin: string, io: CliIo): AdoptedHead {
  if (!io.isTerminal) throw usage("adopt", "--size and --root, or a terminal,", "neither");
  io.err(`The last tree head of ${origin} that this witness must never contradict.`);
  io.err("Take the largest that anyone can show: one too small lets the log be rewritten.");
  const size = io.ask("Tree size (0 for a log without a tree):") ?? "";
  const root = size === "0" ? undefined : io.ask("Root hash (64 hex digits):") ?? "";
  return { size, ...(root !== undefined && { root }) };
}

function headOf(origin: string, typed: AdoptedHead, timestamp: number): WitnessedHead {
  const size = integerOf(typed.size ?? "");
  if (size === undefined) throw usage("adopt", `a tree size of ${origin}`, "no decimal integer");
  const empty = emptyRoot(portableKernels);
  const root = bytesOfHex(
    (typed.root ?? (size === 0 ? hexOf(empty) : "")).toLowerCase(),
    HASH_LENGTH,
  );
  if (root === undefined) throw usage("adopt", `the root of size ${size}`, "no 64 hex digits");
  if (size === 0 && hexOf(root) !== hexOf(empty)) {
    throw usage("adopt", "the root of the empty tree at size 0", "another");
  }
  return { size, root, timestamp };
}

function usage(what: string, required: string, found: string): CountersignError {
  return new CountersignError("usage", `Cannot ${what}: ${required} required, found ${found}`);
}
