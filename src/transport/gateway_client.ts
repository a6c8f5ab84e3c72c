/**
 * Asks a gateway over HTTP (protocol.md "Routes", "Requests"). Answers are parsed strictly and not
 * verified: that is
 * for whoever asks.
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
import { type AnchorSummary, type GatewaySummary, parseAnchors, parseSummary } from "./answers.ts";
import {
  GatewayConnection,
  type GatewayConnectionOptions,
  type Question,
} from "./gateway_connection.ts";
import { GatewayRefusal, readRefusal } from "../format/gateway_refusal.ts";
import { parseJobSnapshot, parseJobSnapshots } from "../format/job_snapshot.ts";

/** The most hashes of one bulk request, and the longest that a gateway holds an answer (B5). */
export const BULK_LIMIT = 1_000;
export const WAIT_LIMIT_SECONDS = 30;

/** Messages quote no more than this of a header. */
const QUOTED_LENGTH = 40;

/** An answer as it came, and what it says. */
export interface Answer<T> {
  readonly text: string;
  readonly value: T;
}

/** Where a gateway is, and what its answers are read with. */
export interface GatewayClientOptions extends GatewayConnectionOptions {
  /** What keys of a `bls` network are validated with. */
  readonly bls?: Bls;
}

/** How hashes are submitted. */
export interface SubmitOptions {
  /** For each hash a token that its gateway spends if the hash is new, or null. */
  readonly tokens?: readonly (string | null)[];
  /** Of a refusal whether it is worth asking again; by default while the gateway is busy. */
  readonly mayPass?: (error: unknown) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * The client routes of a gateway. Every method rejects with `gateway_unreachable`,
 * {@linkcode GatewayRefusal}, or the malformation of an answer, and stops when `signal` aborts.
 * Only {@linkcode submit} is tried again; it is idempotent by hash.
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
    const question = { what: "network configuration", path: "v1/network" };
    return this.#ask(question, (text) => parseNetwork(text, this.#bls), signal);
  }

  /** `GET /v1/config`. */
  config(signal?: AbortSignal): Promise<Answer<GatewaySummary>> {
    return this.#ask({ what: "configuration", path: "v1/config" }, parseSummary, signal);
  }

  /** `GET /v1/admission`: who may submit, and whose tokens are taken. */
  admission(signal?: AbortSignal): Promise<Answer<AdmissionOffer>> {
    return this.#ask({ what: "admission", path: "v1/admission" }, parseAdmissionOffer, signal);
  }

  /**
   * Submits 1 to {@linkcode BULK_LIMIT} digests (64 lowercase hex each) and answers their jobs in
   * order, after at most `waitSeconds` or once all are terminal. A gateway that answers 429 or 503
   * is asked again when it says, a few times.
   */
  async submit(
    hashes: readonly string[],
    waitSeconds: number,
    options: SubmitOptions = {},
  ): Promise<readonly JobSnapshotMembers[]> {
    const { tokens } = options;
    const [hash] = hashes;
    const jobs = hashes.length === 1
      ? await this.#askAgain(
        {
          ...{ what: "job", path: "v1/attestations", waitSeconds },
          body: { hash, ...(tokens && { issuer_token: tokens[0] }) },
        },
        (text) => [parseJobSnapshot(text)],
        options,
      )
      : await this.#askAgain(
        {
          ...{ what: "jobs", path: "v1/attestations/batch", waitSeconds },
          body: { hashes, ...(tokens && { issuer_tokens: tokens }) },
        },
        parseJobSnapshots,
        options,
      );
    if (jobs.length !== hashes.length || jobs.some((job, i) => job.hash !== hashes[i])) {
      throw otherThanAsked("jobs of the submitted hashes");
    }
    return jobs;
  }

  /** `GET /v1/attestations/{hash}`, after at most `waitSeconds` or once it is terminal. */
  job(
    hash: string,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<Answer<JobSnapshotMembers>> {
    return this.#ask({ what: "job", path: `v1/attestations/${hash}`, waitSeconds }, (text) => {
      const job = parseJobSnapshot(text);
      if (job.hash !== hash) throw otherThanAsked("the job of the hash");
      return job;
    }, signal);
  }

  /** Whether the gateway has a job of a hash. Asked again like {@linkcode submit}. */
  async isKnown(hash: string): Promise<boolean> {
    try {
      const question = { what: "job", path: `v1/attestations/${hash}` };
      await this.#askAgain(question, parseJobSnapshot, {});
      return true;
    } catch (error) {
      if (error instanceof GatewayRefusal && error.reason === "hash_unknown") return false;
      throw error;
    }
  }

  bundle(hash: string, signal?: AbortSignal): Promise<Answer<ProofBundle>> {
    return this.#ask({ what: "bundle", path: `v1/bundle/${hash}` }, parseBundle, signal);
  }

  merkleProof(hash: string, signal?: AbortSignal): Promise<Answer<MerkleProof>> {
    return this.#ask({ what: "proof", path: `v1/proof/${hash}` }, parseMerkleProof, signal);
  }

  anchors(hash: string, signal?: AbortSignal): Promise<Answer<readonly AnchorSummary[]>> {
    return this.#ask({ what: "anchors", path: `v1/anchors/${hash}` }, parseAnchors, signal);
  }

  /** The latest STH, or the one published at exactly `treeSize`. */
  sth(treeSize: number | undefined, signal?: AbortSignal): Promise<Answer<SignedTreeHead>> {
    const path = treeSize === undefined ? "v1/log/sth" : `v1/log/sth/${treeSize}`;
    return this.#ask({ what: "tree head", path }, parseSignedTreeHead, signal);
  }

  consistency(
    first: number,
    second: number,
    signal?: AbortSignal,
  ): Promise<Answer<ConsistencyProof>> {
    const path = `v1/log/consistency?first=${first}&second=${second}`;
    return this.#ask({ what: "consistency proof", path }, parseConsistencyProof, signal);
  }

  inclusion(
    hash: string,
    treeSize: number,
    signal?: AbortSignal,
  ): Promise<Answer<InclusionProof>> {
    const path = `v1/log/proof?hash=${hash}&tree_size=${treeSize}`;
    return this.#ask({ what: "inclusion proof", path }, parseInclusionProof, signal);
  }

  /** Evidence against peer networks, as the gateway shows it. */
  contradictions(signal?: AbortSignal): Promise<Answer<readonly Contradiction[]>> {
    const question = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.#ask(question, (text) => parseContradictions(text, "malformed_bundle"), signal);
  }

  #askAgain<T>(
    question: Question,
    parse: (text: string) => T,
    options: Omit<SubmitOptions, "tokens">,
  ): Promise<T> {
    const ask = async () => (await this.#ask(question, parse, options.signal)).value;
    return this.#connection.patiently(ask, options);
  }

  async #ask<T>(
    question: Question,
    parse: (text: string) => T,
    signal: AbortSignal | undefined,
  ): Promise<Answer<T>> {
    const { response, body } = await this.#connection.ask(question, signal);
    const { what } = question;
    if (!response.ok) throw readRefusal(what, response, body);
    requireJson(what, response);
    return naming(what, () => {
      const text = textOf(body, "gateway_refused");
      return { text, value: parse(text) };
    });
  }
}

/** A page of somebody in between, or a problem under a good status, is no result. */
function requireJson(what: string, { headers }: Response): void {
  const [found = ""] = (headers.get("Content-Type") ?? "").split(";");
  if (found.trim().toLowerCase() === "application/json") return;
  throw new CountersignError(
    "gateway_refused",
    `Cannot obtain ${what}: application/json required, found ${
      found.slice(0, QUOTED_LENGTH) || "no media type"
    }`,
  );
}

/** What `read` gives; its refusal says what of the gateway's it is about. */
function naming<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof CountersignError)) throw cause;
    throw new CountersignError(cause.code, `${cause.message}, in the gateway's ${what}`, { cause });
  }
}

function otherThanAsked(required: string): CountersignError {
  return new CountersignError(
    "gateway_refused",
    `Cannot use answer of the gateway: ${required} required, found others`,
  );
}
