/**
 * Schemas of values in operators' files. A value of the right type that cannot be used is
 * `invalid_configuration`; another type is the code of the file.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { INTEGER_LIMIT, isCount } from "../base/bytes.ts";
import type { ErrorCode } from "../base/errors.ts";
import {
  COUNT,
  list,
  Mismatch,
  object,
  type OfMembers,
  type OptionalSchema,
  Schema,
  TEXT,
} from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import {
  type JsonObject,
  type JsonValue,
  parseStrictJson,
  quoted,
} from "../proof/format/strict_json.ts";
import { deepFreeze, invalid, naming, namingFile } from "./validation.ts";

type CamelCase<S extends string> = S extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : S;

/** Members by their names in the file. */
type SettingsMembers = Readonly<Record<string, Schema<unknown> | Secret>>;

/** Schemas of the values of members. */
type Schemas<M extends SettingsMembers> = {
  readonly [N in keyof M]: M[N] extends Schema<unknown> ? M[N]
    : M[N] extends Secret<true> ? OptionalSchema<SecretSource>
    : Schema<SecretSource>;
};

type Renamed<T> = { readonly [N in keyof T as N extends string ? CamelCase<N> : never]: T[N] };

/** What {@linkcode settings} reads. */
export type SettingsOf<M extends SettingsMembers> = Renamed<OfMembers<Schemas<M>>>;

/** An object whose members are snake_case in the file and camelCase in the program. */
export function settings<const M extends SettingsMembers>(members: M): Schema<SettingsOf<M>> {
  const entries = Object.entries<Schema<unknown> | Secret>(members);
  const written = entries.map(([name, member]) =>
    member instanceof Secret ? member.written(name) : { [name]: member }
  );
  const file = object<Record<string, Schema<unknown>>>(Object.assign({}, ...written));
  return new Schema((value, path, context) => {
    const found: Readonly<Record<string, unknown>> = file.read(value, path, context);
    const read = entries.map(([name, member]) => {
      const setting = member instanceof Secret
        ? member.sourceIn(found, name, `${context.where}${path}`)
        : found[name];
      return [name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), setting] as const;
    });
    const present = read.filter(([, setting]) => setting !== undefined);
    return Object.fromEntries(present) as SettingsOf<M>;
  }, file.describe);
}

/** Where a secret is. */
export type SecretSource =
  /** Absolute path. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "environment"; readonly name: string };

/**
 * The variables that a configuration may name. Permissions are granted for this prefix, so a
 * configuration cannot make the program read any other variable.
 */
const VARIABLE = /^COUNTERSIGN_TOKEN_[A-Z0-9_]{1,64}$/;

const VARIABLE_NAME = TEXT.convert((name, where): SecretSource => {
  if (VARIABLE.test(name)) return { kind: "environment", name };
  throw invalid(
    where,
    "it must be COUNTERSIGN_TOKEN_ and up to 64 capitals, digits and underscores",
  );
}).with({
  title: "name",
  description: "Variable COUNTERSIGN_TOKEN_... that holds it, instead of a file.",
});

/** A member of {@linkcode settings} that the file writes as `<name>_file` or as `<name>_env`. */
class Secret<IsOptional extends boolean = boolean> {
  /** For its help. */
  readonly #what: string;
  readonly isOptional: IsOptional;

  constructor(what: string, isOptional: IsOptional) {
    this.#what = what;
    this.isOptional = isOptional;
  }

  /** Its two members in the file. */
  written(name: string): Record<string, Schema<unknown>> {
    return {
      [`${name}_file`]: path(`File that holds ${this.#what}.`)
        .convert((path): SecretSource => ({ kind: "file", path })).optional(),
      [`${name}_env`]: VARIABLE_NAME.optional(),
    };
  }

  /** Its source among the `members` of the file; `invalid_configuration`. */
  sourceIn(members: Readonly<Record<string, unknown>>, name: string, where: string): unknown {
    const [file, variable] = [`${name}_file`, `${name}_env`];
    if (members[file] !== undefined && members[variable] !== undefined) {
      throw invalid(where, `it has both ${file} and ${variable}`);
    }
    const source = members[file] ?? members[variable];
    if (source !== undefined || this.isOptional) return source;
    throw invalid(where, `it needs ${file} or ${variable}`);
  }
}

/** A secret in a file or a variable; `what` it is completes "File that holds". */
export function secret(what: string): Secret<false> {
  return new Secret(what, false);
}

/** {@linkcode secret}, if the file has it. */
export function optionalSecret(what: string): Secret<true> {
  return new Secret(what, true);
}

/** An object that `schema` reads if it has member `name`, and `other` if not. */
export function withMember<T, U>(
  name: string,
  schema: Schema<T>,
  other: Schema<U>,
): Schema<T | U> {
  return new Schema<T | U>(
    (value, path, context) =>
      (memberOf(value, name) === undefined ? other : schema).read(value, path, context),
    (components) => ({ anyOf: [schema.describe(components), other.describe(components)] }),
  );
}

/** Errors of `schema` also name the `part` of the file, by the text in its `member`. */
export function inPart<T>(part: string, member: string, schema: Schema<T>): Schema<T> {
  return new Schema((value, path, context) => {
    try {
      return schema.read(value, path, context);
    } catch (error) {
      const name = memberOf(value, member);
      if (typeof name !== "string") throw error;
      const what = `${part} ${quoted(name)}`;
      throw error instanceof Mismatch
        ? new Mismatch(error.path, `${error.problem}, in ${what}`, error.subject)
        : naming(what, error);
    }
  }, schema.describe);
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, name);
  return isObject ? (value as JsonObject)[name] : undefined;
}

/** Text that is not empty. */
export function words(description: string): Schema<string> {
  return TEXT.convert((text, where) => {
    if (text !== "") return text;
    throw invalid(where, "it is empty");
  }).with({ description });
}

/** An integer from `least` to `most`. */
export function integer(least: number, most: number, description: string): Schema<number> {
  const numbers = new Schema<number>((value, path) => {
    if (isCount(value)) return value;
    const range = most < INTEGER_LIMIT - 1 ? `from ${least} to ${most}` : `of ${least} or more`;
    const found = typeof value === "string" ? ', found text: write it without "quotes"' : "";
    throw new Mismatch(path, `expected an integer ${range}${found}`);
  }, COUNT.describe);
  return numbers.convert((value, where) => {
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
  return TEXT.convert((text, where, { insecure = false }) => {
    namingFile(where, () => parseServiceUrl(text, { insecure }));
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

/** `item`, or several different ones in a list; a list in the program. */
export function oneOrMore<T>(item: Schema<T>): Schema<readonly T[]> {
  const several = list(item).convert((items, where) => {
    if (items.length > 1 && new Set(items).size === items.length) return items;
    throw invalid(where, "the list needs two entries or more, each once");
  });
  return new Schema<readonly T[]>(
    (value, path, context) =>
      Array.isArray(value) ? several.read(value, path, context) : [item.read(value, path, context)],
    (components) => ({ anyOf: [item, several].map((schema) => schema.describe(components)) }),
  );
}

/** `schema`, or `"off"`. */
export function orOff<T>(schema: Schema<T>): Schema<T | "off"> {
  return new Schema<T | "off">(
    (value, path, context) => value === "off" ? value : schema.read(value, path, context),
    (components) => ({ anyOf: [schema.describe(components), { const: "off" }] }),
  );
}

/** How {@linkcode parseFile} reads a file. */
export interface FileRules {
  /** Of text that the schema does not read; `malformed_configuration` by default. */
  readonly code?: ErrorCode;
  /** Allows `http:` URLs beyond loopback. */
  readonly insecure?: boolean;
}

/**
 * The content of an operator's file by `schema`, from its JSON `text`, frozen. Paths are relative to
 * the file, whose path is absolute. `code`, `invalid_configuration`.
 */
export function parseFile<T>(
  schema: Schema<T>,
  text: string,
  file: string,
  { code = "malformed_configuration", insecure = false }: FileRules = {},
): T {
  return namingFile(file, () => {
    const value = parseStrictJson(text, code, Infinity, `JSON of ${file}`);
    return deepFreeze(schema.parse(value, { where: file, code, folder: dirname(file), insecure }));
  });
}
