/**
 * Lists that others publish at a URL.
 *
 * @module
 */

import { textOf } from "../base/bytes.ts";
import type { Clock } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import { parseServiceUrl, urlOf } from "../proof/format/service_url.ts";
import { sendRequest } from "./http_client.ts";

/** Limit of a list, from a file as well. */
export const MAX_LIST_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 30_000;

/**
 * The text at `url`; `failure` begins messages. `malformed_text`, `file_failed`, and
 * `invalid_configuration` for a URL that is not safe.
 */
export async function textAtUrl(
  url: string,
  { failure, clock, signal }: {
    readonly failure: string;
    readonly clock: Clock;
    readonly signal?: AbortSignal;
  },
): Promise<string> {
  parseServiceUrl(url, { insecure: false });
  const { status, body } = await sendRequest(urlOf(url)!, {
    maxBytes: MAX_LIST_BYTES,
    timeoutMs: TIMEOUT_MS,
    clock,
    signal,
    failure,
    codes: { unreachable: "file_failed", tooLarge: "malformed_text" },
  });
  if (status === 200) return textOf(body);
  throw new CountersignError("file_failed", `${failure}: ${url} answered ${status}`);
}
