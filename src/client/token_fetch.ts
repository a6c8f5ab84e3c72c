/**
 * Fetching tokens of one issuer for one challenge.
 *
 * @module
 */

import { type Bytes, hexOf } from "../base/bytes.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import type { OfferedIssuer, OfferedKey } from "../proof/format/admission_offer.ts";
import type { IssuerDirectory } from "../proof/format/issuer_directory.ts";
import {
  challengeDigest,
  encodeTokenText,
  NONCE_LENGTH,
  type Token,
  tokenInputOf,
  tokenKeyIdOf,
} from "../proof/format/privacy_pass.ts";
import { isLoopbackName, parseServiceUrl } from "../proof/format/service_url.ts";
import {
  encodeWorkProof,
  parseWorkChallenge,
  type WorkDemand,
  type WorkProof,
  type WorkSubject,
} from "../proof/format/work_proof.ts";
import type { IssuerClient } from "./issuer_client.ts";
import type { SuppliedToken } from "./token_spender.ts";
import { readBlindRsaKey } from "../proof/crypto/blind_rsa.ts";
import { blindMessage, unblindSignature } from "../proof/crypto/blind_rsa_client.ts";
import { encodeTokenRequest, parseBlindSignature } from "../proof/format/token_issuance.ts";

const refused = errorBuilder("issuer_refused", "Cannot fetch tokens");

/** The key of the issuer, and the challenge for its tokens. */
export interface ChosenKey extends OrderedToken {
  readonly issuerName: string;
  /** Id of the network whose gateway accepts the tokens. */
  readonly networkId: string;
  /** Absolute URI for token requests. */
  readonly requestUri: string;
  /** Unix seconds at which its tokens expire. */
  readonly notAfter?: number;
}

/**
 * The key that the issuer of `directory` prefers among those that have begun, `now` in Unix seconds, and
 * that a gateway lists in one of `offers`. A key that the issuer shows only to one client would
 * identify its tokens; the gateway lists the same keys for everyone.
 */
export function chooseKey(
  directory: IssuerDirectory,
  offers: readonly OfferedIssuer[],
  now: number,
): ChosenKey {
  const isTaken = ({ notBefore = 0, notAfter = Infinity }: OfferedKey) =>
    notBefore <= now && now < notAfter;
  for (const { tokenKey, notBefore = 0 } of directory.tokenKeys) {
    if (now < notBefore) continue;
    for (const offer of offers) {
      const key = offer.keys.find((key) => hexOf(key.tokenKey) === hexOf(tokenKey));
      if (key === undefined || !isTaken(key)) continue;
      return {
        tokenKey,
        challenge: offer.challengeBytes,
        issuerName: offer.challenge.issuerName,
        networkId: offer.challenge.originInfo,
        requestUri: directory.requestUri,
        ...(key.notAfter !== undefined && { notAfter: key.notAfter }),
      };
    }
  }
  throw refused("the gateway accepts none of the issuer's current keys");
}

/**
 * The URL of the first issuer that `offers` name, and its offers; `undefined` if they name none. A
 * remote gateway must not name an issuer on this machine.
 */
export function namedIssuer(
  offers: readonly OfferedIssuer[],
  gatewayUrl: URL,
): { readonly url: URL; readonly offers: readonly OfferedIssuer[] } | undefined {
  const named = offers.find(({ url }) => url !== undefined)?.url;
  if (named === undefined) return undefined;
  const url = parseServiceUrl(named, { insecure: false });
  if (isLoopbackName(url.hostname) && !isLoopbackName(gatewayUrl.hostname)) {
    throw new CountersignError(
      "gateway_refused",
      `Cannot fetch tokens: the remote gateway names an issuer on this machine, ${url.origin}`,
    );
  }
  return { url, offers: offers.filter((offer) => offer.url === named) };
}

export interface TokenFetchOptions {
  readonly client: IssuerClient;
  readonly key: ChosenKey;
  /** Sent to the issuer; without it, a proof of work is computed if the issuer accepts one. */
  readonly apiKey?: string;
  readonly kernels: Pick<Kernels, "sha256">;
  readonly findWork: (subject: WorkSubject, demand: WorkDemand) => WorkProof | Promise<WorkProof>;
  readonly clock: Clock;
  /** Called once, before the first proof of work. */
  readonly onWork?: (bits: number) => void;
}

export class TokenFetch {
  readonly #options: TokenFetchOptions;
  /** Zero bits that the issuer requires, once known. */
  #workBits: number | undefined;

  constructor(options: TokenFetchOptions) {
    this.#options = options;
  }

  /** A verified token. `issuer_unreachable`, `issuer_refused`, `invalid_key`. */
  async fetch(): Promise<SuppliedToken> {
    const { key } = this.#options;
    const { request, finish } = orderToken(key);
    const token = encodeTokenText(finish(await this.#responseTo(request)));
    return key.notAfter === undefined ? { token } : { token, notAfter: key.notAfter };
  }

  async #responseTo(request: Bytes): Promise<Bytes> {
    const { client, key: { requestUri }, onWork } = this.#options;
    const answer = await client.request(requestUri, request, await this.#authorization(request));
    if (answer.kind === "response") return answer.response;
    const bits = parseWorkChallenge(answer.challenge);
    if (bits === undefined) {
      throw refused("the issuer requires an API key (countersign token --api-key-file)");
    }
    this.#workBits = bits;
    onWork?.(bits);
    return await this.#responseTo(request);
  }

  async #authorization(request: Bytes): Promise<string | undefined> {
    const { apiKey, key: { issuerName }, clock, kernels, findWork } = this.#options;
    if (apiKey !== undefined) return `Bearer ${apiKey}`;
    const bits = this.#workBits;
    if (bits === undefined) return undefined;
    const subject = { issuerName, requestDigest: kernels.sha256(request) };
    return encodeWorkProof(await findWork(subject, { time: unixSeconds(clock), bits }));
  }
}

/** The challenge that a token answers, and the key that signs it. */
interface OrderedToken {
  /** As the gateway sent it. */
  readonly challenge: Bytes;
  /** As in the issuer's directory. */
  readonly tokenKey: Bytes;
}

/** One issuance in progress. */
interface TokenOrder {
  /** Bytes of the TokenRequest. */
  readonly request: Bytes;
  /** Makes a verified token from the bytes of a TokenResponse; `issuer_refused`. */
  finish(response: Uint8Array): Token;
}

/**
 * Draws a nonce and blinds it: the client's half of an issuance (RFC 9578 sections 6.1 and 6.3). The
 * nonce is random, so that only this process can link a request to its token. `invalid_key`.
 */
export function orderToken({ challenge, tokenKey }: OrderedToken): TokenOrder {
  const key = readBlindRsaKey(tokenKey);
  const tokenKeyId = tokenKeyIdOf(tokenKey);
  const unauthenticated = {
    nonce: crypto.getRandomValues(new Uint8Array(NONCE_LENGTH)),
    challengeDigest: challengeDigest(challenge),
    tokenKeyId,
  };
  const input = tokenInputOf(unauthenticated);
  const { blinded, inverse } = blindMessage(key, input);
  return {
    request: encodeTokenRequest({
      truncatedTokenKeyId: tokenKeyId.at(-1)!,
      blindedMessage: blinded,
    }),
    finish: (response) => ({
      ...unauthenticated,
      authenticator: unblindSignature(key, input, inverse, parseBlindSignature(response)),
    }),
  };
}
