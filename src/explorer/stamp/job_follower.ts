/**
 * Submits a hash and follows its job to the end: signed, in the log, anchored. Everything is asked
 * again when the gateway was away; submitting is idempotent.
 *
 * @module
 */

import type { ProofBundle } from "../../format/bundle.ts";
import type { JobSnapshotMembers } from "../../format/job_snapshot.ts";
import type { Answer, Api } from "../api.ts";
import type { GatewayStatus } from "../../client/gateway_status.ts";
import { patiently, type Pauses } from "./patience.ts";

/** Seconds that the gateway is asked to hold an answer (protocol.md "Requests"). */
const SUBMIT_WAIT_SECONDS = 3;
const JOB_WAIT_SECONDS = 10;

/** Milliseconds between looks at what no answer waits for. */
const BATCH_LOOK_MS = 2_000;
const ANCHOR_LOOK_MS = 5_000;

/** So long a page looks out for anchors: a calendar may take hours. */
const ANCHOR_LOOKS = 120;

/** What is known of a job. */
export interface Followed {
  readonly job?: JobSnapshotMembers;
  readonly bundle?: Answer<ProofBundle>;
  /** Who may anchor the log, as the gateway says. */
  readonly anchoring?: Anchoring;
  /** Why the gateway cannot be asked at the moment. */
  readonly lost?: unknown;
}

/** The peers and external services of a gateway. */
export type Anchoring = Pick<GatewayStatus, "peers" | "anchors">;

/** What following takes. */
export interface FollowerParts extends Pauses {
  readonly api: Pick<Api, "submit" | "job" | "bundle" | "status">;
  /** Told of everything new. */
  readonly report: (followed: Followed) => void;
}

/**
 * Resolves when nothing more is to be expected. Rejects with what no patience mends, and with the
 * signal's reason.
 */
export async function followJob(
  hash: string,
  parts: FollowerParts,
  signal: AbortSignal,
): Promise<void> {
  await new JobFollower(hash, parts, signal).follow();
}

/** One run of {@linkcode followJob}. */
class JobFollower {
  readonly #hash: string;
  readonly #parts: FollowerParts;
  readonly #signal: AbortSignal;
  #followed: Followed = {};

  constructor(hash: string, parts: FollowerParts, signal: AbortSignal) {
    this.#hash = hash;
    this.#parts = parts;
    this.#signal = signal;
  }

  async follow(): Promise<void> {
    const { api } = this.#parts;
    const [hash, signal] = [this.#hash, this.#signal];
    let job = await this.#ask(() => api.submit(hash, SUBMIT_WAIT_SECONDS, signal));
    this.#learn({ job });
    while (job.status === "pending" || job.status === "retryable") {
      job = await this.#ask(() => api.job(hash, JOB_WAIT_SECONDS, signal));
      this.#learn({ job });
    }
    if (job.status === "failed") return;
    let bundle = await this.#bundle();
    while (bundle.value.batch_inclusion === null) {
      await this.#wait(BATCH_LOOK_MS);
      bundle = await this.#bundle();
    }
    this.#learn({ job: await this.#ask(() => api.job(hash, 0, signal)) });
    await this.#awaitAnchors();
  }

  async #awaitAnchors(): Promise<void> {
    const { api } = this.#parts;
    const { peers, anchors } = await this.#ask(() => api.status(this.#signal));
    this.#learn({ anchoring: { peers, anchors } });
    for (let look = 0; look < ANCHOR_LOOKS; look++) {
      const { value } = await this.#bundle();
      if (isAnchored(value, { peers, anchors })) return;
      await this.#wait(ANCHOR_LOOK_MS);
    }
  }

  async #bundle(): Promise<Answer<ProofBundle>> {
    const { api } = this.#parts;
    const bundle = await this.#askWhole(() => api.bundle(this.#hash, this.#signal));
    // What stays the same is kept as the same value, so that nobody verifies it twice.
    if (bundle.text !== this.#followed.bundle?.text) this.#learn({ bundle });
    return this.#followed.bundle!;
  }

  async #ask<T>(ask: () => Promise<Answer<T>>): Promise<T> {
    return (await this.#askWhole(ask)).value;
  }

  #askWhole<T>(ask: () => Promise<Answer<T>>): Promise<Answer<T>> {
    return patiently(ask, this.#parts, {
      onLost: (lost) => this.#learn({ lost }),
      onFound: () => {
        const { lost: _, ...rest } = this.#followed;
        this.#followed = rest;
        this.#learn({});
      },
    }, this.#signal);
  }

  async #wait(ms: number): Promise<void> {
    await this.#parts.wait(ms, this.#signal);
    this.#signal.throwIfAborted();
  }

  #learn(news: Followed): void {
    this.#followed = { ...this.#followed, ...news };
    this.#parts.report(this.#followed);
  }
}

/** Whether every peer and every service has done what it can for `bundle`. */
export function isAnchored(bundle: ProofBundle, { peers, anchors }: Anchoring): boolean {
  const cosigned = new Set(bundle.cross_anchors.map((anchor) => anchor.witnessing_network));
  const confirmed = bundle.external_anchors.filter(({ status }) => status === "confirmed");
  return peers.every(({ id }) => cosigned.has(id)) && confirmed.length >= anchors.length;
}
