/**
 * A signer over HTTP: the three routes of docs/signer.md.
 *
 * @module
 */

import { type Bytes, hexOf } from "../../base/bytes.ts";
import type { KeyScheme, KeySigner } from "../../proof/crypto/key_signer.ts";
import { systemClock } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { percentDecoded, urlOf } from "../../proof/format/service_url.ts";
import type { Report } from "../../base/report.ts";
import { readBody } from "../../client/http_client.ts";
import { MAX_SIGNED_BYTES, signedDomain } from "../../proof/format/signed_text.ts";
import { type KeyKind, nameAtSigner } from "../../proof/format/signer_key.ts";
import { requireToken } from "../bearer_token.ts";
import { isFault, problemResponse } from "../problem.ts";
import { requestId } from "../request_context.ts";
import { isTimestampText } from "./timestamp_text.ts";

/** A key and its name. */
export interface ServedSigner {
  readonly kind: KeyKind;
  readonly name: string;
  readonly signer: KeySigner<KeyScheme>;
}

export interface SignerAppOptions {
  readonly keys: readonly ServedSigner[];
  readonly token: string;
  /** Receives one line for each signature and each refusal. */
  readonly report: Report;
}

/** Requests at once. Each may hold a text of {@linkcode MAX_SIGNED_BYTES} in memory. */
const MAX_IN_FLIGHT = 64;
const BODY_TIMEOUT_MS = 10_000;

/** The handler of a signer's server. Never rejects. */
export function signerApp(options: SignerAppOptions): (request: Request) => Promise<Response> {
  const keys = new Map(options.keys.map((key) => [nameAtSigner(key.name, key.signer.scheme), key]));
  let inFlight = 0;
  return async (request) => {
    const id = requestId();
    inFlight++;
    try {
      if (inFlight > MAX_IN_FLIGHT) {
        throw new CountersignError("overloaded", "Too many requests at once");
      }
      // Authenticate before reading the body.
      requireToken(request.headers, options.token);
      return await answer(request, keys, options.report);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      options.report(`Refused a request: ${message}`, {
        request_id: id,
        ...(isFault(error) && { level: "error" }),
        ...(error instanceof CountersignError && { code: error.code }),
      });
      return problemResponse(error, { id });
    } finally {
      inFlight--;
    }
  };
}

async function answer(
  request: Request,
  keys: ReadonlyMap<string, ServedSigner>,
  report: Report,
): Promise<Response> {
  // Of a Unix socket too, and of a Host field that is no host.
  const pathname = urlOf(request.url)?.pathname ?? "";
  if (pathname === "/v1/keys") {
    requireMethod(request, "GET");
    return Response.json({ keys: [...keys.values()].map(keyMembers) }, { headers: NO_STORE });
  }
  const [, encoded = "", sign] = /^\/v1\/keys\/([^/]+)(\/sign)?$/.exec(pathname) ?? [];
  const key = keys.get(percentDecoded(encoded));
  if (key === undefined) throw new CountersignError("route_not_found", "No such route or key");
  if (sign === undefined) {
    requireMethod(request, "GET");
    return Response.json(keyMembers(key), { headers: NO_STORE });
  }
  requireMethod(request, "POST");
  const message = await messageIn(request);
  const domain = key.kind === "tsa"
    ? isTimestampText(message) ? "a time-stamp token" : undefined
    : signedDomain(key, message);
  if (domain === undefined) {
    throw new CountersignError(
      "malformed_request",
      `Cannot sign: key ${key.name} does not sign texts that begin like this one`,
    );
  }
  const signature = await key.signer.sign(message);
  report(`Signed ${message.length} bytes of ${domain} with key ${key.name}`, { level: "info" });
  return Response.json({ signature: hexOf(signature) }, { headers: NO_STORE });
}

const NO_STORE = { "Cache-Control": "no-store" };

function keyMembers({ name, kind, signer: { scheme, publicKey } }: ServedSigner) {
  return {
    name: nameAtSigner(name, scheme),
    kind,
    algorithm: scheme,
    public_key: hexOf(publicKey),
  };
}

function requireMethod(request: Request, method: string): void {
  if (request.method === method) return;
  throw new CountersignError("method_not_allowed", `This route takes ${method} only`);
}

async function messageIn(request: Request): Promise<Bytes> {
  const body = new Response(request.body);
  using done = new DisposableStack();
  const limit = new AbortController();
  done.defer(() => limit.abort());
  const late = systemClock.sleep(BODY_TIMEOUT_MS, limit.signal).then(() => {
    throw new CountersignError("malformed_request", "The body did not arrive in time");
  });
  late.catch(() => {});
  const message = await Promise.race([readBody(body, MAX_SIGNED_BYTES), late]);
  if (message !== undefined) return message;
  throw new CountersignError("body_too_large", `A text has at most ${MAX_SIGNED_BYTES} bytes`);
}
