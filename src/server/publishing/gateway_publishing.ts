/**
 * Publishes a gateway's log from inside the gateway. It reads what clients read, and verifies it like
 * any mirror.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { type Clock, systemClock } from "../../base/clock.ts";
import type { GatewayService } from "../../gateway/gateway_service.ts";
import type { PublishedLog } from "../../gateway/proving/published_log.ts";
import { NetworkRule } from "../../logs/publishing/checkpoint_rule.ts";
import { LogCopy, type LogCopyContext } from "../../logs/publishing/log_copy.ts";
import type { LogSource } from "../../logs/publishing/ports.ts";
import { keepPublishing } from "../../logs/publishing/publisher.ts";
import type { PublishingState } from "../../http/metrics/gateway_metrics.ts";
import { runInBackground } from "../background.ts";
import type { GatewayRun } from "../gateway/gateway_run.ts";
import { openCopyTarget } from "./copy_target.ts";

/** On stop, how long the write in progress may take. */
const STOP_PUBLISHING_MS = 1_000;
/** Cosignatures of the latest head are renewed without an event. */
const LOOK_EVERY_MS = 10_000;
/** Few: entries are read on the thread that accepts submissions. */
const LANES = 2;

/** Publishes in the background if the configuration has a place; then returns how to get the state. */
export function publishLog(
  run: GatewayRun,
  { log, epochs }: Pick<GatewayService, "epochs"> & { readonly log: PublishedLog },
): (() => PublishingState) | undefined {
  const { operator: { publish: publishing, network }, options, io, crypto, opened } = run;
  if (publishing === undefined) return undefined;
  let state: PublishingState = { size: undefined, isFailing: false };
  const report = run.log.report("publishing");
  runInBackground(opened, STOP_PUBLISHING_MS, async (signal) => {
    const changed = changesOf(log, systemClock, signal);
    const reading = { insecure: options.insecure, report, env: (name: string) => io.env(name) };
    let copy: LogCopy | undefined;
    const source = gatewaySource(network.id, { log, epochs });
    const parts: Omit<LogCopyContext, "target"> = {
      kernels: crypto.kernels,
      clock: systemClock,
      lanes: LANES,
      rule: new NetworkRule(crypto, network, [source]),
      source,
    };
    await keepPublishing({
      copy: {
        async step(signal) {
          try {
            copy ??= new LogCopy({ ...parts, target: await openCopyTarget(publishing, reading) });
            const step = await copy.step(signal);
            state = { size: step.size, isFailing: false };
            return step;
          } catch (error) {
            if (!signal.aborted) state = { ...state, isFailing: true };
            throw error;
          }
        },
      },
      clock: systemClock,
      report,
      random: Math.random,
      changed,
    }, signal);
  });
  return () => state;
}

/** Resolves once for each change of the log since the last call, and from time to time. */
function changesOf(
  log: PublishedLog,
  clock: Clock,
  signal: AbortSignal,
): (signal: AbortSignal) => Promise<void> {
  let next = new AbortController();
  log.onPublished(() => next.abort(), signal);
  return async (signal) => {
    await clock.sleep(LOOK_EVERY_MS, AbortSignal.any([signal, next.signal]));
    next = new AbortController();
  };
}

/** The log as its clients read it. Submissions go first. */
function gatewaySource(
  name: string,
  { log, epochs }: Pick<GatewayService, "epochs" | "log">,
): LogSource {
  return {
    name,
    checkpoint: () => Promise.resolve(log.checkpoint()),
    async tile({ level, index, width }) {
      await setImmediate();
      return level === "entries"
        ? await log.entries(index, width)
        : await log.tile(level, index, width);
    },
    succession: () => Promise.resolve({ value: epochs.chain.links }),
  };
}
