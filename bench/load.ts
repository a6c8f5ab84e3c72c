/**
 * Load on a gateway over HTTP, beside a bare echo server with answers of the same size:
 *
 *     deno task bench:load [--seconds 2] [--connections 1,16,64,512] [--scheme bls]
 *         [--only NAME] [--json]
 *
 * The generator, the gateway and the echo server are processes of one machine and share it: what
 * carries over to another is the ratio, and the processor time of a hash.
 *
 * @module
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemIo } from "../src/cli/io.ts";
import { systemClock } from "../src/clock.ts";
import { textOf } from "../src/bytes.ts";
import { parseNetwork } from "../src/format/network.ts";
import { encodeRequest, HttpConnection } from "./http_connection.ts";
import { type LoadResult, runLoad } from "./load_run.ts";
import {
  type Ask,
  bulkRequest,
  lookUps,
  randomHashes,
  type Scenario,
  submissions,
} from "./load_scenarios.ts";
import { markdownTable, threeDigits } from "./markdown_table.ts";
import { quantile } from "./quantiles.ts";
import { type ServerProcess, startEcho, startGateway } from "./server_process.ts";

/** Jobs that are looked up: what the gateway has in memory. */
const LOOKED_UP = 10_000;
const BULK = 1_000;

/** One line of the table. */
interface Measurement {
  readonly scenario: string;
  readonly connections: number;
  readonly hashesPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
  readonly answerBytes: number;
  /** Microseconds of processor time that a hash cost the gateway; `null` where it is not told. */
  readonly cpuMicroseconds: number | null;
  /** Of the echo server, with the same requests. */
  readonly echoHashesPerSecond: number;
  readonly verified: number;
}

const HEADER = [
  "scenario",
  "connections",
  "hashes/s",
  "p50 ms",
  "p99 ms",
  "refused",
  "answer B",
  "CPU us/hash",
  "echo/s",
  "of echo",
  "verified",
];

async function measure(
  scenario: Scenario,
  load: { readonly connections: number; readonly seconds: number },
  gateway: ServerProcess,
  ask: Ask,
): Promise<Measurement> {
  const cpuBefore = await gateway.cpuMs();
  const result = await runLoad(gateway.address, load, () => scenario.next());
  await drained(ask);
  const cpuAfter = await gateway.cpuMs();
  for (const sample of result.samples) await scenario.verify(sample, ask);
  const echo = await measureEcho(scenario, load, result);
  return {
    scenario: scenario.name,
    connections: load.connections,
    hashesPerSecond: result.rate * scenario.hashes,
    p50Ms: quantile(result.times, 0.5),
    p99Ms: quantile(result.times, 0.99),
    refused: result.refused,
    answerBytes: result.bodyLength,
    cpuMicroseconds: cpuBefore === undefined || cpuAfter === undefined
      ? null
      : (cpuAfter - cpuBefore) * 1000 / (result.answers * scenario.hashes),
    echoHashesPerSecond: echo.rate * scenario.hashes,
    verified: result.samples.length,
  };
}

async function measureEcho(
  scenario: Scenario,
  load: { readonly connections: number; readonly seconds: number },
  { bodyLength }: LoadResult,
): Promise<LoadResult> {
  const echo = await startEcho(bodyLength);
  try {
    return await runLoad(echo.address, load, () => scenario.next());
  } finally {
    await echo.stop();
  }
}

/** Resolves when every accepted job is confirmed: no run pays for the one before. */
async function drained(ask: Ask): Promise<void> {
  while (JSON.parse(await ask("/v1/status")).pending_count > 0) await systemClock.sleep(50);
}

async function published(ask: Ask, size: number): Promise<void> {
  while (JSON.parse(await ask("/v1/log/sth")).tree_head.tree_size < size) {
    await systemClock.sleep(50);
  }
}

function asker(connection: HttpConnection): Ask {
  return async (path, prefer) => {
    const request = encodeRequest("GET", path, prefer === undefined ? {} : { prefer });
    const { status, body } = await connection.exchange(request);
    if (status !== 200) {
      throw new Error(`Cannot read ${path}: status 200 required, found ${status}`);
    }
    return textOf(body);
  };
}

/** Submits what is looked up later, and waits until it is in the log. */
async function submitLookedUp(connection: HttpConnection, ask: Ask): Promise<string[]> {
  const hashes = randomHashes(LOOKED_UP);
  let last = "";
  for (let at = 0; at < hashes.length; at += BULK) {
    const { body } = await connection.exchange(bulkRequest(hashes.slice(at, at + BULK)));
    last = textOf(body);
  }
  await published(ask, JSON.parse(last).at(-1).signed_attestation.attestation.sequence + 1);
  return hashes;
}

function row(line: Measurement): string[] {
  return [
    line.scenario,
    String(line.connections),
    threeDigits(line.hashesPerSecond),
    threeDigits(line.p50Ms),
    threeDigits(line.p99Ms),
    String(line.refused),
    String(line.answerBytes),
    threeDigits(line.cpuMicroseconds ?? NaN),
    threeDigits(line.echoHashesPerSecond),
    threeDigits(line.hashesPerSecond / line.echoHashesPerSecond),
    String(line.verified),
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "2" },
      connections: { type: "string", default: "1,16,64,512" },
      scheme: { type: "string", default: "ed25519" },
      only: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const seconds = Number(values.seconds);
  const folder = await Deno.makeTempDir({ prefix: "countersign-load-" });
  const scheme = values.scheme === "bls" ? "bls" : "ed25519";
  const gateway = await startGateway(join(folder, "data"), scheme);
  const connection = await HttpConnection.open(gateway.address);
  const lines: Measurement[] = [];
  try {
    const ask = asker(connection);
    const network = parseNetwork(await ask("/v1/network"));
    const run = async (scenarios: readonly Scenario[]) => {
      for (const scenario of scenarios) {
        if (values.only !== undefined && scenario.name !== values.only) continue;
        for (const connections of values.connections.split(",").map(Number)) {
          const load = { connections, seconds };
          const line = await measure(scenario, load, gateway, ask);
          lines.push(line);
          systemIo.err(row(line).join("  "));
        }
      }
    };
    await run(submissions(network));
    await run(lookUps(network, await submitLookedUp(connection, ask)));
  } finally {
    connection.close();
    await gateway.stop();
    await Deno.remove(folder, { recursive: true });
  }
  systemIo.out(
    values.json ? JSON.stringify(lines, undefined, 2) : markdownTable(HEADER, lines.map(row)),
  );
}

await main();
