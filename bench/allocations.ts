/**
 * What a submission costs: KiB that the gateway's thread allocates on V8's heap, and microseconds of
 * processor time of its process, beside the values that were recorded last. The gateway runs whole in this
 * process: HTTP, three embedded witnesses, a store on disk. Its clients run in another. Heads close by size,
 * so that a slow machine has as many as a fast one. The bytes are counted, and differ by some hundredths
 * between runs and machines. Processor time depends on the machine and on what else it does.
 *
 *     deno task bench:allocations [--stages 1] [--check] [--record]
 *
 * `--stages` divides the bytes of that many clients among the stages of a submission. `--check` fails if a
 * submission allocates {@linkcode TOLERATED} times what is recorded, `--record` records.
 *
 * @module
 */

import process from "node:process";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { getHeapStatistics } from "node:v8";
import { utf8 } from "../src/base/bytes.ts";
import { serveGateway } from "../src/server/gateway/gateway_server.ts";
import { systemIo } from "../src/server/io.ts";
import { SERVE_DEFAULTS } from "../src/server/roles/role_options.ts";
import { stagesOf } from "./allocation_stages.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";

const TOLERATED = 1.15;
const HEAD_LEAVES = 1_024;
/** Hashes of each measurement; the measured code is compiled in the hashes before. */
const LOADS = [
  { clients: 1, warmUp: 3_072, measured: 2_048 },
  { clients: 16, warmUp: 8_192, measured: 8_192 },
  { clients: 512, warmUp: 32_768, measured: 32_768 },
] as const;
const RECORD = new URL("allocations.json", import.meta.url);

/** The costs of one submission. */
interface Cost {
  readonly kib: number;
  readonly us: number;
}

/** By the number of clients. */
type Costs = Record<string, Cost>;

/** The clients of one load, in another process. */
class Clients {
  readonly #child: Deno.ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #orders: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;

  constructor(url: string, { clients, warmUp, measured }: typeof LOADS[number]) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        `--config=${fileURLToPath(new URL("deno.json", import.meta.url))}`,
        "-A",
        fileURLToPath(new URL("allocations_client.ts", import.meta.url)),
        url,
        ...[clients, warmUp, measured].map(String),
      ],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const output = Readable.fromWeb(this.#child.stdout as Parameters<typeof Readable.fromWeb>[0]);
    this.#lines = createInterface(output)[Symbol.asyncIterator]();
    this.#orders = this.#child.stdin.getWriter();
  }

  /** Resolves when the warm-up is over. */
  async warmUp(): Promise<void> {
    await this.#answer("ready");
  }

  /** Submits the measured hashes; resolves when all are attested. */
  async submit(): Promise<void> {
    await this.#orders.write(utf8("submit\n"));
    await this.#answer("done");
  }

  async end(): Promise<void> {
    await this.#orders.close();
    await this.#child.status;
  }

  async #answer(expected: string): Promise<void> {
    const { value } = await this.#lines.next();
    if (value !== expected) throw new Error(`Cannot measure: the clients have ended (${value})`);
  }
}

/** All bytes that this thread has allocated on its heap. */
function allocatedBytes(): number {
  const { total_allocated_bytes: bytes } = getHeapStatistics() as {
    total_allocated_bytes?: number;
  };
  if (bytes === undefined) throw new Error("Cannot measure: this runtime counts no allocations");
  return bytes;
}

async function measured(run: () => Promise<void>, count: number): Promise<Cost> {
  const bytes = allocatedBytes();
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return {
    kib: Number(((allocatedBytes() - bytes) / 1_024 / count).toFixed(2)),
    us: Math.round((user + system) / count),
  };
}

async function startGateway(data: string, stop: AbortSignal): Promise<{
  readonly url: string;
  readonly ended: Promise<number>;
}> {
  const banner = Promise.withResolvers<string>();
  const ended = serveGateway(
    {
      ...SERVE_DEFAULTS,
      port: 0,
      data,
      insecure: false,
      batchMaxAgeMs: 600_000,
      batchMaxLeaves: HEAD_LEAVES,
      logLevel: "warning",
    },
    { ...systemIo, out: (text) => banner.resolve(text) },
    stop,
  );
  const text = await Promise.race([banner.promise, ended.then(String)]);
  const url = /http:\/\/[0-9.]+:[0-9]+/.exec(text)?.[0];
  if (url === undefined) throw new Error(`Cannot measure: the gateway did not start: ${text}`);
  return { url, ended };
}

async function costsOf(url: string): Promise<Costs> {
  const costs: Costs = {};
  for (const load of LOADS) {
    const clients = new Clients(url, load);
    await clients.warmUp();
    costs[load.clients] = await measured(() => clients.submit(), load.measured);
    await clients.end();
  }
  return costs;
}

async function printStages(url: string, count: number): Promise<void> {
  const load = LOADS.find(({ clients }) => clients === count);
  if (load === undefined) throw new Error(`No load of ${count} clients`);
  const clients = new Clients(url, load);
  await clients.warmUp();
  await clients.submit();
  const stages = await stagesOf(() => clients.submit());
  await clients.end();
  const kib = (bytes: number) => (bytes / 1_024 / load.measured).toFixed(1);
  const all = [...stages.values()].reduce((sum, bytes) => sum + bytes, 0);
  const rows = [...stages, ["all", all] as const].map(([stage, bytes]) => [stage, kib(bytes)]);
  systemIo.out(markdownTable(["stage", "KiB"], rows));
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stages: { type: "string" },
      check: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
    },
  });
  const folder = await Deno.makeTempDir({ prefix: "countersign-bench-" });
  const stop = new AbortController();
  const { url, ended } = await startGateway(folder, stop.signal);
  let excess: string[] = [];
  if (values.stages !== undefined) await printStages(url, Number(values.stages));
  else {
    const recorded = JSON.parse(await Deno.readTextFile(RECORD)) as Costs;
    const costs = await costsOf(url);
    const rows = Object.entries(costs).map(([clients, { kib, us }]) => [
      clients,
      threeDigits(kib),
      threeDigits(recorded[clients]!.kib),
      threeDigits(us),
      threeDigits(recorded[clients]!.us),
    ]);
    systemIo.out(markdownTable(["clients", "KiB", "recorded", "us", "recorded"], rows));
    if (values.record) await Deno.writeTextFile(RECORD, `${JSON.stringify(costs, null, 2)}\n`);
    excess = Object.keys(costs)
      .filter((clients) => costs[clients]!.kib > TOLERATED * recorded[clients]!.kib);
  }
  stop.abort();
  await ended;
  await Deno.remove(folder, { recursive: true });
  if (!values.check || excess.length === 0) return;
  systemIo.err(`A submission of ${excess.join(", ")} clients allocates 15 % more than recorded`);
  process.exitCode = 1;
}

await main();
