/**
 * Client of a gateway's public routes (protocol.md "Routes", "Requests"). Answers are parsed strictly
 * and not verified: the caller does that.
 *
 * @module
 */

import { textOf } from "../bytes.ts";
import type { Bls } from "../crypto/bls.ts";
import { portableBls } from "../crypto/portable_bls.ts";
import { CountersignError } from "../errors.ts";
import { type AdmissionOffer, parseAdmissionOffer } from "../format/admission_offer.ts";
import {
  type ConsistencyProof,
  type InclusionProof,
  type MerkleProof,
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedTreeHead,
  type ProofBundle,
} from "../format/bundle.ts";
import { type Contradiction, parseContradictions } from "../format/federation.ts";
import { type NetworkConfiguration, parseNetwork } from "../format/network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import type { JobSnapshotMembers } from "../format/job_snapshot.ts";
import {
  type AnchorSummary,
  type GatewaySummary,
  parseAnchors,
  parseSummary,
} from "./gateway_answers.ts";
import {
  GatewayConnection,
  type GatewayConnectionOptions,
  type GatewayRequest,
} from "./gateway_connection.ts";
import { GatewayRefusal, readRefusal } from "../format/gateway_refusal.ts";
import { parseJobSnapshot, parseJobSnapshots } from "../format/job_snapshot.ts";

/** Most hashes in a bulk request, and the longest wait for an answer (protocol.md "Limits"). */
export const BULK_LIMIT = 1_000;
export const WAIT_LIMIT_SECONDS = 30;

/** Messages quote at most this much of a header. */
const QUOTED_LENGTH = 40;

/** An answer's text and its parsed value. */
export interface Answer<T> {
  readonly text: string;
  readonly value: T;
}

export interface GatewayClientOptions extends GatewayConnectionOptions {
  /** Validates the keys of a `bls` network. */
  readonly bls?: Bls;
}

export interface SubmitOptions {
  /** For each hash a token, which the gateway redeems if the hash is new, or null. */
  readonly tokens?: readonly (string | null)[];
  /** Whether to retry after an error; by default while the gateway is busy. */
  readonly isTransient?: (error: unknown) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * One gateway. Every method rejects with `gateway_unreachable`, {@linkcode GatewayRefusal}, or the
 * parser's error for a malformed answer, and stops when `signal` aborts. Only `submit()`, which is
 * idempotent by hash, and `isKnown()` retry.
 */
export class GatewayClient {
  readonly #connection: GatewayConnection;
  readonly #bls: Bls;

  constructor(options: GatewayClientOptions) {
    this.#connection = new GatewayConnection(options);
    this.#bls = options.bls ?? portableBls;
  }

  get url(): URL {
    return this.#connection.url;
  }

  /** `GET /v1/network`: an input to verification, not a trust decision. */
  network(signal?: AbortSignal): Promise<Answer<NetworkConfiguration>> {
    const request = { what: "network configuration", path: "v1/network" };
    return this.#get(request, (text) => parseNetwork(text, this.#bls), signal);
  }

  /** `GET /v1/config`. */
  config(signal?: AbortSignal): Promise<Answer<GatewaySummary>> {
    return this.#get({ what: "configuration", path: "v1/config" }, parseSummary, signal);
  }

  /** `GET /v1/admission`: who may submit, and the issuers whose tokens are accepted. */
  admission(signal?: AbortSignal): Promise<Answer<AdmissionOffer>> {
    return this.#get({ what: "admission", path: "v1/admission" }, parseAdmissionOffer, signal);
  }

  /**
   * Submits 1 to {@linkcode BULK_LIMIT} digests (64 lowercase hex each) and returns their jobs in
   * order, after at most `waitSeconds` or once all are terminal. Retries a few times after 429 or 503.
   */
  async submit(
    hashes: readonly string[],
    waitSeconds: number,
    options: SubmitOptions = {},
  ): Promise<readonly JobSnapshotMembers[]> {
    const { tokens } = options;
    const [hash] = hashes;
    const jobs = hashes.length === 1
      ? await this.#getWithRetries(
        {
          ...{ what: "job", path: "v1/attestations", waitSeconds },
          body: { hash, ...(tokens && { issuer_token: tokens[0] }) },
        },
        (text) => [parseJobSnapshot(text)],
        options,
      )
      : await this.#getWithRetries(
        {
          ...{ what: "jobs", path: "v1/attestations/batch", waitSeconds },
          body: { hashes, ...(tokens && { issuer_tokens: tokens }) },
        },
        parseJobSnapshots,
        options,
      );
    if (jobs.length !== hashes.length || jobs.some((job, i) => job.hash !== hashes[i])) {
      throw wrongAnswer("its jobs are not those of the submitted hashes");
    }
    return jobs;
  }

  /** `GET /v1/attestations/{hash}`; the gateway waits up to `waitSeconds` for a terminal job. */
  job(
    hash: string,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<Answer<JobSnapshotMembers>> {
    return this.#get({ what: "job", path: `v1/attestations/${hash}`, waitSeconds }, (text) => {
      const job = parseJobSnapshot(text);
      if (job.hash !== hash) throw wrongAnswer("its job is not that of the hash");
      return job;
    }, signal);
  }

  /** Whether the gateway has a job for `hash`. Retries like `submit()`. */
  async isKnown(hash: string): Promise<boolean> {
    try {
      const request = { what: "job", path: `v1/attestations/${hash}` };
      await this.#getWithRetries(request, parseJobSnapshot, {});
      return true;
    } catch (error) {
      if (error instanceof GatewayRefusal && error.reason === "hash_unknown") return false;
      throw error;
    }
  }

  bundle(hash: string, signal?: AbortSignal): Promise<Answer<ProofBundle>> {
    return this.#get({ what: "bundle", path: `v1/bundle/${hash}` }, parseBundle, signal);
  }

  merkleProof(hash: string, signal?: AbortSignal): Promise<Answer<MerkleProof>> {
    return this.#get({ what: "proof", path: `v1/proof/${hash}` }, parseMerkleProof, signal);
  }

  anchors(hash: string, signal?: AbortSignal): Promise<Answer<readonly AnchorSummary[]>> {
    return this.#get({ what: "anchors", path: `v1/anchors/${hash}` }, parseAnchors, signal);
  }

  /** The latest STH, or the one published at exactly `treeSize`. */
  sth(treeSize: number | undefined, signal?: AbortSignal): Promise<Answer<SignedTreeHead>> {
    const path = treeSize === undefined ? "v1/log/sth" : `v1/log/sth/${treeSize}`;
    return this.#get({ what: "tree head", path }, parseSignedTreeHead, signal);
  }

  consistency(
    first: number,
    second: number,
    signal?: AbortSignal,
  ): Promise<Answer<ConsistencyProof>> {
    const path = `v1/log/consistency?first=${first}&second=${second}`;
    return this.#get({ what: "consistency proof", path }, parseConsistencyProof, signal);
  }

  inclusion(
    hash: string,
    treeSize: number,
    signal?: AbortSignal,
  ): Promise<Answer<InclusionProof>> {
    const path = `v1/log/proof?hash=${hash}&tree_size=${treeSize}`;
    return this.#get({ what: "inclusion proof", path }, parseInclusionProof, signal);
  }

  /** Evidence against peer networks, as the gateway shows it. */
  contradictions(signal?: AbortSignal): Promise<Answer<readonly Contradiction[]>> {
    const request = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.#get(request, (text) => parseContradictions(text, "malformed_bundle"), signal);
  }

  #getWithRetries<T>(
    request: GatewayRequest,
    parse: (text: string) => T,
    options: Omit<SubmitOptions, "tokens">,
  ): Promise<T> {
    const attempt = async () => (await this.#get(request, parse, options.signal)).value;
    return this.#connection.withRetries(attempt, options);
  }

  async #get<T>(
    request: GatewayRequest,
    parse: (text: string) => T,
    signal: AbortSignal | undefined,
  ): Promise<Answer<T>> {
    const response = await this.#connection.send(request, signal);
    const { what } = request;
    const { mediaType, body } = response;
    if (!response.ok) throw readRefusal(what, response, body);
    // A proxy's page, or a problem with status 200, is not a result.
    if (mediaType !== "application/json") {
      const found = mediaType.slice(0, QUOTED_LENGTH) || "of no media type";
      throw new CountersignError(
        "gateway_refused",
        `Cannot obtain ${what}: the answer is ${found}, not application/json`,
      );
    }
    try {
      const text = textOf(body, "gateway_refused");
      return { text, value: parse(text) };
    } catch (cause) {
      if (!(cause instanceof CountersignError)) throw cause;
      const message = `${cause.message}, in the gateway's ${what}`;
      throw new CountersignError(cause.code, message, { cause });
    }
  }
}

function wrongAnswer(reason: string): CountersignError {
  return new CountersignError("gateway_refused", `Cannot use the gateway's answer: ${reason}`);
}
