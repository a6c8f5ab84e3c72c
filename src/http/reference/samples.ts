/**
 * Samples of the reference page: the quick start, and a call of each operation, for curl and for
 * JavaScript.
 *
 * @module
 */

import { listOf, type Node, nodeOf, resolved, textOf } from "./document.ts";
import { type Markup, markup } from "./markup.ts";

/** An operation of the OpenAPI document. */
export interface Operation {
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly id: string;
  readonly value: Node;
}

const QUICK_START_CURL = `GATEWAY=https://gateway.example # the address of this site
HASH=$(sha256sum report.pdf | cut -d ' ' -f 1)

# Submit the hash, and wait until the witnesses have signed it.
curl -f "$GATEWAY/v1/attestations" -H 'Content-Type: application/json' \\
  -H 'Prefer: wait=20' -d "{\\"hash\\":\\"$HASH\\"}"

# Save the proof. From about a second later it shows the log as well.
curl -f "$GATEWAY/v1/bundle/$HASH" -o report.pdf.countersign.json

# Verify it, offline, once the network is pinned (countersign network --pin).
countersign verify report.pdf`;

const QUICK_START_JS = `const GATEWAY = "https://gateway.example"; // the address of this site
const content = new TextEncoder().encode("content of the file");
const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");

// Submit the hash, and wait until the witnesses have signed it.
const submitted = await fetch(\`\${GATEWAY}/v1/attestations\`, {
  method: "POST",
  headers: { "Content-Type": "application/json", "Prefer": "wait=20" },
  body: JSON.stringify({ hash }),
});
if (!submitted.ok) throw new Error((await submitted.json()).code);

// The proof. From about a second later it shows the log as well.
const proof = await (await fetch(\`\${GATEWAY}/v1/bundle/\${hash}\`)).text();`;

/** From a file to its verified proof. */
export function quickStart(): Markup {
  return markup`<section class="operation" id="quick-start">
<h2>Quick start</h2>
<p>A gateway takes the SHA-256 of a file, has witnesses sign it, and enters it in a public log. The
proof is what you keep: it verifies without the gateway.</p>
<h3>curl</h3><pre tabindex="0">${QUICK_START_CURL}</pre>
<h3>JavaScript</h3><pre tabindex="0">${QUICK_START_JS}</pre>
</section>`;
}

/** A call of `operation`, of its required parameters only. */
export function samplesOf(document: Node, operation: Operation): Markup {
  const call = callOf(document, operation);
  return markup`<details class="sample"><summary>curl</summary><pre tabindex="0">${
    curlOf(call)
  }</pre></details>
<details class="sample"><summary>JavaScript</summary><pre tabindex="0">${
    javaScriptOf(call)
  }</pre></details>`;
}

interface Call {
  readonly method: string;
  /** The path, with a query where one is required. */
  readonly target: string;
  readonly body?: unknown;
  readonly answers: "json" | "text" | "bytes";
}

function callOf(document: Node, { method, path, value }: Operation): Call {
  const required = listOf(value, "parameters").filter((parameter) => parameter["required"] === true)
    .map((parameter) => [parameter, exampleIn(document, nodeOf(parameter, "schema"))] as const);
  const named = (place: string) => required.filter(([{ in: at }]) => at === place);
  let target = path;
  for (const [parameter, example] of named("path")) {
    target = target.replace(`{${textOf(parameter, "name")}}`, String(example));
  }
  const query = named("query").map(([parameter, example]) =>
    `${textOf(parameter, "name")}=${encodeURIComponent(String(example))}`
  );
  if (query.length > 0) target += `?${query.join("&")}`;
  const media = nodeOf(nodeOf(nodeOf(value, "requestBody"), "content"), "application/json");
  const body = "schema" in media ? exampleIn(document, nodeOf(media, "schema")) : undefined;
  const [type = ""] = Object.keys(nodeOf(nodeOf(nodeOf(value, "responses"), "200"), "content"));
  const answers = type.includes("json") ? "json" : type.startsWith("text/") ? "text" : "bytes";
  return { method, target, answers, ...(body !== undefined && { body }) };
}

function exampleIn(document: Node, schema: Node): unknown {
  return schema["example"] ?? resolved(document, schema)["example"];
}

function curlOf({ method, target, body, answers }: Call): string {
  const end = answers === "bytes" ? " -o answer.bin" : "";
  if (body === undefined) return `curl "$GATEWAY${target}"${end}`;
  return [
    `curl -X ${method} "$GATEWAY${target}"`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'${end}`,
  ].join(" \\\n  ");
}

const READERS = { json: "json", text: "text", bytes: "arrayBuffer" } as const;

function javaScriptOf({ method, target, body, answers }: Call): string {
  const options = body === undefined ? "" : `, {
  method: "${method}",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(${JSON.stringify(body, undefined, 2).replaceAll("\n", "\n  ")}),
}`;
  return `const response = await fetch(\`\${GATEWAY}${target}\`${options});
if (!response.ok) throw new Error((await response.json()).code);
const answer = await response.${READERS[answers]}();`;
}
