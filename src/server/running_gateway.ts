/**
 * Starts a gateway with all that writes: the pipeline, anchoring, and the watch of the disk. The stack
 * of the run stops them.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { systemClock } from "../clock.ts";
import type { BatchLimits } from "../config/operator_network.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import { CountersignError } from "../errors.ts";
import type { TreeHeadIntake } from "../federation/tree_head_intake.ts";
import { Gateway } from "../gateway/gateway.ts";
import type { PipelineObserver } from "../gateway/observer.ts";
import type { WitnessClient } from "../gateway/ports.ts";
import type { WitnessClocks } from "../gateway/signing/witness_clocks.ts";
import { reportError } from "../report.ts";
import { DiskProbe } from "../storage/disk_probe.ts";
import { keepWalFileShort } from "../storage/log/wal_file.ts";
import { isTracing, PipelineTracer } from "../telemetry/tracing.ts";
import { openAnchoring, type OpenedAnchoring } from "./anchoring_parts.ts";
import { runInBackground, within } from "./background.ts";
import { databaseFiles } from "./data_paths.ts";
import { DiskWatch } from "./disk_watch.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { openParts } from "./opened_parts.ts";

/** On stop, how long requests to peers and services may take, */
const STOP_ANCHORING_MS = 1_000;
/** then the last commit of the pipeline. */
const STOP_PIPELINE_MS = 2_000;
/** A hanging disk must not delay the end of the process. */
const STOP_DISK_MS = 1_000;

/** A gateway that runs, with its parts. */
export interface RunningGateway {
  readonly gateway: Gateway;
  readonly clocks: WitnessClocks;
  readonly disk: DiskWatch;
  readonly anchoring: OpenedAnchoring;
  /** Absent if no peers' heads are accepted. */
  readonly federation: TreeHeadIntake | undefined;
  readonly batch: BatchLimits;
}

export interface GatewayRunOptions {
  /** Measures the pipeline. */
  readonly observer: PipelineObserver | undefined;
  /** Other threads read the store. */
  readonly hasFronts?: boolean;
  /** Called after a fault that ends the gateway. */
  readonly onFatal: () => void;
}

export async function runGateway(
  run: GatewayRun,
  { observer, hasFronts = false, onFatal }: GatewayRunOptions,
): Promise<RunningGateway> {
  const { operator, options, paths, log, report, opened } = run;
  const anchoring = await openAnchoring(run);
  const batch: BatchLimits = {
    maxAgeMs: options.batchMaxAgeMs ?? operator.batch.maxAgeMs,
    maxLeaves: options.batchMaxLeaves ?? operator.batch.maxLeaves,
  };
  const { gateway, witnesses, clocks } = await startGateway(run, {
    ...{ anchoring, policy: batch, observer, hasFronts },
    onFatal: (error) => {
      reportError(report, error);
      onFatal();
    },
  });
  opened.defer(() => within(STOP_PIPELINE_MS, gateway.stop()));
  const federation = anchoring.anchoring?.connect(gateway, witnesses);
  runInBackground(opened, STOP_ANCHORING_MS, async (signal) => {
    await anchoring.anchoring?.run(signal).catch((error) => {
      reportError(log.report("anchoring"), error);
      onFatal();
    });
  });
  for (const file of databaseFiles(paths.dataFolder)) {
    runInBackground(opened, STOP_DISK_MS, (signal) => keepWalFileShort(file, systemClock, signal));
  }
  const disk = new DiskWatch({
    probe: new DiskProbe(paths.dataFolder, systemClock, "probe.watch"),
    onDemand: new DiskProbe(paths.dataFolder, systemClock),
    ...{ gateway, clock: systemClock, report },
  });
  runInBackground(opened, STOP_DISK_MS, (signal) => disk.run(signal));
  return { gateway, clocks, disk, anchoring, federation, batch };
}

async function startGateway(
  { operator, options, paths, crypto: { kernels, bls }, damage, report, opened }: GatewayRun,
  { anchoring: { peers, anchoring }, policy, observer, hasFronts, onFatal }: {
    readonly anchoring: OpenedAnchoring;
    readonly policy: BatchLimits;
    readonly observer: PipelineObserver | undefined;
    readonly hasFronts: boolean;
    readonly onFatal: (error: unknown) => void;
  },
): Promise<{
  readonly gateway: Gateway;
  readonly witnesses: readonly WitnessClient[];
  readonly clocks: WitnessClocks;
}> {
  const { openStore, clocks, ...parts } = await openParts(
    operator,
    {
      ...{ dataFolder: paths.dataFolder, insecure: options.insecure, kernels, bls, report },
      ...(options.moved && { moved: true }),
      peers: peers.map(({ network }) => network),
    },
    opened,
  );
  const store = await openStore();
  try {
    if (hasFronts && !store.allowsReaders) throw unreadableStore();
    const gateway = await Gateway.start({
      ...parts,
      ...{ kernels, store, bls, policy, onFatal, report },
      network: operator.network,
      verify: verifyNative,
      clock: systemClock,
      spendsTokens: operator.admission.mode !== "open",
      acceptsBeforeWitnesses: options.acceptBeforeWitnesses ?? false,
      ...(anchoring !== undefined && { anchors: anchoring.source, anchorsFeed: anchoring.feed }),
      ...(observer !== undefined && { observer }),
      ...(isTracing() && { tracer: new PipelineTracer() }),
      turn: () => setImmediate(),
      onDamaged: (error) => damage.take(error),
    });
    return { gateway, witnesses: parts.witnesses, clocks };
  } catch (error) {
    store.close();
    throw error;
  }
}

function unreadableStore(): CountersignError {
  return new CountersignError(
    "format_unsupported",
    "Cannot serve with fronts: this version of Deno KV stores a log that only one thread can read; " +
      "use --fronts 0",
  );
}
