/**
 * One call of the load tool: a gateway is found or started, each row is measured, and all is told.
 *
 * @module
 */

import { systemIo } from "../../src/cli/io.ts";
import { loadBls } from "../../src/crypto/best_bls.ts";
import { parseNetwork } from "../../src/format/network.ts";
import { type Machine, machineLine, thisMachine } from "../machine.ts";
import { Asker } from "./asker.ts";
import { type KnownHashes, readKnownHashes } from "./known_hashes.ts";
import { type LoadOptions, type LookUpName, type ScenarioName } from "./load_options.ts";
import type { Load } from "./load_run.ts";
import { lookUpScenario, tileScenario } from "./look_ups.ts";
import { type MachineLimit, measureLimits } from "./machine_limits.ts";
import { mixedScenario } from "./mixed_scenario.ts";
import { measuredProcess } from "./process_usage.ts";
import { limitTable, rowLine, rowTable } from "./report.ts";
import { measureRow, type Row, type Target } from "./row.ts";
import { SampleVerifier } from "./sample_verifier.ts";
import type { Scenario } from "./scenario.ts";
import { resolveEndpoint } from "./sockets.ts";
import { bulkScenario, submitScenario, waitScenario } from "./submissions.ts";
import { TrialDeployment } from "./trial_deployment.ts";

/** What is printed as JSON. */
export interface LoadReport {
  readonly machine: Machine;
  readonly url: string;
  readonly network: string;
  /** Where the keys come from that answers are verified under. */
  readonly pinned: "file" | "gateway";
  readonly scheme: string;
  readonly treeSize: number;
  readonly rows: readonly Row[];
  readonly limits: readonly MachineLimit[];
}

/** See the module. */
export class LoadSession {
  readonly #options: LoadOptions;
  readonly #target: Target;
  readonly #verifier: SampleVerifier;
  readonly #signal: AbortSignal;
  #known: KnownHashes | undefined;

  private constructor(
    options: LoadOptions,
    target: Target,
    verifier: SampleVerifier,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#target = target;
    this.#verifier = verifier;
    this.#signal = signal;
  }

  /** Runs `options` and prints what it found: the exit code. */
  static async run(options: LoadOptions): Promise<number> {
    await using opened = new AsyncDisposableStack();
    const interrupted = new AbortController();
    const interrupt = () => {
      // The next one ends the process as it does any other.
      Deno.removeSignalListener("SIGINT", interrupt);
      interrupted.abort();
    };
    Deno.addSignalListener("SIGINT", interrupt);
    opened.defer(() => Deno.removeSignalListener("SIGINT", interrupt));
    const dataFolder = await dataFolderOf(options, opened);
    const target = await openTarget(options, dataFolder, opened);
    const { asker } = target;
    const bls = await loadBls();
    const network = options.networkConfig === undefined
      ? parseNetwork(await asker.text("/v1/network"), bls)
      : parseNetwork(await Deno.readTextFile(systemIo.resolvePath(options.networkConfig)), bls);
    if (options.networkConfig === undefined) {
      systemIo.err(
        `The keys of ${network.id} are what the gateway says; --network-config pins them`,
      );
    }
    const verifier = await SampleVerifier.create(network, asker);
    const session = new LoadSession(options, target, verifier, interrupted.signal);
    const treeSize = await asker.treeSize();
    const rows = await session.#rows();
    const report: LoadReport = {
      machine: thisMachine(),
      url: target.url.href,
      network: network.id,
      pinned: options.networkConfig === undefined ? "gateway" : "file",
      scheme: network.signature_scheme,
      treeSize,
      rows,
      limits: interrupted.signal.aborted
        ? []
        : await measureLimits(dataFolder, network.signature_scheme),
    };
    print(report, options.json);
    if (interrupted.signal.aborted) return 130;
    return rows.every(isRight) ? 0 : 1;
  }

  /** What was measured until all was, or until the user had enough. */
  async #rows(): Promise<Row[]> {
    const rows: Row[] = [];
    for (const name of this.#options.scenarios) {
      for (const connections of this.#options.connections) {
        if (this.#signal.aborted) return rows;
        try {
          const scenario = await this.#scenario(name);
          const row = await measureRow(
            this.#target,
            scenario,
            this.#load(connections, scenario),
            this.#options.echo,
          );
          rows.push(row);
          systemIo.err(rowLine(row));
        } catch (error) {
          // The servers may have heard the same signal, and be gone.
          if (!this.#signal.aborted) throw error;
        }
      }
    }
    return rows;
  }

  #load(connections: number, { hashes }: Scenario): Load {
    const { rate, seconds, warmUpSeconds, arrivals, verify, sockets } = this.#options;
    const requests = rate === undefined ? undefined : rate / hashes;
    return {
      connections,
      warmUpMs: warmUpSeconds * 1000,
      measuredMs: seconds * 1000,
      ...(requests !== undefined && { rate: requests }),
      arrivals,
      backlog: Math.ceil(this.#options.backlog ?? Math.max(1, requests ?? 1)),
      checks: verify,
      ...(sockets !== undefined && { sockets }),
      signal: this.#signal,
    };
  }

  async #scenario(name: ScenarioName): Promise<Scenario> {
    switch (name) {
      case "wait":
        return waitScenario(this.#verifier);
      case "submit":
        return submitScenario(this.#verifier);
      case "bulk":
        return bulkScenario(this.#verifier);
      case "mixed": {
        const parts = [];
        for (const [part, weight] of this.#options.mix) {
          parts.push({ scenario: await this.#lookUp(part), weight });
        }
        return mixedScenario(parts);
      }
      default:
        return await this.#lookUp(name);
    }
  }

  async #lookUp(name: LookUpName): Promise<Scenario> {
    this.#known ??= await readKnownHashes(this.#target.asker, this.#options.spread);
    return name === "tiles"
      ? tileScenario(this.#known, this.#verifier)
      : lookUpScenario(name, this.#known, this.#verifier);
  }
}

/** Where a started gateway keeps its data, and where disk syncs are measured. */
async function dataFolderOf(
  options: LoadOptions,
  opened: AsyncDisposableStack,
): Promise<string> {
  if (options.data !== undefined) {
    const folder = systemIo.resolvePath(options.data);
    await Deno.mkdir(folder, { recursive: true });
    return folder;
  }
  const folder = await Deno.makeTempDir({ prefix: "countersign-load-" });
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  return folder;
}

async function openTarget(
  options: LoadOptions,
  dataFolder: string,
  opened: AsyncDisposableStack,
): Promise<Target> {
  if (options.url !== undefined) {
    return {
      url: options.url,
      endpoint: await resolveEndpoint(options.url),
      asker: new Asker(options.url),
      ...(options.pid !== undefined && { gateway: measuredProcess(options.pid) }),
      witnesses: [],
      isOurs: false,
    };
  }
  const deployment = await TrialDeployment.start({ ...options, dataFolder });
  opened.defer(() => deployment.stop());
  const { gateway, witnesses } = deployment;
  return {
    url: gateway.url,
    endpoint: await resolveEndpoint(gateway.url),
    asker: new Asker(gateway.url),
    gateway,
    witnesses,
    isOurs: true,
  };
}

/** Whether nothing in `row` is other than it was to be. */
function isRight(row: Row): boolean {
  const lost = row.confirmed === undefined ? 0 : row.accepted - row.confirmed;
  return Object.keys(row.errors).length === 0 && row.failures.length === 0 && lost <= 0;
}

function print(report: LoadReport, asJson: boolean): void {
  if (asJson) return systemIo.out(JSON.stringify(report, undefined, 2));
  const { machine, url, scheme, treeSize, rows, limits } = report;
  systemIo.out(`Gateway ${url}, ${scheme}, ${treeSize} attestations before the first row`);
  systemIo.out(`${machineLine(machine)}\n`);
  systemIo.out(rowTable(rows));
  if (limits.length > 0) systemIo.out(`\n${limitTable(limits)}`);
  for (const { scenario, connections, errors, failures, accepted, confirmed } of rows) {
    const where = `${scenario} on ${connections}`;
    for (const [what, count] of Object.entries(errors)) {
      systemIo.out(`${where}: ${count} times ${what}`);
    }
    for (const failure of failures) systemIo.out(`${where}: ${failure}`);
    if (confirmed !== undefined && confirmed < accepted) {
      systemIo.out(`${where}: ${accepted} accepted, but ${confirmed} confirmed`);
    }
  }
}
