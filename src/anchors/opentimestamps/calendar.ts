/**
 * A calendar server of OpenTimestamps, as `opentimestamps/calendar.py` of the reference asks one:
 * `POST digest` with the bytes of a commitment, and `GET timestamp/<commitment in hex>`, both
 * answered with a timestamp of the commitment.
 *
 * What it answers is not believed: of a submission one promise of its own is kept, of a later answer
 * what leads to Bitcoin blocks, and no more than so many bytes of either.
 *
 * @module
 */

import { type Bytes, hexOf } from "../../bytes.ts";
import { CountersignError, type ErrorCode, hasCode } from "../../errors.ts";
import type { Attestation } from "./attestation.ts";
import { decodeTimestamp, encodeTimestamp, type Timestamp, timestampOf } from "./format.ts";
import { attestationsOf } from "./proof.ts";
import type { AnchorAnswer, AnchorHttp } from "../ports.ts";

/** What the reference reads of an answer. */
const MAX_ANSWER_LENGTH = 10_000;
/**
 * Bytes of an answer of which anything is kept; a real one takes a third. Those of as many calendars
 * as may be configured stay below the limit of a file.
 */
const MAX_PROMISE_LENGTH = 1_400;
const MAX_PATHS_LENGTH = 4_000;

const HEADERS = { Accept: "application/vnd.opentimestamps.v1" };

/** One configured calendar. Methods reject with `anchor_unreachable` or `anchor_refused`. */
export class Calendar {
  readonly #url: URL;
  readonly #http: AnchorHttp;

  /** @param url as `parseServiceUrl` gives it */
  constructor(url: URL, http: AnchorHttp) {
    this.#url = url;
    this.#http = http;
  }

  /** True when a pending attestation is this calendar's. */
  isNamedBy(uri: string): boolean {
    if (!URL.canParse(uri)) return false;
    const url = new URL(uri);
    if (!url.pathname.endsWith("/")) url.pathname += "/";
    return url.href === this.#url.href;
  }

  /** Has `commitment` taken: a timestamp of it with one pending attestation of this calendar. */
  async submit(commitment: Bytes, signal: AbortSignal): Promise<Timestamp> {
    const init = { method: "POST", headers: HEADERS, body: commitment } as const;
    const answer = await this.#http.request(new URL("digest", this.#url), init, signal);
    const kept = this.#keep(
      answer,
      commitment,
      (attestation) => attestation.kind === "pending" && this.isNamedBy(attestation.uri),
    );
    // Each would be asked for again and again.
    if (kept === undefined || attestationsOf("pending", commitment, kept).length !== 1) {
      throw this.#refused(`one pending attestation of ${this.#url.href}`, "none, or several");
    }
    return this.#requireShort(kept, MAX_PROMISE_LENGTH);
  }

  /** The paths from `commitment` to Bitcoin blocks; `undefined` while there is none. */
  async complete(commitment: Bytes, signal: AbortSignal): Promise<Timestamp | undefined> {
    const url = new URL(`timestamp/${hexOf(commitment)}`, this.#url);
    const init = { method: "GET", headers: HEADERS } as const;
    const answer = await this.#http.request(url, init, signal);
    if (answer.status === 404) return undefined;
    const kept = this.#keep(answer, commitment, ({ kind }) => kind === "bitcoin");
    return kept && this.#requireShort(kept, MAX_PATHS_LENGTH);
  }

  /** What leads to attestations that are `wanted`, if anything. */
  #keep(
    { status, body }: AnchorAnswer,
    commitment: Bytes,
    wanted: (attestation: Attestation) => boolean,
  ): Timestamp | undefined {
    if (status !== 200) {
      const isPassing = status >= 500 || status === 408 || status === 429;
      const code = isPassing ? "anchor_unreachable" : "anchor_refused";
      throw this.#fault(code, "status 200", String(status));
    }
    if (body.length > MAX_ANSWER_LENGTH) {
      throw this.#refused(`at most ${MAX_ANSWER_LENGTH} bytes`, String(body.length));
    }
    try {
      return pruned(decodeTimestamp(body, commitment), wanted);
    } catch (cause) {
      if (!hasCode(cause, "malformed_text")) throw cause;
      throw this.#refused("a timestamp of the commitment", `none: ${cause.message}`, cause);
    }
  }

  #requireShort(timestamp: Timestamp, maxLength: number): Timestamp {
    const { length } = encodeTimestamp(timestamp);
    if (length <= maxLength) return timestamp;
    throw this.#refused(`a path of at most ${maxLength} bytes`, String(length));
  }

  #refused(required: string, found: string, cause?: unknown): CountersignError {
    return this.#fault("anchor_refused", required, found, cause);
  }

  #fault(code: ErrorCode, required: string, found: string, cause?: unknown): CountersignError {
    return new CountersignError(
      code,
      `Cannot use answer of calendar ${this.#url.host}: ${required} required, found ${found}`,
      { cause },
    );
  }
}

/** The paths of `timestamp` that lead to attestations that are `wanted`; `undefined` without any. */
function pruned(
  timestamp: Timestamp,
  wanted: (attestation: Attestation) => boolean,
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
