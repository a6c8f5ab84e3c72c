/**
 * A bucket on loopback with the part of Amazon's S3 API that the product uses. It checks the signature of
 * every request (AWS Signature Version 4, docs.aws.amazon.com/IAM/latest/UserGuide, "Create a signed
 * request") with code of its own.
 *
 * @module
 */

import { createHash, createHmac } from "node:crypto";
import type { Bytes } from "../../src/bytes.ts";
import type { BucketOptions } from "../../src/transport/bucket_copy.ts";
import { systemClock } from "../../src/clock.ts";
import { served } from "../transport/fixture.ts";

interface StoredObject {
  readonly body: Bytes;
  readonly headers: Record<string, string>;
}

const SECRET = "secret/of+the+access+key+for+tests0";
const KEY_ID = "TESTKEY";
const REGION = "eu-test-1";
const MAX_SKEW_MS = 900_000;

const hex = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Uint8Array, text: string) =>
  createHmac("sha256", key).update(text).digest();

export class BucketServer {
  readonly objects = new Map<string, StoredObject>();
  /** Of what is answered instead of a request, by number; consumed. */
  readonly failures: number[] = [];
  /** Requests that are carried out, and answered with 500. */
  loseAnswers = 0;
  /** Ignores `If-Match` and `If-None-Match`. */
  ignoresConditions = false;
  requests = 0;
  refused = 0;

  /** The objects' texts below `prefix`. */
  get keys(): string[] {
    return [...this.objects.keys()].toSorted();
  }

  /** Options of a client. */
  optionsOf(url: string, options: Partial<BucketOptions> = {}): BucketOptions {
    return {
      ...{ bucket: "tiles", prefix: "a/log/", endpoint: new URL(`${url}/`), region: REGION },
      ...{ accessKeyId: KEY_ID, secretAccessKey: SECRET, clock: systemClock },
      allowUnconditional: false,
      ...options,
    };
  }

  /** Serves while `use` runs. */
  async serve(use: (url: string) => Promise<void>): Promise<void> {
    await served((request) => this.#answer(request), use);
  }

  async #answer(request: Request): Promise<Response> {
    this.requests++;
    const body = new Uint8Array(await request.arrayBuffer());
    const fault = this.#signatureFault(request, body);
    if (fault !== undefined) {
      this.refused++;
      return problem(403, "SignatureDoesNotMatch", fault);
    }
    const failure = this.failures.shift();
    if (failure !== undefined) return problem(failure, "SlowDown");
    const answer = this.#carryOut(request, body);
    if (this.loseAnswers === 0) return answer;
    this.loseAnswers--;
    return problem(500, "InternalError");
  }

  #carryOut(request: Request, body: Bytes): Response {
    const { pathname, searchParams } = new URL(request.url);
    const [, bucket, key = ""] = /^\/([^/]+)\/(.*)$/.exec(pathname) ?? [];
    if (bucket !== "tiles") return problem(404, "NoSuchBucket");
    if (request.method === "GET" && key === "") return this.#list(searchParams.get("prefix") ?? "");
    const found = this.objects.get(key);
    switch (request.method) {
      case "GET":
        if (found === undefined) return problem(404, "NoSuchKey");
        return new Response(found.body, {
          headers: { ...found.headers, ETag: etagOf(found.body) },
        });
      case "PUT": {
        const required = request.headers.get("If-Match");
        const isAbsent = request.headers.get("If-None-Match") === "*";
        if (!this.ignoresConditions) {
          if (isAbsent && found !== undefined) return problem(412, "PreconditionFailed");
          if (required !== null && (found === undefined || etagOf(found.body) !== required)) {
            return problem(412, "PreconditionFailed");
          }
        }
        const headers = Object.fromEntries(
          ["content-type", "cache-control"].map((name) => [name, request.headers.get(name) ?? ""]),
        );
        this.objects.set(key, { body, headers });
        return new Response(null, { headers: { ETag: etagOf(body) } });
      }
      case "DELETE":
        this.objects.delete(key);
        return new Response(null, { status: 204 });
      default:
        return problem(405, "MethodNotAllowed");
    }
  }

  #list(prefix: string): Response {
    const keys = this.keys.filter((key) => key.startsWith(prefix));
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    return new Response(
      `<?xml version="1.0"?><ListBucketResult><KeyCount>${keys.length}</KeyCount>${contents}` +
        "</ListBucketResult>",
      { headers: { "Content-Type": "application/xml" } },
    );
  }

  #signatureFault({ method, url, headers }: Request, body: Uint8Array): string | undefined {
    const [, credential = "", signed = "", signature = ""] =
      /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=([0-9a-f]{64})$/.exec(
        headers.get("Authorization") ?? "",
      ) ?? [];
    const [keyId, day = "", region = "", service = "", last] = credential.split("/");
    if (keyId !== KEY_ID || region !== REGION || service !== "s3" || last !== "aws4_request") {
      return "the credential is wrong";
    }
    const time = headers.get("X-Amz-Date") ?? "";
    const iso = time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z");
    if (!time.startsWith(day) || !(Math.abs(Date.parse(iso) - Date.now()) < MAX_SKEW_MS)) {
      return "the time is wrong";
    }
    const names = signed.split(";");
    const needed = ["host", "x-amz-content-sha256", "x-amz-date"];
    for (const name of ["if-match", "if-none-match"]) if (headers.has(name)) needed.push(name);
    if (!needed.every((name) => names.includes(name))) return "a header is not signed";
    const hash = headers.get("X-Amz-Content-Sha256") ?? "";
    if (hash !== hex(body)) return "the body is not the signed one";
    const { pathname, search, host } = new URL(url);
    const query = search.slice(1).split("&").filter((part) => part !== "").toSorted().join("&");
    const canonical = [
      ...[method, pathname, query],
      ...names.map((name) => `${name}:${name === "host" ? host : headers.get(name)?.trim()}`),
      ...["", signed, hash],
    ].join("\n");
    const scope = `${day}/${region}/${service}/aws4_request`;
    const text = ["AWS4-HMAC-SHA256", time, scope, hex(canonical)].join("\n");
    let key: Uint8Array | string = `AWS4${SECRET}`;
    for (const part of [day, region, service, "aws4_request"]) key = hmac(key, part);
    return hmac(key, text).toString("hex") === signature ? undefined : "the signature is wrong";
  }
}

function etagOf(body: Uint8Array): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function problem(status: number, code: string, message = ""): Response {
  const text = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(text, { status, headers: { "Content-Type": "application/xml" } });
}
