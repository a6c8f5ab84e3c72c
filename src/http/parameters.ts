/**
 * Parses parameters of paths and queries strictly. Each may be given once.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { INTEGER_LIMIT, integerOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";

/** Within every range, and a published size of the log in the examples. */
const EXAMPLE = 2;

/** No parameters. */
export const NO_PARAMETERS = z.object({});

/** An integer from `min` to `max` in canonical decimals. */
export function decimal(description: string, min = 0, max = INTEGER_LIMIT - 1) {
  return z.string().transform((text, context) => {
    const value = integerOf(text);
    if (value !== undefined && value >= min && value <= max) return value;
    context.addIssue({ code: "custom", message: `from ${min} to ${max}` });
    return z.NEVER;
  }).openapi({ type: "integer", minimum: min, maximum: max, description, example: EXAMPLE });
}

/**
 * Parses parameters by `schema`: `malformed_hash` for a wrong `hash`, `malformed_parameter` for another
 * wrong, missing or repeated parameter.
 */
export function readParameters<S extends z.ZodObject>(
  schema: S,
  given: (name: string) => readonly string[],
): z.output<S> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const [text, ...further] = given(name);
    if (further.length > 0) throw malformed(name, "given more than once");
    if (text !== undefined) texts[name] = text;
  }
  const { success, data, error } = schema.safeParse(texts);
  if (success) return data;
  const name = String(error.issues[0]?.path[0]);
  if (name === "hash" && name in texts) {
    throw new CountersignError(
      "malformed_hash",
      "Malformed hash: write 64 lowercase hex digits",
    );
  }
  throw malformed(name, name in texts ? "out of range; see GET /openapi.json" : "missing");
}

function malformed(name: string, reason: string): CountersignError {
  return new CountersignError("malformed_parameter", `Malformed parameter ${name}: ${reason}`);
}
