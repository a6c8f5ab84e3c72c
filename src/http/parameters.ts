/**
 * Parameters in a path or query: read strictly, each given once.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { INTEGER_LIMIT, integerOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";

/** Within every range, and a published size of the log that the examples are of. */
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
 * What `schema` makes of the texts given for its members: `malformed_hash` when the member `hash`
 * is wrong, `malformed_parameter` when another one is, is missing or is given more than once.
 */
export function readParameters<S extends z.ZodObject>(
  schema: S,
  given: (name: string) => readonly string[],
): z.output<S> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(schema.shape)) {
    const [text, ...further] = given(name);
    if (further.length > 0) throw malformed(name, "one", "several");
    if (text !== undefined) texts[name] = text;
  }
  const { success, data, error } = schema.safeParse(texts);
  if (success) return data;
  const name = String(error.issues[0]?.path[0]);
  if (name === "hash" && name in texts) {
    throw new CountersignError(
      "malformed_hash",
      "Cannot read parameter hash: 64 lowercase hex digits required, found another text",
    );
  }
  throw malformed(name, "a value in its range", name in texts ? "another text" : "none");
}

function malformed(name: string, required: string, found: string): CountersignError {
  return new CountersignError(
    "malformed_parameter",
    `Cannot read parameter ${name}: ${required} required, found ${found}`,
  );
}
