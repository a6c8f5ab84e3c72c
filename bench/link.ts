/**
 * Measures the link between a sequencer and synthetic fronts in other threads. The sequencer assigns at once
 * and stores nothing, so this is the most that a link can carry.
 *
 *     deno run --config bench/deno.json -A bench/link.ts
 *
 * @module
 */

import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { type AssignRequest, NO_ANCHORS_STATE } from "../src/gateway/fronts/ports.ts";
import type { Follower, SequencerService, Snapshot } from "../src/gateway/fronts/ports.ts";
import { LinkedFronts } from "../src/transport/thread_link_fronts.ts";
import { newLinkEnds, newLinkMemory } from "../src/transport/thread_link_ends.ts";
import { markdownTable } from "./markdown_table.ts";
import type { LinkLoad, LinkResult } from "./link_front.ts";

const MILLISECONDS = 3_000;
const LOADS = [
  { fronts: 1, clients: 1, digests: 1 },
  { fronts: 1, clients: 64, digests: 1 },
  { fronts: 1, clients: 512, digests: 1 },
  { fronts: 2, clients: 512, digests: 1 },
  { fronts: 1, clients: 16, digests: 1_000 },
];

const LOAD = { unformed: 0, backlog: 0, answerMs: 0, isHeld: false };

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
    if (signal.aborted) return;
    this.#followers.add(follower);
    signal.addEventListener("abort", () => this.#followers.delete(follower), { once: true });
  }

  #answer(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const follower of this.#followers) follower.accepted(this.#next, LOAD);
    for (const answer of waiting) answer();
  }
}

async function measure(load: typeof LOADS[number]): Promise<LinkResult[]> {
  const memory = newLinkMemory();
  const fronts = new LinkedFronts(new InstantSequencer(), memory);
  const clients = load.clients / load.fronts;
  const results = await Promise.all(Array.from({ length: load.fronts }, (_, front) => {
    const { sequencerEnd, frontEnd: end } = newLinkEnds(memory, front);
    fronts.add(sequencerEnd);
    const worker = new Worker(new URL("./link_front.ts", import.meta.url), { type: "module" });
    const order: LinkLoad = { end, clients, digests: load.digests, milliseconds: MILLISECONDS };
    return new Promise<LinkResult>((resolve) => {
      worker.onmessage = ({ data }) => {
        worker.terminate();
        resolve(data);
      };
      worker.postMessage(order, [end.port]);
    });
  }));
  fronts.close();
  return results;
}

const rows: string[][] = [];
for (const load of LOADS) {
  const before = process.cpuUsage();
  const results = await measure(load);
  const used = process.cpuUsage(before);
  const requests = results.reduce((sum, { requests }) => sum + requests, 0);
  const perSecond = Math.round(requests * 1_000 / MILLISECONDS);
  rows.push([
    `${load.fronts}`,
    `${load.clients}`,
    `${load.digests}`,
    `${perSecond}`,
    `${perSecond * load.digests}`,
    results[0]!.medianMs.toFixed(3),
    ((used.user + used.system) / requests).toFixed(1),
  ]);
}

const table = markdownTable(
  ["fronts", "clients", "digests each", "requests/s", "digests/s", "median ms", "CPU us a request"],
  rows,
);
process.stdout.write(`${table}\n`);
