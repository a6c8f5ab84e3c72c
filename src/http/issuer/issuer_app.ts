/**
 * An issuer of tokens over HTTP (RFC 9578 sections 4, 6.1 and 6.2).
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { CountersignError } from "../../base/errors.ts";
import {
  encodeIssuerDirectory,
  ISSUER_DIRECTORY_PATH,
} from "../../proof/format/issuer_directory.ts";
import { TOKEN_MEDIA_TYPE } from "../../proof/format/token_issuance.ts";
import type { Issuer } from "../../gateway/tokens/issuer.ts";
import type { IssuanceAdmission } from "./issuer_admission.ts";
import { ISSUER_BODY_LIMIT } from "../limits.ts";
import { problemResponse } from "../problem.ts";
import type { FaultReport } from "../problem.ts";
import type { RequestHandler, RequestObserver } from "../request_context.ts";
import { addRoute, appHandler, type RouterEnv } from "../router.ts";

export const TOKEN_REQUEST_PATH = "/token-request";

/** Seconds for which clients may store a directory: keys are in it long before they sign. */
const DIRECTORY_MAX_AGE = 300;

/** Pages of gateways ask for tokens. No credentials of a browser are involved. */
const ANY_ORIGIN = { "Access-Control-Allow-Origin": "*" };
const PREFLIGHT_SECONDS = "86400";

/** The parts of the issuer's server. */
export interface IssuerAppOptions {
  readonly issuer: Issuer;
  readonly admission: IssuanceAdmission;
  /** Receives every error whose status is at least 500. */
  readonly report: FaultReport;
  readonly observer?: RequestObserver | undefined;
}

/** The handler of an issuer's server. Never rejects. */
export function issuerApp(options: IssuerAppOptions): RequestHandler {
  const { issuer, admission, observer, report } = options;
  const app = new Hono<RouterEnv>();
  addRoute(app, "/health", {
    GET(c) {
      c.header("Cache-Control", "no-store");
      return issuer.isReady ? c.json({ status: "ok" }) : c.json({ status: "no_signing_key" }, 503);
    },
  });
  addRoute(app, ISSUER_DIRECTORY_PATH, {
    GET: (c) =>
      c.body(encodeIssuerDirectory(issuer.directory()), 200, {
        "Content-Type": TOKEN_MEDIA_TYPE.directory,
        "Cache-Control": `public, max-age=${DIRECTORY_MAX_AGE}`,
        ...ANY_ORIGIN,
      }),
  });
  addRoute(app, TOKEN_REQUEST_PATH, {
    POST: (c) => tokenResponse(c, options),
    OPTIONS: (c) =>
      c.body(null, 204, {
        ...ANY_ORIGIN,
        "Access-Control-Allow-Methods": "POST",
        "Access-Control-Allow-Headers": "Authorization, Content-Type",
        "Access-Control-Max-Age": PREFLIGHT_SECONDS,
      }),
  });
  return appHandler(app, (error, context) => {
    const response = problemResponse(error, context);
    response.headers.set("Access-Control-Allow-Origin", "*");
    response.headers.set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After");
    if (response.status === 401) response.headers.set("WWW-Authenticate", admission.challenge);
    if (response.status >= 500) report(error, context.id);
    return response;
  }, observer);
}

/** Answers a token request. Checks the headers before it reads the body. */
async function tokenResponse(
  c: Context<RouterEnv>,
  { issuer, admission }: IssuerAppOptions,
): Promise<Response> {
  const { raw } = c.req;
  const grant = admission.grant(raw.headers);
  const [type = ""] = (raw.headers.get("Content-Type") ?? "").split(";");
  if (type.trim().toLowerCase() !== TOKEN_MEDIA_TYPE.request) {
    throw new CountersignError(
      "unsupported_media_type",
      `Cannot read body: send ${TOKEN_MEDIA_TYPE.request}`,
    );
  }
  const request = await c.env.context.readBody(ISSUER_BODY_LIMIT);
  grant.check(request);
  return c.body(issuer.issue(request, () => grant.take()), 200, {
    "Content-Type": TOKEN_MEDIA_TYPE.response,
    "Cache-Control": "no-store",
    ...ANY_ORIGIN,
  });
}
