/**
 * Shows the progress of a run in one overwritten line of a terminal.
 *
 * @module
 */

import { utf8 } from "../../src/base/bytes.ts";
import { threeDigits } from "../markdown_table.ts";
import type { RunObserver } from "./load_run.ts";
import type { Tally } from "./tally.ts";

export class Progress implements RunObserver {
  readonly everyMs = 500;
  readonly #what: string;
  readonly #hashes: number;
  #accepted = 0;
  #atMs = 0;

  constructor(scenario: string, connections: number, hashes: number) {
    this.#what = `${scenario} on ${connections}`;
    this.#hashes = hashes;
  }

  started(nowMs: number): void {
    this.#accepted = 0;
    this.#atMs = nowMs;
  }

  look({ acceptedInAll, latency }: Tally, nowMs: number): void {
    const rate = (acceptedInAll - this.#accepted) * this.#hashes * 1000 / (nowMs - this.#atMs);
    this.#accepted = acceptedInAll;
    this.#atMs = nowMs;
    const p99 = latency.count === 0 ? "" : `, p99 ${threeDigits(latency.quantile(0.99))} ms`;
    // Back to the start, and clear to the end of the line.
    Deno.stderr.writeSync(utf8(`${this.#what}: ${threeDigits(rate)} hashes/s${p99}\x1b[K\r`));
  }
}
