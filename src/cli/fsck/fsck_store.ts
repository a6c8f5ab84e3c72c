/**
 * `fsck` of the store of a stopped gateway.
 *
 * @module
 */

import { basename } from "node:path";
import { anchoredDigest } from "../../anchors/answers.ts";
import { providerNamed } from "../../anchors/providers.ts";
import { type AnchorFindings, auditAnchors } from "../../audit/anchor_audit.ts";
import type { FaultLog } from "../../audit/faults.ts";
import type { StoredLog, WitnessMemory } from "../../audit/ports.ts";
import { auditStore, type StoreReport } from "../../audit/store_audit.ts";
import { loadPeerNetworks } from "../../config/federation_peers.ts";
import { type OperatorNetwork, parseOperatorNetwork } from "../../config/operator_network.ts";
import { readTextFile } from "../../config/text_file.ts";
import type { CryptoSuite } from "../../crypto/crypto_suite.ts";
import { loadCompiledKernels } from "../../crypto/compiled_kernels.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import type { NetworkConfiguration } from "../../format/network.ts";
import type { AnchorRecord } from "../../format/records.ts";
import { openStoredAnchors } from "../../storage/anchors/kv_stored_anchors.ts";
import { openStoredLog } from "../../storage/log/kv_stored_log.ts";
import { acquireLock, type LockFile } from "../../storage/lock_file.ts";
import { openWitnessState } from "../../storage/witness/witness_state.ts";
import type { CommandContext } from "../command_context.ts";
import {
  anchorsFile,
  type DataPaths,
  dataPathsOf,
  lockFile,
  storeFile,
} from "../../server/data_paths.ts";
import type { FsckOptions } from "./fsck_run.ts";
import { FsckRun } from "./fsck_run.ts";
import { logNetwork, networkDigest } from "../../server/log_network.ts";
import { isWritable, SnapshotCopy } from "./snapshot_copy.ts";
import { readNetworkFile, type TrustedNetwork } from "../trusted_network.ts";

/** Exits 1 if the store has a fault. */
export async function fsckStore(options: FsckOptions, context: CommandContext): Promise<number> {
  const paths = dataPathsOf(options, context.io);
  const { trusted, witnesses, peers } = await readConfiguration(options, paths, context);
  const network = logNetwork(trusted.network);
  await requireStore(paths.dataFolder);
  await using opened = new AsyncDisposableStack();
  const snapshot = await copyOfSnapshot(paths.dataFolder, context);
  if (snapshot !== undefined) opened.use(snapshot);
  const dataFolder = snapshot?.folder ?? paths.dataFolder;
  const lock = await lockStore(dataFolder);
  try {
    const log = await openStoredLog(storeFile(dataFolder), networkDigest(network));
    try {
      const memories = await readWitnesses(witnesses, network.id, snapshot);
      const kernels = await loadCompiledKernels();
      const run = await FsckRun.start(context);
      const crypto = { ...context.crypto, kernels };
      const { faults } = run;
      const report = await run.over((onProgress) =>
        auditStore(log, { network, crypto, witnesses: memories, faults, onProgress })
      );
      const anchors = await fsckAnchors(dataFolder, { log, network, peers, crypto, faults });
      const { not_compared, ...counts } = report;
      return run.report({
        subject: paths.dataFolder,
        member: { data: paths.dataFolder },
        trusted,
        counts: { ...counts, ...(anchors !== undefined && { anchors: countsOf(anchors) }) },
        lines: [...linesOf(report), ...(anchors === undefined ? [] : anchorLines(anchors))],
        notCompared: [...not_compared, ...anchors?.not_compared ?? []],
      });
    } finally {
      log.close();
    }
  } finally {
    lock.release();
  }
}

/** The network of the store, its embedded witnesses and its peers. */
async function readConfiguration(
  { networkConfig }: FsckOptions,
  { networkFile }: DataPaths,
  context: CommandContext,
): Promise<{
  trusted: TrustedNetwork;
  witnesses: OperatorNetwork["witnesses"];
  peers: readonly NetworkConfiguration[];
}> {
  if (networkConfig !== undefined) {
    const network = await readNetworkFile(context, networkConfig);
    const trusted = { network, source: { kind: "file", name: networkConfig } } as const;
    return { trusted, witnesses: [], peers: [] };
  }
  // Remote witnesses are not contacted, so any URL will do.
  const rules = { insecure: true, bls: context.crypto.bls };
  const text = await readTextFile(networkFile);
  const { network, witnesses, federation } = parseOperatorNetwork(text, networkFile, rules);
  return {
    trusted: { network, source: { kind: "file", name: networkFile } },
    witnesses,
    peers: await loadPeerNetworks(federation, context.crypto.bls),
  };
}

/** Before the lock, which would create a file in a mistyped folder. */
async function requireStore(dataFolder: string): Promise<void> {
  const path = storeFile(dataFolder);
  if (await Deno.stat(path).then((file) => file.isFile, () => false)) return;
  throw new CountersignError(
    "configuration_missing",
    `Cannot check "${dataFolder}": it is not the data folder of a gateway, it has no ` +
      basename(path),
  );
}

/**
 * A copy of the databases of a read-only folder, such as a mounted snapshot; `undefined` for any other
 * folder. `data_in_use` if a gateway has it open.
 */
async function copyOfSnapshot(
  dataFolder: string,
  { io }: CommandContext,
): Promise<SnapshotCopy | undefined> {
  if (await isWritable(storeFile(dataFolder))) return undefined;
  await requireUnlocked(dataFolder);
  const copy = await SnapshotCopy.create();
  io.err(`"${dataFolder}" is read-only: checking a copy of its databases in "${copy.folder}"`);
  try {
    for (const path of [storeFile(dataFolder), anchorsFile(dataFolder)]) await copy.add(path);
    return copy;
  } catch (error) {
    await copy[Symbol.asyncDispose]();
    throw error;
  }
}

/** A copy of a database in use may be inconsistent. */
async function requireUnlocked(dataFolder: string): Promise<void> {
  const file = await Deno.open(lockFile(dataFolder), { read: true }).catch(() => undefined);
  if (file === undefined) return;
  const isUnlocked = await file.tryLock(true).catch(() => true);
  file.close();
  if (!isUnlocked) throw inUse(dataFolder);
}

async function lockStore(dataFolder: string): Promise<LockFile> {
  try {
    return await acquireLock(lockFile(dataFolder));
  } catch (cause) {
    if (!hasCode(cause, "data_in_use")) throw cause;
    throw inUse(dataFolder, cause);
  }
}

function inUse(dataFolder: string, cause?: unknown): CountersignError {
  return new CountersignError(
    "data_in_use",
    `Cannot check "${dataFolder}": a gateway has it open. ` +
      "Stop the gateway, or check it while it runs with --gateway URL",
    { cause },
  );
}

/** The last heads that the embedded witnesses cosigned. */
async function readWitnesses(
  witnesses: OperatorNetwork["witnesses"],
  networkId: string,
  snapshot: SnapshotCopy | undefined,
): Promise<WitnessMemory[]> {
  const memories: WitnessMemory[] = [];
  for (const witness of witnesses) {
    if (witness.kind === "embedded") {
      const { id, stateFile } = witness;
      const path = await snapshot?.add(stateFile, `witness-${memories.length}.kv`) ?? stateFile;
      memories.push(await readWitness(id, path, networkId));
    }
  }
  return memories;
}

async function readWitness(id: string, path: string, networkId: string): Promise<WitnessMemory> {
  try {
    const state = await openWitnessState(path);
    try {
      return { id, head: await state.load(networkId) };
    } finally {
      state.close();
    }
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code === "data_in_use") throw error;
    return { id, damage: error.message };
  }
}

function linesOf(report: StoreReport): string[] {
  return [
    `accepted: ${report.accepted} digests in ${report.rows} rows`,
    `signed: ${report.signed} in ${report.rounds} rounds, ` +
    `${Math.max(0, report.accepted - report.signed)} not yet`,
    `tree: ${report.tree_size} leaves, ${report.tiles} full tiles`,
    `published: ${report.sths} signed tree heads, the last of size ${report.published}`,
    `spent: ${report.spent} tokens in ${report.spent_rows} rows`,
    `index: ${report.index_runs} runs, and ${report.spent_index_runs} of what was spent`,
    `witness states: ${report.witness_heads}`,
  ];
}

function countsOf({ not_compared: _, ...counts }: AnchorFindings) {
  return counts;
}

function anchorLines(report: AnchorFindings): string[] {
  return [
    `anchored: ${report.cross_anchors} cross-anchors, ${report.external_anchors} external anchors`,
    `of peers: ${report.seen_heads} tree heads, ${report.contradictions} contradictions`,
  ];
}

/** Checks the anchors in `dataFolder`; `undefined` if there are none. */
async function fsckAnchors(
  dataFolder: string,
  context: {
    readonly log: Pick<StoredLog, "sths">;
    readonly network: NetworkConfiguration;
    readonly peers: readonly NetworkConfiguration[];
    readonly crypto: CryptoSuite;
    readonly faults: FaultLog;
  },
): Promise<AnchorFindings | undefined> {
  const { log, network, peers, crypto, faults } = context;
  const anchors = await openStoredAnchors(anchorsFile(dataFolder), networkDigest(network));
  if (anchors === undefined) return undefined;
  try {
    return await auditAnchors(() => anchors.entries(), {
      networkId: network.id,
      sths: () => log.sths(),
      peers,
      crypto,
      faults,
      proofFault: (anchor) => proofFault(anchor, crypto),
    });
  } finally {
    anchors.close();
  }
}

/** Without trust roots, a provider detects only proofs that are inconsistent. */
async function proofFault(
  { provider: name, treeHead, ...anchor }: AnchorRecord,
  { kernels }: CryptoSuite,
): Promise<string | undefined> {
  const provider = providerNamed(name);
  if (provider === undefined) return `unknown provider ${JSON.stringify(name)}`;
  const digest = anchoredDigest(kernels, treeHead);
  const verdict = await provider.verify({ ...anchor, digest, roots: [] });
  return verdict.status === "failed" ? verdict.reason : undefined;
}
