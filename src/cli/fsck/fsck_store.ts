/**
 * `fsck` of the store of a stopped gateway, in its data folder or in a database.
 *
 * @module
 */

import { anchoredDigest } from "../../gateway/anchors/answers.ts";
import { providerNamed } from "../../gateway/anchors/providers.ts";
import { type AnchorFindings, auditAnchors } from "../../logs/audit/anchor_audit.ts";
import type { FaultLog } from "../../logs/audit/faults.ts";
import type { StoredLog, WitnessMemory } from "../../logs/audit/ports.ts";
import { auditStore, type StoreReport } from "../../logs/audit/store_audit.ts";
import { loadPeerNetworks } from "../../config/federation_peers.ts";
import { type OperatorNetwork, parseOperatorNetwork } from "../../config/operator_network.ts";
import { readTextFile } from "../../config/text_file.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import { CountersignError, expectedError } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { AnchorRecord } from "../../proof/format/records.ts";
import type { KvStoredAnchors } from "../../storage/anchors/kv_stored_anchors.ts";
import type { PostgresDatabase } from "../../config/store_database.ts";
import type { CommandContext } from "../command_context.ts";
import { type DataPaths, dataPathsOf } from "../../server/data_paths.ts";
import type { FsckOptions } from "./fsck_run.ts";
import { FsckRun } from "./fsck_run.ts";
import { logNetwork } from "../../server/gateway/log_network.ts";
import { type CheckedStores, openDatabaseStores, openLocalStores } from "./checked_stores.ts";
import { withStoredWitness } from "./stored_witness.ts";
import { readNetworkFile, type TrustedNetwork } from "../trusted_network.ts";

/** Exits 1 if the store has a fault. */
export async function fsckStore(options: FsckOptions, context: CommandContext): Promise<number> {
  const paths = dataPathsOf(options, context.io);
  const configuration = await auditedConfiguration(options, paths, context);
  const { trusted, database } = configuration;
  const network = logNetwork(trusted.network);
  await using opened = new AsyncDisposableStack();
  const stores = database === undefined
    ? await openLocalStores(paths.dataFolder, network, context, opened)
    : await openDatabaseStores(database, network, context, opened);
  const { run, report, anchors, unread } = await auditStores(stores, configuration, context);
  const { not_compared, ...counts } = report;
  return run.report({
    subject: ["data", stores.name],
    // Followed along the links of the store.
    trusted: { ...trusted, network: stores.network },
    counts: { ...counts, ...(anchors !== undefined && { anchors: countsOf(anchors) }) },
    lines: (counts) => [
      ...linesOf(counts),
      ...(counts.anchors === undefined ? [] : anchorLines(counts.anchors)),
    ],
    notCompared: [
      ...not_compared,
      ...anchors?.not_compared ?? [],
      ...unread.map((id) =>
        `the state of ${id}: a gateway uses it. To compare it as well, stop the gateway`
      ),
    ],
  });
}

/** Checks the log and the anchors in `stores`. The faults are in `run`. */
export async function auditStores(
  stores: CheckedStores,
  { witnesses, peers, database }: AuditedConfiguration,
  context: CommandContext,
): Promise<{
  readonly run: FsckRun;
  readonly report: StoreReport;
  readonly anchors: AnchorFindings | undefined;
  /** Ids of the embedded witnesses whose states are in use. */
  readonly unread: readonly string[];
}> {
  const { log } = stores;
  const { network } = stores;
  const { memories, unread } = await readWitnesses(witnesses, network.id);
  // The gateway that uses them may write to the database. A data folder is locked.
  if (database !== undefined && unread.length > 0) {
    throw new CountersignError(
      "data_in_use",
      `Cannot check ${stores.name}: a gateway uses the state of ${unread[0]}. ` +
        "Stop the gateway, or check it while it runs with --gateway URL",
    );
  }
  const kernels = await loadCompiledKernels();
  const run = await FsckRun.start(context);
  const crypto = { ...context.crypto, kernels };
  const { faults } = run;
  const report = await run.over((onProgress) =>
    auditStore(log, { network, crypto, witnesses: memories, faults, onProgress })
  );
  const anchors = await fsckAnchors(await stores.openAnchors(), {
    log,
    network,
    peers,
    crypto,
    faults,
  });
  return { run, report, anchors, unread };
}

/** The network of a store, its embedded witnesses and its peers. */
export interface AuditedConfiguration {
  readonly trusted: TrustedNetwork;
  readonly witnesses: OperatorNetwork["witnesses"];
  readonly peers: readonly NetworkConfiguration[];
  /** Absent if the store is in the data folder. */
  readonly database?: PostgresDatabase | undefined;
}

export async function auditedConfiguration(
  { networkConfig }: Pick<FsckOptions, "networkConfig">,
  { networkFile }: DataPaths,
  context: CommandContext,
): Promise<AuditedConfiguration> {
  if (networkConfig !== undefined) {
    const network = await readNetworkFile(context, networkConfig);
    const trusted = { network, source: { kind: "file", name: networkConfig } } as const;
    return { trusted, witnesses: [], peers: [] };
  }
  // Remote witnesses are not contacted, so any URL will do.
  const rules = { insecure: true, bls: context.crypto.bls };
  const text = await readTextFile(networkFile);
  const { network, witnesses, federation, store } = parseOperatorNetwork(text, networkFile, rules);
  return {
    trusted: { network, source: { kind: "file", name: networkFile } },
    witnesses,
    database: store,
    peers: await loadPeerNetworks(federation, context.crypto.bls),
  };
}

/** The last heads that the embedded witnesses cosigned, without the `unread` states, which are in use. */
async function readWitnesses(
  witnesses: OperatorNetwork["witnesses"],
  networkId: string,
): Promise<{ readonly memories: WitnessMemory[]; readonly unread: string[] }> {
  const memories: WitnessMemory[] = [];
  const unread: string[] = [];
  for (const witness of witnesses) {
    if (witness.kind !== "embedded") continue;
    const { id, stateFile } = witness;
    try {
      const head = await withStoredWitness(stateFile, (state) => state.load(networkId));
      memories.push({ id, head });
    } catch (error) {
      const { code, message } = expectedError(error);
      if (code === "data_in_use") unread.push(id);
      else memories.push({ id, damage: message });
    }
  }
  return { memories, unread };
}

function linesOf(report: Omit<StoreReport, "not_compared">): string[] {
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

function anchorLines(report: ReturnType<typeof countsOf>): string[] {
  return [
    `anchored: ${report.cross_anchors} cross-anchors, ${report.external_anchors} external anchors`,
    `of peers: ${report.seen_heads} tree heads, ${report.contradictions} contradictions`,
  ];
}

/** Checks and closes `anchors`; `undefined` if there are none. */
async function fsckAnchors(
  anchors: KvStoredAnchors | undefined,
  context: {
    readonly log: Pick<StoredLog, "sths">;
    readonly network: NetworkConfiguration;
    readonly peers: readonly NetworkConfiguration[];
    readonly crypto: CryptoSuite;
    readonly faults: FaultLog;
  },
): Promise<AnchorFindings | undefined> {
  const { log, network, peers, crypto, faults } = context;
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
