/**
 * An issuer with published keys, called without a socket, and token orders.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Bytes } from "../../../src/base/bytes.ts";
import { unixSeconds } from "../../../src/base/clock.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { encodeTokenChallenge } from "../../../src/proof/format/privacy_pass.ts";
import { TOKEN_MEDIA_TYPE } from "../../../src/proof/format/token_issuance.ts";
import { IssuanceAdmission } from "../../../src/http/issuer/issuer_admission.ts";
import { issuerApp, TOKEN_REQUEST_PATH } from "../../../src/http/issuer/issuer_app.ts";
import { apiKeyDigest, ApiKeys } from "../../../src/gateway/tokens/api_keys.ts";
import { Issuer } from "../../../src/gateway/tokens/issuer.ts";
import {
  issuerKeyOf,
  type IssuerSecret,
  tokenKeyOf,
} from "../../../src/gateway/tokens/issuer_key.ts";
import type { KeyPeriod } from "../../../src/gateway/tokens/key_schedule.ts";
import { encodeWorkProof, findWork } from "../../../src/proof/format/work_proof.ts";
import { FakeClock } from "../../fake_clock.ts";
import { PRIVATE_KEY } from "./published_vectors.ts";

export const NAME = "issuer.example";
export const API_KEY = "an-api-key-of-a-client-of-ours";
/** One token now, and one more each 12 hours. */
export const MEAGRE_KEY = "an-api-key-for-two-tokens-a-day";
/** Some dozens of hashes. */
export const WORK_BITS = 5;

/** The published key, which needs no generation. */
export function publishedSecret(period: KeyPeriod): IssuerSecret {
  return { privateKey: PRIVATE_KEY, tokenKey: tokenKeyOf(PRIVATE_KEY), ...period };
}

/** The challenge of a gateway of `networkId` for a token of `NAME`. */
export function challengeOf(networkId = "log.example"): Bytes {
  return encodeTokenChallenge({
    issuerName: NAME,
    originInfo: networkId,
    redemptionContext: new Uint8Array(),
  });
}

/** What the issuer of {@linkcode serveTokens} accepts. */
export interface ServedRules {
  readonly apiKeys?: boolean;
  readonly work?: boolean;
}

/** An issuer with a key, from now for an hour. */
export function serveTokens({ apiKeys = true, work = true }: ServedRules = {}) {
  const clock = new FakeClock();
  const now = unixSeconds(clock);
  const period = { notBefore: now, notAfter: now + 3600 };
  const secret = publishedSecret(period);
  const issuer = new Issuer({ name: NAME, requestUri: TOKEN_REQUEST_PATH, clock });
  issuer.useKeys([issuerKeyOf(secret)]);
  const keys = [
    { name: "client", sha256: apiKeyDigest(API_KEY) },
    { name: "meagre", sha256: apiKeyDigest(MEAGRE_KEY), perDay: 2 },
  ];
  const rules = {
    issuerName: NAME,
    apiKeys: new ApiKeys(apiKeys ? keys : [], clock.nowMs()),
    ...(work && { workBits: WORK_BITS }),
  };
  const reports: unknown[] = [];
  const app = issuerApp({
    issuer,
    admission: new IssuanceAdmission(rules, { clock, kernels: portableKernels }),
    report: (error) => reports.push(error),
  });
  const ask = (path: string, init: RequestInit = {}) =>
    app(new Request(`http://issuer.example${path}`, init));
  const request = (
    body: BodyInit,
    authorization?: string,
    type: string = TOKEN_MEDIA_TYPE.request,
  ) =>
    ask(TOKEN_REQUEST_PATH, {
      method: "POST",
      headers: {
        "Content-Type": type,
        ...(authorization !== undefined && { "Authorization": authorization }),
      },
      body,
    });
  return { app, ask, request, issuer, secret, clock, reports };
}

/** `Authorization` with work for `request`, by default for `NAME`. */
export function workFor(
  request: Bytes,
  time: number,
  { issuerName = NAME, bits = WORK_BITS }: {
    readonly issuerName?: string;
    readonly bits?: number;
  } = {},
): string {
  const requestDigest = new Uint8Array(createHash("sha256").update(request).digest());
  return encodeWorkProof(findWork({ issuerName, requestDigest }, { time, bits }, portableKernels));
}
