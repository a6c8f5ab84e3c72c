/**
 * {@linkcode PublishedLog} over HTTP.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { parseBatchList } from "../client/gateway_answers.ts";
import type { GatewayClient } from "../client/gateway_client.ts";
import { isTemporary } from "../client/gateway_connection.ts";
import { CountersignError } from "../errors.ts";
import type { Batch, ProofBundle } from "../format/bundle.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import { parseJobSnapshot } from "../format/job_snapshot.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { BATCH_PAGE, type Published, type PublishedJob, type PublishedLog } from "./ports.ts";

/** Requests are retried: one lost connection must not end the audit of a whole log. */
export class GatewayLog implements PublishedLog {
  readonly #client: GatewayClient;

  constructor(client: GatewayClient) {
    this.#client = client;
  }

  checkpoint(): Promise<Published<string>> {
    return this.#ask(() => this.#client.checkpoint());
  }

  latestSth(): Promise<Published<SignedTreeHead>> {
    return this.#askJson(() => this.#client.sth());
  }

  sth(size: number): Promise<Published<SignedTreeHead>> {
    return this.#askJson(() => this.#client.sth(size));
  }

  batches(before: number): Promise<Published<readonly Batch[]>> {
    const path = `v1/batches?before=${before}&limit=${BATCH_PAGE}`;
    return this.#askJson(() => this.#client.json({ what: "batches", path }, parseBatchList));
  }

  tile(level: number, index: number, width: number): Promise<Published<Bytes>> {
    return this.#ask(() => this.#client.tile(level, index, width));
  }

  entries(index: number, width: number): Promise<Published<Bytes>> {
    return this.#ask(() => this.#client.tile("entries", index, width));
  }

  job(hash: string): Promise<Published<PublishedJob>> {
    const request = { what: "job", path: `v1/attestations/${hash}` };
    return this.#askJson(() => this.#client.json(request, parseJobSnapshot));
  }

  bundle(hash: string): Promise<Published<ProofBundle>> {
    return this.#askJson(() => this.#client.bundle(hash));
  }

  #askJson<T>(attempt: () => Promise<{ readonly value: T }>): Promise<Published<T>> {
    return this.#ask(async () => (await attempt()).value);
  }

  async #ask<T>(attempt: () => Promise<T>): Promise<Published<T>> {
    try {
      return { value: await this.#client.withRetries(attempt, { isTransient: isTemporary }) };
    } catch (error) {
      if (error instanceof GatewayRefusal && error.status === 404) return undefined;
      if (!(error instanceof CountersignError) || error.code === "gateway_unreachable") throw error;
      return { damage: error.message };
    }
  }
}
