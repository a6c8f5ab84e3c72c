/**
 * `fsck` of a running gateway through its public routes.
 *
 * @module
 */

import { auditPublished, type PublishedReport } from "../../logs/audit/published_audit.ts";
import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import { GatewayLog } from "../../logs/audit/gateway_log.ts";
import type { CommandContext } from "../command_context.ts";
import type { FsckOptions } from "./fsck_run.ts";
import { FsckRun } from "./fsck_run.ts";
import { isEpochOf, trustedNetwork } from "../trusted_network.ts";
import { AuditedEpochs } from "./audited_epochs.ts";

/** Exits 1 if the published log has a fault. */
export async function fsckGateway(options: FsckOptions, context: CommandContext): Promise<number> {
  const { networkConfig, online } = options;
  const { url } = context.gateway;
  const { value: served } = await context.gateway.network();
  const trusted = await trustedNetwork(
    context,
    { networkConfig, online, isAnswer: true },
    served.id,
  );
  const run = await FsckRun.start(context);
  const log = new GatewayLog(context.gateway);
  const crypto = { ...context.crypto, kernels: await loadCompiledKernels() };
  const epochs = new AuditedEpochs(context, trusted, context.gateway);
  const report = await run.over((onProgress) =>
    auditPublished(log, { follow: () => epochs.follow(), crypto, faults: run.faults, onProgress })
  );
  const { network } = epochs.trusted;
  if (!isEpochOf(network, served)) {
    const problem =
      "the id, keys or threshold in /v1/network are not those of the trusted configuration";
    run.faults.add("network", network.id, problem);
  }
  const { not_compared, ...counts } = report;
  return run.report({
    subject: url.href,
    member: { gateway: url.href },
    trusted: epochs.trusted,
    counts,
    lines: linesOf(report),
    notCompared: not_compared,
  });
}

function linesOf(report: PublishedReport): string[] {
  return [
    `tree: ${report.tree_size} leaves, ${report.entries} entries and ${report.tiles} tiles read`,
    `published: ${report.sths} signed tree heads`,
    `jobs: ${report.jobs}, bundles: ${report.bundles}`,
  ];
}
