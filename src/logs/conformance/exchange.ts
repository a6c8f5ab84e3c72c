/**
 * Requests to the program under test, as a report shows them.
 *
 * @module
 */

import { base64Of, type Bytes, textOf, utf8 } from "../../base/bytes.ts";
import { sendRequest } from "../../client/http_client.ts";
import type { Clock } from "../../base/clock.ts";
import { CountersignError, tryParse } from "../../base/errors.ts";
import { printable } from "../../proof/format/printable_text.ts";

/** A request and its answer. */
export interface Exchange {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: Bytes;
  /** The body, if it is UTF-8. */
  readonly text: string;
  readonly request: string;
  readonly answer: string;
  /** One line for a shell, with curl. */
  readonly command: string;
}

export interface ExchangeRequest {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Bytes;
}

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_SHOWN = 2_000;

export class Exchanger {
  readonly #clock: Clock;
  readonly #fetch: typeof fetch;

  constructor({ clock, fetch: send = fetch }: { clock: Clock; fetch?: typeof fetch | undefined }) {
    this.#clock = clock;
    this.#fetch = send;
  }

  /** Never rejects because of the other side. */
  async send(url: URL, { method = "GET", headers = {}, body }: ExchangeRequest = {}) {
    const bytes = typeof body === "string" ? utf8(body) : body;
    const request = `${method} ${url.href}\n${shown(bytes ?? new Uint8Array())}`;
    const command = curlOf(url, { method, headers, ...(bytes && { body: bytes }) });
    try {
      const { status, headers: answered, body: content } = await sendRequest(url, {
        method,
        headers,
        maxBytes: MAX_ANSWER_BYTES,
        timeoutMs: TIMEOUT_MS,
        clock: this.#clock,
        fetch: this.#fetch,
        failure: "Cannot test",
        ...(bytes && { body: bytes }),
        codes: { unreachable: "gateway_refused", tooLarge: "gateway_refused" },
      });
      const type = answered.get("Content-Type");
      const answer = `${status}${type === null ? "" : ` (${type})`}\n${shown(content)}`;
      const text = tryParse(() => textOf(content)) ?? "";
      return { status, headers: answered, body: content, text, request, answer, command };
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      const none = { status: 0, headers: new Headers(), body: new Uint8Array(), text: "" };
      return { ...none, request, answer: error.message, command };
    }
  }
}

/** A shell command that sends the request and prints the answer with its headers. */
function curlOf(url: URL, { method, headers, body }: ExchangeRequest): string {
  const named = Object.entries(headers ?? {}).map(([name, value]) => ` -H '${name}: ${value}'`);
  const options = `-sS -i${named.join("")}`;
  const target = `'${url.href.replaceAll("'", "%27")}'`;
  if (method === "GET" && body === undefined) return `curl ${options} ${target}`;
  if (body === undefined || body.length === 0) {
    return `curl ${options} -X ${method} -d '' ${target}`;
  }
  const text = tryParse(() => textOf(body as Bytes));
  // A program's argument cannot contain NUL.
  return text === undefined || text.includes("\0")
    ? `base64 -d <<< '${base64Of(body as Bytes)}' | curl ${options} --data-binary @- ${target}`
    : `curl ${options} --data-binary ${quoted(text)} ${target}`;
}

/** A word of bash. */
export function quoted(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r").replaceAll("\t", "\\t");
  return `$'${escaped}'`;
}

function shown(bytes: Uint8Array): string {
  if (bytes.length === 0) return "";
  const text = tryParse(() => textOf(bytes));
  if (text === undefined) return `${bytes.length} bytes, in base64: ${clipped(base64Of(bytes))}`;
  return clipped(text.split("\n").map(printable).join("\n"));
}

function clipped(text: string): string {
  const rest = text.length - MAX_SHOWN;
  return rest > 0 ? `${text.slice(0, MAX_SHOWN)}... (${rest} more characters)` : text;
}
