/**
 * The OpenAPI document, made from the registered routes. It has no external references.
 *
 * @module
 */

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Answer, constantAnswer, jsonAnswer } from "../answer.ts";
import { COMMON_DOCUMENTED_HEADERS } from "../documented_headers.ts";
import { json, PRIVATE_TOKEN_SCHEME } from "../endpoint.ts";
import { NO_PARAMETERS } from "../parameters.ts";
import type { RouterEnv } from "../router.ts";
import type { Routes } from "../routes.ts";
import { JsonValue } from "../schema/proofs.ts";

/** Version of the wire contract. */
export const API_VERSION = "1.0.0";

const DESCRIPTION =
  "Clients submit SHA-256 digests, never content. A threshold of witnesses signs each attestation, " +
  "and the gateway appends it to a public log. Hashes and signatures are lowercase hex, times integer Unix seconds, " +
  "integers below 2^53. Errors are problem details (RFC 9457) with a `code` of a closed " +
  "vocabulary. Every GET route answers HEAD, every route OPTIONS; another method is a 405 with " +
  "`Allow`, and an unknown path a 404. No route needs credentials, except the " +
  "tokens that a gateway can require for new hashes. Pages of any origin may call every route. Unknown members of a request object and unknown query parameters are ignored. " +
  "`x-common-headers` lists response headers of all routes.";

const TAGS = [
  { name: "attestations", description: "Submit hashes, read their attestations and proofs" },
  { name: "log", description: "The transparency log: signed tree heads and RFC 9162 proofs" },
  { name: "federation", description: "Tree heads of peer networks, and evidence against them" },
  { name: "service", description: "Configuration, health, status and batches" },
  { name: "c2sp", description: "The read interface for C2SP monitors and mirrors" },
  { name: "events", description: "Events of the log, live and from any earlier position" },
];

const Document = z.object({
  openapi: z.literal("3.1.0"),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), JsonValue),
  components: z.record(z.string(), JsonValue),
}).openapi({ description: "An OpenAPI document" });

/** Registers the document of all routes of `app`, this one included. */
export function addOpenApiRoute(routes: Routes, app: OpenAPIHono<RouterEnv>): void {
  app.openAPIRegistry.registerComponent("securitySchemes", PRIVATE_TOKEN_SCHEME, {
    type: "http",
    scheme: "PrivateToken",
    description:
      '`Authorization: PrivateToken token="..."` (RFC 9577 section 2.2) carries a token ' +
      "in base64url for the challenge of a 401. It is equivalent to `issuer_token` in the body. " +
      "A bulk request may use it for a single hash. With more hashes, or if header and body " +
      "differ, the answer is 400.",
  });
  let made: Answer | undefined;
  routes.add({
    id: "getOpenApi",
    method: "get",
    path: "/openapi.json",
    tag: "service",
    summary: "Read this document",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The document", Document) },
    problems: [],
  }, () => made ??= constantAnswer(jsonAnswer(openApiDocument(app))));
}

/** The document of all routes registered so far. */
export function openApiDocument(app: OpenAPIHono<RouterEnv>) {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Countersign gateway",
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: TAGS,
    "x-common-headers": COMMON_DOCUMENTED_HEADERS,
  });
}
