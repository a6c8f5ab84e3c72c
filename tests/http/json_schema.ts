/**
 * The part of JSON Schema 2020-12 that the OpenAPI document uses. A keyword that it does not know is
 * an error, so that nothing in the document goes unchecked.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "../../src/proof/format/strict_json.ts";

/** Keywords that say nothing about which values are valid. */
const ANNOTATIONS = new Set(["description", "example", "examples", "format", "title"]);

/** The first fault of `value` under `schema`, as a path and a keyword; `undefined` when valid. */
export function faultOf(
  value: JsonValue | undefined,
  schema: JsonObject,
  resolve: (ref: string) => JsonObject,
  at = "$",
): string | undefined {
  for (const [keyword, rule] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword)) continue;
    const check = CHECKS[keyword];
    if (check === undefined) throw new Error(`unknown keyword ${keyword} at ${at}`);
    const below = (inner: JsonValue | undefined, innerSchema: JsonValue, step = "") =>
      faultOf(inner, innerSchema as JsonObject, resolve, at + step);
    const fault = check(value as JsonValue, rule!, { below, schema, resolve });
    if (fault === false) return `${at} ${keyword}`;
    if (typeof fault === "string") return fault;
  }
  return undefined;
}

interface Surroundings {
  readonly below: (
    value: JsonValue | undefined,
    schema: JsonValue,
    step?: string,
  ) => string | undefined;
  readonly schema: JsonObject;
  readonly resolve: (ref: string) => JsonObject;
}

/** Answers false, or the fault of a part, when `value` breaks `rule`. */
type Check = (value: JsonValue, rule: JsonValue, around: Surroundings) => boolean | string | void;

const CHECKS: Readonly<Record<string, Check>> = {
  $ref: (value, rule, { below, resolve }) => below(value, resolve(rule as string)),
  type: (value, rule) => [rule].flat().some((type) => hasType(value, type as string)),
  enum: (value, rule) => (rule as JsonValue[]).some((known) => isDeepStrictEqual(known, value)),
  pattern: (value, rule) =>
    typeof value !== "string" || new RegExp(rule as string, "u").test(value),
  minLength: (value, rule) => typeof value !== "string" || value.length >= (rule as number),
  maxLength: (value, rule) => typeof value !== "string" || value.length <= (rule as number),
  minimum: (value, rule) => typeof value !== "number" || value >= (rule as number),
  maximum: (value, rule) => typeof value !== "number" || value <= (rule as number),
  minItems: (value, rule) => !Array.isArray(value) || value.length >= (rule as number),
  maxItems: (value, rule) => !Array.isArray(value) || value.length <= (rule as number),
  required: (value, rule) =>
    !isObject(value) || (rule as string[]).every((name) => Object.hasOwn(value, name)),
  anyOf: (value, rule, { below }) =>
    (rule as JsonValue[]).some((schema) => below(value, schema) === undefined),
  allOf: (value, rule, { below }) =>
    firstFault((rule as JsonValue[]).map((schema) => below(value, schema))),
  items: (value, rule, { below }) =>
    Array.isArray(value)
      ? firstFault(value.map((item, i) => below(item, rule, `[${i}]`)))
      : undefined,
  properties: (value, rule, { below }) =>
    isObject(value)
      ? firstFault(
        Object.entries(rule as JsonObject).map(([name, schema]) =>
          Object.hasOwn(value, name) ? below(value[name], schema, `.${name}`) : undefined
        ),
      )
      : undefined,
  additionalProperties: (value, rule, { below, schema }) => {
    if (!isObject(value)) return undefined;
    const known = Object.keys(schema["properties"] ?? {});
    const others = Object.keys(value).filter((name) => !known.includes(name));
    if (rule === false) return others.length === 0;
    return firstFault(others.map((name) => below(value[name], rule, `.${name}`)));
  },
};

function firstFault(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    case "string":
      return typeof value === "string";
    case "number":
      return typeof value === "number";
    case "boolean":
      return typeof value === "boolean";
    default:
      throw new Error(`unknown type ${type}`);
  }
}
