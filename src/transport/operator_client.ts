/**
 * Client of a gateway's operator listener: metrics and readiness.
 *
 * @module
 */

import { textOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { type MetricSample, parsePrometheusText } from "../format/prometheus_text.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { sendRequest } from "../client/http_client.ts";

const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const CODE = "operator_refused";

export interface OperatorClientOptions {
  /** As `parseServiceUrl` returns it. */
  readonly url: URL;
  /** Absent where the listener is on this machine and needs none. */
  readonly token?: string;
}

/** One operator listener. Its methods reject with `operator_unreachable` or `operator_refused`. */
export class OperatorClient {
  readonly #options: OperatorClientOptions;

  constructor(options: OperatorClientOptions) {
    this.#options = options;
  }

  /** `GET /metrics`. */
  async metrics(signal: AbortSignal): Promise<MetricSample[]> {
    return parsePrometheusText(await this.#read("metrics", [200], signal));
  }

  /** Codes of the reasons why the gateway is not ready; empty when it is. */
  async unready(signal: AbortSignal): Promise<string[]> {
    return readReadiness(await this.#read("ready", [200, 503], signal));
  }

  async #read(path: string, statuses: readonly number[], signal: AbortSignal): Promise<string> {
    const { url, token } = this.#options;
    const { status, body } = await sendRequest(new URL(path, url), {
      ...(token !== undefined && { headers: { "Authorization": `Bearer ${token}` } }),
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal,
      failure: `Cannot read ${path}`,
      codes: { unreachable: "operator_unreachable", tooLarge: CODE },
    }).catch((error) => {
      signal.throwIfAborted();
      throw error;
    });
    if (statuses.includes(status)) return textOf(body, CODE);
    const hint = status === 401 || status === 403 ? " (--token-file)" : "";
    throw new CountersignError(CODE, `Cannot read ${path}: the gateway answered ${status}${hint}`);
  }
}

/** The codes of a readiness answer's reasons; `operator_refused`. */
export function readReadiness(text: string): string[] {
  const rules = { ignoreUnknown: true };
  const value = parseStrictJson(text, CODE);
  const required = ["ready", "reasons"];
  return new Fields(value, { where: "readiness", code: CODE }, required, rules).list("reasons")
    .map((reason) =>
      new Fields(reason, { where: "reason", code: CODE }, ["code"], rules).text("code")
    );
}
