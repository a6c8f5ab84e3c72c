/**
 * Copies a log that is followed by its URL, once or until stopped.
 *
 * @module
 */

import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import {
  type CheckpointRule,
  logKeyRule,
  NetworkRule,
} from "../../logs/publishing/checkpoint_rule.ts";
import { type CopyStep, LogCopy } from "../../logs/publishing/log_copy.ts";
import type { CopyTarget, LogSource } from "../../logs/publishing/ports.ts";
import { keepPublishing } from "../../logs/publishing/publisher.ts";
import type { Report } from "../../base/report.ts";
import { stopOnSignals } from "../../server/stop_signal.ts";
import type { CommandContext } from "../command_context.ts";
import { Progress } from "../progress.ts";
import {
  followedFurther,
  keepChain,
  type TrustedNetwork,
  trustedNetwork,
} from "../trusted_network.ts";
import { originOf, remoteLog } from "./opened_mirror.ts";

/** A log to copy. */
export interface CopySource {
  readonly source: LogSource;
  readonly rule: CheckpointRule;
  /** Absent for a log that is verified by its key alone. */
  readonly trusted?: TrustedNetwork;
}

/** Entry bundles requested at once. */
const LANES = 16;

/** The log at URL `from`. Its checkpoints are verified by `vkey`, or else by a configuration. */
export async function copySource(
  context: CommandContext,
  from: string,
  { vkey, networkConfig }: {
    readonly vkey?: string | undefined;
    readonly networkConfig?: string | undefined;
  },
): Promise<CopySource> {
  const source = remoteLog(context.process, from, "--from");
  if (vkey !== undefined) return { source, rule: logKeyRule(context.crypto, vkey) };
  const origin = networkConfig === undefined ? await originOf(source) : undefined;
  const pinned = await trustedNetwork(context, { networkConfig, online: false }, origin);
  const trusted = await followedFurther(context, pinned, source) ?? pinned;
  return { source, rule: new NetworkRule(context.crypto, trusted.network, [source]), trusted };
}

/** Copies `source` to `target` once. */
export async function copyOnce(
  context: CommandContext,
  { source, rule }: CopySource,
  target: CopyTarget,
): Promise<CopyStep> {
  const progress = await Progress.start(context, "entries copied");
  const copy = new LogCopy({
    source,
    rule,
    target,
    clock: context.process.clock,
    lanes: LANES,
    kernels: await loadCompiledKernels(),
    onProgress: (done, total) => progress.update(done, total),
  });
  try {
    for (;;) {
      const step = await copy.step();
      if (step.kind !== "outrun") return step;
    }
  } finally {
    progress.stop();
  }
}

/** Copies `source` to `target` until SIGINT or SIGTERM. */
export async function keepCopying(
  context: CommandContext,
  { source, rule, trusted }: CopySource,
  target: CopyTarget,
  { intervalMs, report }: { readonly intervalMs: number; readonly report: Report },
): Promise<number> {
  const { clock } = context.process;
  const kernels = await loadCompiledKernels();
  using stop = stopOnSignals();
  const copy = new LogCopy({ source, rule, target, clock, kernels, lanes: LANES });
  report(`Publishing ${source.name} to ${target.name}`, { level: "info" });
  let kept = trusted?.network;
  const changed = async (signal: AbortSignal) => {
    const { network = kept } = rule;
    if (network !== undefined && network !== kept && trusted?.source.kind === "pin") {
      await keepChain(context, network);
      kept = network;
    }
    await clock.sleep(intervalMs, signal);
  };
  await keepPublishing({ copy, clock, report, random: Math.random, changed }, stop.signal);
  return 0;
}

/** The result of one step, for the user. */
export function reportStep(
  { output }: CommandContext,
  { source, trusted }: CopySource,
  target: CopyTarget,
  { kind, size }: CopyStep,
): number {
  output.result(
    {
      from: source.name,
      to: target.name,
      network_id: trusted?.network.id,
      result: kind,
      tree_size: size,
    },
    ({ result, tree_size: size, to }) => [
      `${DONE[result]}: ${size} ${size === 1 ? "entry" : "entries"} in ${to}`,
    ],
  );
  return 0;
}

const DONE = {
  empty: "the log has no checkpoint",
  same: "nothing new",
  grown: "copied and verified",
  refreshed: "newer cosignatures",
  behind: "the copy is ahead of the log",
  outrun: "another publisher was first",
} as const;
