/**
 * Client of a peer network's gateway, at its operator listener: asks for cosignatures of our heads.
 *
 * @module
 */

import { type Bytes, textOf } from "../../base/bytes.ts";
import { type Clock, systemClock } from "../../base/clock.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import type { FetchChain, PeerClient } from "../../gateway/federation/ports.ts";
import {
  type CrossAnchorAnswer,
  type CrossAnchorRequest,
  encodeCrossAnchorRequest,
  MAX_GROWTH_PROOFS,
  parsePeerCosignature,
} from "../../proof/format/federation.ts";
import { readRefusal } from "../../proof/format/gateway_refusal.ts";
import { COUNT, list, object } from "../../proof/format/schema.ts";
import { parseServiceUrl } from "../../proof/format/service_url.ts";
import { parseSuccessionChain } from "../../proof/format/succession.ts";
import { sendRequest } from "../../client/http_client.ts";

/** A thousand signatures with long witness names. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** A hundred successions of many witnesses. */
const MAX_CHAIN_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;
const CODE = "peer_refused";
const ANSWER = { where: "answer of peer", code: CODE } as const;

const SIZES = object({
  sizes: list(COUNT, 1, MAX_GROWTH_PROOFS).map(
    (sizes) => sizes.every((size, i) => i === 0 || size > sizes[i - 1]!) ? sizes : undefined,
    "ascending sizes",
  ),
}, "allowed");

export interface HttpPeerOptions {
  /** The peer's network id. */
  readonly id: string;
  /** The operator listeners of its gateways, of which one is active. */
  readonly urls: readonly string[];
  readonly token: string;
  /** Allows `http:` beyond loopback. */
  readonly insecure?: boolean;
  readonly clock?: Clock;
}

/** {@linkcode PeerClient} over HTTP. */
export class HttpPeerClient implements PeerClient {
  readonly #options: HttpPeerOptions;
  readonly #urls: readonly URL[];
  /** The one that answered last. */
  #at = 0;

  /** `invalid_configuration` for a URL that {@linkcode parseServiceUrl} rejects. */
  constructor(options: HttpPeerOptions) {
    this.#options = options;
    const { insecure = false } = options;
    this.#urls = options.urls.map((url) =>
      new URL("v1/federation/tree-heads", parseServiceUrl(url, { insecure }))
    );
  }

  /** Asks the gateways in turn until one answers that is no standby. */
  async crossAnchor(request: CrossAnchorRequest, signal: AbortSignal): Promise<CrossAnchorAnswer> {
    for (let asked = 1;; asked++) {
      signal.throwIfAborted();
      try {
        return await this.#ask(this.#urls[this.#at]!, request, signal);
      } catch (error) {
        if (!hasCode(error, "peer_unreachable")) throw error;
        this.#at = (this.#at + 1) % this.#urls.length;
        if (asked === this.#urls.length) throw error;
      }
    }
  }

  async #ask(
    url: URL,
    request: CrossAnchorRequest,
    signal: AbortSignal,
  ): Promise<CrossAnchorAnswer> {
    const { id, token, clock = systemClock } = this.#options;
    const failure = `Cannot have tree head cosigned by ${id}`;
    const response = await sendRequest(url, {
      method: "POST",
      headers: {
        "Accept": "application/json",
        "Authorization": `Bearer ${token}`,
        "Content-Type": "application/json",
      },
      body: encodeCrossAnchorRequest(request),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      clock,
      signal,
      failure,
      codes: { unreachable: "peer_unreachable", tooLarge: CODE },
    });
    const { status, body } = response;
    if (status === 200) {
      return { kind: "cosigned", cosignature: parsePeerCosignature(textOf(body, CODE), id, CODE) };
    }
    if (status === 409) return { kind: "sizes_required", sizes: sizesOf(body) };
    // 429 and 5xx may come from a proxy or pass with time: they are no refusal of our head.
    const code = status === 429 || status >= 500 ? "peer_unreachable" : CODE;
    // Messages repeat nothing else that a peer sends.
    const { reason = "without a known code" } = readRefusal("cosignature", response, body);
    throw new CountersignError(code, `${failure}: it answered ${status} ${reason}`);
  }
}

/** Fetches the chain of a peer from its public gateway. Redirects are refused. */
export function chainFetcher(
  { id, url, insecure = false, clock = systemClock }:
    & Omit<HttpPeerOptions, "token" | "urls">
    & { readonly url: string },
): FetchChain {
  const failure = `Cannot get succession of ${id}`;
  const route = new URL("v1/succession", parseServiceUrl(url, { insecure }));
  return async (signal) => {
    const { status, body } = await sendRequest(route, {
      headers: { "Accept": "application/json" },
      maxBytes: MAX_CHAIN_BYTES,
      timeoutMs: TIMEOUT_MS,
      clock,
      signal,
      failure,
      codes: { unreachable: "peer_unreachable", tooLarge: CODE, redirected: CODE },
    });
    if (status === 200) return parseSuccessionChain(textOf(body, CODE), CODE);
    throw new CountersignError("peer_unreachable", `${failure}: it answered ${status}`);
  };
}

function sizesOf(body: Bytes): readonly number[] {
  return SIZES.parseText(textOf(body, CODE), ANSWER).sizes;
}
