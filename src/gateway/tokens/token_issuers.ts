/**
 * The issuers whose tokens a gateway accepts, and their challenges (RFC 9577 section 2.1).
 *
 * @module
 */

import { toBase64 } from "../../base/builtins.ts";
import { base64UrlOf, type Bytes, hexOf } from "../../base/bytes.ts";
import type { ADMISSION_OFFER } from "../../proof/format/admission_offer.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { type BlindRsaKey } from "../../proof/crypto/blind_rsa.ts";
import { verifyBlindRsa } from "../../proof/crypto/blind_rsa_native.ts";
import {
  challengeDigest,
  encodeTokenChallenge,
  TOKEN_TYPE,
  tokenKeyIdOf,
} from "../../proof/format/privacy_pass.ts";
import type { Of } from "../../proof/format/schema.ts";

/** Challenges in one header field: 600 bytes each, so that proxies pass the header on. */
export const MAX_CHALLENGES = 8;

export interface TokenKey {
  /** 32 bytes: `token_key_id` of RFC 9578. */
  readonly id: Bytes;
  /** As in the issuer's directory (RFC 9578 section 4). */
  readonly publicKey: Bytes;
  /** Unix seconds from which its tokens are accepted. */
  readonly notBefore?: number;
  /** Unix seconds from which they are refused. */
  readonly notAfter?: number;
  /** True if `authenticator` is the issuer's signature of `tokenInput`. */
  verify(tokenInput: Bytes, authenticator: Bytes): boolean;
}

export interface TokenIssuer {
  readonly name: string;
  /** Where clients find its directory. */
  readonly url?: string;
  /** Empty for a followed issuer whose directory was never read. */
  readonly keys: readonly TokenKey[];
}

/** A key with its issuer and the challenge that its tokens answer. */
export interface AdmittedKey {
  readonly issuer: TokenIssuer;
  readonly key: TokenKey;
  readonly challenge: Bytes;
  /** 32 bytes: SHA-256 of the challenge. */
  readonly challengeDigest: Bytes;
}

/** The issuers of one network, each by its name and its type of token. */
export class TokenIssuers {
  readonly #networkId: string;
  readonly #clock: Clock;
  #issuers: readonly TokenIssuer[] = [];
  #keys: readonly AdmittedKey[] = [];
  /** By challenge and key, so that an issuer cannot claim tokens by publishing another's key. */
  #byChallenge: ReadonlyMap<string, AdmittedKey> = new Map();
  /** The part of the header field for each key. */
  #challenges: readonly string[] = [];
  /** Names of the issuers without keys, by the digest of their challenge in hex. */
  #unread: ReadonlyMap<string, string> = new Map();

  constructor(networkId: string, issuers: readonly TokenIssuer[], clock: Clock) {
    this.#networkId = networkId;
    this.#clock = clock;
    this.#use(issuers);
  }

  /** Where clients find the directories of issuers. */
  get urls(): readonly string[] {
    return this.#issuers.flatMap(({ url }) => url ?? []);
  }

  /** Replaces the keys of the issuer `name`. */
  useKeys(name: string, keys: readonly TokenKey[]): void {
    this.#use(this.#issuers.map((one) => one.name === name ? { ...one, keys } : one));
  }

  #use(issuers: readonly TokenIssuer[]): void {
    this.#issuers = issuers;
    const unread = new Map<string, string>();
    this.#keys = issuers.flatMap((issuer) => {
      const challenge = encodeTokenChallenge({
        issuerName: issuer.name,
        redemptionContext: new Uint8Array(),
        originInfo: this.#networkId,
      });
      const digest = challengeDigest(challenge);
      if (issuer.keys.length === 0) unread.set(hexOf(digest), issuer.name);
      return issuer.keys.map((key) => ({ issuer, key, challenge, challengeDigest: digest }));
    });
    this.#unread = unread;
    this.#byChallenge = new Map(
      this.#keys.map((one) => [hexOf(one.challengeDigest) + hexOf(one.key.id), one]),
    );
    this.#challenges = this.#keys.map(({ challenge, key }) =>
      `PrivateToken challenge="${toBase64(challenge, "base64url")}", token-key="${
        toBase64(key.publicKey, "base64url")
      }"`
    );
  }

  /** The key `id` of the issuer whose challenge has `digest`, whether or not it is valid now. */
  find(digest: Uint8Array, id: Uint8Array): AdmittedKey | undefined {
    return this.#byChallenge.get(hexOf(digest) + hexOf(id));
  }

  /**
   * The name of the issuer whose challenge has `digest`, if its directory was never read and its
   * tokens cannot be verified.
   */
  unreadIssuerOf(digest: Uint8Array): string | undefined {
    return this.#unread.get(hexOf(digest));
  }

  /**
   * Names of the issuers whose directories were never read, if no other issuer has a valid key: then
   * no token is valid until one of them is reached.
   */
  missingIssuers(): readonly string[] {
    return this.#currentKeys().length > 0 ? [] : [...this.#unread.values()];
  }

  /**
   * `WWW-Authenticate` (RFC 9577 section 2.1): a challenge for each valid key, at most
   * {@linkcode MAX_CHALLENGES}. The latest keys of each issuer come first, since one of them signs.
   */
  challenges(): string {
    const current = this.#currentKeys();
    const preferred = new Set(
      [...Map.groupBy(current, (i) => this.#keys[i]!.issuer).values()]
        .flatMap((own) =>
          own.toSorted((a, b) => this.#begin(b) - this.#begin(a)).entries().toArray()
        )
        .toSorted(([a], [b]) => a - b)
        .slice(0, MAX_CHALLENGES)
        .map(([, i]) => i),
    );
    // Without a valid key the header has only the scheme.
    return current.filter((i) => preferred.has(i)).map((i) => this.#challenges[i]).join(", ") ||
      "PrivateToken";
  }

  /** Indexes of the keys that are valid now. */
  #currentKeys(): readonly number[] {
    const now = unixSeconds(this.#clock);
    return [...this.#keys.keys()].filter((i) => {
      const { notAfter = Infinity } = this.#keys[i]!.key;
      return this.#begin(i) <= now && now < notAfter;
    });
  }

  #begin(i: number): number {
    return this.#keys[i]!.key.notBefore ?? 0;
  }

  /** The issuers for `GET /v1/admission`, with their keys that have not ended. */
  offers(): Of<typeof ADMISSION_OFFER>["issuers"] {
    const now = unixSeconds(this.#clock);
    const lasting = this.#keys.filter(({ key: { notAfter = Infinity } }) => now < notAfter);
    return [...Map.groupBy(lasting, ({ issuer }) => issuer)].map(([issuer, keys]) => ({
      name: issuer.name,
      ...(issuer.url !== undefined && { url: issuer.url }),
      token_type: TOKEN_TYPE,
      challenge: base64UrlOf(keys[0]!.challenge),
      token_keys: keys.map(({ key }) => ({
        token_key: base64UrlOf(key.publicKey),
        token_key_id: hexOf(key.id),
        ...(key.notBefore !== undefined && { not_before: key.notBefore }),
        ...(key.notAfter !== undefined && { not_after: key.notAfter }),
      })),
    }));
  }
}

/** Verifies tokens with the public `key`. */
export function blindRsaTokenKey(
  key: BlindRsaKey,
  validity: Pick<TokenKey, "notBefore" | "notAfter">,
): TokenKey {
  return {
    ...validity,
    id: tokenKeyIdOf(key.spki),
    publicKey: key.spki,
    verify: (tokenInput, authenticator) => verifyBlindRsa(key, tokenInput, authenticator),
  };
}
