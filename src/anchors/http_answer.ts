/**
 * Checks an HTTP answer of an anchor service before its provider reads it.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { AnchorAnswer } from "./ports.ts";

/** Statuses below 500 after which a retry may succeed: timeout, too early, too many requests. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * The body of an answer with status 200 or 201. Throws `anchor_unreachable` for a status after which
 * a retry may succeed, and `anchor_refused` for any other answer.
 *
 * @param service for messages
 * @param contentType absent to accept any
 */
export function bodyOf(
  { status, contentType: found, body }: AnchorAnswer,
  service: string,
  maxBytes: number,
  contentType?: string,
): Bytes {
  if (status !== 200 && status !== 201) {
    const isTemporary = status >= 500 || TEMPORARY.has(status);
    throw new CountersignError(
      isTemporary ? "anchor_unreachable" : "anchor_refused",
      `Cannot anchor tree head: ${service} answered with status ${status}`,
    );
  }
  if (contentType !== undefined && found !== contentType) {
    throw unusable(service, `content type "${found}" is not ${contentType}`);
  }
  if (body.length > maxBytes) throw unusable(service, `it is larger than ${maxBytes} bytes`);
  return body;
}

/** The error for an answer of `service` that its provider refuses. */
export function unusable(service: string, reason: string, cause?: unknown): CountersignError {
  const message = `Cannot use answer of ${service}: ${reason}`;
  return new CountersignError("anchor_refused", message, { cause });
}
