/**
 * A key elsewhere, by the protocol of docs/signer.md. Nothing that a signer answers is used before it is
 * verified under the configured public key.
 *
 * @module
 */

import { type Bytes, fromHex, textOf } from "../base/bytes.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { sendRequest } from "../client/http_client.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../proof/crypto/domains.ts";
import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import type { KeyScheme, KeySigner } from "../proof/crypto/key_signer.ts";
import { verifyMlDsa } from "../proof/crypto/ml_dsa.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import { object, pattern } from "../proof/format/schema.ts";
import { parseServiceUrl, urlOf } from "../proof/format/service_url.ts";
import type { SignatureScheme } from "../proof/format/signature_set.ts";
import { Condition, type Report } from "../base/report.ts";
import { nameAtSigner } from "../proof/format/signer_key.ts";

/** Less than gateways wait for a witness, so that the witness's answer names the cause. */
const TIMEOUT_MS = 4_000;
/** Of a key whose signatures are further ones: heads do not wait long for it. */
const FURTHER_TIMEOUT_MS = 1_000;
const MAX_ANSWER_BYTES = 8_192;
/** Requests of one key at once; beyond that they are refused, since the signer does not keep up. */
const MAX_IN_FLIGHT = 64;

/**
 * Host of requests over a Unix socket. The runtime asks for access to it and looks it up, though nothing
 * connects there: a name that needs DNS would make each request depend on a resolver.
 */
export const SOCKET_HOST = "localhost:2";

export interface RemoteKey<S extends KeyScheme = SignatureScheme> {
  /** Name of the key: a witness id or a log's origin. */
  readonly name: string;
  readonly scheme: S;
  readonly publicKey: Bytes;
  /** `https:`, `http:` on loopback, or `unix:` and an absolute path. */
  readonly url: string;
  readonly token: string;
}

export interface RemoteSignerContext {
  readonly bls: Bls;
  readonly report: Report;
  readonly clock?: Clock;
}

/** The path of the socket that `url` names, or `undefined`; `invalid_configuration` for no signer's URL. */
export function socketPath(url: string): string | undefined {
  if (!url.startsWith("unix:")) {
    parseServiceUrl(url, { insecure: false });
    return undefined;
  }
  const path = url.slice("unix:".length);
  if (/^\/[^\0\n]+$/.test(path) && !path.startsWith("//")) return path;
  throw new CountersignError(
    "invalid_configuration",
    "Cannot use signer URL: after unix: it needs the absolute path of a socket",
  );
}

/** A key with a signer. Disposing it closes its connections. */
export class RemoteSigner<S extends KeyScheme = SignatureScheme>
  implements KeySigner<S>, Disposable {
  readonly scheme: S;
  readonly publicKey: Bytes;
  readonly #key: RemoteKey<S>;
  readonly #name: string;
  readonly #context: RemoteSignerContext;
  readonly #url: URL;
  readonly #fetch: typeof fetch;
  readonly #client: Deno.HttpClient | undefined;
  readonly #away: Condition;
  #inFlight = 0;
  #isAway = false;

  /** `invalid_configuration`. Asks nothing: the signer may be away. */
  constructor(key: RemoteKey<S>, context: RemoteSignerContext) {
    this.scheme = key.scheme;
    this.publicKey = key.publicKey;
    this.#key = key;
    this.#context = context;
    const { clock = systemClock, report } = context;
    this.#away = new Condition({ clock, report });
    const path = socketPath(key.url);
    this.#name = nameAtSigner(key.name, key.scheme);
    const route = `v1/keys/${encodeURIComponent(this.#name)}/sign`;
    if (path === undefined) {
      this.#url = urlOf(route, parseServiceUrl(key.url, { insecure: false }))!;
      this.#fetch = fetch;
      return;
    }
    this.#url = urlOf(`http://${SOCKET_HOST}/${route}`)!;
    if ("Deno" in globalThis) {
      const client = this.#client = Deno.createHttpClient({ proxy: { transport: "unix", path } });
      this.#fetch = (input, init) => fetch(input, { ...init, client });
    } else {
      this.#fetch = () =>
        Promise.reject(
          new CountersignError(
            "signer_unavailable",
            `Cannot sign with key ${this.#name}: only Deno connects to Unix sockets`,
          ),
        );
    }
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  /** Rejects with `signer_unavailable` when no verified signature comes in time. */
  async sign(message: Uint8Array): Promise<Bytes> {
    const name = this.#name;
    try {
      const signature = await this.#ask(message);
      this.#isAway = false;
      this.#away.ended(`The signer of key ${name} signs again`);
      return signature;
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      this.#isAway = true;
      this.#away.holds(
        `${error.message}. Nothing is signed with this key until its signer at ${this.#key.url} answers`,
        { level: "error", code: error.code },
        error.message,
      );
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#client?.close();
  }

  async #ask(message: Uint8Array): Promise<Bytes> {
    const { token, scheme, publicKey } = this.#key;
    const failure = `Cannot sign with key ${this.#name}`;
    const refused = errorBuilder("signer_unavailable", failure);
    if (this.#inFlight >= MAX_IN_FLIGHT) {
      throw refused(`${MAX_IN_FLIGHT} requests wait for its signer`);
    }
    this.#inFlight++;
    try {
      const { status, body } = await sendRequest(this.#url, {
        method: "POST",
        headers: { "Authorization": `Bearer ${token}`, "Content-Type": "application/octet-stream" },
        // A copy: the caller may use its bytes again.
        body: message.slice(),
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: scheme === "ml-dsa-44" ? FURTHER_TIMEOUT_MS : TIMEOUT_MS,
        clock: this.#context.clock ?? systemClock,
        fetch: this.#fetch,
        failure,
        ...(this.#client !== undefined && { server: this.#key.url }),
        codes: { unreachable: "signer_unavailable", redirected: "signer_unavailable" },
      });
      if (status !== 200) throw refused(`its signer answered ${status}`);
      const signature = signatureIn(body);
      if (!await this.verifies(publicKey, message, signature)) {
        throw refused(
          "its signer answered a signature that does not verify under the configured key",
        );
      }
      return signature;
    } finally {
      this.#inFlight--;
    }
  }

  /** Whether `signature` is the key's, whatever its length. */
  protected verifies(
    publicKey: Bytes,
    message: Uint8Array,
    signature: Bytes,
  ): boolean | Promise<boolean> {
    const { scheme } = this.#key;
    if (scheme === "ed25519") return verifyNative(publicKey, message, signature);
    return scheme === "bls"
      ? this.#context.bls.verify(publicKey, message, signature, BLS_SIGNATURE_DST)
      : verifyMlDsa(publicKey, message, signature);
  }
}

const ANSWER = object({ signature: pattern(/^(?:[0-9a-f]{2})+$/) });

/** The signature in an answer; `signer_unavailable`. */
function signatureIn(body: Bytes): Bytes {
  const code = "signer_unavailable";
  return fromHex(
    ANSWER.parseText(textOf(body, code), { where: "answer of the signer", code }).signature,
  );
}
