/**
 * A copy of a log in a bucket of any service with the API of Amazon S3. Objects are stored with the
 * headers that a web server of the bucket returns to readers.
 *
 * Conditional writes keep a file that exists, and the checkpoint of another publisher. A service that
 * ignores the conditions is detected by a probe.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { AwsV4Signer } from "aws4fetch";
import { type Bytes, textOf, utf8 } from "../../base/bytes.ts";
import { Backoff } from "../../base/backoff.ts";
import { type HttpResponse, sendRequest } from "../../client/http_client.ts";
import type { Clock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import {
  type BucketPlace,
  CHECKPOINT_PATH,
  type CopyPageFile,
  type PageTarget,
  type StoredCheckpoint,
} from "../../logs/publishing/ports.ts";

export interface BucketOptions extends BucketPlace {
  readonly secretAccessKey: string;
  /** Use the bucket even if it ignores conditional writes. */
  readonly allowUnconditional: boolean;
  readonly clock: Clock;
}

const CREATE = { "If-None-Match": "*" };
const TILE_HEADERS = {
  "Content-Type": "application/octet-stream",
  "Cache-Control": "public, max-age=31536000, immutable",
};
const CHECKPOINT_HEADERS = {
  "Content-Type": "text/plain; charset=utf-8",
  "Cache-Control": "no-cache",
};
/** Logs may use gzip without negotiation (c2sp.org/tlog-tiles). */
const ENTRIES_HEADERS = { ...TILE_HEADERS, "Content-Encoding": "gzip" };
const EVIDENCE_HEADERS = { ...TILE_HEADERS, "Content-Type": "application/json" };

/** Well above an entry bundle of the largest entries. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const TIMEOUT_MS = 15_000;
const ATTEMPTS = 5;
const PAUSES = { firstMs: 100, longestMs: 2_000 };
const [CONFLICT, PRECONDITION_FAILED, NOT_IMPLEMENTED] = [409, 412, 501];

interface BucketRequest {
  readonly method: "GET" | "PUT" | "DELETE";
  /** Below the prefix. */
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Bytes;
  /** Statuses to return, besides 200 to 299. */
  readonly expected?: readonly number[];
}

/** A copy of a log in a bucket. */
export class BucketCopy implements PageTarget {
  readonly name: string;
  /** False for a service that ignores conditions: then only one publisher may write to the bucket. */
  readonly isConditional: boolean;
  readonly #options: BucketOptions;

  private constructor(options: BucketOptions, isConditional: boolean) {
    this.name = `s3://${options.bucket}/${options.prefix}`;
    this.isConditional = isConditional;
    this.#options = options;
  }

  /** Probes the bucket. `invalid_configuration` if it ignores conditional writes, unless allowed. */
  static async open(options: BucketOptions): Promise<BucketCopy> {
    const copy = new BucketCopy(options, true);
    if (await copy.#probe()) return copy;
    if (options.allowUnconditional) return new BucketCopy(options, false);
    throw new CountersignError(
      "invalid_configuration",
      `Cannot publish to ${copy.name}: the service ignores conditional writes (If-None-Match, ` +
        "If-Match), so another publisher could replace the checkpoint by an older one. Use another " +
        "service, or allow it if this is the only publisher",
    );
  }

  async checkpoint(): Promise<StoredCheckpoint | undefined> {
    const response = await this.#send({ method: "GET", path: CHECKPOINT_PATH, expected: [404] });
    if (response.status === 404) return undefined;
    return {
      text: textOf(response.body, "file_failed"),
      version: response.headers.get("ETag") ?? "",
    };
  }

  async replaceCheckpoint(expected: StoredCheckpoint | undefined, text: string): Promise<boolean> {
    if (!this.isConditional && (await this.checkpoint())?.text !== expected?.text) return false;
    const isStored = await this.#put(CHECKPOINT_PATH, utf8(text), {
      ...CHECKPOINT_HEADERS,
      ...(expected === undefined ? CREATE : { "If-Match": expected.version }),
    });
    // An attempt without an answer may have stored it.
    return isStored || (await this.checkpoint())?.text === text;
  }

  async read(path: string): Promise<Bytes | undefined> {
    const response = await this.#send({ method: "GET", path, expected: [404] });
    return response.status === 404 ? undefined : response.body;
  }

  async putNew(path: string, bytes: Bytes): Promise<boolean> {
    if (!this.isConditional && await this.read(path) !== undefined) return false;
    if (path.startsWith("tile/entries/")) {
      return await this.#put(path, new Uint8Array(gzipSync(bytes)), {
        ...ENTRIES_HEADERS,
        ...CREATE,
      });
    }
    const headers = path.endsWith(".json") ? EVIDENCE_HEADERS : TILE_HEADERS;
    return await this.#put(path, bytes, { ...headers, ...CREATE });
  }

  async putPage(path: string, { bytes, mediaType, isImmutable }: CopyPageFile): Promise<void> {
    const headers = isImmutable ? TILE_HEADERS : CHECKPOINT_HEADERS;
    await this.#put(path, bytes, { ...headers, "Content-Type": mediaType });
  }

  /** An object is durable once its PUT is answered. */
  sync(): Promise<void> {
    return Promise.resolve();
  }

  async removePartials(path: string): Promise<void> {
    const prefix = `${this.#options.prefix}${path}.p/`;
    const query = { "list-type": "2", prefix };
    const list = await this.#send({ method: "GET", query });
    for (const [, width] of textOf(list.body, "file_failed").matchAll(/\.p\/([0-9]+)<\/Key>/g)) {
      await this.#send({ method: "DELETE", path: `${path}.p/${width}`, expected: [404] });
    }
  }

  /** Returns false if the condition in `headers` does not hold. */
  async #put(path: string, body: Bytes, headers: Record<string, string>): Promise<boolean> {
    const expected = [PRECONDITION_FAILED];
    return (await this.#send({ method: "PUT", path, body, headers, expected })).ok;
  }

  /** Whether the bucket checks conditions. */
  async #probe(): Promise<boolean> {
    const path = `.probe-${crypto.randomUUID()}`;
    const body = utf8("countersign\n");
    const expected = [PRECONDITION_FAILED, NOT_IMPLEMENTED];
    const put = (headers: Record<string, string>) =>
      this.#send({ method: "PUT", path, body, headers, expected });
    try {
      const created = await put(CREATE);
      const version = created.headers.get("ETag");
      if (!created.ok || version === null) return false;
      return !(await put(CREATE)).ok && !(await put({ "If-Match": '"0"' })).ok &&
        (await put({ "If-Match": version })).ok;
    } finally {
      await this.#send({ method: "DELETE", path, expected: [404] });
    }
  }

  /** The answer to `request`, with repeated attempts while the service is busy or silent. */
  async #send(request: BucketRequest): Promise<HttpResponse> {
    const { clock } = this.#options;
    const pauses = new Backoff(PAUSES, Math.random);
    for (let attempts = 1;; attempts++) {
      const isLast = attempts === ATTEMPTS;
      try {
        const response = await this.#sendOnce(request);
        if (response.ok || request.expected?.includes(response.status)) return response;
        if (isLast || !isTemporary(response.status)) throw this.#refused(request, response);
      } catch (error) {
        if (isLast || !(hasCode(error, "file_failed") && error.cause !== undefined)) throw error;
      }
      await clock.sleep(pauses.afterFailure());
    }
  }

  async #sendOnce({ method, path = "", query, headers, body }: BucketRequest) {
    const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey, clock } = this.#options;
    const key = query === undefined ? `${prefix}${path}` : "";
    const url = new URL(`${bucket}/${key}`, endpoint);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      accessKeyId,
      secretAccessKey,
      region,
      service: "s3",
      headers: {
        ...headers,
        "X-Amz-Content-Sha256": createHash("sha256").update(body ?? "").digest("hex"),
      },
      datetime: new Date(clock.nowMs()).toISOString().replace(/[:-]|\.[0-9]{3}/g, ""),
    });
    const signed = await signer.sign();
    return await sendRequest(signed.url, {
      method,
      headers: Object.fromEntries(signed.headers),
      ...(body && { body }),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      clock,
      failure: this.#failure(method, path),
      codes: { unreachable: "file_failed", redirected: "file_failed", tooLarge: "file_failed" },
    });
  }

  #refused({ method, path = "" }: BucketRequest, { status, body }: HttpResponse): CountersignError {
    const [, code] = /<Code>([A-Za-z]{1,40})<\/Code>/.exec(new TextDecoder().decode(body)) ?? [];
    return new CountersignError(
      "file_failed",
      `${this.#failure(method, path)}: the service answered ${status}${code ? ` ${code}` : ""}`,
    );
  }

  #failure(method: BucketRequest["method"], path: string): string {
    return `Cannot ${VERBS[method]} ${this.name}${path}`;
  }
}

const VERBS = { GET: "read", PUT: "write", DELETE: "remove" } as const;

/** True if another attempt may succeed. A conflict is one with a write in progress. */
function isTemporary(status: number): boolean {
  return status === CONFLICT || status === 429 || (status >= 500 && status !== NOT_IMPLEMENTED);
}
