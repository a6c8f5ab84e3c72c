/**
 * The context that the parts of one gateway share.
 *
 * @module
 */

import { dirname } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { type ClientLimits, DEFAULT_CLIENT_LIMITS } from "../../config/gateway_limits.ts";
import { NO_LIMITS } from "../../config/client_budgets.ts";
import { type OperatorNetwork, parseOperatorNetwork } from "../../config/operator_network.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { loadBls } from "../../proof/crypto/best_bls.ts";
import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { SignatureScheme } from "../../proof/format/signature_set.ts";
import type { Report } from "../../base/report.ts";
import { acquireLock, type NamedLock } from "../../storage/lock_file.ts";
import { DamageLog } from "../../http/metrics/damage_log.ts";
import type { Log } from "../log/log.ts";
import { type DataPaths, dataPathsOf, lockFile } from "../data_paths.ts";
import { exists, makeFolder } from "../files.ts";
import type { CliIo } from "../io.ts";
import { createNetwork } from "./network_setup.ts";
import { SERVE_DEFAULTS, type ServeOptions } from "../roles/role_options.ts";
import { openLog } from "../service_log.ts";

export interface GatewayRun {
  readonly operator: OperatorNetwork;
  /** Its text. */
  readonly networkText: string;
  /** The verified links that lead to the configuration; absent in epoch 0. */
  readonly links?: readonly SuccessionLink[];
  /** Digest of the first epoch's network; absent in epoch 0. */
  readonly storeDigest?: string;
  readonly options: ServeOptions;
  readonly paths: DataPaths;
  readonly io: CliIo;
  readonly crypto: CryptoSuite;
  readonly log: Log;
  readonly report: Report;
  readonly damage: DamageLog;
  /** The lock of the data folder; absent if the store is elsewhere. */
  readonly lock?: NamedLock | undefined;
  /** Ends a start that waits. */
  readonly signal?: AbortSignal;
  /** Closes the parts when the gateway stops, the last opened first. */
  readonly opened: AsyncDisposableStack;
}

/**
 * Reads the configuration, and locks the data folder if it has the store. Creates a missing trial network.
 * `signal` ends a start that waits.
 */
export async function openRun(
  options: ServeOptions,
  io: CliIo,
  opened: AsyncDisposableStack,
  signal?: AbortSignal,
): Promise<GatewayRun> {
  const paths = dataPathsOf(options, io);
  await makeFolder(paths.dataFolder);
  if (paths.isTrial && !await exists(paths.networkFile)) await createTrial(paths, options);
  const run = await runOf(await readPrivateFile(paths.networkFile), options, io, opened);
  const lock = run.operator.store === undefined ? await lockData(paths.dataFolder) : undefined;
  opened.defer(() => lock?.release());
  return { ...run, lock, ...(signal !== undefined && { signal }) };
}

async function createTrial(
  { dataFolder, networkFile }: DataPaths,
  { scheme = SERVE_DEFAULTS.scheme }: ServeOptions,
): Promise<void> {
  const lock = await lockData(dataFolder);
  try {
    // Another process may have created it.
    if (await exists(networkFile)) return;
    const plan = { witnesses: 3, threshold: 2, kind: "embedded", basePort: 0, scheme } as const;
    // A subfolder: createNetwork renames it into place, which fails for a mount point.
    await createNetwork({ ...plan, out: dirname(networkFile) }, await loadBls());
  } finally {
    lock.release();
  }
}

/** The context for a configuration that has the text `networkText`. */
export async function runOf(
  networkText: string,
  options: ServeOptions,
  io: CliIo,
  opened: AsyncDisposableStack,
): Promise<GatewayRun> {
  const paths = dataPathsOf(options, io);
  const bls = await loadBls();
  const crypto = { kernels: await loadCompiledKernels(), ed25519: verifyNative, bls };
  const { insecure } = options;
  const operator = parseOperatorNetwork(networkText, paths.networkFile, { insecure, bls });
  requireScheme(operator, options.scheme);
  const log = openLog(options, io);
  const report = log.report("gateway");
  const damage = new DamageLog(report, systemClock);
  return { operator, networkText, options, paths, io, crypto, log, report, damage, opened };
}

/** A trial network has no limits unless its file sets some. */
export function clientLimits(
  { operator, paths }: Pick<GatewayRun, "operator" | "paths">,
): ClientLimits | typeof NO_LIMITS {
  return operator.limits ?? (paths.isTrial ? NO_LIMITS : DEFAULT_CLIENT_LIMITS);
}

/** `data_in_use`; `file_failed` if the folder is read-only. */
async function lockData(dataFolder: string): Promise<NamedLock> {
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
      `its scheme is ${network.signature_scheme}, and a network keeps its scheme`,
  );
}
