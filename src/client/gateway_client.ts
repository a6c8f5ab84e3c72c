/**
 * Client of a gateway's public routes (protocol.md "Routes", "Requests"). Answers are parsed strictly
 * and not verified: the caller does that.
 *
 * @module
 */

import { type Bytes, textOf } from "../base/bytes.ts";
import { type Clock, systemClock, withTimeLimit } from "../base/clock.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import { portableBls } from "../proof/crypto/portable_bls.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import { type AdmissionOffer, parseAdmissionOffer } from "../proof/format/admission_offer.ts";
import {
  type Batch,
  type ConsistencyProof,
  type InclusionProof,
  type MerkleProof,
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedTreeHead,
  type ProofBundle,
} from "../proof/format/bundle.ts";
import { type AnyContradiction, parseContradictions } from "../proof/format/federation.ts";
import { type GatewayStatus, parseGatewayStatus } from "../proof/format/gateway_status.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import {
  type JobSnapshotMembers,
  parseJobSnapshot,
  parseJobSnapshots,
} from "../proof/format/job_snapshot.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import { parseSuccessionChain, type SuccessionLink } from "../proof/format/succession.ts";
import type { GatewayConfig } from "../proof/format/public_network.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import { TILE_WIDTH, tilePath } from "../proof/merkle/tile.ts";
import {
  type AnchorSummary,
  parseAnchors,
  parseBatch,
  parseBatches,
  parseSummary,
} from "./gateway_answers.ts";
import {
  type GatewayAnswer,
  GatewayConnection,
  type GatewayConnectionOptions,
  isBusy,
  type RetryOptions,
} from "./gateway_connection.ts";
import { type AwaitedState, awaitJobs } from "./job_follower.ts";
import { readTile } from "./tile_reader.ts";

const wrongAnswer = errorBuilder("gateway_refused", "Cannot use the gateway's answer");

export interface GatewayClientOptions extends GatewayConnectionOptions {
  /** Returns the implementation that validates the keys of a network's configuration. */
  readonly blsFor?: (configuration: string) => Bls | Promise<Bls>;
}

export interface SubmitOptions extends RetryOptions {
  /** For each hash a token, which the gateway redeems if the hash is new, or null. */
  readonly tokens?: readonly (string | null)[];
}

export interface StampOptions {
  /** What to wait for: the threshold's signatures (default), or also the place in the log. */
  readonly state?: Exclude<AwaitedState, "accepted">;
  /** Limit for the whole call; 60 by default. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal;
  /** Redeemed if the hash is new, at a gateway that asks for tokens. */
  readonly token?: string;
}

const STAMP_SECONDS = 60;

/**
 * The routes of one gateway. Methods also reject with the parser's error for a malformed answer. Only
 * `submit()`, which is idempotent by hash, and `isKnown()` retry.
 */
export class GatewayClient extends GatewayConnection {
  readonly #blsFor: (configuration: string) => Bls | Promise<Bls>;
  readonly #clock: Clock;

  constructor(options: GatewayClientOptions) {
    super(options);
    this.#clock = options.clock ?? systemClock;
    this.#blsFor = options.blsFor ?? (() => portableBls);
  }

  /** `GET /v1/network`: an input to verification, not a trust decision. */
  network(signal?: AbortSignal): Promise<GatewayAnswer<NetworkConfiguration>> {
    const request = { what: "network configuration", path: "v1/network" };
    const parse = async (text: string) => parseNetwork(text, await this.#blsFor(text));
    return this.json(request, parse, signal);
  }

  /** `GET /v1/succession`: the chain of links from epoch 0 on. */
  succession(signal?: AbortSignal): Promise<GatewayAnswer<readonly SuccessionLink[]>> {
    const parse = (text: string) => parseSuccessionChain(text, "malformed_bundle");
    return this.json({ what: "succession", path: "v1/succession" }, parse, signal);
  }

  /** `GET /v1/config`. */
  config(signal?: AbortSignal): Promise<GatewayAnswer<GatewayConfig>> {
    return this.json({ what: "configuration", path: "v1/config" }, parseSummary, signal);
  }

  status(signal?: AbortSignal): Promise<GatewayAnswer<GatewayStatus>> {
    return this.json({ what: "status", path: "v1/status" }, parseGatewayStatus, signal);
  }

  /** `GET /v1/admission`: who may submit, and the issuers whose tokens are accepted. */
  admission(signal?: AbortSignal): Promise<GatewayAnswer<AdmissionOffer>> {
    return this.json({ what: "admission", path: "v1/admission" }, parseAdmissionOffer, signal);
  }

  /**
   * Submits 1 to 1,000 digests (64 lowercase hex each) and returns their jobs in
   * order, after at most `waitSeconds` or once all are terminal. Retries a few times after 429 or 503.
   */
  async submit(
    hashes: readonly string[],
    waitSeconds: number,
    { tokens, ...retries }: SubmitOptions = {},
  ): Promise<readonly JobSnapshotMembers[]> {
    const [hash] = hashes;
    const isSingle = hashes.length === 1;
    const request = isSingle
      ? {
        what: "job",
        action: "submit a hash",
        path: "v1/attestations",
        body: { hash, issuer_token: tokens?.[0] },
      }
      : {
        what: "jobs",
        action: `submit ${hashes.length} hashes`,
        path: "v1/attestations/batch",
        body: { hashes, issuer_tokens: tokens },
      };
    const parse = isSingle ? (text: string) => [parseJobSnapshot(text)] : parseJobSnapshots;
    const { value: jobs } = await this.withRetries(
      () => this.json({ ...request, waitSeconds }, parse, retries.signal),
      retries,
    );
    if (jobs.length !== hashes.length || jobs.some((job, i) => job.hash !== hashes[i])) {
      throw wrongAnswer("it is about other hashes than those that were sent");
    }
    return jobs;
  }

  /**
   * Submits a digest (64 lowercase hex), waits until it is attested, and returns its bundle, which is
   * the proof to keep. The bundle is not verified: `verifyBundle()` does that. A call for the same hash
   * continues where another one ended.
   *
   * @throws `not_confirmed` or `not_batched` if the time is over and the gateway has the hash; otherwise
   * its last refusal, or `gateway_unreachable` if it has not answered.
   */
  async stamp(hash: string, options: StampOptions = {}): Promise<GatewayAnswer<ProofBundle>> {
    const { state = "confirmed", timeoutSeconds = STAMP_SECONDS, signal, token } = options;
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      const form = "a SHA-256 has 64 lowercase hex digits";
      throw new CountersignError("malformed_hash", `Cannot stamp "${hash}": ${form}`);
    }
    const outer = signal ?? new AbortController().signal;
    let isAccepted = false;
    let refusal: GatewayRefusal | undefined;
    const isTransient = (error: unknown) => {
      if (!isBusy(error)) return false;
      refusal = error;
      return true;
    };
    const submit = async (hashes: readonly string[], seconds: number, limit: AbortSignal) => {
      const given = {
        signal: limit,
        isTransient,
        ...(token !== undefined && { tokens: [token] }),
      };
      const jobs = await this.submit(hashes, seconds, given);
      isAccepted = true;
      return jobs;
    };
    const clock = this.#clock;
    const stamp = async (limit: AbortSignal) => {
      const jobs = await awaitJobs([hash], {
        submit: (hashes, seconds) => submit(hashes, seconds, limit),
        clock,
        state,
        timeoutSeconds,
        signal: limit,
      });
      const { status, progress, last_error } = jobs.get(hash)!;
      if (status === "failed") {
        const reason = last_error?.message ?? "the gateway gives no reason";
        throw new CountersignError("gateway_refused", `Cannot stamp ${hash}: ${reason}`);
      }
      if (status !== "confirmed" || state === "batched" && progress !== "batched") return undefined;
      return await this.withRetries(() => this.bundle(hash, limit), { signal: limit });
    };
    try {
      const answer = await withTimeLimit(clock, timeoutSeconds * 1000, outer, stamp);
      if (answer !== undefined) return answer;
    } catch (error) {
      outer.throwIfAborted();
      if (error instanceof CountersignError) throw error;
    }
    outer.throwIfAborted();
    const failure = `Cannot stamp ${hash} within ${timeoutSeconds} s`;
    if (!isAccepted) {
      throw refusal ?? new CountersignError("gateway_unreachable", `${failure}: no answer`);
    }
    throw state === "batched"
      ? new CountersignError("not_batched", `${failure}: it is accepted, but not yet in the log`)
      : new CountersignError("not_confirmed", `${failure}: it is accepted, but not yet signed`);
  }

  /** `GET /v1/attestations/{hash}`; the gateway waits up to `waitSeconds` for a terminal job. */
  job(
    hash: string,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<JobSnapshotMembers>> {
    return this.json({ what: "job", path: `v1/attestations/${hash}`, waitSeconds }, (text) => {
      const job = parseJobSnapshot(text);
      if (job.hash !== hash) {
        throw wrongAnswer("it is about another hash than the one that was asked for");
      }
      return job;
    }, signal);
  }

  /** Whether the gateway has a job for `hash`. Retries like `submit()`. */
  async isKnown(hash: string): Promise<boolean> {
    try {
      await this.withRetries(() => this.job(hash, 0));
      return true;
    } catch (error) {
      if (error instanceof GatewayRefusal && error.reason === "hash_unknown") return false;
      throw error;
    }
  }

  bundle(
    hash: string,
    signal?: AbortSignal,
    withLog = false,
  ): Promise<GatewayAnswer<ProofBundle>> {
    const path = `v1/bundle/${hash}${withLog ? "?log_signature=true" : ""}`;
    return this.json({ what: "bundle", path }, parseBundle, signal);
  }

  merkleProof(hash: string, signal?: AbortSignal): Promise<GatewayAnswer<MerkleProof>> {
    return this.json({ what: "proof", path: `v1/proof/${hash}` }, parseMerkleProof, signal);
  }

  anchors(hash: string, signal?: AbortSignal): Promise<GatewayAnswer<readonly AnchorSummary[]>> {
    return this.json({ what: "anchors", path: `v1/anchors/${hash}` }, parseAnchors, signal);
  }

  /** The latest STH, or the one published at exactly `treeSize`. */
  sth(treeSize?: number, signal?: AbortSignal): Promise<GatewayAnswer<SignedTreeHead>> {
    const path = treeSize === undefined ? "v1/log/sth" : `v1/log/sth/${treeSize}`;
    return this.json({ what: "tree head", path }, parseSignedTreeHead, signal);
  }

  consistency(
    first: number,
    second: number,
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<ConsistencyProof>> {
    const path = `v1/log/consistency?first=${first}&second=${second}`;
    return this.json({ what: "consistency proof", path }, parseConsistencyProof, signal);
  }

  inclusion(
    hash: string,
    treeSize: number,
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<InclusionProof>> {
    const path = `v1/log/proof?hash=${hash}&tree_size=${treeSize}`;
    return this.json({ what: "inclusion proof", path }, parseInclusionProof, signal);
  }

  /** Batches, latest first: at most `limit` (100) with ids below `before`. */
  batches(
    page: { readonly before?: number; readonly limit?: number } = {},
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<readonly Batch[]>> {
    const query = new URLSearchParams(Object.entries(page).map(([k, v]) => [k, String(v)]));
    const path = query.size === 0 ? "v1/batches" : `v1/batches?${query}`;
    return this.json({ what: "batches", path }, parseBatches, signal);
  }

  batch(id: number, signal?: AbortSignal): Promise<GatewayAnswer<Batch>> {
    return this.json({ what: "batch", path: `v1/batches/${id}` }, parseBatch, signal);
  }

  /** Evidence against peer networks, as the gateway shows it. */
  contradictions(signal?: AbortSignal): Promise<GatewayAnswer<readonly AnyContradiction[]>> {
    const request = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.json(request, (text) => parseContradictions(text, "malformed_bundle"), signal);
  }

  /** The signed note of the latest head (c2sp.org/tlog-checkpoint). */
  async checkpoint(signal?: AbortSignal): Promise<string> {
    return textOf(await this.bytes({ what: "checkpoint", path: "checkpoint" }, signal));
  }

  /** A tile, or an entry bundle (c2sp.org/tlog-tiles). A partial one may come from the full one. */
  async tile(
    level: number | "entries",
    index: number,
    width: number,
    signal?: AbortSignal,
  ): Promise<Bytes> {
    const what = level === "entries" ? "entries" : "tile";
    let missing: GatewayRefusal | undefined;
    const bytes = await readTile({
      tile: async (address) => {
        const path = tilePath(address.level, address.index, address.width);
        try {
          return await this.bytes({ what, path }, signal);
        } catch (error) {
          if (!(error instanceof GatewayRefusal) || error.status !== 404) throw error;
          missing ??= error;
          return undefined;
        }
      },
    }, { level, index, width });
    if (bytes !== undefined) return bytes;
    throw missing ?? wrongAnswer(`${tilePath(level, index, TILE_WIDTH)} has too few entries`);
  }
}
