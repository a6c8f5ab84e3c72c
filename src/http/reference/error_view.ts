/**
 * Renders the errors of all operations, once, on the reference page.
 *
 * @module
 */

import { entriesOf, listOf, type Node, nodeOf } from "./document.ts";
import { type Markup, markup, type MarkupContent, prose } from "./markup.ts";
import type { Operation } from "./samples.ts";

/** Advice to clients for each status. */
const ADVICE: Readonly<Record<string, string>> = {
  400: "Correct the request. The same one gets the same answer.",
  401: "Get a token, as `GET /v1/admission` says, and send the hash with it.",
  403: "Get another token. This one is not accepted, or it is spent.",
  404: "Check the address and the hash. A new hash is signed and logged within seconds: try again.",
  405: "`Allow` lists the methods of the route.",
  413: "Send less in one request.",
  415: "Send JSON, with `Content-Type: application/json`.",
  429: "Wait for as many seconds as `Retry-After` says.",
  500: "Report `request_id` to the operator.",
  503: "Try again after `Retry-After` seconds. Nothing that was accepted is lost.",
};

const PROBLEM = "application/problem+json";

/** Whether `answer` has another body than a problem, or none. */
export function isAnswer(answer: Node): boolean {
  const types = Object.keys(nodeOf(answer, "content"));
  return types.length === 0 || types.some((type) => type !== PROBLEM);
}

/** The codes of each status that `operation` answers with a problem. */
function errorsOf({ value }: Operation): [status: string, codes: readonly string[]][] {
  return entriesOf(value, "responses").flatMap(([status, answer]) => {
    const [, { properties = {} } = {}] = listOf(
      nodeOf(nodeOf(nodeOf(answer, "content"), PROBLEM), "schema"),
      "allOf",
    );
    const codes = nodeOf(properties as Node, "code")["enum"];
    return Array.isArray(codes) ? [[status, codes.map(String)]] : [];
  });
}

/** One row for each status, and the members of a problem. */
export function errorSection(operations: readonly Operation[]): Markup {
  const codes = new Map<string, Set<string>>();
  for (const [status, list] of operations.flatMap(errorsOf)) {
    const known = codes.get(status) ?? new Set();
    codes.set(status, known);
    for (const code of list) known.add(code);
  }
  const rows = [...codes].toSorted(([a], [b]) => Number(a) - Number(b)).map(([status, names]) =>
    markup`<tr id="error-${status}"><th scope="row"><span class="status status-${
      status[0]
    }">${status}</span></th><td>${codeList([...names])}</td><td>${
      prose(ADVICE[status] ?? "")
    }</td></tr>`
  );
  return markup`<section class="operation" id="errors"><h3>Errors</h3>
<p>Every error is <code>application/problem+json</code>: a <a href="#schema-Problem">Problem</a>,
whose <code>code</code> programs switch on. The routes name only the codes that are not common to
all: ${
    commonErrors(operations).map(([status]) => markup`<a href="#error-${status}">${status}</a> `)
  }.</p>
<div class="wide"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th>
<th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Errors that every operation has with the same codes. */
function commonErrors(
  operations: readonly Operation[],
): [status: string, codes: readonly string[]][] {
  const [first, ...others] = operations.map(errorsOf);
  return (first ?? []).filter(([status, codes]) =>
    others.every((errors) => errors.some((error) => String(error) === String([status, codes])))
  );
}

/** Renders the errors of one operation that not all of `operations` have. */
export function errorLine(
  operations: readonly Operation[],
): (operation: Operation) => MarkupContent {
  const common = new Set(commonErrors(operations).map(String));
  return (operation) => {
    const own = errorsOf(operation).filter((error) => !common.has(String(error)));
    if (own.length === 0) return undefined;
    return markup`<p class="errors">Errors: ${
      own.map(([status, codes], i) =>
        markup`${i > 0 ? "; " : ""}<a href="#error-${status}">${status}</a> ${codeList(codes)}`
      )
    }</p>`;
  };
}

function codeList(codes: readonly string[]): MarkupContent {
  return codes.map((code, i) => markup`${i > 0 ? ", " : ""}<code>${code}</code>`);
}
