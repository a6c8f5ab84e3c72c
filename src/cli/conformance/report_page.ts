/**
 * A report of the conformance suite as one self-contained HTML file.
 *
 * @module
 */

import {
  brokenMusts,
  type Finding,
  type JudgedClause,
  type Report,
} from "../../logs/conformance/report.ts";

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1b1b; background: #fff; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .5rem; border-bottom: 1px solid #ccc; }
.verdict { font-weight: bold; white-space: nowrap; }
.pass { color: #05622b; } .fail { color: #a30d0d; } .unclear { color: #7a4b00; }
.not_testable { color: #555; }
code, pre { font: 13px/1.4 ui-monospace, monospace; }
pre { background: #f4f4f4; padding: .5rem; overflow: auto; max-height: 20rem; white-space: pre-wrap;
  overflow-wrap: anywhere; }
`;

/** The page as HTML. `markup` escapes what it inserts: the answers of the target are not trusted. */
export function reportPage(report: Report): string {
  const { kind, target, time, suite, specification, notes, clauses } = report;
  const broken = brokenMusts(report).length;
  const verdict = broken === 0
    ? markup`<p class="verdict pass">No clause of level MUST or FORMAT failed.</p>`
    : markup`<p class="verdict fail">${broken} clauses of level MUST or FORMAT failed.</p>`;
  const documents = [...new Set(clauses.map(({ document }) => document))];
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>C2SP conformance of ${target}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
<h1>C2SP conformance of a ${kind}</h1>
<p><code>${target}</code>, ${time}, by ${suite}, against ${specification}.</p>
${verdict}
<table>
<thead><tr><th>Level</th><th>pass</th><th>fail</th><th>unclear</th><th>not testable</th></tr></thead>
<tbody>${
    Object.entries(report.summary).map(([level, { pass, fail, unclear, not_testable }]) =>
      markup`<tr><th>${level}</th><td>${pass}</td><td>${fail}</td><td>${unclear}</td><td>${not_testable}</td></tr>`
    )
  }</tbody>
</table>
<p>FORMAT: a sentence that defines a format without a key word of BCP 14.</p>
${notes.map((note) => markup`<p>${note}</p>`)}
${
    documents.map((document) =>
      markup`<h2><a href="https://c2sp.org/${document}">${document}</a></h2>
<table>
<thead><tr><th>Clause</th><th>Level</th><th>Verdict</th><th>Checks</th></tr></thead>
<tbody>${clauses.filter((clause) => clause.document === document).map(clauseRow)}</tbody>
</table>`
    )
  }
</main>
</body>
</html>
`.html;
}

function clauseRow({ id, section, level, sentence, verdict, untestable, checks }: JudgedClause) {
  return markup`<tr id="${id}">
<td>${prose(sentence)}<br><small>${id}, section “${section}”</small></td>
<td>${level}</td>
<td class="verdict ${verdict}">${verdict.replace("_", " ")}</td>
<td>${untestable !== "" ? markup`<p>${untestable}</p>` : undefined}${checks.map(findingBlock)}</td>
</tr>
`;
}

function findingBlock({ check, verdict, reason, request, answer, command }: Finding) {
  const summary = markup`<span class="${verdict}">${verdict}</span>: ${check}${
    reason === undefined ? "" : ` (${reason})`
  }`;
  if (request === undefined) return markup`<p>${summary}</p>`;
  return markup`<details><summary>${summary}</summary>
<p>Request</p><pre>${request}</pre><p>Answer</p><pre>${answer}</pre>
<p>Command</p><pre>${command}</pre></details>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A fragment of HTML. */
export class Markup {
  readonly html: string;

  constructor(html: string) {
    this.html = html;
  }
}

/** A value to interpolate; `undefined` becomes the empty string. */
type MarkupContent = Markup | string | number | undefined | readonly MarkupContent[];

/** Tag for template literals of HTML. */
export function markup(parts: TemplateStringsArray, ...contents: readonly MarkupContent[]): Markup {
  const [first = "", ...rest] = parts;
  return new Markup(first + rest.map((part, i) => htmlOf(contents[i]) + part).join(""));
}

/** Text in which words between backticks become `<code>`. */
export function prose(text: string): Markup {
  const pieces = text.split("`").map((piece, i) =>
    i % 2 === 1 ? markup`<code>${piece}</code>` : piece
  );
  return markup`${pieces}`;
}

function htmlOf(content: MarkupContent): string {
  if (content === undefined) return "";
  if (content instanceof Markup) return content.html;
  if (typeof content === "object") return content.map(htmlOf).join("");
  return String(content).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
}
