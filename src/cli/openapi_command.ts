/**
 * `openapi`: prints the documents of the HTTP interface, without a gateway.
 *
 * @module
 */

import { gatewayOpenApi } from "../http/gateway/gateway_app.ts";
import { asyncApiDocument } from "../http/reference/asyncapi_route.ts";
import { defineCommand } from "./define_command.ts";
import { flag } from "./options.ts";

export const openapi = defineCommand("openapi", {
  description:
    "Prints what GET /openapi.json answers at a gateway of an ed25519 network of this version. Its " +
    "server is relative to the URL of the document.",
  options: {
    events: flag("--events", "Print the AsyncAPI document of the event stream (/asyncapi.json)."),
  },
  run: ({ events }, { output }) => {
    output.raw(JSON.stringify(events ? asyncApiDocument() : gatewayOpenApi()));
    return Promise.resolve(0);
  },
});
