/**
 * The gateway that `countersign serve` creates in an empty folder, in this process: three embedded
 * witnesses with states on disk, threshold 2.
 *
 * @module
 */

import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { storeFile } from "../src/server/data_paths.ts";
import { networkDigest } from "../src/server/gateway/log_network.ts";
import { openParts } from "../src/server/gateway/opened_parts.ts";
import { openKvLogStore } from "../src/storage/log/local_log_store.ts";
import { createNetwork } from "../src/server/gateway/network_setup.ts";
import { systemClock } from "../src/base/clock.ts";
import { parseOperatorNetwork } from "../src/config/operator_network.ts";
import { loadBls } from "../src/proof/crypto/best_bls.ts";
import { loadCompiledKernels } from "../src/proof/crypto/compiled_kernels.ts";
import { verifyNative } from "../src/proof/crypto/ed25519_native.ts";
import { Gateway } from "../src/gateway/gateway.ts";
import type { LogStore } from "../src/gateway/ports.ts";
import type { BatchPolicy } from "../src/gateway/sequencing/batching.ts";

/** Where `countersign serve --data` looks for the network of a trial. */
const NETWORK = "network";

/** A gateway that runs. */
export interface TrialGateway {
  readonly gateway: Gateway;
  /** Ends it and closes what it has open. */
  stop(): Promise<void>;
}

/** Makes the network of a trial in the data folder `folder`, unless it has one. */
export async function createTrial(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for await (const { name } of Deno.readDir(folder)) if (name === NETWORK) return;
  await createNetwork({
    out: join(folder, NETWORK),
    witnesses: 3,
    threshold: 2,
    scheme: "ed25519",
    kind: "embedded",
    basePort: 0,
  }, await loadBls());
  // `load --data` measures the log: its one client must not be limited.
  const file = join(folder, NETWORK, "network.json");
  const network = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(file, JSON.stringify({ ...network, limits: "off" }));
}

/** Starts the gateway of the trial in the data folder `folder`, over `store` in place of its own when given. */
export async function startTrial(
  folder: string,
  policy: BatchPolicy,
  store?: LogStore,
): Promise<TrialGateway> {
  const opened = new AsyncDisposableStack();
  const kernels = await loadCompiledKernels();
  const bls = await loadBls();
  const networkFile = join(folder, NETWORK, "network.json");
  const operator = parseOperatorNetwork(await Deno.readTextFile(networkFile), networkFile, {
    insecure: false,
    bls,
  });
  const parts = await openParts(
    operator,
    {
      insecure: false,
      moved: false,
      kernels,
      bls,
      peers: [],
      report: fail,
      armed: () => Promise.resolve(undefined),
      embedded: new Map(),
      env: () => undefined,
    },
    opened,
  );
  const gateway = await Gateway.start({
    ...parts,
    kernels,
    store: store ?? await openKvLogStore(storeFile(folder), networkDigest(operator.network)),
    network: operator.network,
    verify: verifyNative,
    bls,
    clock: systemClock,
    policy,
    turn: () => setImmediate(),
    onFatal: fail,
    report: fail,
  });
  opened.defer(() => gateway.stop());
  return { gateway, stop: () => opened.disposeAsync() };
}

/** Any fault of the gateway ends the measurement. */
function fail(reason: unknown): never {
  throw reason instanceof Error ? reason : new Error(String(reason));
}
