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
import { readPrivateFile } from "../config/private_file.ts";
import { loadBls } from "../crypto/best_bls.ts";
import { loadCompiledKernels } from "../crypto/compiled_kernels.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import { EventFeed } from "../gateway/events/event_feed.ts";
import { Gateway } from "../gateway/gateway.ts";
import type { PipelineObserver } from "../gateway/observer.ts";
import type { WitnessClient } from "../gateway/ports.ts";
import type { WitnessClocks } from "../gateway/signing/witness_clocks.ts";
import { FEED_LIMITS } from "../http/limits.ts";
import { RateLimits } from "../http/rate_limits.ts";
import { type Report, reportError } from "../report.ts";
import { DiskProbe } from "../storage/disk_probe.ts";
import { acquireLock, type LockFile } from "../storage/lock_file.ts";
import { keepWalFileShort } from "../storage/log/wal_file.ts";
import { DamageLog } from "../telemetry/damage_log.ts";
import { isTracing, PipelineTracer } from "../telemetry/tracing.ts";
import { openAdmission } from "./admission_rules.ts";
import { openAnchoring, type OpenedAnchoring } from "./anchoring_parts.ts";
import { databaseFiles, dataPathsOf, lockFile } from "./data_paths.ts";
import { DiskWatch } from "./disk_watch.ts";
import { openParts } from "./opened_parts.ts";
import { openOperators, openPorts } from "./gateway_listeners.ts";
import { exists, makeFolder } from "./files.ts";
import type { CliIo } from "./io.ts";
import { createNetwork } from "./network_setup.ts";
import { bannerLines } from "./banner.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { SERVE_DEFAULTS, type ServeOptions } from "./role_options.ts";
import { openLog } from "./service_log.ts";
import { aborted } from "./stop_signal.ts";
import { runInBackground, within } from "./background.ts";

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
  const fatal = new AbortController();
  const run = await openRun(options, io, opened);
  const { operator, paths, log, report, damage } = run;
  const anchoring = await openAnchoring(run);
  const operators = await openOperators(run);
  const limits = rateLimits(run);
  const admission = await openAdmission(run, limits);
  const batch: BatchLimits = {
    maxAgeMs: options.batchMaxAgeMs ?? operator.batch.maxAgeMs,
    maxLeaves: options.batchMaxLeaves ?? operator.batch.maxLeaves,
  };
  const onFatal = (error: unknown, report: Report) => {
    reportError(report, error);
    fatal.abort();
  };
  const { gateway, witnesses, clocks } = await startGateway(run, {
    ...{ anchoring, policy: batch, observer: operators?.metrics.pipeline },
    onFatal: (error) => onFatal(error, report),
  });
  opened.defer(() => within(STOP_PIPELINE_MS, gateway.stop()));
  const federation = anchoring.anchoring?.connect(gateway, witnesses);
  runInBackground(opened, STOP_ANCHORING_MS, async (signal) => {
    await anchoring.anchoring?.run(signal)
      .catch((error) => onFatal(error, log.report("anchoring")));
  });
  const events = new EventFeed({
    log: gateway.eventLog,
    anchors: anchoring.anchorList,
    clock: systemClock,
    report: (error) => damage.take(error) || reportError(report, error),
    limits: FEED_LIMITS,
  });
  opened.defer(() => events.stop());
  for (const file of databaseFiles(paths.dataFolder)) {
    runInBackground(opened, STOP_DISK_MS, (signal) => keepWalFileShort(file, systemClock, signal));
  }
  const disk = new DiskWatch({
    probe: new DiskProbe(paths.dataFolder, systemClock, "probe.watch"),
    onDemand: new DiskProbe(paths.dataFolder, systemClock),
    ...{ gateway, clock: systemClock, report },
  });
  runInBackground(opened, STOP_DISK_MS, (signal) => disk.run(signal));
  const ports = await openPorts(run, {
    gateway,
    clocks,
    disk,
    anchoring,
    federation,
    operators,
    events,
    batch,
    limits,
    admission,
  });
  // One write, so that a reader of a pipe gets all lines at once.
  io.out(bannerLines(ports, operator, anchoring, paths.dataFolder).join("\n"));
  await aborted(AbortSignal.any([signal, fatal.signal]));
  report("Stopping", { level: "info" });
  // Ends held answers first: the listeners wait for requests in flight.
  gateway.refuseNew();
  await ports.stop(STOP_GRACE_MS);
  return fatal.signal.aborted ? 1 : 0;
}

/** Locks the data folder and reads the configuration. Creates a missing trial network. */
async function openRun(
  options: ServeOptions,
  io: CliIo,
  opened: AsyncDisposableStack,
): Promise<GatewayRun> {
  const paths = dataPathsOf(options, io);
  await makeFolder(paths.dataFolder);
  const lock = await lockData(paths.dataFolder);
  opened.defer(() => lock.release());
  const bls = await loadBls();
  const crypto = { kernels: await loadCompiledKernels(), ed25519: verifyNative, bls };
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
  return { operator, options, paths, io, crypto, log, report, damage, opened };
}

/** `data_in_use`; `file_failed` if the folder is read-only. */
async function lockData(dataFolder: string): Promise<LockFile> {
  try {
    return await acquireLock(lockFile(dataFolder));
  } catch (error) {
    if (!hasCode(error, "file_failed")) throw error;
    throw new CountersignError(
      "file_failed",
      `${error.message}. A gateway needs a data folder that it can write to; ` +
        "to check a read-only folder, run countersign fsck --data",
      { cause: error },
    );
  }
}

function requireScheme({ network }: OperatorNetwork, scheme: SignatureScheme | undefined): void {
  if (scheme === undefined || network.signature_scheme === scheme) return;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot serve ${network.id} with --scheme ${scheme}: ` +
      `the network's scheme is ${network.signature_scheme}`,
  );
}

/** A trial network has no limits unless its file sets some. */
function rateLimits({ operator, paths, report }: GatewayRun): RateLimits | undefined {
  const limits = operator.limits ?? (paths.isTrial ? NO_LIMITS : DEFAULT_CLIENT_LIMITS);
  return limits === NO_LIMITS ? undefined : new RateLimits(limits, systemClock, report);
}

async function startGateway(
  { operator, options, paths, crypto: { kernels, bls }, damage, report, opened }: GatewayRun,
  { anchoring: { peers, anchoring }, policy, observer, onFatal }: {
    readonly anchoring: OpenedAnchoring;
    readonly policy: BatchLimits;
    readonly observer: PipelineObserver | undefined;
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
    const gateway = await Gateway.start({
      ...parts,
      ...{ kernels, store, bls, policy, onFatal, report },
      network: operator.network,
      verify: verifyNative,
      clock: systemClock,
      spendsTokens: operator.admission.mode !== "open",
      acceptsBeforeWitnesses: options.acceptBeforeWitnesses ?? false,
      ...(anchoring !== undefined && { anchors: anchoring.source }),
      ...(observer !== undefined && { observer }),
      ...(isTracing() && { tracer: new PipelineTracer() }),
      onDamaged: (error) => damage.take(error),
    });
    return { gateway, witnesses: parts.witnesses, clocks };
  } catch (error) {
    store.close();
    throw error;
  }
}
