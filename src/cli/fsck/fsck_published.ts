/**
 * `fsck` of a log as it is published: by a running gateway, or as a copy of its tiles.
 *
 * @module
 */

import {
  GatewayRecords,
  type PublishedRecords,
} from "../../logs/audit/published/gateway_records.ts";
import {
  auditPublished,
  type PublishedReport,
} from "../../logs/audit/published/published_audit.ts";
import type { LogSource } from "../../logs/publishing/ports.ts";
import { RemoteLog } from "../../logs/publishing/remote_log.ts";
import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import { logNetwork } from "../../server/gateway/log_network.ts";
import type { CommandContext } from "../command_context.ts";
import { mirrorSource, originOf } from "../mirror/opened_mirror.ts";
import {
  followedFurther,
  isEpochOf,
  type TrustedNetwork,
  trustedNetwork,
} from "../trusted_network.ts";
import { type FsckOptions, FsckRun } from "./fsck_run.ts";

/** Exits 1 if the log that the gateway publishes has a fault. */
export async function fsckGateway(
  { networkConfig, online }: FsckOptions,
  context: CommandContext,
): Promise<number> {
  const { gateway } = context;
  const { value: served } = await gateway.network();
  const trusting = { networkConfig, online, isAnswer: true };
  const pinned = await trustedNetwork(context, trusting, served.id);
  const records = new GatewayRecords(gateway);
  const source = new RemoteLog(gateway);
  const { run, trusted, report } = await audit(context, pinned, { source, records });
  const { network } = trusted;
  if (!isEpochOf(network, served)) {
    const problem =
      "the id, keys or threshold in /v1/network are not those of the trusted configuration";
    run.faults.add("network", network.id, problem);
  }
  const { not_compared: notCompared, ...counts } = report;
  return run.report({
    subject: ["gateway", source.name],
    trusted,
    counts,
    lines: (counts) => [
      readText(counts),
      `published: ${counts.sths} signed tree heads`,
      `jobs: ${counts.jobs}, bundles: ${counts.bundles}`,
    ],
    notCompared,
  });
}

/** Exits 1 if the copy has a fault. */
export async function fsckMirror(
  { mirror, networkConfig }: FsckOptions & { readonly mirror: string },
  context: CommandContext,
): Promise<number> {
  const source = mirrorSource(context, mirror);
  const origin = networkConfig === undefined ? await originOf(source) : undefined;
  const pinned = await trustedNetwork(context, { networkConfig, online: false }, origin);
  const { run, trusted, report } = await audit(context, pinned, { source });
  const { tree_size, entries, tiles, not_compared } = report;
  return run.report({
    subject: ["mirror", source.name],
    trusted,
    counts: { tree_size, entries, tiles },
    lines: (counts) => [readText(counts)],
    notCompared: [
      ...not_compared,
      "earlier tree heads, batches, jobs and bundles: a copy has none",
    ],
  });
}

/** Audits a log under `pinned`, and the epochs that the log leads to from there. */
async function audit(
  context: CommandContext,
  pinned: TrustedNetwork,
  log: { readonly source: LogSource; readonly records?: PublishedRecords },
) {
  const run = await FsckRun.start(context);
  const crypto = { ...context.crypto, kernels: await loadCompiledKernels() };
  let trusted = pinned;
  const report = await run.over((onProgress) =>
    auditPublished({
      ...log,
      crypto,
      faults: run.faults,
      onProgress,
      async follow() {
        logNetwork(pinned.network);
        trusted = await followedFurther(context, pinned, log.source) ?? pinned;
        return trusted.network;
      },
    })
  );
  return { run, trusted, report };
}

function readText(
  { tree_size, entries, tiles }: Pick<PublishedReport, "tree_size" | "entries" | "tiles">,
): string {
  return `tree: ${tree_size} leaves, ${entries} entries and ${tiles} tiles read`;
}
