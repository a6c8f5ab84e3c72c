/**
 * Serves the API reference as an HTML page, rendered from the OpenAPI and AsyncAPI documents.
 *
 * @module
 */

import { utf8 } from "../../bytes.ts";
import { TEXT } from "../../format/schema.ts";
import { COMMON_HEADERS, TEXT_MEDIA_TYPE } from "../answer.ts";
import type { DocumentedAnswer } from "../endpoint.ts";
import { type PageFile, pageFile, respondFile } from "../page_file.ts";
import { NO_PARAMETERS } from "../parameters.ts";
import type { Routes } from "../routes.ts";
import { asyncApiNavigation, asyncApiSections } from "./asyncapi_view.ts";
import type { Node } from "./document.ts";
import { markup } from "./markup.ts";
import { openApiNavigation, openApiSections } from "./openapi_view.ts";
import { quickStart } from "./samples.ts";
import { REFERENCE_STYLE } from "./style.ts";

const STYLE_PATH = "/docs/style.css";
const HTML_MEDIA_TYPE = TEXT_MEDIA_TYPE.replace("plain", "html");
const CSS_MEDIA_TYPE = TEXT_MEDIA_TYPE.replace("plain", "css");

/** The policy allows only the style sheet, and no scripts. */
const HEADERS = {
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
  const sent = { caching: shared.caching, headers: HEADERS };
  let page: PageFile | undefined;
  routes.add({
    ...shared,
    id: "getReference",
    path: "/docs",
    summary: "Read this reference as an HTML page",
    answers: { 200: text("The page", HTML_MEDIA_TYPE, "<!doctype html>") },
  }, (_parameters, _request, context) => {
    page ??= pageFile(HTML_MEDIA_TYPE, utf8(referencePage(documents(), STYLE_PATH)));
    return respondFile(page, sent, context);
  });

  const style = pageFile(CSS_MEDIA_TYPE, utf8(REFERENCE_STYLE));
  routes.add({
    ...shared,
    id: "getReferenceStyle",
    path: STYLE_PATH,
    summary: "Read the style sheet of the reference page",
    answers: { 200: text("The style sheet", CSS_MEDIA_TYPE, ":root { color-scheme: light dark }") },
  }, (_parameters, _request, context) => respondFile(style, sent, context));
}

function text(description: string, mediaType: string, example: string): DocumentedAnswer {
  return { description, mediaType, schema: TEXT.with({ example }) };
}

/** Input of {@linkcode referencePage}. */
export interface ReferenceDocuments {
  readonly openApi: Node;
  /** Absent if the gateway has no event stream. */
  readonly asyncApi?: Node;
}

/** The HTML of the page. `stylePath` is the URL path of its style sheet. */
export function referencePage(
  { openApi, asyncApi }: ReferenceDocuments,
  stylePath: string,
): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="The routes, answers and errors of this Countersign gateway">
<title>Countersign API reference</title>
<link rel="stylesheet" href="${stylePath}">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<header><h1><a href="/">Countersign</a> API reference</h1></header>
<div class="columns">
<nav aria-label="Contents">
${openApiNavigation(openApi)}
${asyncApi && asyncApiNavigation(asyncApi)}
</nav>
<main id="content" tabindex="-1">
${quickStart()}
${openApiSections(openApi)}
${asyncApi && asyncApiSections(asyncApi)}
</main>
</div>
</body>
</html>
`;
  return page.html;
}
