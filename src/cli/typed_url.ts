/**
 * URLs of services as they are typed on the command line.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { parseServiceUrl } from "../format/service_url.ts";

/** The URL of `text` ({@linkcode parseServiceUrl}); `usage` for what is none. */
export function typedUrl(text: string, options: { readonly insecure: boolean }): URL {
  try {
    return parseServiceUrl(text, options);
  } catch (cause) {
    if (!(cause instanceof CountersignError)) throw cause;
    throw new CountersignError("usage", cause.message, { cause });
  }
}
