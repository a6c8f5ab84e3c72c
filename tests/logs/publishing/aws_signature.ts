/**
 * AWS Signature Version 4, checked by code of its own (docs.aws.amazon.com/IAM/latest/UserGuide, "Create a
 * signed request").
 *
 * @module
 */

import { createHash, createHmac } from "node:crypto";

export interface AwsAccount {
  readonly keyId: string;
  readonly secret: string;
  readonly region: string;
  readonly service: string;
}

const MAX_SKEW_MS = 900_000;

/** What is wrong with a request; `undefined` for one of `account` in which each header of `needed` is signed. */
export function signatureFault(
  { method, url, headers }: Request,
  body: Uint8Array,
  { account, needed }: { readonly account: AwsAccount; readonly needed: readonly string[] },
): string | undefined {
  const [, credential = "", signed = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.get("Authorization") ?? "",
    ) ?? [];
  const [keyId, day = "", region = "", service = "", last] = credential.split("/");
  if (
    keyId !== account.keyId || region !== account.region || service !== account.service ||
    last !== "aws4_request"
  ) {
    return "the credential is wrong";
  }
  const time = headers.get("X-Amz-Date") ?? "";
  const iso = time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z");
  if (!time.startsWith(day) || !(Math.abs(Date.parse(iso) - Date.now()) < MAX_SKEW_MS)) {
    return "the time is wrong";
  }
  const names = signed.split(";");
  if (!["host", "x-amz-date", ...needed].every((name) => names.includes(name))) {
    return "a header is not signed";
  }
  const hash = hex(body);
  if (
    headers.get("X-Amz-Content-Sha256") !== null && headers.get("X-Amz-Content-Sha256") !== hash
  ) {
    return "the body is not the signed one";
  }
  const { pathname, search, host } = new URL(url);
  const query = search.slice(1).split("&").filter((part) => part !== "").toSorted().join("&");
  const canonical = [
    method,
    pathname,
    query,
    ...names.map((name) => `${name}:${name === "host" ? host : headers.get(name)?.trim()}`),
    "",
    signed,
    hash,
  ].join("\n");
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, hex(canonical)].join("\n");
  let key: Uint8Array | string = `AWS4${account.secret}`;
  for (const part of [day, region, service, "aws4_request"]) key = hmac(key, part);
  return hmac(key, text).toString("hex") === signature ? undefined : "the signature is wrong";
}

function hex(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Uint8Array, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
