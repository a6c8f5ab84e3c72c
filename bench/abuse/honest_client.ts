/**
 * The honest client: it submits a new hash at fixed intervals from an address that only it has, and
 * measures each from when it was due.
 *
 * @module
 */

import { Agent, request } from "node:http";
import { randomDigests } from "../digests.ts";

const ADDRESS = "127.0.0.2";
const WAIT_SECONDS = 5;
/** Milliseconds after which a request without an answer counts as failed. */
const TIMEOUT_MS = 30_000;
const LOOK_MS = 20;
/** Connections that stay open between requests. */
const MOST_IDLE = 4;

/** When a measurement ends: with the signatures, or with a published tree head over the hash. */
export type HonestGoal = "confirmed" | "published";

/** One hash. Times are those of `performance.now()`. */
export interface HonestSample {
  readonly dueMs: number;
  /** Absent until it is there. */
  tookMs?: number;
  /** True if the answer was missing or not the expected one. */
  isFailed?: true;
}

export class HonestClient {
  readonly samples: HonestSample[] = [];
  readonly #url: URL;
  readonly #goal: HonestGoal;
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: MOST_IDLE });
  readonly #timer: ReturnType<typeof setInterval>;
  #unanswered = 0;
  /** Samples that wait for a head, by sequence. */
  readonly #unpublished = new Map<number, HonestSample>();
  #isLooking = false;

  /** Submits `perSecond` hashes a second to the gateway at `url` from now on. */
  constructor(url: URL, goal: HonestGoal, perSecond: number) {
    this.#url = url;
    this.#goal = goal;
    const intervalMs = 1_000 / perSecond;
    let dueMs = performance.now();
    this.#timer = setInterval(() => {
      for (; dueMs <= performance.now(); dueMs += intervalMs) void this.#submit({ dueMs });
    }, Math.min(5, intervalMs));
  }

  /** Submits no more, and resolves when all is answered. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const deadlineMs = performance.now() + TIMEOUT_MS;
    while (this.#unanswered > 0 && performance.now() < deadlineMs) await pause(LOOK_MS);
    this.#agent.destroy();
  }

  async #submit(sample: HonestSample): Promise<void> {
    this.samples.push(sample);
    this.#unanswered++;
    try {
      const hash = randomDigests(1).toHex();
      const answer = await this.#ask("POST", "/v1/attestations", JSON.stringify({ hash }));
      const job = JSON.parse(answer);
      if (job.status !== "confirmed") sample.isFailed = true;
      else if (this.#goal === "published") {
        this.#unpublished.set(job.signed_attestation.attestation.sequence, sample);
        void this.#lookForHeads();
        return;
      }
    } catch {
      sample.isFailed = true;
    }
    this.#end(sample);
  }

  #end(sample: HonestSample): void {
    sample.tookMs = performance.now() - sample.dueMs;
    this.#unanswered--;
  }

  async #lookForHeads(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const startMs = performance.now();
    while (this.#unpublished.size > 0 && performance.now() - startMs < TIMEOUT_MS) {
      await pause(LOOK_MS);
      const size = await this.#treeSize();
      for (const [sequence, sample] of this.#unpublished) {
        if (sequence >= size) continue;
        this.#unpublished.delete(sequence);
        this.#end(sample);
      }
    }
    this.#isLooking = false;
  }

  async #treeSize(): Promise<number> {
    try {
      return JSON.parse(await this.#ask("GET", "/v1/log/sth")).tree_head.tree_size;
    } catch {
      return 0;
    }
  }

  /** The body of an answer with status 200; rejects on any other. */
  #ask(method: string, path: string, body?: string): Promise<string> {
    const { hostname, port } = this.#url;
    return new Promise((resolve, reject) => {
      const sent = request({
        agent: this.#agent,
        host: hostname,
        port: Number(port),
        localAddress: ADDRESS,
        path,
        method,
        timeout: TIMEOUT_MS,
        headers: {
          ...(body !== undefined && {
            "Content-Type": "application/json",
            "Content-Length": body.length,
            "Prefer": `wait=${WAIT_SECONDS}`,
          }),
        },
      }, (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => text += part);
        answer.once("error", reject);
        answer.once("end", () => {
          if (answer.statusCode === 200) resolve(text);
          else reject(new Error(`Status 200 expected, ${answer.statusCode} received`));
        });
      });
      sent.once("error", reject);
      sent.once("timeout", () => sent.destroy());
      sent.end(body);
    });
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
