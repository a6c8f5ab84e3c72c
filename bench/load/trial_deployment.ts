/**
 * A gateway with its witnesses in separate processes, over a data folder that `countersign serve
 * --data` can also read.
 *
 * @module
 */

import { join } from "node:path";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { loadBls } from "../../src/proof/crypto/best_bls.ts";
import type { TimestampScheme } from "../../src/gateway/timestamping/timestamp_signer.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { fill, type FillOptions } from "../fill.ts";
import type { LoadIssuer } from "./issued_tokens.ts";
import { productCommand, type ServerProcess, startProduct } from "./server_process.ts";

const WITNESSES = 3;
const THRESHOLD = 2;
/** Attempts to find free neighbouring ports. */
const PORT_TRIES = 50;

/** The deployment to start. */
export interface DeploymentPlan {
  /** An absolute path; made when absent. */
  readonly dataFolder: string;
  readonly scheme: SignatureScheme;
  readonly witnesses: "embedded" | "remote";
  readonly batchMaxAgeMs?: number;
  /** Threads that answer clients; by default as `serve` has it. */
  readonly fronts?: number;
  /** The issuer of the required tokens, if any. */
  readonly issuer?: LoadIssuer;
  /** The key of the time-stamp authority that the gateway is, if any. */
  readonly tsa?: TimestampScheme;
  /** Members of `network.json` in addition to those of `init`; by default without limits. */
  readonly configuration?: Readonly<Record<string, unknown>>;
  /** Minimum number of leaves before the measurement. */
  readonly prefill: number;
  /** Makes the digests of these leaves; random ones without it. */
  readonly digests?: NonNullable<FillOptions["digests"]>;
  /** Ends the filling early with an error. */
  readonly signal?: AbortSignal;
}

export class TrialDeployment {
  readonly gateway: ServerProcess;
  readonly witnesses: readonly ServerProcess[];

  private constructor(gateway: ServerProcess, witnesses: readonly ServerProcess[]) {
    this.gateway = gateway;
    this.witnesses = witnesses;
  }

  /**
   * Creates the network of `plan` unless its folder has one, fills the log and starts all
   * processes.
   */
  static async start(plan: DeploymentPlan): Promise<TrialDeployment> {
    const { dataFolder } = plan;
    const networkFolder = networkFolderOf(dataFolder);
    if (!await exists(join(networkFolder, "network.json"))) await create(networkFolder, plan);
    const witnesses: ServerProcess[] = [];
    try {
      for (let number = 1; number <= WITNESSES; number++) {
        const file = join(networkFolder, `witness-${number}`, "witness.json");
        if (await exists(file)) witnesses.push(await startProduct(dataFolder, ["witness", file]));
      }
      if (plan.prefill > 0) await fill(dataFolder, plan.prefill, plan);
      const gateway = await startProduct(dataFolder, [
        "serve",
        "--port=0",
        `--data=${dataFolder}`,
        `--config=${join(networkFolder, "network.json")}`,
        ...(plan.batchMaxAgeMs === undefined ? [] : [`--batch-max-age-ms=${plan.batchMaxAgeMs}`]),
        ...(plan.fronts === undefined ? [] : [`--fronts=${plan.fronts}`]),
      ]);
      return new TrialDeployment(gateway, witnesses);
    } catch (error) {
      for (const witness of witnesses) await witness.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    for (const witness of this.witnesses) await witness.stop();
  }
}

/** Has `network.json` and the keys. */
export function networkFolderOf(dataFolder: string): string {
  return join(dataFolder, "network");
}

async function create(networkFolder: string, plan: DeploymentPlan): Promise<void> {
  await Deno.mkdir(plan.dataFolder, { recursive: true });
  const { networkFile } = await createNetwork({
    out: networkFolder,
    witnesses: WITNESSES,
    threshold: THRESHOLD,
    scheme: plan.scheme,
    kind: plan.witnesses,
    basePort: plan.witnesses === "remote" ? freePorts(WITNESSES) : 0,
  }, await loadBls());
  if (plan.tsa !== undefined) {
    const { code, stderr } = await productCommand([
      "tsa",
      "init",
      "--scheme",
      plan.tsa,
      "--out",
      networkFolder,
    ]).output();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  }
  const network = {
    ...JSON.parse(await Deno.readTextFile(networkFile)),
    // All load comes from one client.
    ...(plan.configuration ?? { limits: "off" }),
    ...(plan.tsa !== undefined && {
      timestamping: { key_file: "tsa.key", certificates_file: "tsa.pem" },
    }),
    ...(plan.issuer &&
      { admission: plan.issuer.admission() }),
  };
  await Deno.writeTextFile(networkFile, JSON.stringify(network));
}

/** The first of `count` consecutive free ports. */
function freePorts(count: number): number {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const held: Deno.Listener[] = [];
    try {
      held.push(Deno.listen({ hostname: "127.0.0.1", port: 0 }));
      const { port } = held[0]!.addr as Deno.NetAddr;
      for (let i = 1; i < count; i++) {
        held.push(Deno.listen({ hostname: "127.0.0.1", port: port + i }));
      }
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    } finally {
      for (const listener of held) listener.close();
    }
  }
  throw new Error(`Cannot start witnesses: ${count} free ports required, found fewer`);
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
