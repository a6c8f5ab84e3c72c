/**
 * Renders the OpenAPI and AsyncAPI documents as one HTML page without scripts.
 *
 * @module
 */

import { asyncApiNavigation, asyncApiSections } from "./asyncapi_view.ts";
import type { Node } from "./document.ts";
import { markup } from "./markup.ts";
import { quickStart } from "./samples.ts";
import { openApiNavigation, openApiSections } from "./openapi_view.ts";

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
