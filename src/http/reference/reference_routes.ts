/**
 * Serves the API reference as an HTML page, rendered from the OpenAPI and AsyncAPI documents.
 *
 * @module
 */

import { TEXT } from "../../format/schema.ts";
import { type Answer, constantAnswer, respond, TEXT_MEDIA_TYPE } from "../answer.ts";
import { COMMON_HEADERS } from "../answer.ts";
import type { DocumentedAnswer } from "../endpoint.ts";
import { NO_PARAMETERS } from "../parameters.ts";
import { type ReferenceDocuments, referencePage } from "./page.ts";
import { REFERENCE_STYLE } from "./style.ts";
import type { Routes } from "../routes.ts";

const STYLE_PATH = "/docs/style.css";
const HTML_MEDIA_TYPE = TEXT_MEDIA_TYPE.replace("plain", "html");
const CSS_MEDIA_TYPE = TEXT_MEDIA_TYPE.replace("plain", "css");

/** The policy allows only the style sheet, and no scripts. */
const PAGE_HEADERS = {
  ...COMMON_HEADERS,
  "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src data:; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** Registers the page and its style sheet. The first request calls `documents`. */
export function addReferenceRoutes(routes: Routes, documents: () => ReferenceDocuments): void {
  const shared = {
    method: "get",
    tag: "service",
    parameters: NO_PARAMETERS,
    caching: "revalidate",
    problems: [],
  } as const;
  let page: Answer | undefined;
  routes.add({
    ...shared,
    id: "getReference",
    path: "/docs",
    summary: "Read this reference as an HTML page",
    answers: { 200: text("The page", HTML_MEDIA_TYPE, "<!doctype html>") },
  }, (_, request, context) => {
    page ??= constantAnswer({
      body: referencePage(documents(), STYLE_PATH),
      mediaType: HTML_MEDIA_TYPE,
    });
    const response = respond(page, shared.caching, request);
    if (response.status !== 304) context.chargeAnswer(page.body.length);
    for (const [name, value] of Object.entries(PAGE_HEADERS)) response.headers.set(name, value);
    return response;
  });

  const style = constantAnswer({ body: REFERENCE_STYLE, mediaType: CSS_MEDIA_TYPE });
  routes.add({
    ...shared,
    id: "getReferenceStyle",
    path: STYLE_PATH,
    summary: "Read the style sheet of the reference page",
    answers: { 200: text("The style sheet", CSS_MEDIA_TYPE, ":root { color-scheme: light dark }") },
  }, () => style);
}

function text(description: string, mediaType: string, example: string): DocumentedAnswer {
  return { description, mediaType, schema: TEXT.with({ example }) };
}
