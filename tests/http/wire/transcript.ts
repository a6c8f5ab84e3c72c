/**
 * Records HTTP exchanges as text and compares them with a committed file.
 *
 * A transcript keeps the status, every header and the body of each answer. It masks what may change
 * without a change of the protocol: request ids, entity tags, and sentences for people.
 *
 * @module
 */

import assert from "node:assert/strict";
import { COMMON_HEADERS } from "../../../src/http/answer.ts";

/** Answers one request. */
export type Handler = (request: Request) => Response | Promise<Response>;

/** The headers that every answer of a client route has unless it is frequent JSON. */
const COMMON = Object.keys(COMMON_HEADERS).map((name) => name.toLowerCase());

/** Longer request bodies are recorded by their length. */
const MAX_SHOWN_BODY = 300;
const MASK = "*";
/** Members whose values are sentences or random. */
const MASKED_MEMBERS = ["title", "detail", "request_id", "message", "word"];
const MASKED_JSON = new RegExp(
  `"(${MASKED_MEMBERS.join("|")})":"(?:[^"\\\\]|\\\\.)*"`,
  "g",
);
const TEXT_TYPES = /^(?:text\/|application\/(?:.*json|private-token-issuer-directory))/;

/** What one exchange adds to the file beyond the request. */
export interface RecordOptions {
  /** Says what the case is where method and path do not. */
  readonly note?: string;
  /** Leaves the body out: it is tested elsewhere, or random. */
  readonly omitBody?: boolean;
}

/** Exchanges in the order in which they were made. */
export class Transcript {
  readonly #entries = new Map<string, string>();
  readonly #base: string;

  /** `base` is the origin of all requests, without a slash at the end. */
  constructor(base = "http://gateway.test") {
    this.#base = base;
  }

  /** Sends a request, records the exchange and returns the answer, whose body can still be read. */
  async send(
    handler: Handler,
    method: string,
    path: string,
    init: RequestInit = {},
    options: RecordOptions = {},
  ): Promise<Response> {
    const response = await handler(new Request(`${this.#base}${path}`, { method, ...init }));
    const copy = response.clone();
    const body = method === "HEAD" || options.omitBody === true
      ? (await response.body?.cancel(), "")
      : await bodyText(response);
    this.add(titleOf(method, path, options.note), [
      ...requestLines(init),
      ...answerLines(response),
      ...(body === "" ? [] : ["", body]),
    ]);
    return copy;
  }

  /** Adds an entry made of `lines`. */
  add(title: string, lines: readonly string[]): void {
    assert.ok(!this.#entries.has(title), `two exchanges have the title "${title}"`);
    this.#entries.set(title, lines.join("\n"));
  }

  /** `<METHOD> <path without query>` of every request whose answer was not an error. */
  get succeeded(): string[] {
    return [...this.#entries].filter(([, text]) => /^[123]\d\d$/m.test(text))
      .map(([title]) => title.split(/[?\s]/, 2).join(" "));
  }

  /** Compares with the file at `url`, or writes it with the argument `--update`. */
  async check(url: URL): Promise<void> {
    if (Deno.args.includes("--update")) {
      const text = [...this.#entries].map(([title, entry]) => `## ${title}\n${entry}\n\n`);
      return await Deno.writeTextFile(url, text.join(""));
    }
    const committed = parseEntries(await Deno.readTextFile(url));
    for (const [title, text] of this.#entries) assert.equal(text, committed.get(title), title);
    assert.deepEqual([...committed.keys()], [...this.#entries.keys()]);
  }
}

function parseEntries(text: string): Map<string, string> {
  return new Map(
    text.split(/^## /m).slice(1).map((entry) => {
      const end = entry.indexOf("\n");
      return [entry.slice(0, end), entry.slice(end + 1).replace(/\n\n$/, "")];
    }),
  );
}

function titleOf(method: string, path: string, note: string | undefined): string {
  return `${method} ${path}${note === undefined ? "" : ` (${note})`}`;
}

function requestLines({ headers, body }: RequestInit): string[] {
  const lines = [...new Headers(headers)].map(([name, value]) => `> ${name}: ${value}`);
  if (typeof body === "string") {
    lines.push(body.length <= MAX_SHOWN_BODY ? `> ${body}` : `> (${body.length} characters)`);
  } else if (body instanceof Uint8Array) {
    lines.push(`> (${body.length} bytes)`);
  }
  return lines;
}

/** Status and headers. The common headers of client routes are one line, as they are recorded once. */
export function answerLines({ status, headers }: Response): string[] {
  const isCommon = COMMON.every((name) => headers.has(name));
  const shown = [...headers].filter(([name]) => !isCommon || !COMMON.includes(name));
  const lines = shown.map(([name, value]) => `${name}: ${name === "etag" ? MASK : value}`);
  return [String(status), ...(isCommon ? ["(common headers)"] : []), ...lines];
}

async function bodyText(response: Response): Promise<string> {
  const type = response.headers.get("Content-Type") ?? "";
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!TEXT_TYPES.test(type)) return bytes.toHex();
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  const masked = text.replaceAll(MASKED_JSON, `"$1":"${MASK}"`);
  // The file ends every body with a line break; a body that has one shows it.
  return masked.replace(/\n$/, "⏎");
}
