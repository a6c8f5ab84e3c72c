/**
 * Starts a witness with the permissions that its configuration needs.
 *
 * @module
 */

import { readPrivateFile } from "../config/private_file.ts";
import { parseWitnessNode, type WitnessNode } from "../config/witness_node.ts";
import { runConfined } from "../server/roles/confined_role.ts";
import { keyPermissions } from "../server/roles/key_reach.ts";
import { joinPermissions, permissionsOf } from "../server/roles/role_permissions.ts";
import { witnessReach } from "../server/roles/witness_reach.ts";
import { ALL_PERMISSIONS, type CliProcess } from "./cli_process.ts";
import type { LogChoice } from "../server/service_log.ts";
import { bytesOfHex, HASH_LENGTH, hexOf, integerOf } from "../base/bytes.ts";
import { systemClock, unixSeconds } from "../base/clock.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { errorBuilder } from "../base/errors.ts";
import { emptyRoot } from "../proof/merkle/tree.ts";
import { createWitnessState } from "../storage/witness/witness_state.ts";
import type { WitnessedHead } from "../witness/ports.ts";
import type { CliIo } from "../server/io.ts";

export interface WitnessCommandOptions extends LogChoice {
  /** The node's `witness.json`. */
  readonly config: string;
  readonly moved: boolean;
  readonly adopt: boolean;
  /** Size of the head to adopt. */
  readonly size?: string | undefined;
  readonly root?: string | undefined;
}

/** Serves until SIGINT or SIGTERM. Returns the exit code. */
export async function runWitness(
  { config, moved, adopt, size, root, logFormat, logLevel }: WitnessCommandOptions,
  process: Pick<CliProcess, "io" | "dropPermissions">,
): Promise<number> {
  const { io } = process;
  const file = io.resolvePath(config);
  const node = parseWitnessNode(await readPrivateFile(file), file);
  if (adopt) await adoptState(node, { size, root }, io);
  const options = { logFormat, logLevel, moved, config: file };
  const permissions = joinPermissions(
    permissionsOf(witnessReach(node, file)),
    await keyPermissions([node.keyFile, node.mlDsaKeyFile].filter((path) => path !== undefined)),
  );
  return await runConfined(
    { role: "witness", options },
    permissions,
    () => process.dropPermissions(ALL_PERMISSIONS),
  );
}

const usage = errorBuilder("usage", "Cannot adopt");

/** The head to start from, as typed. */
interface AdoptedHead {
  readonly size?: string | undefined;
  readonly root?: string | undefined;
}

/**
 * `witness --adopt`: creates the state of `node`, a witness that is new or lost its state. It must not
 * exist. The operator names the tree heads that the witness must never contradict.
 */
async function adoptState(
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
