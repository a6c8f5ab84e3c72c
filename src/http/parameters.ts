/**
 * Parses the parameters of paths and queries strictly. A parameter may be given once at most.
 *
 * @module
 */

import { INTEGER_LIMIT, integerOf } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import {
  type Members,
  Mismatch,
  object,
  type ObjectSchema,
  type OfMembers,
  type Schema,
  TEXT,
} from "../proof/format/schema.ts";

/** In the range of every parameter. The log of the OpenAPI examples has published a head of this size. */
const EXAMPLE = 2;

export const NO_PARAMETERS = object({});

/** Without this parameter, a head has only its witnesses' signatures. They are enough to verify it. */
export const WITH_LOG_SIGNATURE = TEXT.map(
  (text) => text === "true" ? true : undefined,
  "true",
).with({
  enum: ["true"],
  description:
    "Include the log key's signatures in the signed tree head: `log_signature` over its checkpoint, " +
    "and `receipt_signature` for COSE receipts",
  example: "true",
}).optional();

/** An integer from `min` to `max` in canonical decimals. */
export function decimal(description: string, min = 0, max = INTEGER_LIMIT - 1): Schema<number> {
  return TEXT.map((text) => {
    const value = integerOf(text);
    return value !== undefined && value >= min && value <= max ? value : undefined;
  }, `an integer from ${min} to ${max}`)
    .with({ type: "integer", minimum: min, maximum: max, description, example: EXAMPLE });
}

/**
 * Parses parameters by `schema`. `given` returns all values of a parameter.
 *
 * @throws `malformed_hash` if `hash` is malformed, `malformed_parameter` if another parameter is, or if
 * one is missing or repeated.
 */
export function readParameters<M extends Members>(
  schema: ObjectSchema<M>,
  given: (name: string) => readonly string[],
): OfMembers<M> {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(schema.members)) {
    const [text, ...further] = given(name);
    if (further.length > 0) throw malformed(name, "given more than once");
    if (text !== undefined) texts[name] = text;
  }
  try {
    return schema.read(texts, "", { where: "request", code: "malformed_parameter" });
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    const name = error.path.slice(".".length);
    if (name === "hash" && name in texts) {
      throw new CountersignError(
        "malformed_hash",
        "Malformed hash: write 64 lowercase hex digits",
      );
    }
    throw malformed(name, name in texts ? "out of range; see GET /openapi.json" : "missing");
  }
}

function malformed(name: string, reason: string): CountersignError {
  return new CountersignError("malformed_parameter", `Malformed parameter ${name}: ${reason}`);
}
