/**
 * One run of the load tool: find or start a gateway, measure it, and print the results.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";
import { loadBls } from "../../src/proof/crypto/best_bls.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { thisMachine } from "../machine.ts";
import type { LoadOptions } from "./load_options.ts";
import { type IssuedTokens, LoadIssuer } from "./issued_tokens.ts";
import { isRight, type LoadReport, printReport } from "./load_report.ts";
import type { Load } from "./load_run.ts";
import { measureLimits } from "./machine_limits.ts";
import { measureOpenssl } from "./openssl_replies.ts";
import { measureOverload, OVERLOAD_CONNECTIONS, type OverloadReport } from "./overload.ts";
import { Progress } from "./progress.ts";
import { rowLine } from "./report.ts";
import { measureRow, type Row } from "./row.ts";
import { SampleVerifier } from "./sample_verifier.ts";
import type { Scenario } from "./scenario.ts";
import { ScenarioChoice } from "./scenario_choice.ts";
import { measureSthLatency } from "./sth_latency.ts";
import { dataFolderOf, openTarget, type Target } from "./target.ts";
import { networkFolderOf } from "./trial_deployment.ts";

const INTERRUPTED = 130;

/** Runs `options` and prints the results; returns the exit code. */
export async function runSession(options: LoadOptions): Promise<number> {
  await using opened = new AsyncDisposableStack();
  const interrupted = abortOnInterrupt(opened);
  try {
    return await measureSession(options, interrupted, opened);
  } catch (error) {
    if (!interrupted.aborted) throw error;
    return INTERRUPTED;
  }
}

async function measureSession(
  options: LoadOptions,
  interrupted: AbortSignal,
  opened: AsyncDisposableStack,
): Promise<number> {
  const dataFolder = await dataFolderOf(options, opened);
  const issuer = options.tokens ? await LoadIssuer.create() : undefined;
  const issuing = issuer === undefined ? {} : { issuer };
  const plan = { ...options, ...issuing, dataFolder, signal: interrupted };
  const target = await openTarget(plan, opened);
  const network = await networkOf(options, target);
  const tokens = issuer?.issue(network.id, options.issue);
  target.asker.tokens = tokens;
  const session = new LoadSession(options, target, {
    verifier: await SampleVerifier.create(network, target.asker),
    ...(tokens !== undefined && { tokens }),
    signal: interrupted,
  });
  const treeSize = await target.asker.treeSize();
  const report: LoadReport = {
    machine: thisMachine(),
    url: target.url.href,
    network: network.id,
    pinned: options.networkConfig === undefined ? "gateway" : "file",
    scheme: network.signature_scheme,
    treeSize,
    ...await session.measure(),
    limits: interrupted.aborted || !options.machine ? [] : [
      ...await measureLimits(dataFolder, network.signature_scheme),
      ...options.tsa === undefined ? [] : await measureOpenssl(networkFolderOf(dataFolder)),
    ],
  };
  printReport(report, options.json);
  if (interrupted.aborted) return INTERRUPTED;
  return isRight(report) ? 0 : 1;
}

/** The first interrupt ends the measurement; the next one ends the process. */
function abortOnInterrupt(opened: AsyncDisposableStack): AbortSignal {
  const interrupted = new AbortController();
  const interrupt = () => {
    Deno.removeSignalListener("SIGINT", interrupt);
    interrupted.abort();
  };
  Deno.addSignalListener("SIGINT", interrupt);
  opened.defer(() => Deno.removeSignalListener("SIGINT", interrupt));
  return interrupted.signal;
}

async function networkOf(
  { networkConfig }: LoadOptions,
  { asker }: Target,
): Promise<NetworkConfiguration> {
  const bls = await loadBls();
  if (networkConfig !== undefined) {
    return parseNetwork(await Deno.readTextFile(systemIo.resolvePath(networkConfig)), bls);
  }
  const network = parseNetwork(await asker.text("/v1/network"), bls);
  systemIo.err(
    `The keys of ${network.id} are those that the gateway told: --network-config pins them`,
  );
  return network;
}

class LoadSession {
  readonly #options: LoadOptions;
  readonly #target: Target;
  readonly #choice: ScenarioChoice;
  readonly #signal: AbortSignal;
  readonly #rows: Row[] = [];
  readonly #overloads: OverloadReport[] = [];

  constructor(
    options: LoadOptions,
    target: Target,
    context: {
      readonly verifier: SampleVerifier;
      readonly tokens?: IssuedTokens;
      readonly signal: AbortSignal;
    },
  ) {
    this.#options = options;
    this.#target = target;
    this.#signal = context.signal;
    const { spread, mix } = options;
    this.#choice = new ScenarioChoice({ spread, mix, ...context, asker: target.asker });
  }

  /** The measurements up to the end or an interrupt. */
  async measure(): Promise<Pick<LoadReport, "rows" | "overloads" | "sth">> {
    const { scenarios, connections, overload, sth, seconds } = this.#options;
    for (const name of scenarios) {
      await this.#unlessInterrupted(async () => {
        const scenario = await this.#choice.scenario(name);
        if (overload !== undefined) return await this.#overload(scenario, overload);
        for (const count of connections) await this.#row(scenario, count);
      });
    }
    const measured = { rows: this.#rows, overloads: this.#overloads };
    if (!sth || this.#signal.aborted) return measured;
    const { asker } = this.#target;
    return { ...measured, sth: await measureSthLatency(asker, seconds, this.#signal) };
  }

  async #unlessInterrupted(measure: () => Promise<void>): Promise<void> {
    if (this.#signal.aborted) return;
    try {
      await measure();
    } catch (error) {
      // The servers may have received the same signal, and be gone.
      if (!this.#signal.aborted) throw error;
    }
  }

  async #row(scenario: Scenario, connections: number): Promise<void> {
    if (this.#signal.aborted) return;
    const load = this.#load(scenario, connections);
    const row = await measureRow(this.#target, scenario, load, this.#options);
    // A row interrupted during its warm-up has no results.
    if (row.seconds === 0) return;
    this.#rows.push(row);
    systemIo.err(rowLine(row));
  }

  async #overload(scenario: Scenario, factor: number): Promise<void> {
    const connections = Math.max(OVERLOAD_CONNECTIONS, ...this.#options.connections);
    const load = this.#load(scenario, connections);
    this.#overloads.push(await measureOverload(this.#target, scenario, load, factor));
    if (scenario.submits) await this.#target.asker.confirmed(60_000);
  }

  #load({ name, hashes }: Scenario, connections: number): Load {
    const { rate, seconds, warmUpSeconds, arrivals, verify } = this.#options;
    const requests = rate === undefined ? undefined : rate / hashes;
    return {
      connections,
      warmUpMs: warmUpSeconds * 1000,
      measuredMs: seconds * 1000,
      ...(requests !== undefined && { rates: [{ rate: requests, ms: Infinity }] }),
      arrivals,
      backlog: Math.ceil(this.#options.backlog ?? Math.max(1, requests ?? 1)),
      checks: verify,
      signal: this.#signal,
      ...(Deno.stderr.isTerminal() && { observer: new Progress(name, connections, hashes) }),
    };
  }
}
