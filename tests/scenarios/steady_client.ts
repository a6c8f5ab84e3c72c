/**
 * A client that submits one hash after the other at a steady pace, and keeps every answer.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { IS_LONG } from "../long_runs.ts";
import { type GatewayAnswer, isAccepted } from "./fork_checks.ts";

const PAUSE_MS = IS_LONG ? 20 : 60;

export class SteadyClient implements AsyncDisposable {
  readonly answers: GatewayAnswer[] = [];
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;

  /**
   * @param options.accepted collects the hashes that are answered with 2xx
   * @param options.count how many hashes are submitted; all until {@linkcode SteadyClient.stop} by default
   */
  constructor(
    url: string,
    seed: string,
    { accepted = new Set<string>(), count = Infinity }: {
      readonly accepted?: Set<string>;
      readonly count?: number;
    } = {},
  ) {
    this.#running = this.#run(url, { seed, accepted, count });
    // A failure is reported by stop(), also when it comes earlier.
    this.#running.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Stops, and leaves failures to {@linkcode SteadyClient.stop}. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop().catch(() => {});
  }

  async #run(
    url: string,
    { seed, accepted, count }: {
      readonly seed: string;
      readonly accepted: Set<string>;
      readonly count: number;
    },
  ): Promise<void> {
    for (let i = 0; i < count && !this.#stop.signal.aborted; i++) {
      const hash = createHash("sha256").update(`${seed} ${i}`).digest("hex");
      const sentMs = performance.now();
      const response = await fetch(new URL("/v1/attestations", url), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ hash }),
      });
      const { code } = JSON.parse(await response.text());
      const answer = { sentMs, answeredMs: performance.now(), status: response.status, code };
      this.answers.push(answer);
      if (isAccepted(answer)) accepted.add(hash);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }
}
