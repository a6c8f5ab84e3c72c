/**
 * Starts a gateway with all that writes: the pipeline, anchoring, and the watch of the disk. The stack
 * of the run stops them.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { systemClock } from "../../base/clock.ts";
import type { BatchPolicy } from "../../gateway/sequencing/batching.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import { CountersignError } from "../../base/errors.ts";
import type { TreeHeadIntake } from "../../gateway/federation/tree_head_intake.ts";
import { Gateway } from "../../gateway/gateway.ts";
import type { GatewayParts } from "../../gateway/gateway_parts.ts";
import type { HeldLease } from "../../gateway/held_lease.ts";
import type { PipelineObserver } from "../../gateway/observer.ts";
import type { WitnessClient } from "../../gateway/ports.ts";
import type { WitnessClocks } from "../../gateway/signing/witness_clocks.ts";
import { reportError } from "../../base/report.ts";
import { keepWalFileShort } from "../../storage/log/wal_file.ts";
import type { PublishingState } from "../../http/metrics/gateway_metrics.ts";
import { PipelineTracer } from "../log/pipeline_tracer.ts";
import { isTracing } from "../log/route_spans.ts";
import { openAnchoring, type OpenedAnchoring } from "./anchoring_parts.ts";
import { runInBackground, within } from "../background.ts";
import { DiskWatch } from "./disk_watch.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { keepLease, requireLease } from "./gateway_lease.ts";
import type { GatewayStores } from "./gateway_stores.ts";
import { successionReader } from "../../config/succession_file.ts";
import { successionFile, successorFile } from "../data_paths.ts";
import { storeDigestOf } from "./present_epoch.ts";
import { publishLog } from "../publishing/gateway_publishing.ts";
import { openLogSigner, openParts, openWitnesses, type WitnessContext } from "./opened_parts.ts";
import { parseOperatorNetwork } from "../../config/operator_network.ts";
import { checkSignatureLines } from "../../config/witnessing.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { coreDigest, coreOf } from "../../proof/format/trust_core.ts";
import type { SuccessionSource } from "../../gateway/succession/ports.ts";
import { requireReach } from "./signers_reach.ts";

/** A client on this machine or nearby that submits one hash after another returns within this time. */
const RETURN_MS = 2;
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
  readonly batch: BatchPolicy;
  /** Absent if no other process can use the store. */
  readonly lease: HeldLease | undefined;
  /** Absent if no copy is published. */
  readonly publishing: (() => PublishingState) | undefined;
  /** Ends all work that writes, and gives the lease back. Reads go on if others can use the store. */
  stop(): Promise<void>;
}

export interface GatewayRunOptions {
  /** Measures the pipeline. */
  readonly observer: PipelineObserver | undefined;
  readonly stores: GatewayStores;
  /** The lease of `stores`, if this process has taken it already. */
  readonly lease?: HeldLease | undefined;
  /** As in `GatewayParts`. */
  readonly index?: GatewayParts["index"];
  /** Other threads read the store. */
  readonly hasFronts?: boolean;
  /** Called after a fault that ends the gateway. */
  readonly onFatal: () => void;
}

export async function runGateway(
  started: GatewayRun,
  { observer, stores, hasFronts = false, index, onFatal, ...taken }: GatewayRunOptions,
): Promise<RunningGateway> {
  const opened = new AsyncDisposableStack();
  const stop = () => opened.disposeAsync();
  started.opened.defer(stop);
  const run = { ...started, opened };
  const { operator, options, log, report } = run;
  const fail = (error: unknown) => {
    reportError(report, error);
    onFatal();
  };
  const lease = stores.lease && (taken.lease ?? await requireLease(run, stores.lease));
  let activeChanged = () => {};
  if (lease !== undefined) keepLease(run, lease, { changed: () => activeChanged(), lost: fail });
  const anchoring = await openAnchoring(run, stores);
  const batch: BatchPolicy = {
    maxAgeMs: options.batchMaxAgeMs ?? operator.batch.maxAgeMs,
    maxLeaves: options.batchMaxLeaves ?? operator.batch.maxLeaves,
  };
  const { gateway, clocks } = await startGateway(run, {
    stores,
    lease,
    index,
    anchoring,
    policy: batch,
    observer,
    hasFronts,
    onFatal: fail,
  });
  activeChanged = () => gateway.activeChanged();
  opened.defer(() => within(STOP_PIPELINE_MS, gateway.stop()));
  const federation = anchoring.anchoring?.connect(gateway);
  runInBackground(opened, STOP_ANCHORING_MS, async (signal) => {
    await anchoring.anchoring?.run(signal).catch((error) => {
      reportError(log.report("anchoring"), error);
      onFatal();
    });
  });
  const publishing = publishLog(run, gateway);
  for (const file of stores.files) {
    runInBackground(opened, STOP_DISK_MS, (signal) => keepWalFileShort(file, systemClock, signal));
  }
  const disk = new DiskWatch({
    probe: stores.probe("probe.watch"),
    onDemand: stores.probe(),
    gateway,
    clock: systemClock,
    report,
  });
  runInBackground(opened, STOP_DISK_MS, (signal) => disk.run(signal));
  return { gateway, clocks, disk, anchoring, federation, batch, lease, publishing, stop };
}

async function startGateway(
  run: GatewayRun,
  {
    stores,
    lease,
    index,
    anchoring: { peers, followed = peers, anchoring },
    policy,
    observer,
    hasFronts,
    onFatal,
  }: {
    readonly stores: GatewayStores;
    readonly lease: HeldLease | undefined;
    readonly index: GatewayParts["index"];
    readonly anchoring: OpenedAnchoring;
    readonly policy: BatchPolicy;
    readonly observer: PipelineObserver | undefined;
    readonly hasFronts: boolean;
    readonly onFatal: (error: unknown) => void;
  },
): Promise<{
  readonly gateway: Gateway;
  readonly clocks: WitnessClocks;
}> {
  const { operator, options, crypto: { kernels, bls }, damage, report, opened, links } = run;
  const context = {
    insecure: options.insecure,
    moved: options.moved ?? false,
    kernels,
    bls,
    report,
    env: (name: string) => run.io.env(name),
    peers: followed,
    armed: successionReader(successionFile(run.paths), (error) => reportError(report, error)),
    embedded: new Map<string, WitnessClient>(),
  };
  const { clocks, ...parts } = await openParts(operator, context, opened);
  const store = await stores.openLog(storeDigestOf(run));
  try {
    if (hasFronts && !store.allowsReaders) throw unreadableStore();
    const gateway = await Gateway.start({
      ...parts,
      kernels,
      store,
      index,
      bls,
      policy,
      onFatal,
      report,
      isTakeover: options.standby === true && options.acceptBeforeWitnesses !== true,
      network: operator.network,
      links,
      succession: openedSuccession(run, context, opened),
      verify: verifyNative,
      clock: systemClock,
      spendsTokens: operator.admission.mode !== "open",
      acceptsBeforeWitnesses: options.acceptBeforeWitnesses ?? false,
      anchors: anchoring?.source,
      anchorsFeed: anchoring?.feed,
      ...(lease !== undefined &&
        { isActive: () => lease.isLive, leaseFailure: () => lease.failure }),
      observer,
      tracer: isTracing() ? new PipelineTracer() : undefined,
      turn: () => setImmediate(),
      returnMs: RETURN_MS,
      onDamaged: (error) => damage.take(error),
    });
    return { gateway, clocks };
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

/**
 * The succession beside `network.json`. Witnesses that are embedded in both epochs are opened once;
 * `opened` closes the new ones.
 */
function openedSuccession(
  { operator: { witnessing }, paths, options, crypto }: GatewayRun,
  context: WitnessContext,
  opened: AsyncDisposableStack,
): SuccessionSource {
  const file = successorFile(paths);
  return {
    read: context.armed,
    async open({ successor }) {
      const text = await readPrivateFile(file);
      const { insecure } = options;
      const operator = parseOperatorNetwork(text, file, { insecure, bls: crypto.bls });
      const { network } = operator;
      // Until the next start, requests go to the present foreign witnesses.
      checkSignatureLines(network, witnessing);
      if (successor === null || coreDigest(coreOf(network)) !== coreDigest(successor)) {
        throw new CountersignError(
          "invalid_configuration",
          `"${file}" has another configuration than the successor in succession.json`,
        );
      }
      await requireReach(operator, file);
      const logSigner = await openLogSigner(operator, context);
      return { network, logSigner, witnesses: await openWitnesses(operator, context, opened) };
    },
  };
}
