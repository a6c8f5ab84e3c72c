/**
 * {@linkcode PublishedLog} over HTTP.
 *
 * @module
 */

import type { Published, PublishedJob, PublishedLog } from "./ports.ts";
import { BATCH_PAGE } from "./ports.ts";
import { type Bytes, textOf } from "../bytes.ts";
import { CountersignError, hasCode } from "../errors.ts";
import {
  BATCH,
  type Batch,
  parseBundle,
  parseSignedTreeHead,
  type ProofBundle,
  readBatch,
} from "../format/bundle.ts";
import { Fields } from "../format/fields.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import type { SignedTreeHead } from "../format/tree_head.ts";
import { tilePath } from "../merkle/tile.ts";
import { type GatewayConnection, isBusy } from "../client/gateway_connection.ts";
import { GatewayRefusal, readRefusal } from "../format/gateway_refusal.ts";
import { parseJobSnapshot } from "../format/job_snapshot.ts";

const CODE = "malformed_bundle";

/** The public routes of one gateway. Requests are retried when the gateway is busy or unreachable. */
export class GatewayLog implements PublishedLog {
  readonly #connection: GatewayConnection;

  constructor(connection: GatewayConnection) {
    this.#connection = connection;
  }

  checkpoint(): Promise<Published<string>> {
    return this.#ask("checkpoint", "checkpoint", (body) => textOf(body));
  }

  latestSth(): Promise<Published<SignedTreeHead>> {
    return this.#askText("tree head", "v1/log/sth", parseSignedTreeHead);
  }

  sth(size: number): Promise<Published<SignedTreeHead>> {
    return this.#askText("tree head", `v1/log/sth/${size}`, parseSignedTreeHead);
  }

  batches(before: number): Promise<Published<readonly Batch[]>> {
    const path = `v1/batches?before=${before}&limit=${BATCH_PAGE}`;
    return this.#askText("batches", path, parseBatches);
  }

  tile(level: number, index: number, width: number): Promise<Published<Bytes>> {
    return this.#ask("tile", tilePath(level, index, width), (body) => body);
  }

  entries(index: number, width: number): Promise<Published<Bytes>> {
    return this.#ask("entries", tilePath("entries", index, width), (body) => body);
  }

  job(hash: string): Promise<Published<PublishedJob>> {
    return this.#askText("job", `v1/attestations/${hash}`, parseJobSnapshot);
  }

  bundle(hash: string): Promise<Published<ProofBundle>> {
    return this.#askText("bundle", `v1/bundle/${hash}`, parseBundle);
  }

  #askText<T>(
    what: string,
    path: string,
    parse: (text: string) => T,
  ): Promise<Published<T>> {
    return this.#ask(what, path, (body) => parse(textOf(body, "gateway_refused")));
  }

  async #ask<T>(
    what: string,
    path: string,
    read: (body: Bytes) => T,
  ): Promise<Published<T>> {
    try {
      const value = await this.#connection.withRetries(async () => {
        const response = await this.#connection.send({ what, path });
        if (!response.ok) throw readRefusal(what, response, response.body);
        return read(response.body);
      }, { isTransient });
      return { value };
    } catch (error) {
      if (error instanceof GatewayRefusal && error.status === 404) return undefined;
      if (!(error instanceof CountersignError) || error.code === "gateway_unreachable") throw error;
      return { damage: error.message };
    }
  }
}

/** One lost connection must not end the audit of a whole log. */
function isTransient(error: unknown): boolean {
  return isBusy(error) || hasCode(error, "gateway_unreachable");
}

function parseBatches(text: string): readonly Batch[] {
  const value = parseStrictJson(text, CODE);
  if (!Array.isArray(value)) {
    throw new CountersignError(CODE, "Cannot read batches: not a list");
  }
  return value.map((batch, i) =>
    readBatch(new Fields(batch, { where: `batches[${i}]`, code: CODE }, BATCH))
  );
}
