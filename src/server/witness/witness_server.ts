/**
 * Composes and runs one witness node.
 *
 * @module
 */

import { aborted, systemClock, unixSeconds } from "../../base/clock.ts";
import { logsReader } from "../../config/followed_logs.ts";
import { NO_LIMITS } from "../../config/client_budgets.ts";
import { readMlDsaSigner, readWitnessSigner } from "../../config/key_file.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { successionReader } from "../../config/succession_file.ts";
import { readTextFile } from "../../config/text_file.ts";
import { parseWitnessNode, type WitnessNode } from "../../config/witness_node.ts";
import { BeaconVerifier } from "../../proof/crypto/beacon_verifier.ts";
import type { MlDsaKeySigner } from "../../proof/crypto/key_signer.ts";
import { type HttpListener, listen } from "../../http/listen.ts";
import type { RequestHandler } from "../../http/request_context.ts";
import { serveBastion } from "../../http/witness/bastion.ts";
import { CheckpointLimits } from "../../http/witness/checkpoint_limits.ts";
import { witnessApp } from "../../http/witness/witness_app.ts";
import { LogQuotas } from "../../http/limits/log_quotas.ts";
import { RoundTreeMemo } from "../../proof/merkle/round_tree.ts";
import { reportError } from "../../base/report.ts";
import { openWitnessState } from "../../storage/witness/witness_state.ts";
import type { Log } from "../log/log.ts";
import { MetricsPage } from "../../http/metrics/metrics_page.ts";
import { addProcessMetrics, type ProcessFacts } from "../../http/metrics/process_metrics.ts";
import { VERSION } from "../../base/version.ts";
import type { ChargeLog, WitnessSigner, WitnessState } from "../../witness/ports.ts";
import { Witness } from "../../witness/witness.ts";
import type { CliIo } from "../io.ts";
import { serveMetrics } from "../metrics_listener.ts";
import type { WitnessRoleOptions } from "../roles/role_options.ts";
import { openLog, requestObserver } from "../service_log.ts";
import { refreshLogLists } from "./log_lists.ts";
import { quotaPath, restoreQuotas, saveQuotas } from "./quota_file.ts";
import { networkReader } from "./network_reader.ts";
import { releaseLine, witnessWarnings } from "./witness_warnings.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { loadWasmBls, loadWasmKernels } from "../../proof/crypto/wasm_kernels.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";

/** On stop, how long requests in flight may take. */
const STOP_GRACE_MS = 3_000;

/** Runs {@linkcode serveWitness} for the configuration in a file. Returns the exit code. */
export async function serveWitnessFile(
  { config, ...options }: WitnessRoleOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  await serveWitness(parseWitnessNode(await readPrivateFile(config), config), io, signal, options);
  return 0;
}

/** Serves `node` until `signal` aborts. Closes its port and state. */
export async function serveWitness(
  node: WitnessNode,
  io: CliIo,
  signal: AbortSignal,
  { moved = false, ...choice }: Omit<WitnessRoleOptions, "config"> = {},
): Promise<void> {
  const log = openLog(choice, io);
  const crypto = await loadWitnessCrypto();
  const reading = {
    bls: crypto.bls,
    env: (name: string) => io.env(name),
    report: log.report("witness"),
  };
  const signer = await readWitnessSigner(node.keyFile, { name: node.id }, reading);
  const mlDsa = node.mlDsaKeyFile === undefined
    ? undefined
    : await readMlDsaSigner(node.mlDsaKeyFile, { name: node.id }, reading);
  const state = await openWitnessState(node.stateFile, { moved });
  try {
    const quotas = new LogQuotas(systemClock);
    const quotaFile = {
      quotas,
      path: quotaPath(node.stateFile),
      clock: systemClock,
      report: log.report("witness"),
    };
    await restoreQuotas(quotaFile);
    const parts = { signer, state, crypto, quotas, ...(mlDsa !== undefined && { mlDsa }) };
    const witness = witnessOf(node, parts, log);
    await witness.load();
    for (const release of witness.releases()) {
      log.report("witness")(releaseLine(release), { witness: node.id });
    }
    const handler = handlerOf(node, witness, log);
    const connected = await connectBastion(node, handler, { log, signal });
    const listener = openPort(node, handler, { log, io });
    const watching = witness.watchStorage(signal);
    const refreshing = refreshLogLists(node, log.report("witness"), signal);
    const metrics = openMetrics(node, quotas, log);
    const stopped = new AbortController();
    const saving = saveQuotas(quotaFile, stopped.signal);
    await aborted(signal);
    log.report("witness")("Stopping", { level: "info" });
    await Promise.all([
      ...[listener, metrics].map((one) => one?.stop(STOP_GRACE_MS)),
      watching,
      refreshing,
      connected?.ended,
    ]);
    stopped.abort();
    await saving;
  } finally {
    state.close();
  }
}

function witnessOf(
  node: WitnessNode,
  { signer, mlDsa, state, crypto, quotas }: {
    readonly quotas: LogQuotas;
    readonly signer: WitnessSigner;
    readonly mlDsa?: MlDsaKeySigner;
    readonly state: WitnessState;
    readonly crypto: WitnessCrypto;
  },
  log: Log,
): Witness {
  const { beacon, succession: successionFile } = node;
  const armed = successionFile === undefined
    ? undefined
    : successionReader(successionFile, (error) => reportError(log.report("witness"), error));
  const trees = new RoundTreeMemo(crypto.kernels);
  return new Witness({
    id: node.id,
    networkId: node.networkId,
    signer,
    mlDsa,
    logs: node.logs,
    ...(node.logsFile !== undefined && {
      furtherLogs: logsReader(node.logsFile, (error) => reportError(log.report("witness"), error)),
    }),
    chargeLog: chargeLogs(node, quotas),
    state,
    clock: systemClock,
    kernels: crypto.kernels,
    buildRoundTree: (round) => trees.build(round),
    ...(armed !== undefined && { succession: { armed, crypto } }),
    vouching: { network: networkReader(node.network, armed), crypto },
    beacons: {
      verifier: new BeaconVerifier(crypto.bls),
      ...beacon,
    },
    report: witnessWarnings(log.report("witness"), node.id),
  });
}

function openMetrics(
  { metrics }: WitnessNode,
  quotas: LogQuotas,
  log: Log,
): HttpListener | undefined {
  if (metrics === undefined) return undefined;
  const facts = { version: VERSION, startSeconds: unixSeconds(systemClock) };
  return serveMetrics(metrics, () => witnessMetrics(quotas, facts), log.report("witness"));
}

function chargeLogs(
  { networkId, limits }: WitnessNode,
  quotas: LogQuotas,
): ChargeLog {
  const standard = limits === NO_LIMITS ? {} : limits.perLog;
  return ({ origin, queriesPerDay = standard.queriesPerDay }, bytes) => {
    if (origin !== networkId) quotas.charge(origin, bytes, { ...standard, queriesPerDay });
  };
}

/** Begins to serve through the bastion, if there is one; `file_failed`. */
async function connectBastion(
  { bastion }: WitnessNode,
  handler: RequestHandler,
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<{ readonly ended: Promise<void> } | undefined> {
  if (bastion === undefined) return undefined;
  const { url, certFile, keyFile, caFile } = bastion;
  const options = {
    url,
    handler,
    clock: systemClock,
    report: log.report("witness"),
    cert: await readTextFile(certFile),
    key: await readPrivateFile(keyFile),
    ...(caFile !== undefined && { ca: await readTextFile(caFile) }),
  };
  return { ended: serveBastion(options, signal) };
}

function handlerOf(node: WitnessNode, witness: Witness, log: Log): RequestHandler {
  const report = log.report("http");
  const observer = requestObserver(log);
  const fault = (error: unknown, requestId: string) =>
    reportError(report, error, { request_id: requestId });
  const { limits } = node;
  return witnessApp({
    witness,
    token: node.token,
    clock: systemClock,
    limits: new CheckpointLimits(
      limits === NO_LIMITS ? undefined : limits,
      systemClock,
      log.report("witness"),
    ),
    report: fault,
    observer,
  });
}

function openPort(
  node: WitnessNode,
  handler: RequestHandler,
  { log, io }: { readonly log: Log; readonly io: CliIo },
): HttpListener {
  const { host: hostname, port } = node;
  const listener = listen({ hostname, port, handler, report: log.report("http") });
  io.out(`Witness ${node.id} on ${listener.url}`);
  if (!/^(localhost|127\.|::1$)/.test(node.host)) {
    log.report("witness")(
      "Warning: put TLS in front of this address; otherwise the gateway's token is sent in the clear",
    );
  }
  return listener;
}

/** The page for `GET /metrics`. */
function witnessMetrics(quotas: LogQuotas, facts: ProcessFacts): string {
  const page = new MetricsPage();
  const { logs, refused } = quotas.facts;
  page.gauge(
    "witness_log_queries",
    "Larger heads of the log cosigned this day (UTC)",
    logs.map(({ origin, queries }) => [queries, { log: origin }]),
  );
  page.gauge(
    "witness_log_bytes",
    "Bytes of the requests for these",
    logs.map(({ origin, bytes }) => [bytes, { log: origin }]),
  );
  page.counter(
    "witness_log_refusals_total",
    "Requests of logs that had used up a quota",
    [...refused].map(([budget, count]) => [count, { budget }]),
  );
  addProcessMetrics(page, facts);
  return page.text();
}

/** Verifies, hashes rounds, and signs with a `bls` key. */
interface WitnessCrypto extends VerifierCrypto {
  readonly kernels: Kernels;
  readonly bls: Bls;
}

/**
 * Loads the modules; `internal` if the runtime runs none of their builds. Unlike other roles, a witness
 * does not fall back to plain JavaScript, which signs in a time that depends on the secret key.
 */
async function loadWitnessCrypto(): Promise<WitnessCrypto> {
  const [kernels, bls] = await Promise.all([loadWasmKernels(), loadWasmBls()]);
  if (kernels !== undefined && bls !== undefined) return { kernels, ed25519: verifyNative, bls };
  throw new CountersignError(
    "internal",
    "Cannot start witness: this runtime runs no build of the WebAssembly modules in wasm/build",
  );
}
