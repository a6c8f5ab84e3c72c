/**
 * Asks a gateway's operator listener for its metrics and its readiness.
 *
 * @module
 */

import { textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { type MetricSample, parsePrometheusText } from "../format/prometheus_text.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { readBounded } from "./bounded_body.ts";

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const CODE = "operator_refused";

/** Where an operator listener is, and what is shown there. */
export interface OperatorClientOptions {
  /** As `parseServiceUrl` makes it. */
  readonly url: URL;
  /** Absent where the listener is of this machine and wants none. */
  readonly token?: string;
}

/** One operator listener. Its methods reject with `operator_unreachable` or `operator_refused`. */
export class OperatorClient {
  readonly #options: OperatorClientOptions;

  constructor(options: OperatorClientOptions) {
    this.#options = options;
  }

  /** What `GET /metrics` shows. */
  async metrics(signal: AbortSignal): Promise<MetricSample[]> {
    return parsePrometheusText(await this.#read("metrics", [200], signal));
  }

  /** Why the gateway is not ready, by codes; empty when it is. */
  async unready(signal: AbortSignal): Promise<string[]> {
    return readReadiness(await this.#read("ready", [200, 503], signal));
  }

  async #read(path: string, statuses: readonly number[], signal: AbortSignal): Promise<string> {
    const { url, token } = this.#options;
    let status, body;
    try {
      const response = await fetch(new URL(path, url), {
        ...(token !== undefined && { headers: { Authorization: `Bearer ${token}` } }),
        // A redirect would carry the token to a place that nobody named.
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      status = response.status;
      body = await readBounded(response, MAX_ANSWER_BYTES);
    } catch (cause) {
      signal.throwIfAborted();
      throw new CountersignError(
        "operator_unreachable",
        `Cannot read ${path}: an answer of ${url.origin} in time required, found none`,
        { cause },
      );
    }
    if (!statuses.includes(status)) {
      const hint = status === 401 || status === 403 ? " (--token-file)" : "";
      throw refused(path, `status ${statuses.join(" or ")}`, `${status}${hint}`);
    }
    if (body === undefined) throw refused(path, `at most ${MAX_ANSWER_BYTES} bytes`, "more");
    return textOf(body, CODE);
  }
}

/** The codes of a readiness answer's reasons; `operator_refused`. */
export function readReadiness(text: string): string[] {
  const fields = new Fields(
    parseStrictJson(text, CODE),
    { where: "readiness", code: CODE },
    ["ready", "reasons"],
    { ignoreUnknown: true },
  );
  return fields.list("reasons").map((reason) =>
    new Fields(reason, { where: "reason", code: CODE }, ["code"], { ignoreUnknown: true })
      .text("code")
  );
}

function refused(path: string, required: string, found: string): CountersignError {
  return new CountersignError(CODE, `Cannot read ${path}: ${required} required, found ${found}`);
}
