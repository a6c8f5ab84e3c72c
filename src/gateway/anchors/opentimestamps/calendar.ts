/**
 * A client of an OpenTimestamps calendar (`opentimestamps/calendar.py` of the reference): `POST digest`
 * with the bytes of a commitment, and `GET timestamp/<commitment in hex>`. Both answer with a timestamp
 * of the commitment.
 *
 * A calendar is not trusted. The client keeps one pending attestation of a submission and the paths to
 * Bitcoin blocks of a later answer, up to a limit of bytes.
 *
 * @module
 */

import { type Bytes, hexOf } from "../../../base/bytes.ts";
import { type CountersignError, hasCode } from "../../../base/errors.ts";
import { urlOf } from "../../../proof/format/service_url.ts";
import type { OtsAttestation } from "./items.ts";
import {
  attestationsOf,
  decodeTimestamp,
  encodeTimestamp,
  type Timestamp,
  timestampOf,
} from "./format.ts";
import { bodyOf, unusable } from "../answers.ts";
import type { AnchorAnswer, AnchorHttp } from "../ports.ts";

/** The limit of the reference. */
const MAX_ANSWER_LENGTH = 10_000;
/**
 * Maximum bytes to keep of an answer; real ones take a third. The answers of eight calendars stay
 * below the limit of a file.
 */
const MAX_PROMISE_LENGTH = 1_400;
const MAX_PATHS_LENGTH = 4_000;

const HEADERS = { Accept: "application/vnd.opentimestamps.v1" };

/** A configured calendar. Methods reject with `anchor_unreachable` or `anchor_refused`. */
export class Calendar {
  readonly #url: URL;
  readonly #http: AnchorHttp;

  /** @param url from `parseServiceUrl()` */
  constructor(url: URL, http: AnchorHttp) {
    this.#url = url;
    this.#http = http;
  }

  /** Reports whether a pending attestation with `uri` is this calendar's. */
  isNamedBy(uri: string): boolean {
    const url = urlOf(uri);
    if (url === undefined) return false;
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url.href === this.#url.href;
  }

  /** Submits `commitment`; resolves to its timestamp with one pending attestation of this calendar. */
  async submit(commitment: Bytes, signal: AbortSignal): Promise<Timestamp> {
    const init = { method: "POST", headers: HEADERS, body: commitment } as const;
    const answer = await this.#http.request(new URL("digest", this.#url), init, signal);
    const kept = this.#keep(
      answer,
      commitment,
      (attestation) => attestation.kind === "pending" && this.isNamedBy(attestation.uri),
    );
    // The service retries every pending attestation it keeps.
    if (kept === undefined || attestationsOf("pending", commitment, kept).length !== 1) {
      throw this.#unusable(`not one pending attestation of ${this.#url.href}`);
    }
    return this.#requireShort(kept, MAX_PROMISE_LENGTH);
  }

  /** The paths from `commitment` to Bitcoin blocks; `undefined` while there are none. */
  async complete(commitment: Bytes, signal: AbortSignal): Promise<Timestamp | undefined> {
    const url = new URL(`timestamp/${hexOf(commitment)}`, this.#url);
    const init = { method: "GET", headers: HEADERS } as const;
    const answer = await this.#http.request(url, init, signal);
    if (answer.status === 404) return undefined;
    const kept = this.#keep(answer, commitment, ({ kind }) => kind === "bitcoin");
    return kept && this.#requireShort(kept, MAX_PATHS_LENGTH);
  }

  /** The paths of an answer to `wanted` attestations, if any. */
  #keep(
    answer: AnchorAnswer,
    commitment: Bytes,
    wanted: (attestation: OtsAttestation) => boolean,
  ): Timestamp | undefined {
    const body = bodyOf(answer, this.#name, MAX_ANSWER_LENGTH);
    try {
      return pruned(decodeTimestamp(body, commitment), wanted);
    } catch (cause) {
      if (!hasCode(cause, "malformed_text")) throw cause;
      throw this.#unusable(cause.message, cause);
    }
  }

  #requireShort(timestamp: Timestamp, maxLength: number): Timestamp {
    if (encodeTimestamp(timestamp).length <= maxLength) return timestamp;
    throw this.#unusable(`a path is longer than ${maxLength} bytes`);
  }

  get #name(): string {
    return `calendar ${this.#url.host}`;
  }

  #unusable(reason: string, cause?: unknown): CountersignError {
    return unusable(this.#name, reason, cause);
  }
}

/** The paths of `timestamp` to `wanted` attestations; `undefined` without any. */
function pruned(
  timestamp: Timestamp,
  wanted: (attestation: OtsAttestation) => boolean,
): Timestamp | undefined {
  const attestations = timestamp.attestations.filter(wanted);
  const branches = timestamp.branches.flatMap(({ operation, next }) => {
    const rest = pruned(next, wanted);
    return rest === undefined ? [] : [{ operation, next: rest }];
  });
  return attestations.length + branches.length === 0
    ? undefined
    : timestampOf(attestations, branches);
}
