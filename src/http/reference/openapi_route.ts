/**
 * The OpenAPI document, made from the registered routes. It has no references to other documents.
 *
 * @module
 */

import { type Components, object, oneOf, TEXT } from "../../proof/format/schema.ts";
import { type Answer, constantAnswer, jsonAnswer } from "../answer.ts";
import { COMMON_DOCUMENTED_HEADERS } from "../documented_headers.ts";
import {
  ANY_OR_KEY,
  API_KEY_SCHEME,
  describeEndpoint,
  type Endpoint,
  json,
  PRIVATE_TOKEN_SCHEME,
} from "../endpoint.ts";
import { NO_PARAMETERS } from "../parameters.ts";
import type { Routes } from "../routes.ts";
import { VERSION } from "../../base/version.ts";
import { withExamples } from "../schema/component_examples.ts";

const DESCRIPTION =
  "Clients submit SHA-256 digests, never content. A threshold of witnesses signs each attestation, " +
  "and the gateway appends it to a public log. Hashes and signatures are lowercase hex, times integer Unix seconds, " +
  "integers below 2^53. Errors are problem details (RFC 9457) with a `code` of a closed " +
  "vocabulary. Every GET route answers HEAD, every route OPTIONS; another method is a 405 with " +
  "`Allow`, and an unknown path a 404. No route needs credentials, except the " +
  "tokens that a gateway can require for new hashes, and the API keys of a private gateway: for " +
  "submissions only, or for all routes but /health and these documents. Pages of any origin may call every route. Unknown members of a request object and unknown query parameters are ignored. " +
  "`x-common-headers` lists response headers of all routes.";

const TAGS = [
  { name: "attestations", description: "Submit hashes, read their attestations and proofs" },
  {
    name: "timestamps",
    description: "The time-stamp authority (RFC 3161), if the gateway has one",
  },
  { name: "log", description: "The transparency log: signed tree heads and RFC 9162 proofs" },
  { name: "federation", description: "Tree heads of peer networks, and evidence against them" },
  { name: "service", description: "Configuration, health, status and batches" },
  { name: "c2sp", description: "The read interface for C2SP monitors and mirrors" },
  { name: "events", description: "Events of the log, live and from any earlier position" },
];

const DOCUMENT = object({
  openapi: oneOf(["3.1.0"]),
  info: object({ title: TEXT, version: TEXT }, "allowed"),
  paths: object({}, "allowed"),
  components: object({}, "allowed"),
}, "allowed").with({ description: "An OpenAPI document" });

const SECURITY_SCHEMES = {
  [API_KEY_SCHEME]: {
    type: "http",
    scheme: "bearer",
    description:
      "`Authorization: Bearer KEY` (RFC 6750 section 2.1) at a private gateway, whose operator gives " +
      "out the keys.",
  },
  [PRIVATE_TOKEN_SCHEME]: {
    type: "http",
    scheme: "PrivateToken",
    description:
      '`Authorization: PrivateToken token="..."` (RFC 9577 section 2.2) carries a token ' +
      "in base64url for the challenge of a 401. It is equivalent to `issuer_token` in the body. " +
      "A bulk request may use it for a single hash. With more hashes, or if header and body " +
      "differ, the answer is 400.",
  },
};

/** Registers the document of all `routes`, this one included. */
export function addOpenApiRoute(routes: Routes): void {
  let made: Answer | undefined;
  routes.add({
    id: "getOpenApi",
    method: "get",
    path: "/openapi.json",
    tag: "service",
    summary: "Read this document",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    answers: { 200: json("The document", DOCUMENT) },
    problems: [],
  }, () => made ??= constantAnswer(jsonAnswer(openApiDocument(routes.endpoints))));
}

export function openApiDocument(endpoints: readonly Endpoint[]) {
  const components: Components = {};
  const paths = endpoints.map((endpoint) => [
    endpoint.path,
    { [endpoint.method]: describeEndpoint(endpoint, components) },
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Countersign gateway",
      version: VERSION,
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    // Relative to the URL of this document, so that it is right behind a path prefix too.
    servers: [{ url: "." }],
    // Operations that take a token, or never need a key, say so.
    security: ANY_OR_KEY,
    tags: TAGS,
    "x-common-headers": COMMON_DOCUMENTED_HEADERS,
    components: { securitySchemes: SECURITY_SCHEMES, schemas: withExamples(components) },
    paths: Object.fromEntries(paths),
  };
}
