/**
 * `witness --adopt`: creates the state of a witness that is new or lost its state. The operator names
 * the tree heads that the witness must never contradict.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH, hexOf, integerOf } from "../base/bytes.ts";
import { systemClock, unixSeconds } from "../base/clock.ts";
import type { WitnessNode } from "../config/witness_node.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { errorBuilder } from "../base/errors.ts";
import { emptyRoot } from "../proof/merkle/tree.ts";
import { createWitnessState } from "../storage/witness/witness_state.ts";
import type { WitnessedHead } from "../witness/ports.ts";
import type { CliIo } from "../server/io.ts";

const usage = errorBuilder("usage", "Cannot adopt");

/** The head to start from, as typed. */
export interface AdoptedHead {
  readonly size?: string | undefined;
  readonly root?: string | undefined;
}

/** Creates the state of `node`, which must not exist. */
export async function adoptState(
  node: WitnessNode,
  typed: AdoptedHead,
  io: CliIo,
): Promise<void> {
  const origins = node.logs.map((log) => log.origin);
  const heads = adoptedHeads(origins, typed, io, unixSeconds(systemClock));
  // An empty head needs no entry.
  const grown = [...heads].filter(([, { size }]) => size > 0);
  await createWitnessState(node.stateFile, new Map(grown));
  for (const [origin, { size }] of heads) io.err(`Adopted ${origin} at size ${size}`);
}

/**
 * The head of every origin to start from: from the command line for a witness of one log, otherwise
 * from questions on the terminal. `usage` for an invalid head, or without a terminal.
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
    throw usage(`--size and --root need a witness of one log; this one has ${origins.length}`);
  }
  return new Map(origins.map((origin) => [
    origin,
    headOf(origin, isTyped ? typed : askedHead(origin, io), now),
  ]));
}

function askedHead(origin: string, io: CliIo): AdoptedHead {
  if (!io.isTerminal) {
    throw usage("name the head with --size and --root, or run this in a terminal");
  }
  io.err(`The last tree head of ${origin} that this witness must never contradict.`);
  io.err("Use the largest known head. A smaller one allows the log to be rewritten.");
  const size = io.ask("Tree size (0 for a log without a tree):") ?? "";
  const root = size === "0" ? undefined : io.ask("Root hash (64 hex digits):") ?? "";
  return { size, ...(root !== undefined && { root }) };
}

function headOf(origin: string, typed: AdoptedHead, timestamp: number): WitnessedHead {
  const size = integerOf(typed.size ?? "");
  if (size === undefined) throw usage(`the tree size of ${origin} is not a decimal integer`);
  const empty = emptyRoot(portableKernels);
  const root = bytesOfHex(
    (typed.root ?? (size === 0 ? hexOf(empty) : "")).toLowerCase(),
    HASH_LENGTH,
  );
  if (root === undefined) throw usage(`the root of size ${size} is not 64 hex digits`);
  if (size === 0 && hexOf(root) !== hexOf(empty)) {
    throw usage("the root of size 0 is not the root of the empty tree");
  }
  return { size, root, timestamp };
}
