/**
 * Schemas of values in operators' files. A value of the right type that cannot be used is
 * `invalid_configuration`; another type is the code of the file.
 *
 * @module
 */

import { resolve } from "node:path";
import {
  COUNT,
  list,
  type Members,
  object,
  type OfMembers,
  Schema,
  TEXT,
} from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { parseStrictJson } from "../proof/format/strict_json.ts";
import { invalid, namingFile } from "./validation.ts";

type CamelCase<S extends string> = S extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : S;

/** The members that a schema reads, as the program names them. */
type Settings<T> = { readonly [N in keyof T as N extends string ? CamelCase<N> : never]: T[N] };

/** An object whose members are snake_case in the file and camelCase in the program. */
export function settings<const M extends Members>(members: M): Schema<Settings<OfMembers<M>>> {
  const read = object(members);
  return new Schema((value, path, context) => {
    const entries = Object.entries(read.read(value, path, context)).map(([name, member]) =>
      [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), member] as const
    );
    return Object.fromEntries(entries) as Settings<OfMembers<M>>;
  }, read.describe);
}

/** An integer from `least` to `most`. */
export function integer(least: number, most: number, description: string): Schema<number> {
  return COUNT.convert((value, where) => {
    if (value >= least && value <= most) return value;
    throw invalid(where, `${value} is not from ${least} to ${most}`);
  }).with({ minimum: least, maximum: most, description });
}

/** One of `values`. */
export function choice<const T extends string>(
  values: readonly T[],
  description: string,
): Schema<T> {
  return TEXT.convert((text, where) => {
    const known = values.find((value) => value === text);
    if (known === undefined) throw invalid(where, `it must be one of ${values.join(", ")}`);
    return known;
  }).with({ enum: values, description });
}

/** The URL of a service, as it is written. */
export function url(description: string): Schema<string> {
  return TEXT.convert((text, _, { insecure = false }) => {
    parseServiceUrl(text, { insecure });
    return text;
  }).with({ format: "uri", description });
}

/** A path, absolute in the program. */
export function path(description: string): Schema<string> {
  return TEXT.convert((text, _, { folder = "" }) => resolve(folder, text))
    .with({ title: "path", description });
}

/** At most `most` items. */
export function atMost<T>(
  most: number,
  item: Schema<T>,
  description: string,
): Schema<readonly T[]> {
  return list(item).convert((items, where) => {
    if (items.length <= most) return items;
    throw invalid(where, `it has more than ${most} entries`);
  }).with({ maxItems: most, description });
}

/** `schema`, or `"off"`. */
export function orOff<T>(schema: Schema<T>): Schema<T | "off"> {
  return new Schema<T | "off">(
    (value, path, context) => value === "off" ? value : schema.read(value, path, context),
    (components) => ({ anyOf: [schema.describe(components), { const: "off" }] }),
  );
}

/**
 * The content of an operator's file by `schema`, from its JSON `text`. `malformed_configuration`,
 * `invalid_configuration`.
 */
export function parseFile<T>(schema: Schema<T>, text: string, file: string): T {
  const code = "malformed_configuration";
  return namingFile(file, () => {
    const value = parseStrictJson(text, code, Infinity, `JSON of ${file}`);
    return schema.parse(value, { where: file, code });
  });
}
