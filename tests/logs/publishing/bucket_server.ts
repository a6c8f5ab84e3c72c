/**
 * A bucket on loopback with the part of Amazon's S3 API that the product uses. It checks the signature of
 * every request.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Bytes } from "../../../src/base/bytes.ts";
import type { BucketOptions } from "../../../src/http/outgoing/bucket_copy.ts";
import { systemClock } from "../../../src/base/clock.ts";
import { served } from "../../http/outgoing/fixture.ts";
import { signatureFault } from "./aws_signature.ts";

interface StoredObject {
  readonly body: Bytes;
  readonly headers: Record<string, string>;
}

const SECRET = "secret/of+the+access+key+for+tests0";
const KEY_ID = "TESTKEY";
const REGION = "eu-test-1";
const ACCOUNT = { keyId: KEY_ID, secret: SECRET, region: REGION, service: "s3" };

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
      bucket: "tiles",
      prefix: "a/log/",
      endpoint: new URL(`${url}/`),
      region: REGION,
      accessKeyId: KEY_ID,
      secretAccessKey: SECRET,
      clock: systemClock,
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
    const conditions = ["if-match", "if-none-match"].filter((name) => request.headers.has(name));
    const needed = ["x-amz-content-sha256", ...conditions];
    const fault = signatureFault(request, body, { account: ACCOUNT, needed });
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
          ["content-type", "content-encoding", "cache-control"]
            .flatMap((name) => [[name, request.headers.get(name)]])
            .filter(([, value]) => value !== null),
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
}

function etagOf(body: Uint8Array): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function problem(status: number, code: string, message = ""): Response {
  const text = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return new Response(text, { status, headers: { "Content-Type": "application/xml" } });
}
