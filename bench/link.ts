/**
 * Measures a sequencer with synthetic fronts in other threads.
 *
 *     deno run --config bench/deno.json -A bench/link.ts [--store]
 *
 * Without `--store`, the sequencer assigns at once and stores nothing: this is the most that a link can
 * carry. With it, the sequencer is a gateway's, with a store in a temporary folder and embedded witnesses:
 * the time ends when all digests are confirmed and a published head covers them, after at most 100 ms.
 *
 * @module
 */

import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { type AssignRequest, NO_ANCHORS_STATE } from "../src/gateway/fronts/ports.ts";
import type { SequencerService } from "../src/gateway/fronts/gateway_sequencer.ts";
import type { Follower, Snapshot } from "../src/gateway/fronts/ports.ts";
import { LinkedFronts } from "../src/gateway/link/thread_link_fronts.ts";
import { newLinkEnds, newLinkMemory } from "../src/gateway/link/thread_link_ends.ts";
import { systemClock } from "../src/base/clock.ts";
import { threeEpochs } from "../tests/proof/verify/test_succession.ts";
import { threadCpuMsOf } from "./load/process_usage.ts";
import { createTrial, startTrial } from "./trial_gateway.ts";
import { markdownTable } from "./markdown_table.ts";
import type { LinkLoad, LinkResult } from "./link_front.ts";

const MILLISECONDS = 3_000;
const LOADS = [
  { fronts: 1, clients: 1, digests: 1 },
  { fronts: 1, clients: 64, digests: 1 },
  { fronts: 1, clients: 512, digests: 1 },
  { fronts: 2, clients: 512, digests: 1 },
  { fronts: 4, clients: 1024, digests: 1 },
  { fronts: 8, clients: 2048, digests: 1 },
  { fronts: 1, clients: 16, digests: 1_000 },
  { fronts: 4, clients: 64, digests: 1_000 },
];

const LOAD = { formed: 0, unformed: 0, backlog: 0, answerMs: 0, isHeld: false };

const SNAPSHOT: Snapshot = {
  durable: 0,
  confirmed: { end: 0, beyond: [] },
  tree: { head: { size: 0, root: new Uint8Array(32) }, edges: [] },
  latest: undefined,
  checkpoint: undefined,
  health: { status: "ok", isSigning: true, unacknowledged: "none" },
  load: LOAD,
  failing: [],
  status: { witnesses: [], pending: 0 },
  anchors: NO_ANCHORS_STATE,
  index: { key: new Uint8Array(8), filters: [], runs: [] },
  epochs: { network: threeEpochs().epochs[0].configuration, links: [] },
};

/** Assigns consecutive sequences, and answers what came in one turn of the event loop together. */
class InstantSequencer implements SequencerService {
  readonly #followers = new Set<Follower>();
  #waiting: (() => void)[] = [];
  #next = 0;

  assign({ digests }: AssignRequest, done: (sequences: readonly number[]) => void): void {
    const sequences = Array.from({ length: digests.length / 32 }, () => this.#next++);
    this.#waiting.push(() => done(sequences));
    if (this.#waiting.length === 1) void setImmediate().then(() => this.#answer());
  }

  follow(follower: Follower, signal: AbortSignal): void {
    follower.joined(SNAPSHOT);
    this.#followers.add(follower);
    signal.addEventListener("abort", () => this.#followers.delete(follower), { once: true });
  }

  snapshot(): Snapshot {
    return SNAPSHOT;
  }

  #answer(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const follower of this.#followers) follower.accepted(this.#next, LOAD);
    for (const answer of waiting) answer();
  }
}

/** A sequencer to measure. */
interface MeasuredSequencer {
  readonly service: SequencerService;
  /** Resolves when all accepted digests are confirmed and published. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

async function storingSequencer(): Promise<MeasuredSequencer> {
  const folder = await Deno.makeTempDir({ prefix: "countersign-link-" });
  await createTrial(folder);
  const { gateway, stop } = await startTrial(folder, { maxAgeMs: 100, maxLeaves: 16_384 });
  const isSettled = () => {
    const accepted = gateway.eventLog.accepted;
    return gateway.log.latest()?.sth.tree_head.tree_size === accepted;
  };
  return {
    service: gateway.sequencer,
    async settled() {
      while (!isSettled()) await systemClock.sleep(5);
    },
    async stop() {
      await stop();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function instantSequencer(): MeasuredSequencer {
  const nothing = () => Promise.resolve();
  return { service: new InstantSequencer(), settled: nothing, stop: nothing };
}

interface Measured {
  readonly results: readonly LinkResult[];
  readonly milliseconds: number;
  /** Processor time in microseconds of this thread, which is the sequencer's. */
  readonly threadMicroseconds: number;
}

async function measure(
  sequencer: MeasuredSequencer,
  load: typeof LOADS[number],
): Promise<Measured> {
  const startMs = performance.now();
  const startCpuMs = threadCpuMs();
  const memory = newLinkMemory();
  const fronts = new LinkedFronts(sequencer.service, memory);
  const clients = load.clients / load.fronts;
  const results = await Promise.all(Array.from({ length: load.fronts }, (_, front) => {
    const worker = new Worker(new URL("./link_front.ts", import.meta.url), { type: "module" });
    const { sequencerEnd, frontEnd: end } = newLinkEnds(memory, front);
    fronts.add(sequencerEnd);
    const order: LinkLoad = { end, clients, digests: load.digests, milliseconds: MILLISECONDS };
    return new Promise<LinkResult>((resolve) => {
      worker.onmessage = ({ data }) => {
        worker.terminate();
        resolve(data);
      };
      worker.postMessage(order, [end.port]);
    });
  }));
  await sequencer.settled();
  const milliseconds = performance.now() - startMs;
  fronts.close();
  return { results, milliseconds, threadMicroseconds: (threadCpuMs() - startCpuMs) * 1_000 };
}

/** Of the main thread, whose id is that of the process; `NaN` where the system does not say. */
function threadCpuMs(): number {
  return threadCpuMsOf(Deno.pid).get(String(Deno.pid)) ?? NaN;
}

const stores = Deno.args.includes("--store");
const rows: string[][] = [];
for (const load of LOADS) {
  const sequencer = await (stores ? storingSequencer() : instantSequencer());
  const before = process.cpuUsage();
  const { results, milliseconds, threadMicroseconds } = await measure(sequencer, load);
  const used = process.cpuUsage(before);
  const requests = results.reduce((sum, { requests }) => sum + requests, 0);
  const digests = requests * load.digests;
  rows.push([
    `${load.fronts}`,
    `${load.clients}`,
    `${load.digests}`,
    `${Math.round(requests * 1_000 / milliseconds)}`,
    `${Math.round(digests * 1_000 / milliseconds)}`,
    results[0]!.medianMs.toFixed(3),
    (threadMicroseconds / digests).toFixed(2),
    ((used.user + used.system) / digests).toFixed(2),
  ]);
  await sequencer.stop();
}

const table = markdownTable(
  [
    "fronts",
    "clients",
    "digests each",
    "requests/s",
    "digests/s",
    "median ms",
    "CPU us a digest: sequencer's thread",
    "all threads",
  ],
  rows,
);
process.stdout.write(`${table}\n`);
