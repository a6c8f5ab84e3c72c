/**
 * What a gateway publishes beside the log itself: tree heads, batches, jobs and bundles. Strictly parsed
 * and not verified.
 *
 * @module
 */

import { parseBatchList } from "../../../client/gateway_answers.ts";
import type { GatewayClient } from "../../../client/gateway_client.ts";
import { isTemporary } from "../../../client/gateway_connection.ts";
import { CountersignError } from "../../../base/errors.ts";
import type { Batch, ProofBundle } from "../../../proof/format/bundle.ts";
import { GatewayRefusal } from "../../../proof/format/gateway_refusal.ts";
import { type JobSnapshotMembers, parseJobSnapshot } from "../../../proof/format/job_snapshot.ts";
import type { SignedTreeHead } from "../../../proof/format/tree_head.ts";

/** Batches of one page (protocol.md "Requests"). */
export const BATCH_PAGE = 100;

/** What was asked for, or why it cannot be read; `undefined` if there is none. */
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

/**
 * What `read` returns, or why that cannot be used: one damaged part must not end the audit of a whole
 * log. Rejects with `gateway_unreachable`, and when the error is not ours.
 */
export async function published<T>(read: () => Promise<T | undefined>): Promise<Published<T>> {
  try {
    const value = await read();
    return value === undefined ? undefined : { value };
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code === "gateway_unreachable") throw error;
    return { damage: error.message };
  }
}

/** What a gateway publishes beside the log. */
export type PublishedRecords = Pick<GatewayRecords, keyof GatewayRecords>;

/** The public routes of one gateway. Requests are retried: one lost connection must not end an audit. */
export class GatewayRecords {
  readonly #client: GatewayClient;

  constructor(client: GatewayClient) {
    this.#client = client;
  }

  latestSth(): Promise<Published<SignedTreeHead>> {
    return this.#ask(() => this.#client.sth());
  }

  sth(size: number): Promise<Published<SignedTreeHead>> {
    return this.#ask(() => this.#client.sth(size));
  }

  /** Batches of id below `before`, latest first, at most {@linkcode BATCH_PAGE}. */
  batches(before: number): Promise<Published<readonly Batch[]>> {
    const path = `v1/batches?before=${before}&limit=${BATCH_PAGE}`;
    return this.#ask(() => this.#client.json({ what: "batches", path }, parseBatchList));
  }

  job(hash: string): Promise<Published<JobSnapshotMembers>> {
    const request = { what: "job", path: `v1/attestations/${hash}` };
    return this.#ask(() => this.#client.json(request, parseJobSnapshot));
  }

  bundle(hash: string): Promise<Published<ProofBundle>> {
    return this.#ask(() => this.#client.bundle(hash));
  }

  #ask<T>(attempt: () => Promise<{ readonly value: T }>): Promise<Published<T>> {
    return published(async () => {
      try {
        return (await this.#client.withRetries(attempt, { isTransient: isTemporary })).value;
      } catch (error) {
        if (error instanceof GatewayRefusal && error.status === 404) return undefined;
        throw error;
      }
    });
  }
}
