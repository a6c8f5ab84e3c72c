/**
 * A log as a gateway publishes it, strictly parsed and not verified.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { parseBatchList } from "../../client/gateway_answers.ts";
import type { GatewayClient } from "../../client/gateway_client.ts";
import { isTemporary } from "../../client/gateway_connection.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Batch, ProofBundle } from "../../proof/format/bundle.ts";
import { GatewayRefusal } from "../../proof/format/gateway_refusal.ts";
import { type JobSnapshotMembers, parseJobSnapshot } from "../../proof/format/job_snapshot.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";

/** Batches of one page (protocol.md "Requests"). */
export const BATCH_PAGE = 100;

/** A gateway's answer, or why it cannot be read; `undefined` for a 404. */
export type Published<T> = { readonly value: T } | { readonly damage: string } | undefined;

/** True if there is no value. */
export function isDamaged<T>(
  found: Published<T>,
): found is Exclude<Published<T>, { readonly value: T }> {
  return found === undefined || "damage" in found;
}

/** Why there is no value. */
export function damageOf(found: { readonly damage: string } | undefined): string {
  return found?.damage ?? "the gateway has none";
}

/** The parts of a log that an audit reads. */
export type AuditedLog = Pick<GatewayLog, keyof GatewayLog>;

/**
 * The public routes of one gateway. Methods reject only when it does not answer: requests are retried,
 * since one lost connection must not end the audit of a whole log.
 */
export class GatewayLog {
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

  /** Batches of id below `before`, latest first, at most {@linkcode BATCH_PAGE}. */
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

  job(hash: string): Promise<Published<JobSnapshotMembers>> {
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
