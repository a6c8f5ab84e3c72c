/**
 * One run of `restore --check`: compares a backup with what the witnesses have signed.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { equalBytes } from "../../base/bytes.ts";
import { type Clock, withTimeLimit } from "../../base/clock.ts";
import {
  type OperatorNetwork,
  parseOperatorNetwork,
  readOperatorFile,
} from "../../config/operator_network.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { coreDigest, fingerprintOf } from "../../proof/format/trust_core.ts";
import type { WitnessReach } from "../../proof/format/witness_request.ts";
import { ForkEvidence } from "../../gateway/sequencing/rollback_evidence.ts";
import { dataPathsOf } from "../../server/data_paths.ts";
import { remoteWitness } from "../../server/gateway/opened_parts.ts";
import { endOfRound } from "../../storage/witness/round_journal_codec.ts";
import type { CommandContext } from "../command_context.ts";
import { withStoredWitness } from "../fsck/stored_witness.ts";
import { checkChecksums } from "./backup_files.ts";
import { type CheckedBackup, checkedBackup } from "./checked_backup.ts";

export interface RestoreCheckOptions {
  readonly check: string;
  readonly config?: string | undefined;
  readonly insecure: boolean;
}

/** Whether a gateway may be started on a copy of the log, and why. */
export interface RestoreVerdict {
  readonly may: "start" | "never" | "unknown";
  readonly statement: string;
}

/** Without 1 and 2, with which a command exits that failed. */
const EXIT_CODES = { start: 0, unknown: 3, never: 4 } as const;

/** Exits 0 if a gateway may be started on the backup, 4 if never, 3 if too few witnesses answer. */
export async function runRestoreCheck(
  { check, config, insecure }: RestoreCheckOptions,
  context: CommandContext,
): Promise<number> {
  const { io, output } = context;
  const folder = io.resolvePath(check);
  await checkChecksums(folder);
  const { networkFile } = dataPathsOf({ config }, io);
  const operator = parseOperatorNetwork(await readOperatorFile(networkFile), networkFile, {
    insecure,
    bls: context.crypto.bls,
  });
  await using opened = new AsyncDisposableStack();
  const backup = await checkedBackup(folder, context, opened);
  requirePresentNetwork(backup, operator.network, networkFile);
  const asked = backup.faults > 0
    ? []
    : await askedWitnesses(operator, insecure, context.process.clock);
  const { may, statement } = await restoreVerdict(backup, asked, operator.network.threshold);
  output.result({
    may,
    statement,
    data: join(check, "data"),
    tree_size: backup.size,
    accepted: backup.accepted,
    witnesses: asked.map(({ id, reach, failure }) => ({
      id,
      size: reach?.size,
      signed_end: reach?.signedEnd,
      failure,
    })),
  }, ({ may, statement, data, tree_size, accepted, witnesses }) => [
    { text: statement, accent: may === "start" ? "green" : "red" },
    `copy: ${accepted} digests, tree of ${tree_size} leaves`,
    ...witnesses.map(({ id, size, signed_end, failure }) =>
      `${id}: ${failure ?? `cosigned size ${size}, signed sequences below ${signed_end}`}`
    ),
    ...(may === "start"
      ? [
        `next: stop every other copy for good, copy "${data}" to the data folder, and ` +
        "start once with serve --moved",
      ]
      : []),
  ]);
  return EXIT_CODES[may];
}

/** Requires the configuration of the backup's last epoch, whose witnesses are asked; `network_changed`. */
function requirePresentNetwork(
  { networkId, core }: CheckedBackup,
  network: NetworkConfiguration,
  networkFile: string,
): void {
  if (networkId === network.id && coreDigest(core) === fingerprintOf(network)) return;
  const { epoch = 0 } = network;
  const [ofBackup, ofFile] = networkId !== network.id
    ? [networkId, network.id]
    : epoch < core.epoch
    ? [
      `epoch ${core.epoch}`,
      `epoch ${epoch}: name the present network.json with --config (successor.json, if it is not renamed yet)`,
    ]
    : epoch > core.epoch
    ? [
      `epoch ${core.epoch}`,
      `epoch ${epoch}. If the log has gone through this succession, the backup is older than it and ` +
      `must never be started; if not, name the network.json of epoch ${core.epoch} with --config`,
    ]
    : [`epoch ${epoch}`, `epoch ${epoch} with other keys or another threshold`];
  throw new CountersignError(
    "network_changed",
    `Cannot check the backup: it is of ${ofBackup}, and "${networkFile}" in ` +
      `"${dirname(networkFile)}" is of ${ofFile}`,
  );
}

/**
 * The rule of a gateway's start ({@linkcode ForkEvidence}), before the start: so many witnesses that
 * contradict the copy that the threshold is out of reach. Every threshold that may have signed more has
 * a member among the answers if fewer than the threshold are missing. A log that has ended is not signed
 * again, so its witnesses, which may be stopped for ever, need not answer.
 */
export async function restoreVerdict(
  backup: Pick<CheckedBackup, "faults" | "accepted" | "size" | "isEnded" | "rootAt">,
  asked: readonly AskedWitness[],
  threshold: number,
): Promise<RestoreVerdict> {
  const { faults, size, accepted, isEnded } = backup;
  if (faults > 0) {
    return { may: "never", statement: `must never be started: the copy has ${faults} faults` };
  }
  const evidence = new ForkEvidence({
    ids: asked.map(({ id }) => id),
    threshold,
    treeSize: () => size,
    reported: () => {},
    withdrawn: () => {},
  });
  const ahead: string[] = [];
  for (const [i, { id, reach }] of asked.entries()) {
    if (reach === undefined) continue;
    const root = reach.size === 0 ? undefined : await backup.rootAt(reach.size);
    const found = reach.size > size
      ? `signed size ${reach.size}`
      : reach.signedEnd > accepted
      ? `signed sequence ${reach.signedEnd - 1}`
      : reach.size > 0 && !(root && reach.root && equalBytes(root, reach.root))
      ? `signed another tree of size ${reach.size}`
      : undefined;
    if (found === undefined) continue;
    ahead.push(`${id} has ${found}`);
    evidence.growthRefused(i);
  }
  const end = `the copy ends at size ${size} with ${accepted} digests`;
  if (evidence.verdict() !== undefined) {
    return { may: "never", statement: `must never be started: ${ahead.join(", ")}; ${end}` };
  }
  const missing = asked.filter(({ reach }) => reach === undefined).map(({ id }) => id);
  if (ahead.length > 0) {
    const others = missing.length > 0 ? ` (no answer: ${missing.join(", ")})` : "";
    return { may: "unknown", statement: `unknown: ${ahead.join(", ")}; ${end}${others}` };
  }
  if (isEnded) {
    return {
      may: "start",
      statement: `may be started: the log has ended, and the copy has all its ${size} leaves`,
    };
  }
  if (missing.length >= threshold) {
    return { may: "unknown", statement: `unknown: no answer from ${missing.join(", ")}` };
  }
  return {
    may: "start",
    statement: "may be started: no witness that answered has signed more than the copy has",
  };
}

/** Milliseconds that a witness has to answer. */
const ANSWER_MS = 30_000;

interface AskedWitness {
  readonly id: string;
  /** Absent if the witness did not answer. */
  readonly reach?: WitnessReach;
  readonly failure?: string;
}

/** Asks all witnesses of `operator`, in the order of its network. */
async function askedWitnesses(
  { network, witnesses }: OperatorNetwork,
  insecure: boolean,
  clock: Clock,
): Promise<AskedWitness[]> {
  const stop = new AbortController().signal;
  return await Promise.all(witnesses.map(async (witness, i): Promise<AskedWitness> => {
    const { id } = witness;
    try {
      if (witness.kind === "embedded") {
        return { id, reach: await storedReach(witness.stateFile, network.id) };
      }
      const client = remoteWitness(network, network.witnesses[i]!, witness, { insecure });
      return {
        id,
        reach: await await withTimeLimit(clock, ANSWER_MS, stop, (limit) => client.reach(limit)),
      };
    } catch (error) {
      return { id, failure: expectedError(error).message };
    }
  }));
}

/** From the state of an embedded witness, whose gateway is stopped. */
function storedReach(stateFile: string, networkId: string): Promise<WitnessReach> {
  return withStoredWitness(stateFile, async (state) => {
    const head = await state.load(networkId);
    const size = head?.size ?? 0;
    let signedEnd = size;
    for (const round of await state.loadSigned()) {
      signedEnd = Math.max(signedEnd, endOfRound(round));
    }
    return { size, ...(head !== undefined && { root: head.root }), signedEnd };
  });
}
