/**
 * The OpenAPI document, made from the registered routes. It has no external references.
 *
 * @module
 */

import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type Answer, constantAnswer, jsonAnswer } from "./answer.ts";
import { COMMON_DOCUMENTED_HEADERS } from "./documented_headers.ts";
import { json, PRIVATE_TOKEN_SCHEME } from "./endpoint.ts";
import { NO_PARAMETERS } from "./parameters.ts";
import type { RouterEnv } from "./router.ts";
import type { Routes } from "./routes.ts";
import { JsonValue } from "./schema/proofs.ts";

/** Version of the wire contract. */
export const API_VERSION = "1.0.0";

const DESCRIPTION =
  "Countersign receives SHA-256 digests, never content, and answers attestations that a threshold " +
  "of witnesses has signed. Hashes and signatures are lowercase hex, times integer Unix seconds, " +
  "integers below 2^53. Errors are problem details (RFC 9457) with a `code` of a closed " +
  "vocabulary. Every GET route answers HEAD, every route OPTIONS; another method is a 405 with " +
  "`Allow`, and an unknown path a 404. No route needs a credential but the tokens that a gateway " +
  "may ask for new hashes, and pages of any origin may call them. Unknown members of a request object and unknown query parameters are ignored. " +
  "`x-common-headers` of this document are headers of every route's answers.";

const TAGS = [
  { name: "attestations", description: "Submit hashes, read their attestations and proofs" },
  { name: "log", description: "The transparency log: signed tree heads and RFC 9162 proofs" },
  { name: "federation", description: "What this gateway has seen of its peers' logs" },
  { name: "service", description: "Configuration, health, status and batches" },
  { name: "c2sp", description: "The log as C2SP monitors and mirrors read it" },
  { name: "events", description: "What happens to the log, as it happens and from any place on" },
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
      "in base64url, as the challenge of a 401 asks: what `issuer_token` is in the body. A bulk " +
      "request of one hash may have it; for more hashes, and where both differ, it is a 400.",
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
