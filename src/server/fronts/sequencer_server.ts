/**
 * Composes and runs the part of a gateway that writes, for fronts in other threads. It listens nowhere.
 *
 * @module
 */

import { createSharedLimits } from "../../http/limit_tables.ts";
import { LinkedFronts } from "../../transport/thread_link_fronts.ts";
import { followIssuers } from "../gateway/admission_rules.ts";
import { followApiKeys } from "../gateway/api_key_file.ts";
import { bannerLines } from "../gateway/banner.ts";
import { CallPort } from "./call_port.ts";
import { ConnectedFronts } from "./connected_fronts.ts";
import { clientLimits, type GatewayRun, openRun } from "../gateway/gateway_run.ts";
import type { CliIo } from "../io.ts";
import { GatewayMetrics } from "../gateway/operator_metrics.ts";
import {
  acceptedTokens,
  eventSocketsAddress,
  operatorAddress,
  operatorToken,
  operatorWork,
} from "../gateway/operator_work.ts";
import type { SequencerStart } from "../roles/role_messages.ts";
import { openStores } from "../gateway/gateway_stores.ts";
import { presentRun } from "../gateway/present_epoch.ts";
import { runGateway } from "../gateway/running_gateway.ts";
import { aborted } from "../stop_signal.ts";
import type {
  FrontParts,
  SequencerControl,
  SequencerStarted,
  SupervisorCalls,
} from "./thread_calls.ts";

/** Runs until `signal` aborts. Returns the exit code. */
export async function serveSequencer(
  { options, control, ...start }: Omit<SequencerStart, "role">,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const running = Promise.withResolvers<RunningSequencer>();
  running.promise.catch(() => {});
  const supervisor = new CallPort<SupervisorCalls>(
    control,
    {
      started: async () => (await running.promise).started,
      connect: async (front) => (await running.promise).connect(front),
      disconnect: async (name) => (await running.promise).disconnect(name),
      banner: async (urls) => (await running.promise).banner(urls),
      refuseNew: async () => (await running.promise).refuseNew(),
    } satisfies Asynchronous<SequencerControl>,
  );
  opened.defer(() => supervisor.close());
  const run = await openRun(options, io, opened, signal);
  running.resolve(
    await runSequencer(run, start, () => {
      // The supervisor has ended if this rejects.
      supervisor.call("failed", undefined).catch(() => {});
    }),
  );
  await aborted(signal);
  return 0;
}

type Asynchronous<C> = {
  readonly [Name in keyof C]: C[Name] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : never;
};

interface RunningSequencer extends Omit<SequencerControl, "started"> {
  readonly started: SequencerStarted;
}

async function runSequencer(
  configured: GatewayRun,
  { fronts: count, link }: Pick<SequencerStart, "fronts" | "link">,
  onFatal: () => void,
): Promise<RunningSequencer> {
  const stores = await openStores(configured);
  const run = await presentRun(configured, stores);
  const { operator: { network, admission }, operator, networkText, paths } = run;
  const { opened } = run;
  const address = operatorAddress(run);
  const token = await operatorToken(run);
  const metrics = new GatewayMetrics("sequencer", network, opened);
  const followed = await followIssuers(run);
  const apiKeys = await followApiKeys(run);
  const running = await runGateway(run, {
    stores,
    observer: address && metrics.pipeline,
    hasFronts: true,
    onFatal,
  });
  const { gateway, anchoring } = running;
  const linked = new LinkedFronts(gateway.sequencer, link);
  const fronts = new ConnectedFronts(
    linked,
    { directories: followed?.directories, apiKeys },
    opened,
  );
  opened.defer(() => linked.close());
  const work = operatorWork(run, running, {
    metrics,
    issuers: admission.mode === "token_required" ? followed?.issuers : undefined,
    servingMetrics: () => fronts.metrics(),
  });
  const parts = (): FrontParts => ({
    networkText,
    admission: {
      ...{ networkId: network.id, admission },
      directories: followed?.directories.current ?? [],
    },
    apiKeys: apiKeys?.start,
    anchors: anchoring.start,
    operators: address && {
      ...{ token, accepted: acceptedTokens(anchoring.peers) },
      takesTreeHeads: running.federation !== undefined,
    },
  });
  return {
    started: {
      limits: createSharedLimits(clientLimits(run), count),
      listeners: { operators: address, eventSockets: eventSocketsAddress(run) },
    },
    connect(front) {
      fronts.add(front, work);
      return parts();
    },
    disconnect: (name) => fronts.remove(name),
    banner: (urls) => bannerLines(urls, operator, anchoring, paths.dataFolder).join("\n"),
    refuseNew: () => gateway.refuseNew(),
  };
}
