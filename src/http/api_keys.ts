/**
 * API keys of a private gateway, as bearer tokens (RFC 6750):
 *
 *     Authorization: Bearer <43 characters of base64url>
 *
 * The holder of a key is a client with its own budgets, wherever its requests come from. Finding a key
 * costs one hash and one look-up; another text is not even hashed.
 *
 * @module
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { type Bytes, fromHex } from "../base/bytes.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { ApiKeyEntry, KeyedRoutes } from "../config/api_keys.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import type { ClientKey } from "./limits/client_key.ts";
import { privateCaching } from "./answer.ts";
import { PUBLIC_PATHS } from "./endpoint.ts";
import { SUBMISSION_PATHS } from "./gateway/submission_paths.ts";
import { KEY_CHECK_MS, type KeyHolder, type RequestContext } from "./request_context.ts";

const CREDENTIALS = /^bearer +([A-Za-z0-9_-]{43})$/i;
const ANY_BEARER = /^bearer(?: |$)/i;

/** Keys are clients in IPv6 multicast, which no source address is in. */
const HOLDER_HIGH = 0xff00_0000;
const HOLDER_BITS = 0x007f_ffff;

interface AcceptedKey {
  readonly digest: Bytes;
  readonly notAfter: number;
  readonly client: ClientKey;
  readonly holder: KeyHolder;
}

export interface ApiKeysOptions {
  readonly routes: KeyedRoutes;
  /** The `realm` of challenges: the network's id. */
  readonly realm: string;
  /** True for paths that need no key in addition to {@linkcode PUBLIC_PATHS}. */
  readonly isPublic?: (path: string) => boolean;
  readonly clock: Clock;
}

/** The keys that are accepted at present. */
export class ApiKeys {
  readonly #options: ApiKeysOptions;
  /** By the first 8 bytes of the digest. */
  #keys: ReadonlyMap<string, AcceptedKey> = new Map();
  /** Whom to call when a key is refused, with the key's digest. */
  readonly #watched = new Map<() => void, Bytes>();
  #unwatched = new AbortController();

  constructor(options: ApiKeysOptions, keys: readonly ApiKeyEntry[]) {
    this.#options = options;
    this.use(keys);
  }

  /** Replaces the accepted keys. */
  use(keys: readonly ApiKeyEntry[]): void {
    this.#keys = new Map(keys.map((key) => [key.sha256.slice(0, 16), this.#acceptedKey(key)]));
  }

  /** Finds the key of a request, whose holder is then the request's client. Never refuses. */
  identify(context: RequestContext): void {
    const [, text] = CREDENTIALS.exec(authorization(context)) ?? [];
    if (text === undefined) return;
    const key = this.#find(createHash("sha256").update(text).digest());
    if (key === undefined) return;
    context.apiKey = key.holder;
    context.client = key.client;
  }

  /**
   * Requires a key where the route needs one, once the request is charged: `api_key_required` without
   * credentials, `api_key_refused` with others.
   */
  require(context: RequestContext): void {
    if (context.apiKey !== undefined || !this.#isRequired(context)) return;
    if (!ANY_BEARER.test(authorization(context))) {
      throw new CountersignError(
        "api_key_required",
        "This gateway is private: send an API key of its operator (Authorization: Bearer KEY; " +
          "countersign: the variable COUNTERSIGN_API_KEY)",
      );
    }
    throw new CountersignError(
      "api_key_refused",
      "The API key is unknown, revoked or expired: ask the gateway's operator for another one",
    );
  }

  /**
   * Marks `response` as private where the route needs a key. A cache in front of the gateway may give a
   * `public` answer to clients without one, whatever `Authorization` it was for (RFC 9111 section 3.5).
   */
  keepPrivate(context: RequestContext, response: Response): Response {
    const caching = response.headers.get("Cache-Control");
    if (caching?.startsWith("public") && this.#isRequired(context)) {
      response.headers.set("Cache-Control", privateCaching(caching));
    }
    return response;
  }

  /** Headers of the answer to `error` (RFC 6750 section 3); `undefined` if it is not about keys. */
  challenge(error: unknown): Record<string, string> | undefined {
    const realm = `Bearer realm="${this.#options.realm}"`;
    if (hasCode(error, "api_key_required")) return { "WWW-Authenticate": realm };
    if (!hasCode(error, "api_key_refused")) return undefined;
    return { "WWW-Authenticate": `${realm}, error="invalid_token"` };
  }

  #isRequired({ request: { method }, path }: RequestContext): boolean {
    if (method === "OPTIONS") return false;
    if (SUBMISSION_PATHS.has(path)) return true;
    if (this.#options.routes === "submissions") return false;
    return !PUBLIC_PATHS.has(path) && this.#options.isPublic?.(path) !== true;
  }

  /** The accepted key with `digest`. */
  #find(digest: Uint8Array): AcceptedKey | undefined {
    const key = this.#keys.get(digest.subarray(0, 8).toHex());
    if (key === undefined || !timingSafeEqual(key.digest, digest)) return undefined;
    return unixSeconds(this.#options.clock) < key.notAfter ? key : undefined;
  }

  #acceptedKey({ name, sha256, notAfter = Infinity, rates }: ApiKeyEntry): AcceptedKey {
    const digest = fromHex(sha256);
    const view = new DataView(digest.buffer, digest.byteOffset);
    const high = (HOLDER_HIGH | view.getUint32(0) & HOLDER_BITS) >>> 0;
    const whenRefused = (listener: () => void) => this.#watch(listener, digest);
    const holder = { name, rates, whenRefused };
    return { digest, notAfter, client: { high, low: view.getUint32(4) }, holder };
  }

  #watch(listener: () => void, digest: Bytes): () => void {
    // No stream of events needs a key.
    if (this.#options.routes === "submissions") return () => {};
    this.#watched.set(listener, digest);
    if (this.#watched.size === 1) void this.#checkWatched();
    return () => {
      if (this.#watched.delete(listener) && this.#watched.size === 0) this.#unwatched.abort();
    };
  }

  async #checkWatched(): Promise<void> {
    const { signal } = this.#unwatched = new AbortController();
    for (;;) {
      await this.#options.clock.sleep(KEY_CHECK_MS, signal);
      if (signal.aborted) return;
      for (const [refused, digest] of [...this.#watched]) {
        if (this.#find(digest) === undefined) refused();
      }
    }
  }
}

function authorization({ request }: RequestContext): string {
  return request.headers.get("Authorization") ?? "";
}
