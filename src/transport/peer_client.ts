/**
 * Asks a peer network's gateway for cosignatures of our heads, at its operator listener.
 *
 * @module
 */

import { type Bytes, isCount, textOf } from "../bytes.ts";
import { type Clock, systemClock } from "../clock.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { CrossAnchorAnswer, CrossAnchorRequest, PeerClient } from "../federation/ports.ts";
import {
  encodeCrossAnchorRequest,
  MAX_GROWTH_PROOFS,
  parsePeerCosignature,
} from "../format/federation.ts";
import { Fields } from "../format/fields.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { readBounded } from "./bounded_body.ts";

/** A thousand signatures of great witness names. */
const MAX_ANSWER_BYTES = 256 * 1024;
const TIMEOUT_MS = 30_000;
const CODE = "peer_refused";

/** Refusals that a peer's gateway gives for a reason. Nothing else that it says is repeated. */
const REFUSALS: ReadonlySet<unknown> = new Set<ErrorCode>([
  "malformed_json",
  "malformed_request",
  "body_too_large",
  "unsupported_media_type",
  "route_not_found",
  "method_not_allowed",
  "token_required",
  "token_refused",
  "network_refused",
  "tree_head_refused",
  "tree_heads_contradict",
  "consistency_refused",
  "witnesses_unavailable",
  "overloaded",
  "shutting_down",
  "storage_failed",
  "store_rolled_back",
]);

/** Where a peer is, and what we show there. */
export interface HttpPeerOptions {
  /** The peer's network id. */
  readonly id: string;
  /** Its operator listener. */
  readonly url: string;
  readonly token: string;
  /** Allows `http:` beyond loopback. */
  readonly insecure?: boolean;
  readonly clock?: Clock;
}

/** {@linkcode PeerClient} over `fetch`. */
export class HttpPeerClient implements PeerClient {
  readonly #options: HttpPeerOptions;
  readonly #url: URL;
  readonly #clock: Clock;

  /** `invalid_configuration` for a URL that {@linkcode parseServiceUrl} refuses. */
  constructor(options: HttpPeerOptions) {
    this.#options = options;
    const base = parseServiceUrl(options.url, { insecure: options.insecure ?? false });
    this.#url = new URL("v1/federation/tree-heads", base);
    this.#clock = options.clock ?? systemClock;
  }

  async crossAnchor(request: CrossAnchorRequest, signal: AbortSignal): Promise<CrossAnchorAnswer> {
    const { status, body } = await this.#post(encodeCrossAnchorRequest(request), signal);
    if (body === undefined) throw this.#refused(`at most ${MAX_ANSWER_BYTES} bytes`, "more");
    if (status === 200) {
      const text = textOf(body, CODE);
      return { kind: "cosigned", cosignature: parsePeerCosignature(text, this.#options.id, CODE) };
    }
    if (status === 409) return { kind: "sizes_required", sizes: sizesOf(body) };
    const refusal = refusalOf(body);
    // What time may mend, and what somebody in between says, is no word of the peer's on our head.
    if (status === 429 || status >= 500) throw this.#unreachable(`${status} ${refusal}`);
    throw this.#refused("a cosignature", `${status} ${refusal}`);
  }

  async #post(
    body: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly body: Bytes | undefined }> {
    signal.throwIfAborted();
    const limit = new AbortController();
    const stop = () => limit.abort(signal.reason);
    signal.addEventListener("abort", stop);
    const over = new AbortController();
    void this.#clock.sleep(TIMEOUT_MS, over.signal).then(() => limit.abort());
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: {
          "Accept": "application/json",
          "Authorization": `Bearer ${this.#options.token}`,
          "Content-Type": "application/json",
        },
        body,
        // Followed, a redirect would carry the token and the head to a place that nobody configured.
        redirect: "manual",
        signal: limit.signal,
      });
      return { status: response.status, body: await readBounded(response, MAX_ANSWER_BYTES) };
    } catch (cause) {
      throw this.#unreachable("none", { cause });
    } finally {
      over.abort();
      signal.removeEventListener("abort", stop);
    }
  }

  #refused(required: string, found: string): CountersignError {
    return new CountersignError(
      CODE,
      `Cannot have tree head cosigned by ${this.#options.id}: ${required} required, found ${found}`,
    );
  }

  #unreachable(found: string, options: ErrorOptions = {}): CountersignError {
    return new CountersignError(
      "peer_unreachable",
      `Cannot have tree head cosigned by ${this.#options.id}: an answer in time required, ` +
        `found ${found}`,
      options,
    );
  }
}

function sizesOf(body: Bytes): number[] {
  const listed = membersOf(body).list("sizes");
  const sizes = listed.filter(isCount);
  const isAscending = sizes.every((size, i) => i === 0 || size > sizes[i - 1]!);
  const isWhole = sizes.length === listed.length && sizes.length >= 1;
  if (isWhole && isAscending && sizes.length <= MAX_GROWTH_PROOFS) return sizes;
  throw new CountersignError(
    CODE,
    `Cannot read answer of peer: 1 to ${MAX_GROWTH_PROOFS} ascending sizes required, found others`,
  );
}

/** The code of a problem where it is one that a gateway can mean; nothing of what else it says. */
function refusalOf(body: Bytes): string {
  try {
    const code = membersOf(body).value("code");
    return REFUSALS.has(code) ? String(code) : "of another kind";
  } catch (error) {
    if (error instanceof CountersignError) return "without a reason";
    throw error;
  }
}

function membersOf(body: Bytes): Fields {
  const value = parseStrictJson(textOf(body, CODE), CODE);
  return new Fields(value, { where: "answer of peer", code: CODE }, [], { ignoreUnknown: true });
}
