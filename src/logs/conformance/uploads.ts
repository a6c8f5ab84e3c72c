/**
 * Requests to add-entries of a mirror (c2sp.org/tlog-mirror).
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import { type Bytes, concat, uint64, utf8 } from "../../base/bytes.ts";
import { TILE_WIDTH } from "../../proof/merkle/tile.ts";
import type { Exchange } from "./exchange.ts";
import type { Submissions } from "./submissions.ts";

/** A request to add-entries; a check changes single members of a valid one. */
export interface Upload {
  readonly origin?: string;
  readonly start: number;
  readonly end: number;
  readonly ticket?: Bytes;
  /** The packages of the canonical sequence that are sent. */
  readonly packages: readonly Bytes[];
}

export interface UploadOptions {
  readonly gzip?: boolean;
  /** Send only so many bytes. */
  readonly clip?: number;
}

export class Uploads {
  readonly #submissions: Submissions;

  constructor(submissions: Submissions) {
    this.#submissions = submissions;
  }

  /** The packages of the canonical sequence. */
  packages(start: number, end: number): Bytes[] {
    const first = Math.floor(start / TILE_WIDTH);
    const count = Math.ceil(end / TILE_WIDTH) - first;
    return Array.from(
      { length: count },
      (_, i) => this.package(start, end, (first + i) * TILE_WIDTH),
    );
  }

  package(start: number, end: number, at: number, path?: readonly Bytes[]): Bytes {
    const { log } = this.#submissions;
    const [from, to] = [Math.max(start, at), Math.min(end, at + TILE_WIDTH)];
    const entries = Array.from({ length: to - from }, (_, i) => prefixed(log.entry(from + i)));
    const hashes = path ?? log.subtreePath(at, end, TILE_WIDTH);
    return concat(...entries, Uint8Array.of(hashes.length), ...hashes);
  }

  async send(
    { origin, start, end, ticket, packages }: Upload,
    { gzip, clip }: UploadOptions = {},
  ): Promise<Exchange> {
    const { log, target, context: { exchanger } } = this.#submissions;
    const name = prefixed(utf8(origin ?? log.origin));
    const whole = concat(
      name,
      uint64(start),
      uint64(end),
      prefixed(ticket ?? new Uint8Array()),
      ...packages,
    );
    const sent = whole.slice(0, clip);
    return await exchanger.send(new URL("add-entries", target.url), {
      method: "POST",
      headers: {
        "Content-Type": "application/octet-stream",
        ...(gzip && { "Content-Encoding": "gzip" }),
      },
      body: gzip ? new Uint8Array(gzipSync(sent)) : sent,
    });
  }
}

/** `bytes` after their length in two bytes. */
function prefixed(bytes: Uint8Array): Bytes {
  return concat(Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes);
}
