/**
 * The gateway's JSON routes as the page calls them, on the site that it came from. Answers are
 * parsed strictly and not verified: that is for whoever asks.
 *
 * @module
 */

import { type Bytes, textOf } from "../bytes.ts";
import type { Bls } from "../crypto/bls.ts";
import { CountersignError } from "../errors.ts";
import {
  type Batch,
  type ConsistencyProof,
  parseBundle,
  parseConsistencyProof,
  parseSignedTreeHead,
  type ProofBundle,
} from "../format/bundle.ts";
import { type Contradiction, parseContradictions } from "../format/federation.ts";
import { readRefusal } from "../format/gateway_refusal.ts";
import { type JobSnapshotMembers, parseJobSnapshot } from "../format/job_snapshot.ts";
import { type NetworkConfiguration, parseNetwork } from "../format/network.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { parseBatch, parseBatches } from "./batch_list.ts";
import { type GatewayStatus, parseGatewayStatus } from "../client/gateway_status.ts";

/** Milliseconds that an answer may take, beyond the wait that was asked for. */
const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const CODE = "malformed_bundle";

/** An answer as it came, and what it says. */
export interface Answer<T> {
  readonly text: string;
  readonly value: T;
}

/** One question: the route below the page's address, and what it is for. */
export interface Question {
  readonly what: string;
  readonly path: string;
  readonly body?: unknown;
  /** Seconds that the gateway is asked to hold the answer (RFC 7240). */
  readonly waitSeconds?: number;
}

/** What the page reads of its gateway with. */
export interface ApiOptions {
  /** Where the page is: routes stand below it. */
  readonly base: string;
  readonly fetch?: typeof fetch;
  /** What the keys in a network's configuration are validated with. */
  readonly blsFor: (configuration: string) => Promise<Bls>;
}

/**
 * The gateway. Every method rejects with `gateway_unreachable`, `GatewayRefusal` with what the
 * gateway said, or the malformation of an answer; with the signal's reason once `signal` aborts.
 */
export class Api {
  readonly base: string;
  readonly #fetch: typeof fetch;
  readonly #blsFor: ApiOptions["blsFor"];

  constructor({ base, fetch: given, blsFor }: ApiOptions) {
    this.base = base;
    this.#fetch = given ?? ((input, init) => fetch(input, init));
    this.#blsFor = blsFor;
  }

  /** An input to verification, not a trust decision. */
  async network(signal?: AbortSignal): Promise<Answer<NetworkConfiguration>> {
    const question = { what: "network configuration", path: "v1/network" };
    const { text } = await this.ask(question, (text) => text, signal);
    return { text, value: parseNetwork(text, await this.#blsFor(text)) };
  }

  status(signal?: AbortSignal): Promise<Answer<GatewayStatus>> {
    return this.ask({ what: "status", path: "v1/status" }, parseGatewayStatus, signal);
  }

  /** Submits one digest, 64 lowercase hex; idempotent. */
  async submit(
    hash: string,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<Answer<JobSnapshotMembers>> {
    const question = { what: "job", path: "v1/attestations", body: { hash }, waitSeconds };
    return await this.ask(question, (text) => jobOf(hash, text), signal);
  }

  job(
    hash: string,
    waitSeconds: number,
    signal?: AbortSignal,
  ): Promise<Answer<JobSnapshotMembers>> {
    const question = { what: "job", path: `v1/attestations/${hash}`, waitSeconds };
    return this.ask(question, (text) => jobOf(hash, text), signal);
  }

  bundle(hash: string, signal?: AbortSignal): Promise<Answer<ProofBundle>> {
    return this.ask({ what: "bundle", path: `v1/bundle/${hash}` }, parseBundle, signal);
  }

  /** The latest STH, or the one published at exactly `treeSize`. */
  sth(treeSize?: number, signal?: AbortSignal): Promise<Answer<SignedTreeHead>> {
    const path = treeSize === undefined ? "v1/log/sth" : `v1/log/sth/${treeSize}`;
    return this.ask({ what: "tree head", path }, parseSignedTreeHead, signal);
  }

  consistency(
    first: number,
    second: number,
    signal?: AbortSignal,
  ): Promise<Answer<ConsistencyProof>> {
    const path = `v1/log/consistency?first=${first}&second=${second}`;
    return this.ask({ what: "consistency proof", path }, parseConsistencyProof, signal);
  }

  /** Latest first: at most `limit` (100) of ids below `before`. */
  batches(
    page: { readonly before?: number; readonly limit?: number } = {},
    signal?: AbortSignal,
  ): Promise<Answer<readonly Batch[]>> {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(page)) query.set(name, String(value));
    const path = query.size === 0 ? "v1/batches" : `v1/batches?${query}`;
    return this.ask({ what: "batches", path }, parseBatches, signal);
  }

  batch(id: number, signal?: AbortSignal): Promise<Answer<Batch>> {
    const question = { what: "batch", path: `v1/batches/${id}` };
    return this.ask(question, parseBatch, signal);
  }

  /** What this gateway holds against its peers; to be verified before it is believed. */
  contradictions(signal?: AbortSignal): Promise<Answer<readonly Contradiction[]>> {
    const question = { what: "contradictions", path: "v1/federation/contradictions" };
    return this.ask(question, (text) => parseContradictions(text, CODE), signal);
  }

  /** The answer to any question, read by `parse`. */
  async ask<T>(
    question: Question,
    parse: (text: string) => T,
    signal?: AbortSignal,
  ): Promise<Answer<T>> {
    const { response, body } = await this.#send(question, signal);
    if (!response.ok) throw readRefusal(question.what, response, body);
    const text = textOf(body, "gateway_refused");
    return { text, value: parse(text) };
  }

  /** The answer to any question as it came. */
  async bytes(question: Question, signal?: AbortSignal): Promise<Bytes> {
    const { response, body } = await this.#send(question, signal);
    if (!response.ok) throw readRefusal(question.what, response, body);
    return body;
  }

  async #send(question: Question, signal?: AbortSignal) {
    const { what, path, body, waitSeconds = 0 } = question;
    const limit = AbortSignal.timeout(TIMEOUT_MS + waitSeconds * 1000);
    try {
      const response = await this.#fetch(new URL(path, this.base), {
        method: body === undefined ? "GET" : "POST",
        headers: {
          "Accept": "application/json",
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...(waitSeconds > 0 && { "Prefer": `wait=${waitSeconds}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "error",
        credentials: "omit",
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      return { response, body: await readBounded(what, response) };
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof CountersignError) throw cause;
      throw new CountersignError(
        "gateway_unreachable",
        `Cannot obtain ${what}: an answer of the gateway required, found ` +
          (limit.aborted ? "none in time" : "none"),
        { cause },
      );
    }
  }
}

async function readBounded(what: string, response: Response): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) {
      throw new CountersignError(
        "gateway_refused",
        `Cannot obtain ${what}: at most ${MAX_ANSWER_BYTES} bytes required, found more`,
      );
    }
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

function jobOf(hash: string, text: string): JobSnapshotMembers {
  const job = parseJobSnapshot(text);
  if (job.hash === hash) return job;
  throw new CountersignError(CODE, "Cannot read job: that of the hash required, found another");
}
