/**
 * Measures a gateway over an existing log in a new process, and prints the results as one line of
 * JSON:
 *
 *     growth_probe.ts FOLDER
 *
 * The log grows by some batches of 1,024 at the end. Other programs change times, but hardly the time that
 * the system gives to this thread.
 *
 * @module
 */

import process from "node:process";
import { type Bytes, textOf } from "../src/base/bytes.ts";
import { systemIo } from "../src/server/io.ts";
import { systemClock } from "../src/base/clock.ts";
import { parseAttestation } from "../src/proof/format/attestation.ts";
import type { Gateway } from "../src/gateway/gateway.ts";
import { TILE_WIDTH, tileWidth } from "../src/proof/merkle/tile.ts";
import { randomDigests } from "./digests.ts";
import { entriesOf } from "./load/entry_bundle.ts";
import { quantile } from "./quantiles.ts";
import { startTrial } from "./trial_gateway.ts";

/** Number of timed reads of each kind, and of closed batches. */
const READS = 2_000;
/** Reads between two turns of the event loop: without them the gateway would report its witnesses as silent. */
const READS_AT_ONCE = 50;
const BATCHES = 8;
const BATCH = 1_024;
/** Leaves at the end of the log that count as recent. */
const RECENT = 4_096;
const HEADS = 200;
const WAIT_SECONDS = 30;

/** Times of one kind of operation. */
export interface Times {
  /** Microseconds of the thread, the mean. */
  readonly threadUs: number;
  /** Milliseconds that a caller waits. */
  readonly p50: number;
  readonly p99: number;
}

/** The results of a probe. */
export interface ProbeReport {
  /** Leaves before the batches were added. */
  readonly size: number;
  readonly startMs: number;
  /** Milliseconds of all threads. */
  readonly startCpuMs: number;
  /** Of this process after its start and at the end. */
  readonly startedBytes: number;
  readonly residentBytes: number;
  readonly operations: Readonly<Record<string, Times>>;
}

type Operation = (gateway: Gateway) => unknown;

/** Each read with its argument, which is chosen before the time is taken. */
async function readsOf(gateway: Gateway, size: number): Promise<Record<string, () => Operation>> {
  const heads = await anyHeads(gateway, size);
  const below = (limit: number) => Math.floor(Math.random() * limit);
  const present = await presentDigests(gateway, size, size);
  // Each is read once: a second read would find it in memory.
  const bundled = (await presentDigests(gateway, size, size)).values();
  const proved = (await presentDigests(gateway, size, size)).values();
  const latest = await presentDigests(gateway, size, RECENT);
  return {
    "look-up, present": () => {
      const digest = present[below(present.length)]!;
      return (gateway) => gateway.eventLog.sequenceOf(digest.toHex());
    },
    "look-up, absent": () => {
      const digest = randomDigests(1);
      return (gateway) => gateway.eventLog.sequenceOf(digest.toHex());
    },
    "job, any": () => {
      const sequence = below(size);
      return async (gateway) => await gateway.jobs.snapshot(sequence);
    },
    "bundle, any": () => {
      const hash = bundled.next().value!.toHex();
      return async (gateway) => await gateway.proofs.bundle(hash);
    },
    "inclusion proof, recent": () => {
      const hash = latest[below(latest.length)]!.toHex();
      return (gateway) => gateway.proofs.inclusion(hash, size);
    },
    "inclusion proof, any": () => {
      const hash = proved.next().value!.toHex();
      return (gateway) => gateway.proofs.inclusion(hash, size);
    },
    "consistency proof": () => {
      const first = heads[below(heads.length)]!;
      return (gateway) => gateway.log.consistency(first, size);
    },
  };
}

/** Sizes of published heads anywhere in the log. */
async function anyHeads(gateway: Gateway, size: number): Promise<number[]> {
  const sizes: number[] = [];
  for (let i = 0; i < HEADS; i++) {
    const [batch] = await gateway.log.batches(Math.ceil(Math.random() * size) + 1, 1);
    if (batch !== undefined) sizes.push(batch.tree_size);
  }
  return [...sizes, size];
}

/** Digests of leaves anywhere in the log, from its entries. */
async function presentDigests(gateway: Gateway, size: number, latest: number): Promise<Bytes[]> {
  const digests: Bytes[] = [];
  for (let i = 0; i < READS; i++) {
    const sequence = size - 1 - Math.floor(Math.random() * Math.min(size, latest));
    const index = Math.floor(sequence / TILE_WIDTH);
    const bundle = await gateway.log.entries(index, tileWidth(0, index, size));
    const entry = entriesOf(bundle!)[sequence % TILE_WIDTH]!;
    if (i % READS_AT_ONCE === 0) await systemClock.sleep(0);
    digests.push(Uint8Array.fromHex(parseAttestation(textOf(entry)).hash));
  }
  return digests;
}

async function timesOf(count: number, run: () => Promise<number>): Promise<Times> {
  const times: number[] = [];
  let spentUs = 0;
  while (times.length < count) {
    await systemClock.sleep(0);
    const start = threadUs();
    const end = Math.min(count, times.length + READS_AT_ONCE);
    while (times.length < end) times.push(await run());
    spentUs += threadUs() - start;
  }
  return {
    threadUs: spentUs / count,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

/** Microseconds that the system gave to this thread: `process.threadCpuUsage()` counts in 10,000. */
function threadUs(): number {
  return Number(Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ")[0]) / 1_000;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Times a batch from its last confirmation to its published head. */
async function closeBatch(gateway: Gateway, first: number): Promise<number> {
  const sequences = await gateway.jobs.accept(randomDigests(BATCH));
  await gateway.jobs.settled(sequences, WAIT_SECONDS);
  return await timed(async () => {
    while (await gateway.log.sthAt(first + BATCH) === undefined) await systemClock.sleep(0);
  });
}

async function probe(folder: string): Promise<ProbeReport> {
  const start = performance.now();
  const trial = await startTrial(folder, { maxAgeMs: 3_600_000, maxLeaves: BATCH });
  const startMs = performance.now() - start;
  const { user, system } = process.cpuUsage();
  const { gateway } = trial;
  const startedBytes = Deno.memoryUsage().rss;
  const size = gateway.log.latest()?.sth.tree_head.tree_size ?? 0;
  const operations: Record<string, Times> = {};
  if (size > 0) {
    for (const [name, choose] of Object.entries(await readsOf(gateway, size))) {
      operations[name] = await timesOf(READS, () => {
        const operation = choose();
        return timed(async () => await operation(gateway));
      });
    }
  }
  let end = size;
  operations[`close a batch of ${BATCH}`] = await timesOf(BATCHES, () => {
    end += BATCH;
    return closeBatch(gateway, end - BATCH);
  });
  const residentBytes = Deno.memoryUsage().rss;
  await trial.stop();
  return {
    size,
    startMs,
    startCpuMs: (user + system) / 1_000,
    startedBytes,
    residentBytes,
    operations,
  };
}

if (import.meta.main) systemIo.out(JSON.stringify(await probe(Deno.args[0]!)));
