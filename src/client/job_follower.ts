/**
 * Follows jobs: many until they are signed or batched, or one hash until it is anchored. The gateway may
 * be unavailable in between.
 *
 * @module
 */

import { Backoff } from "../backoff.ts";
import type { Clock } from "../clock.ts";
import type { ProofBundle } from "../format/bundle.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import { isTerminal, type JobSnapshotMembers } from "../format/job_snapshot.ts";
import { BULK_LIMIT, type GatewayClient, WAIT_LIMIT_SECONDS } from "./gateway_client.ts";
import { type GatewayAnswer, isTemporary } from "./gateway_connection.ts";
import type { GatewayStatus } from "../format/gateway_status.ts";

export type AwaitedState = "accepted" | "confirmed" | "batched";

export interface AwaitOptions {
  /** Like {@linkcode GatewayClient.submit}. */
  readonly submit: (
    hashes: readonly string[],
    waitSeconds: number,
  ) => Promise<readonly JobSnapshotMembers[]>;
  readonly clock: Clock;
  readonly state: AwaitedState;
  readonly timeoutSeconds: number;
}

const POLL_MS = 500;

/**
 * The jobs of distinct `hashes`, each in the awaited state or as it was at the timeout. Waits by
 * submitting again, which is idempotent: one request asks about many jobs. Rejects only if the gateway
 * does not accept the hashes.
 */
export async function awaitJobs(
  hashes: readonly string[],
  { submit, clock, state, timeoutSeconds }: AwaitOptions,
): Promise<ReadonlyMap<string, JobSnapshotMembers>> {
  const deadline = clock.nowMs() + timeoutSeconds * 1000;
  const secondsLeft = () => Math.max(0, Math.ceil((deadline - clock.nowMs()) / 1000));
  const jobs = new Map<string, JobSnapshotMembers>();
  const isUnsettled = (hash: string) => !isSettled(jobs.get(hash), state);
  const submitAll = async (waiting: readonly string[], seconds: number) => {
    for (let start = 0; start < waiting.length; start += BULK_LIMIT) {
      const chunk = waiting.slice(start, start + BULK_LIMIT);
      for (const job of await submit(chunk, Math.min(seconds, WAIT_LIMIT_SECONDS))) {
        jobs.set(job.hash, job);
      }
    }
  };
  await submitAll(hashes, state === "accepted" ? 0 : secondsLeft());
  for (
    let waiting = hashes.filter(isUnsettled);
    waiting.length > 0 && secondsLeft() > 0;
    waiting = waiting.filter(isUnsettled)
  ) {
    await clock.sleep(POLL_MS);
    try {
      await submitAll(waiting, secondsLeft());
    } catch (error) {
      // The jobs are accepted, so wait for a restarting gateway like for a slow one.
      if (!isTemporary(error)) throw error;
    }
  }
  return jobs;
}

function isSettled(job: JobSnapshotMembers | undefined, state: AwaitedState): boolean {
  if (job === undefined) return false;
  if (state === "accepted") return true;
  return state === "confirmed"
    ? isTerminal(job)
    : job.progress === "batched" || job.status === "failed";
}

/** How long the gateway may hold an answer. */
const SUBMIT_WAIT_SECONDS = 3;
const JOB_WAIT_SECONDS = 10;
/** Pauses between requests for a bundle that waits for its batch or its anchors. */
const BATCH_POLL_MS = 2_000;
const ANCHOR_POLL_MS = 5_000;
/** Limits the wait for anchors: an OpenTimestamps calendar may take hours. */
const ANCHOR_POLLS = 120;
/** Pauses while the gateway is away. */
const RETRY_PAUSES = { firstMs: 1_000, longestMs: 15_000 };

/** What is known of a hash so far. */
export interface JobState {
  readonly job?: JobSnapshotMembers;
  readonly bundle?: GatewayAnswer<ProofBundle>;
  readonly anchoring?: AnchoringServices;
  /** The last error while the gateway is away. */
  readonly lost?: unknown;
}

/** The peers and anchor services that a gateway states. */
export type AnchoringServices = Pick<GatewayStatus, "peers" | "anchors">;

export interface FollowJobOptions {
  readonly gateway: Pick<GatewayClient, "submit" | "job" | "bundle" | "status">;
  /** Resolves after `ms`, or sooner when there may be news; never rejects. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Numbers in [0, 1). */
  readonly random: () => number;
  /** Called with every change. */
  readonly report: (state: JobState) => void;
}

/**
 * Submits `hash` and follows its job until it has failed, is anchored, or anchors are long in coming.
 * Retries while the gateway is away. Rejects with any other error, and with the signal's reason.
 */
export async function followJob(
  hash: string,
  options: FollowJobOptions,
  signal: AbortSignal,
): Promise<void> {
  await new JobFollower(hash, options, signal).follow();
}

class JobFollower {
  readonly #hash: string;
  readonly #options: FollowJobOptions;
  readonly #signal: AbortSignal;
  #state: JobState = {};

  constructor(hash: string, options: FollowJobOptions, signal: AbortSignal) {
    this.#hash = hash;
    this.#options = options;
    this.#signal = signal;
  }

  async follow(): Promise<void> {
    const { gateway } = this.#options;
    const [hash, signal] = [this.#hash, this.#signal];
    const retries = { signal, isTransient: () => false };
    let [job] = await this.#ask(() => gateway.submit([hash], SUBMIT_WAIT_SECONDS, retries));
    this.#update({ job: job! });
    while (!isTerminal(job!)) job = await this.#job(JOB_WAIT_SECONDS);
    if (job!.status === "failed") return;
    while ((await this.#bundle()).value.batch_inclusion === null) await this.#wait(BATCH_POLL_MS);
    await this.#job(0);
    const { value: { peers, anchors } } = await this.#ask(() => gateway.status(signal));
    this.#update({ anchoring: { peers, anchors } });
    for (let poll = 0; poll < ANCHOR_POLLS; poll++) {
      const { value } = await this.#bundle();
      if (isAnchored(value, { peers, anchors })) return;
      await this.#wait(ANCHOR_POLL_MS);
    }
  }

  async #job(waitSeconds: number): Promise<JobSnapshotMembers> {
    const { gateway } = this.#options;
    const { value: job } = await this.#ask(() =>
      gateway.job(this.#hash, waitSeconds, this.#signal)
    );
    this.#update({ job });
    return job;
  }

  async #bundle(): Promise<GatewayAnswer<ProofBundle>> {
    const { gateway } = this.#options;
    const bundle = await this.#ask(() => gateway.bundle(this.#hash, this.#signal));
    // An unchanged bundle stays the same object, so that it is verified only once.
    if (bundle.text !== this.#state.bundle?.text) this.#update({ bundle });
    return this.#state.bundle!;
  }

  /** The result of `attempt`, repeated while the gateway is away. */
  async #ask<T>(attempt: () => Promise<T>): Promise<T> {
    const backoff = new Backoff(RETRY_PAUSES, this.#options.random);
    for (;;) {
      try {
        const result = await attempt();
        const { lost, ...state } = this.#state;
        this.#state = state;
        if (lost !== undefined) this.#update({});
        return result;
      } catch (error) {
        if (this.#signal.aborted || !isTemporary(error)) throw error;
        this.#update({ lost: error });
        const retryMs = error instanceof GatewayRefusal ? (error.retryAfter ?? 0) * 1000 : 0;
        await this.#wait(
          Math.max(backoff.afterFailure(), Math.min(retryMs, RETRY_PAUSES.longestMs)),
        );
      }
    }
  }

  async #wait(ms: number): Promise<void> {
    await this.#options.wait(ms, this.#signal);
    this.#signal.throwIfAborted();
  }

  #update(news: JobState): void {
    this.#state = { ...this.#state, ...news };
    this.#options.report(this.#state);
  }
}

/** Whether every peer has cosigned, and every service has anchored, a head over `bundle`. */
export function isAnchored(bundle: ProofBundle, { peers, anchors }: AnchoringServices): boolean {
  const cosigned = new Set(bundle.cross_anchors.map((anchor) => anchor.witnessing_network));
  const confirmed = bundle.external_anchors.filter(({ status }) => status === "confirmed");
  return peers.every(({ id }) => cosigned.has(id)) && confirmed.length >= anchors.length;
}
