/**
 * An issuer of tokens over HTTP (RFC 9578 sections 4, 5.1, 5.2, 6.1 and 6.2).
 *
 * @module
 */

import { type Context, Hono } from "hono";
import { CountersignError } from "../errors.ts";
import { encodeIssuerDirectory, ISSUER_DIRECTORY_PATH } from "../format/issuer_directory.ts";
import { TOKEN_MEDIA_TYPE } from "../format/token_issuance.ts";
import type { Issuer } from "../issuer/issuer.ts";
import { readBody } from "./body.ts";
import { ISSUER_BODY_LIMIT } from "./limits.ts";
import type { IssuanceAdmission } from "./issuer_admission.ts";
import { withPlainMethod } from "./plain_method.ts";
import { problemResponse } from "./problem.ts";
import type { RouterEnv } from "./routes.ts";
import {
  type RequestContext,
  type RequestHandler,
  requestHandler,
  type RequestObserver,
} from "./request_context.ts";

/** Where token requests are taken. */
export const TOKEN_REQUEST_PATH = "/token-request";

/** Seconds for which a directory may be kept: keys are in it long before they sign. */
const DIRECTORY_MAX_AGE = 300;

/** What the issuer's server is made of. */
export interface IssuerAppOptions {
  readonly issuer: Issuer;
  readonly admission: IssuanceAdmission;
  /** Told of every fault that is answered with a status from 500 on, and in which request. */
  readonly report: (error: unknown, requestId: string) => void;
  /** Told of every answer. */
  readonly observer?: RequestObserver;
}

/** The handler of an issuer's server. Never rejects. */
export function issuerApp(options: IssuerAppOptions): RequestHandler {
  const { issuer, admission, observer, report } = options;
  const app = new Hono<RouterEnv>();
  for (const path of ["/health", ISSUER_DIRECTORY_PATH, TOKEN_REQUEST_PATH]) {
    app.use(path, (c, next) => {
      c.env.context.route = path;
      return next();
    });
  }
  app.get("/health", (c) => {
    c.header("Cache-Control", "no-store");
    return issuer.isReady ? c.json({ status: "ok" }) : c.json({ status: "no_signing_key" }, 503);
  });
  app.get(ISSUER_DIRECTORY_PATH, (c) =>
    c.body(encodeIssuerDirectory(issuer.directory()), 200, {
      "Content-Type": TOKEN_MEDIA_TYPE.directory,
      "Cache-Control": `public, max-age=${DIRECTORY_MAX_AGE}`,
      // A page may read what everybody may.
      "Access-Control-Allow-Origin": "*",
    }));
  app.post(TOKEN_REQUEST_PATH, (c) => tokenResponse(c, options));
  for (const path of ["/health", ISSUER_DIRECTORY_PATH]) refuseOtherMethods(app, path, "GET, HEAD");
  refuseOtherMethods(app, TOKEN_REQUEST_PATH, "POST");
  app.notFound((c) =>
    problemResponse(
      new CountersignError("route_not_found", "Cannot answer: a known route required"),
      c.env.context,
    )
  );
  const answerTo = (error: unknown, context: RequestContext): Response => {
    const response = problemResponse(error, context);
    if (response.status === 401) response.headers.set("WWW-Authenticate", admission.challenge);
    if (response.status >= 500) report(error, context.id);
    return response;
  };
  app.onError((error, c) => answerTo(error, c.env.context));
  return requestHandler(async (context) => {
    try {
      return await app.fetch(withPlainMethod(context.request), { context });
    } catch (error) {
      // What is thrown and is no Error passes by hono's own handler.
      return answerTo(error, context);
    }
  }, observer);
}

/** The answer to a token request. Who is refused on his headers does not have a body read for him. */
async function tokenResponse(
  c: Context<RouterEnv>,
  { issuer, admission }: IssuerAppOptions,
): Promise<Response> {
  const { raw } = c.req;
  const grant = admission.grant(raw.headers);
  requireTokenRequest(raw.headers);
  const request = await readBody(raw, ISSUER_BODY_LIMIT);
  grant.check(request);
  return c.body(issuer.issue(request, () => grant.take()), 200, {
    "Content-Type": TOKEN_MEDIA_TYPE.response,
    "Cache-Control": "no-store",
  });
}

/** Refuses with `unsupported_media_type` a body that says it is no token request. */
function requireTokenRequest(headers: Headers): void {
  const [type = ""] = (headers.get("Content-Type") ?? "").split(";");
  if (type.trim().toLowerCase() === TOKEN_MEDIA_TYPE.request) return;
  throw new CountersignError(
    "unsupported_media_type",
    `Cannot read body: ${TOKEN_MEDIA_TYPE.request} required, found another media type`,
  );
}

function refuseOtherMethods(app: Hono<RouterEnv>, path: string, allow: string): void {
  app.all(path, (c) => {
    const error = new CountersignError(
      "method_not_allowed",
      `Cannot answer: method ${allow} required, another found`,
    );
    return problemResponse(error, c.env.context, { headers: { Allow: allow } });
  });
}
