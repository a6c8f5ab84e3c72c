/**
 * The same gateway over Deno KV and over other engines, in turns, so that other load affects all equally: the
 * time until a hash is stored and signed, how many per second, and the processor time of this process and of
 * PostgreSQL for each. Starts its own PostgreSQL servers, with the settings of Debian, on the disk of the temporary
 * folder. A standby is a server of this machine.
 *
 *     deno task bench:stores [--engines kv,postgres,standby] [--clients 1,64,512] [--seconds 3]
 *       [--rounds 5]
 *
 * @module
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock } from "../src/base/clock.ts";
import { systemIo } from "../src/server/io.ts";
import { openDatabaseLog } from "../src/storage/postgres/database_log.ts";
import { PostgresStore } from "../src/storage/postgres/postgres_store.ts";
import { accessTo } from "../tests/system/postgres_access.ts";
import { PostgresServer } from "../tests/system/postgres_server.ts";
import { randomDigests } from "./digests.ts";
import { cpuMsOf } from "./load/process_usage.ts";
import { machineLine, thisMachine } from "./machine.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";
import { quantile } from "./quantiles.ts";
import { createTrial, startTrial, type TrialGateway } from "./trial_gateway.ts";

const WAIT_SECONDS = 30;
const WARM_UP_MS = 1_000;
const POLICY = { maxAgeMs: 1_000, maxLeaves: 16_384 };

/** By the name that `--engines` takes. */
const ENGINES = {
  kv: "Deno KV",
  postgres: "PostgreSQL",
  standby: "PostgreSQL, synchronous standby",
} as const;
const STANDBY_CONNECTED_MS = 50;

/** What was measured with one engine in one slice. */
interface Slice {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time in microseconds of this process, with its callers, and of PostgreSQL, for a hash. */
  readonly processUs: number;
  readonly databaseUs: number;
}

interface Measured {
  readonly trial: TrialGateway;
  readonly servers: readonly PostgresServer[];
}

function databaseMs(servers: readonly PostgresServer[]): number {
  const processes = servers.flatMap(({ pid }) => [
    pid,
    ...Deno.readTextFileSync(`/proc/${pid}/task/${pid}/children`).trim().split(" ").map(Number),
  ]);
  return processes.reduce((sum, pid) => sum + (cpuMsOf(pid) ?? 0), 0);
}

async function load({ trial, servers }: Measured, clients: number, ms: number): Promise<Slice> {
  const { gateway } = trial;
  const latencies: number[] = [];
  const before = [cpuMsOf(Deno.pid)!, databaseMs(servers)] as const;
  const endMs = performance.now() + ms;
  const client = async () => {
    for (;;) {
      const startMs = performance.now();
      if (startMs > endMs) return;
      const sequences = await gateway.jobs.accept(randomDigests(1));
      await gateway.jobs.settled(sequences, WAIT_SECONDS);
      latencies.push(performance.now() - startMs);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startMs) / 1_000;
  const microseconds = (usedMs: number) => usedMs * 1_000 / latencies.length;
  return {
    processUs: microseconds(cpuMsOf(Deno.pid)! - before[0]),
    databaseUs: microseconds(databaseMs(servers) - before[1]),
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

function medianOf(slices: readonly Slice[], member: keyof Slice): number {
  return quantile(slices.map((slice) => slice[member]), 0.5);
}

function rowsOf(clients: number, slices: ReadonlyMap<string, readonly Slice[]>): string[][] {
  const [base] = slices.values();
  return [...slices].map(([engine, all]) => {
    const perSecond = medianOf(all, "perSecond");
    const ratios = all.map((slice, i) => slice.perSecond / base![i]!.perSecond);
    return [
      String(clients),
      engine,
      threeDigits(perSecond),
      quantile(ratios, 0.5).toFixed(2),
      ...(["p50", "p99", "processUs", "databaseUs"] as const)
        .map((member) => threeDigits(medianOf(all, member))),
    ];
  });
}

/** A server, and the standby that each commit waits for, if it has one. */
async function serversOf(
  hasStandby: boolean,
  opened: AsyncDisposableStack,
): Promise<readonly PostgresServer[]> {
  const server = opened.use(await PostgresServer.start());
  if (!hasStandby) return [server];
  const standby = opened.use(await server.startReplica());
  await server.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await server.sql("SELECT pg_reload_conf()");
  const state = "SELECT sync_state FROM pg_stat_replication";
  while (await server.sql(state) !== "sync") await systemClock.sleep(STANDBY_CONNECTED_MS);
  return [server, standby];
}

/** No store for one in a file. */
async function databaseOf(
  engine: typeof ENGINES[keyof typeof ENGINES],
  opened: AsyncDisposableStack,
): Promise<{ readonly store?: PostgresStore; readonly servers: readonly PostgresServer[] }> {
  if (engine === ENGINES.kv) return { servers: [] };
  const servers = await serversOf(engine === ENGINES.standby, opened);
  const access = accessTo(servers[0]!, servers[0]!.database);
  const store = await PostgresStore.open({ access, report: () => {} });
  opened.defer(() => store.close());
  return { store, servers };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      clients: { type: "string", default: "1,64,512" },
      seconds: { type: "string", default: "3" },
      rounds: { type: "string", default: "5" },
      engines: { type: "string", default: "kv,postgres,standby" },
    },
  });
  const opened = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir({ prefix: "countersign-bench-" });
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const engines = values.engines.split(",").map((name) => ENGINES[name as keyof typeof ENGINES]);
  if (engines.includes(undefined!)) throw new Error(`No engines: ${values.engines}`);
  const trials = new Map<string, Measured>();
  for (const engine of engines) {
    const data = join(folder, engine);
    await createTrial(data);
    const { store, servers } = await databaseOf(engine, opened);
    const log = store && await openDatabaseLog(store, "bench");
    const trial = await startTrial(data, POLICY, log);
    opened.defer(() => trial.stop());
    trials.set(engine, { trial, servers });
  }
  const rows: string[][] = [];
  for (const clients of values.clients.split(",").map(Number)) {
    const slices = new Map(engines.map((engine): [string, Slice[]] => [engine, []]));
    for (const trial of trials.values()) await load(trial, clients, WARM_UP_MS);
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const [engine, trial] of trials) {
        slices.get(engine)!.push(await load(trial, clients, Number(values.seconds) * 1_000));
      }
    }
    rows.push(...rowsOf(clients, slices));
  }
  systemIo.out(`${machineLine(thisMachine())}\n`);
  systemIo.out(markdownTable(
    [
      "clients",
      "store",
      "hashes/s",
      "ratio",
      "p50 ms",
      "p99 ms",
      "process us",
      "database us",
    ],
    rows,
  ));
  await opened.disposeAsync();
}

await main();
