/**
 * `countersign serve`: the gateway. With no configuration it makes a network of three embedded
 * witnesses in its data folder, for trials.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { systemClock } from "../clock.ts";
import { type OperatorNetwork, parseOperatorNetwork } from "../config/operator_network.ts";
import { readTextFile } from "../config/text_file.ts";
import { loadBls } from "../crypto/best_bls.ts";
import { loadCompiledKernels } from "../crypto/compiled_kernels.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import { CountersignError, hasCode } from "../errors.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import { Gateway } from "../gateway/gateway.ts";
import { gatewayApp } from "../http/gateway_app.ts";
import { type HttpListener, listen } from "../http/listen.ts";
import { acquireLock } from "../storage/lock_file.ts";
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import { type Places, placesOf } from "./data_places.ts";
import { openParts } from "./gateway_parts.ts";
import type { CliIo } from "./io.ts";
import { createNetwork } from "./network_setup.ts";
import { makeFolder } from "./new_files.ts";
import { aborted, stopOnSignals } from "./stop_signal.ts";

/** What the command line says. */
export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** As typed. */
  readonly data?: string;
  /** As typed: an operator's `network.json`. */
  readonly config?: string;
  /** Allows `http:` witness URLs beyond loopback. */
  readonly insecure: boolean;
  /** Of the trial network; what a configuration has to be of, where one is there. */
  readonly scheme?: SignatureScheme;
  /** In place of those of the configuration. */
  readonly batchMaxAgeMs?: number;
  readonly batchMaxLeaves?: number;
}

export const SERVE_DEFAULTS = {
  port: 8080,
  host: "127.0.0.1",
  scheme: "ed25519",
} as const;

/** Milliseconds that requests in flight have once the gateway was told to stop. */
const STOP_GRACE_MS = 2_500;
/** Milliseconds that the pipeline then has to finish its last commit. */
const STOP_PIPELINE_MS = 2_000;

/** Serves until SIGINT or SIGTERM, or until a fault that no retry mends. Answers the exit code. */
export async function runServe(options: ServeOptions, io: CliIo): Promise<number> {
  using stop = stopOnSignals();
  return await serveGateway(options, io, stop.signal);
}

/** {@linkcode runServe} until `signal` aborts; the port is free and all data closed afterwards. */
export async function serveGateway(
  options: ServeOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const places = placesOf(options, io);
  await makeFolder(places.dataFolder);
  const lock = await acquireLock(join(places.dataFolder, "lock"));
  opened.defer(() => lock.release());
  const crypto = {
    kernels: await loadCompiledKernels(),
    ed25519: verifyNative,
    bls: await loadBls(),
  };
  const { bls } = crypto;
  if (places.isTrial && !await exists(places.networkFile)) {
    const scheme = options.scheme ?? SERVE_DEFAULTS.scheme;
    const plan = { witnesses: 3, threshold: 2, kind: "embedded", basePort: 0, scheme } as const;
    // A folder of its own, so that it appears whole also where the data folder is a mount point.
    await createNetwork({ ...plan, out: dirname(places.networkFile) }, bls);
  }
  const operator = parseOperatorNetwork(
    await readTextFile(places.networkFile),
    places.networkFile,
    { insecure: options.insecure, bls },
  );
  requireScheme(operator, options.scheme);
  const fatal = new AbortController();
  const gateway = await startGateway(operator, { options, places, io, crypto, fatal }, opened);
  opened.defer(() => within(STOP_PIPELINE_MS, gateway.stop()));
  const listener = openPort(gateway, crypto, { options, io, fatal });
  announce(listener.url, operator, places, io);
  await aborted(AbortSignal.any([signal, fatal.signal]));
  io.err("Stopping");
  // Held answers go out first, as their jobs stand: the listener waits for requests in flight.
  gateway.refuseNew();
  await listener.stop(STOP_GRACE_MS);
  return fatal.signal.aborted ? 1 : 0;
}

function requireScheme({ network }: OperatorNetwork, scheme: SignatureScheme | undefined): void {
  if (scheme === undefined || network.signature_scheme === scheme) return;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot serve ${network.id}: a network of scheme ${scheme} required, ` +
      `found ${network.signature_scheme}`,
  );
}

/** `work`, or no more of it than fits in `ms`. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([
    work.finally(() => done.abort()),
    systemClock.sleep(ms, done.signal),
  ]);
}

async function startGateway(
  operator: OperatorNetwork,
  context: {
    readonly options: ServeOptions;
    readonly places: Places;
    readonly io: CliIo;
    readonly crypto: VerifierCrypto;
    readonly fatal: AbortController;
  },
  opened: AsyncDisposableStack,
): Promise<Gateway> {
  const { options, places, io, crypto: { kernels, bls }, fatal } = context;
  const report = (message: string) => io.err(`countersign: ${message}`);
  const { openStore, ...parts } = await openParts(
    operator,
    { dataFolder: places.dataFolder, insecure: options.insecure, kernels, bls, report },
    opened,
  );
  const store = await openStore();
  try {
    return await Gateway.start({
      ...parts,
      kernels,
      store,
      network: operator.network,
      verify: verifyNative,
      bls,
      clock: systemClock,
      policy: {
        maxAgeMs: options.batchMaxAgeMs ?? operator.batch.maxAgeMs,
        maxLeaves: options.batchMaxLeaves ?? operator.batch.maxLeaves,
      },
      onFatal: (error) => {
        report(messageOf(error));
        fatal.abort();
      },
      report,
    });
  } catch (error) {
    store.close();
    throw error;
  }
}

function openPort(
  gateway: Gateway,
  verifier: VerifierCrypto,
  context: { readonly options: ServeOptions; readonly io: CliIo; readonly fatal: AbortController },
): HttpListener {
  const { options, io, fatal } = context;
  const report = (error: unknown) => {
    io.err(`countersign: ${messageOf(error)}`);
    // Found by a reader, it is as bad as found by a writer: nothing more is built on such a store.
    if (hasCode(error, "store_corrupt")) fatal.abort();
  };
  return listen({
    hostname: options.host,
    port: options.port,
    handler: gatewayApp({ service: gateway, verifier, report }),
    report,
  });
}

function announce(url: string, operator: OperatorNetwork, places: Places, io: CliIo): void {
  const { network, witnesses } = operator;
  const lines = [
    `Countersign gateway of ${network.id} on ${url}`,
    `  witnesses: ${witnesses.length}, threshold ${network.threshold}, ${network.signature_scheme}`,
    `  data:      ${places.dataFolder}`,
  ];
  if (witnesses.some((witness) => witness.kind === "embedded")) {
    lines.push(
      "  Embedded witnesses are for trials: they share this machine and prove nothing more.",
    );
  }
  // One write: whoever waits for the URL on a pipe has all of it.
  io.out(lines.join("\n"));
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    const { NotADirectory, NotFound } = Deno.errors;
    if (error instanceof NotFound || error instanceof NotADirectory) return false;
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
