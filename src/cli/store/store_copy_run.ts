/**
 * One run of `store copy`.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { dataPathsOf } from "../../server/data_paths.ts";
import { logNetwork } from "../../server/gateway/log_network.ts";
import { KvSuccessionReads } from "../../storage/log/kv_successions.ts";
import { exists } from "../../server/files.ts";
import { storedAnchorsIn } from "../../storage/anchors/kv_stored_anchors.ts";
import { storedLogIn } from "../../storage/log/kv_stored_log.ts";
import { type CopyEnd, StoreCopy } from "../../storage/store_copy.ts";
import type { StoreReads } from "../../storage/store_engine.ts";
import type { CommandContext } from "../command_context.ts";
import {
  type CheckedStores,
  firstDigest,
  type FollowedLog,
  followedLog,
} from "../fsck/checked_stores.ts";
import {
  type AuditedConfiguration,
  auditedConfiguration,
  auditStores,
} from "../fsck/fsck_store.ts";
import { LocalPlace, type LogPlace, namedPlace } from "./log_place.ts";

const NOTE_EVERY_MS = 10_000;

export interface StoreCopyOptions {
  readonly from: string;
  readonly to: string;
  readonly fromSecret?: string | undefined;
  readonly toSecret?: string | undefined;
  readonly ca?: string | undefined;
  readonly insecure: boolean;
  readonly config?: string | undefined;
}

/** Exits 1 if the log has a fault: then it is still in its source. */
export async function runStoreCopy(
  options: StoreCopyOptions,
  context: CommandContext,
): Promise<number> {
  const { output } = context;
  const [source, target] = await placesOf(options, context);
  const configuration = await configurationOf(options.config, [source, target], context);
  const { network } = configuration.trusted;
  if (!await source.hasLog()) {
    throw new CountersignError(
      "configuration_missing",
      `Cannot copy "${source.name}": it has no log of a gateway`,
    );
  }
  await using opened = new AsyncDisposableStack();
  const from = await source.openCopyEnd(opened);
  const to = await target.openCopyEnd(opened);
  const links = await new KvSuccessionReads(from.log).links();
  const digest = firstDigest(network, links);
  const followed = await followedLog(logNetwork(network), links);
  const copy = await StoreCopy.begin(from, to, {
    networkDigest: digest,
    clock: context.process.clock,
    onProgress: noteProgress(context),
  });
  const records = await copy.run();
  output.note(`${records} records copied and compared; checking the log in the copy`);
  const { run, report } = await auditStores(
    await openedStores(to, followed, digest),
    configuration,
    context,
  );
  if (run.faults.total > 0) {
    output.result({
      moved: false,
      from: source.name,
      fault_count: run.faults.total,
      faults: run.faults.listed,
    }, ({ from, fault_count }) => [
      { text: `NOT MOVED: ${fault_count} FAULTS`, accent: "red" },
      `The log is still in ${from}; check it with countersign fsck`,
    ]);
    return 1;
  }
  await copy.finish();
  output.result({
    moved: true,
    from: source.name,
    to: target.name,
    records,
    accepted: report.accepted,
    tree_size: report.tree_size,
    next: nextStep(target, options.to),
  }, ({ from, to, records, accepted, tree_size, next }) => [
    { text: "MOVED", accent: "green" },
    `from: ${from}, on which no gateway starts any more`,
    `to: ${to}`,
    `copied: ${records} records, ${accepted} digests, tree of ${tree_size} leaves`,
    `next: ${next}`,
  ]);
  return 0;
}

async function placesOf(
  { from, to, fromSecret, toSecret, ca, insecure }: StoreCopyOptions,
  context: CommandContext,
): Promise<readonly [LogPlace, LogPlace]> {
  const source = await namedPlace(from, {
    file: fromSecret,
    variable: "COUNTERSIGN_TOKEN_FROM",
    ca,
    insecure,
  }, context);
  const target = await namedPlace(to, {
    file: toSecret,
    variable: "COUNTERSIGN_TOKEN_TO",
    ca,
    insecure,
  }, context);
  if (source.name !== target.name) return [source, target];
  throw new CountersignError("usage", "Cannot copy a store to itself");
}

/** The configuration of the log; without a file, that of the trial network in a local store. */
async function configurationOf(
  config: string | undefined,
  places: readonly LogPlace[],
  context: CommandContext,
): Promise<AuditedConfiguration> {
  const candidates = config !== undefined
    ? [dataPathsOf({ config }, context.io)]
    : places.flatMap((place) =>
      place instanceof LocalPlace ? [dataPathsOf({ data: place.folder }, context.io)] : []
    );
  for (const paths of candidates) {
    if (config !== undefined || await exists(paths.networkFile)) {
      return await auditedConfiguration({}, paths, context);
    }
  }
  throw new CountersignError(
    "usage",
    "Cannot check the copy without the configuration of its network: name it with --config",
  );
}

/** The databases of `end`, which stay open. */
async function openedStores(
  end: CopyEnd,
  network: FollowedLog,
  digest: string,
): Promise<CheckedStores> {
  const keptOpen = (reads: StoreReads): StoreReads => ({
    get: (key) => reads.get(key),
    list: (selector, options) => reads.list(selector, options),
    close: () => {},
  });
  return {
    name: end.name,
    network,
    log: await storedLogIn(keptOpen(end.log), end.name, digest, { isCopy: true }),
    openAnchors: () => storedAnchorsIn(keptOpen(end.anchors), digest),
  };
}

function noteProgress({ output, process: { clock } }: CommandContext): (records: number) => void {
  let lastMs = clock.nowMs();
  return (records) => {
    if (clock.nowMs() - lastMs < NOTE_EVERY_MS) return;
    lastMs = clock.nowMs();
    output.note(`${records} records copied`);
  };
}

function nextStep(target: LogPlace, named: string): string {
  return target instanceof LocalPlace
    ? `remove "store" and its companions from network.json, and start with --data ${target.folder}`
    : `set "store" in network.json to ${JSON.stringify(named)}, with the file of its secret, ` +
      "and start";
}
