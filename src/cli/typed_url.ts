/**
 * URLs on the command line.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { parseServiceUrl } from "../format/service_url.ts";

/** Like {@linkcode parseServiceUrl}; `usage` for an invalid URL. */
export function typedUrl(text: string, options: { readonly insecure: boolean }): URL {
  try {
    return parseServiceUrl(text, options);
  } catch (cause) {
    if (!(cause instanceof CountersignError)) throw cause;
    throw new CountersignError("usage", cause.message, { cause });
  }
}
