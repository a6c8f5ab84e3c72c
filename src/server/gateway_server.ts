/**
 * Composes and runs a gateway. Without a configuration it creates a trial network of three embedded
 * witnesses in its data folder.
 *
 * @module
 */

import { dirname } from "node:path";
import { systemClock } from "../clock.ts";
import {
  type BatchLimits,
  type OperatorNetwork,
  parseOperatorNetwork,
} from "../config/operator_network.ts";
import { DEFAULT_CLIENT_LIMITS, NO_LIMITS } from "../config/gateway_limits.ts";
import { listenerAddress } from "../config/listeners.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { loadBls } from "../crypto/best_bls.ts";
import { loadCompiledKernels } from "../crypto/compiled_kernels.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import { CountersignError } from "../errors.ts";
import type { TreeHeadIntake } from "../federation/tree_head_intake.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import { EventFeed } from "../gateway/events/event_feed.ts";
import { Gateway } from "../gateway/gateway.ts";
import type { PipelineObserver } from "../gateway/observer.ts";
import type { WitnessClient } from "../gateway/ports.ts";
import type { WitnessClocks } from "../gateway/signing/witness_clocks.ts";
import { loadPageFiles } from "../http/gateway/explorer_assets.ts";
import { FEED_LIMITS } from "../http/limits.ts";
import { RateLimits } from "../http/rate_limits.ts";
import type { Report } from "../report.ts";
import { DiskProbe } from "../storage/disk_probe.ts";
import { keepWalFilesShort } from "../storage/log/wal_file.ts";
import type { Log } from "../telemetry/log.ts";
import { DamageLog } from "../telemetry/damage_log.ts";
import { reportError } from "../telemetry/log_error.ts";
import { isTracing, PipelineTracer } from "../telemetry/tracing.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import { openAdmission } from "./admission_rules.ts";
import { openAnchoring, type OpenedAnchoring } from "./anchoring_parts.ts";
import { lockData } from "./data_lock.ts";
import { databaseFiles, type DataPaths, dataPathsOf } from "./data_paths.ts";
import { DiskWatch } from "./disk_watch.ts";
import { GatewayMetrics } from "./operator_metrics.ts";
import { openParts } from "./opened_parts.ts";
import { openPorts, operatorAccess } from "./gateway_listeners.ts";
import { exists, makeFolder } from "./files.ts";
import type { CliIo } from "./io.ts";
import { createNetwork } from "./network_setup.ts";
import { bannerLines } from "./banner.ts";
import { SERVE_DEFAULTS, type ServeOptions } from "./gateway_options.ts";
import { openLog } from "./service_log.ts";
import { aborted } from "./stop_signal.ts";
import { within } from "./within.ts";

/** On stop, how long requests in flight may take, */
const STOP_GRACE_MS = 2_500;
/** then requests to peers and services, */
const STOP_ANCHORING_MS = 1_000;
/** then the last commit of the pipeline. */
const STOP_PIPELINE_MS = 2_000;
/** A hanging disk must not delay the end of the process. */
const STOP_DISK_MS = 1_000;

/**
 * Serves until `signal` aborts or a fatal error. Closes all ports and data. Returns the exit code.
 */
export async function serveGateway(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const paths = dataPathsOf(options, io);
  await makeFolder(paths.dataFolder);
  const lock = await lockData(paths.dataFolder);
  opened.defer(() => lock.release());
  const crypto = {
    kernels: await loadCompiledKernels(),
    ed25519: verifyNative,
    bls: await loadBls(),
  };
  const { bls } = crypto;
  const page = await loadPageFiles();
  if (paths.isTrial && !await exists(paths.networkFile)) {
    const scheme = options.scheme ?? SERVE_DEFAULTS.scheme;
    const plan = { witnesses: 3, threshold: 2, kind: "embedded", basePort: 0, scheme } as const;
    // A subfolder: createNetwork renames it into place, which fails for a mount point.
    await createNetwork({ ...plan, out: dirname(paths.networkFile) }, bls);
  }
  const operator = parseOperatorNetwork(
    await readPrivateFile(paths.networkFile),
    paths.networkFile,
    { insecure: options.insecure, bls },
  );
  requireScheme(operator, options.scheme);
  const log = openLog(options, io);
  const report = log.report("gateway");
  const damage = new DamageLog(report, systemClock);
  const fatal = new AbortController();
  const run: Run = { operator, options, paths, crypto, fatal, damage, log, report };
  const secrets = { env: (name: string) => io.env(name), report: log.report("anchoring") };
  const anchoring = await openAnchoring(
    operator,
    { ...paths, ...secrets, crypto, damage, insecure: options.insecure },
    opened,
  );
  const access = await operatorAccess(operator, options.operatorPort, secrets);
  const limits = rateLimits(run);
  const { dataFolder } = paths;
  const conditions = { limits, dataFolder, insecure: options.insecure, report };
  const admission = await openAdmission(operator, conditions, opened);
  const operators = access && { access, metrics: new GatewayMetrics(operator.network, opened) };
  const observer = operators?.metrics.pipeline;
  const { gateway, witnesses, clocks } = await startGateway(
    run,
    { ...anchoring, observer },
    opened,
  );
  opened.defer(() => within(STOP_PIPELINE_MS, gateway.stop()));
  const federation = startAnchoring(run, { ...anchoring, gateway, witnesses }, opened);
  const batch = batchLimits(run);
  const events = new EventFeed({
    log: gateway.eventLog,
    anchors: anchoring.anchorList,
    clock: systemClock,
    report: (error) => damage.take(error) || reportError(report, error),
    limits: FEED_LIMITS,
  });
  opened.defer(() => events.stop());
  const walFiles = keepWalFilesShort(databaseFiles(dataFolder), systemClock);
  opened.defer(() => within(STOP_DISK_MS, walFiles.stop()));
  const disk = watchDisk(run, gateway, opened);
  const rules = { admission, limits };
  const served = {
    ...run,
    gateway,
    clocks,
    disk,
    ...anchoring,
    federation,
    operators,
    events,
    eventSockets: listenerAddress(operator.eventSockets, options.eventSocketsPort),
    batch,
    page,
    ...rules,
  };
  const ports = openPorts(served, opened);
  // One write, so that a reader of a pipe gets all lines at once.
  io.out(bannerLines(ports, operator, anchoring, paths.dataFolder).join("\n"));
  await aborted(AbortSignal.any([signal, run.fatal.signal]));
  report("Stopping", { level: "info" });
  // Ends held answers first: the listeners wait for requests in flight.
  gateway.refuseNew();
  await ports.stop(STOP_GRACE_MS);
  return run.fatal.signal.aborted ? 1 : 0;
}

interface Run {
  readonly operator: OperatorNetwork;
  readonly options: ServeOptions;
  readonly paths: DataPaths;
  readonly crypto: CryptoSuite;
  /** Aborted by a fatal error. */
  readonly fatal: AbortController;
  readonly damage: DamageLog;
  readonly log: Log;
  readonly report: Report;
}

function requireScheme({ network }: OperatorNetwork, scheme: SignatureScheme | undefined): void {
  if (scheme === undefined || network.signature_scheme === scheme) return;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot serve ${network.id} with --scheme ${scheme}: ` +
      `the network's scheme is ${network.signature_scheme}`,
  );
}

function batchLimits({ operator: { batch }, options }: Run): BatchLimits {
  return {
    maxAgeMs: options.batchMaxAgeMs ?? batch.maxAgeMs,
    maxLeaves: options.batchMaxLeaves ?? batch.maxLeaves,
  };
}

/** A trial network has no limits unless its file sets some. */
function rateLimits({ operator, paths, report }: Run): RateLimits | undefined {
  const limits = operator.limits ?? (paths.isTrial ? NO_LIMITS : DEFAULT_CLIENT_LIMITS);
  return limits === NO_LIMITS ? undefined : new RateLimits(limits, systemClock, report);
}

async function startGateway(
  run: Run,
  { peers, anchoring, observer }: OpenedAnchoring & {
    readonly observer: PipelineObserver | undefined;
  },
  opened: AsyncDisposableStack,
): Promise<{
  readonly gateway: Gateway;
  readonly witnesses: readonly WitnessClient[];
  readonly clocks: WitnessClocks;
}> {
  const { operator, options, paths, crypto: { kernels, bls }, fatal, damage, report } = run;
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
    const gateway = await Gateway.start({
      ...parts,
      kernels,
      store,
      network: operator.network,
      verify: verifyNative,
      bls,
      clock: systemClock,
      policy: batchLimits(run),
      spendsTokens: operator.admission.mode !== "open",
      acceptsBeforeWitnesses: options.acceptBeforeWitnesses ?? false,
      ...(anchoring !== undefined && { anchors: anchoring.source }),
      ...(observer !== undefined && { observer }),
      ...(isTracing() && { tracer: new PipelineTracer() }),
      onFatal: (error) => {
        reportError(report, error);
        fatal.abort();
      },
      onDamaged: (error) => damage.take(error),
      report,
    });
    return { gateway, witnesses: parts.witnesses, clocks };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** Watches the disk until the stack is disposed. */
function watchDisk(
  { paths, report }: Run,
  gateway: Gateway,
  opened: AsyncDisposableStack,
): DiskWatch {
  const watch = new DiskWatch({
    probe: new DiskProbe(paths.dataFolder, systemClock, "probe.watch"),
    onDemand: new DiskProbe(paths.dataFolder, systemClock),
    ...{ gateway, clock: systemClock, report },
  });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  opened.defer(() => {
    stop.abort();
    return within(STOP_DISK_MS, running);
  });
  return watch;
}

/** Anchors published heads until the stack is disposed. Returns the intake of peers' heads. */
function startAnchoring(
  { fatal, log }: Run,
  { anchoring, gateway, witnesses }: OpenedAnchoring & {
    readonly gateway: Gateway;
    readonly witnesses: readonly WitnessClient[];
  },
  opened: AsyncDisposableStack,
): TreeHeadIntake | undefined {
  if (anchoring === undefined) return undefined;
  const stop = new AbortController();
  const { intake, ended } = anchoring.start(gateway, witnesses, stop.signal);
  const running = ended.catch((error) => {
    reportError(log.report("anchoring"), error);
    fatal.abort();
  });
  opened.defer(() => {
    stop.abort();
    return within(STOP_ANCHORING_MS, running);
  });
  return intake;
}
