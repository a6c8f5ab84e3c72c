/**
 * `fsck` of a copy of a log: its checkpoint, entries and tiles.
 *
 * @module
 */

import type { AuditedLog } from "../../logs/audit/gateway_log.ts";
import { auditPublished } from "../../logs/audit/published_audit.ts";
import { readTile } from "../../client/tile_reader.ts";
import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import type { LogSource } from "../../logs/publishing/ports.ts";
import type { CommandContext } from "../command_context.ts";
import { mirrorSource, originOf } from "../mirror/opened_mirror.ts";
import { trustedNetwork } from "../trusted_network.ts";
import { AuditedEpochs } from "./audited_epochs.ts";
import { type FsckOptions, FsckRun } from "./fsck_run.ts";

/** Exits 1 if the copy has a fault. */
export async function fsckMirror(
  { mirror, networkConfig }: FsckOptions & { readonly mirror: string },
  context: CommandContext,
): Promise<number> {
  const source = mirrorSource(context, mirror);
  const origin = networkConfig === undefined ? await originOf(source) : undefined;
  const trusted = await trustedNetwork(context, { networkConfig, online: false }, origin);
  const run = await FsckRun.start(context);
  const crypto = { ...context.crypto, kernels: await loadCompiledKernels() };
  const epochs = new AuditedEpochs(context, trusted, source);
  const { tree_size, entries, tiles, not_compared } = await run.over((onProgress) =>
    auditPublished(copyAsLog(source), {
      follow: () => epochs.follow(),
      crypto,
      faults: run.faults,
      onProgress,
      isCopy: true,
    })
  );
  return run.report({
    subject: source.name,
    member: { mirror: source.name },
    trusted: epochs.trusted,
    counts: { tree_size, entries, tiles },
    lines: [`tree: ${tree_size} leaves, ${entries} entries and ${tiles} tiles read`],
    notCompared: [
      ...not_compared,
      "earlier tree heads, batches, jobs and bundles: a copy has none",
    ],
  });
}

/** A copy as the audit reads a gateway. */
function copyAsLog(source: LogSource): AuditedLog {
  const found = <T>(value: T | undefined) => value === undefined ? undefined : { value };
  const none = () => Promise.resolve(undefined);
  return {
    checkpoint: async () => found(await source.checkpoint()),
    tile: async (level, index, width) => found(await readTile(source, { level, index, width })),
    entries: async (index, width) =>
      found(await readTile(source, { level: "entries", index, width })),
    batches: () => Promise.resolve({ value: [] }),
    latestSth: none,
    sth: none,
    job: none,
    bundle: none,
  };
}
