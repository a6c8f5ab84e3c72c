/**
 * Schemas of JSON resources. One schema reads a value strictly, gives its TypeScript type, and
 * describes it as JSON Schema 2020-12 in the OpenAPI and AsyncAPI documents. J1 to J9 are the rules of
 * verification.md "JSON".
 *
 * @module
 */

import { fromHex, HASH_LENGTH, INTEGER_LIMIT, isCount, isHex } from "../../base/bytes.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import {
  type JsonObject,
  type JsonValue,
  parseStrictJson,
  quoted,
  RawNumber,
} from "./strict_json.ts";

/**
 * The first difference between a value and its schema. Not an Error, because a union tries its
 * alternatives without stack traces.
 */
export class Mismatch {
  /** Such as `.signatures[0].signature`; empty for the value itself. */
  readonly path: string;
  /** Such as `expected a list`. */
  readonly problem: string;
  /** What a message names: the value, or the object that lacks it. */
  readonly subject: string;

  constructor(path: string, problem: string, subject = path) {
    this.path = path;
    this.problem = problem;
    this.subject = subject;
  }
}

/** Schemas that documents refer to by name. */
export type Components = Record<string, JsonObject>;

/** How a message names a JSON value, and the code of its faults. */
export interface FieldContext {
  readonly where: string;
  readonly code: ErrorCode;
  /** Of an operator's file: the folder that its paths are relative to. */
  readonly folder?: string;
  /** Of an operator's file: whether `http:` URLs may be beyond loopback. */
  readonly insecure?: boolean;
}

/** Reads a value at `path`, or its absence. Throws {@linkcode Mismatch}. */
type Read<T> = (value: JsonValue | undefined, path: string, context: FieldContext) => T;

/** A strict reader of `T` that can also describe itself as JSON Schema. */
export class Schema<T> {
  /** Returns known members only. */
  readonly read: Read<T>;
  /** JSON Schema; adds the named schemas that it refers to. */
  readonly describe: (components: Components) => JsonObject;

  constructor(
    read: Read<T>,
    describe: (components: Components) => JsonObject,
  ) {
    this.read = read;
    this.describe = describe;
  }

  /** Reads a parsed value; refuses others with the code of `context`. */
  parse(value: JsonValue | undefined, context: FieldContext): T {
    try {
      return this.read(value, "", context);
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      const { where, code } = context;
      throw new CountersignError(code, `Cannot read ${where}${error.subject}: ${error.problem}`);
    }
  }

  /** Reads JSON `text`. */
  parseText(text: string, context: FieldContext, maxValues?: number): T {
    return this.parse(parseStrictJson(text, context.code, maxValues), context);
  }

  /** Adds `keywords` to the description. Reading does not check them. */
  with(keywords: JsonObject): Schema<T> {
    return new Schema(this.read, (components) => ({ ...this.describe(components), ...keywords }));
  }

  /** Documents refer to this schema by `name`. */
  named(name: string, keywords: JsonObject = {}): Schema<T> {
    return new Schema(this.read, (components) => {
      if (!Object.hasOwn(components, name)) {
        components[name] = {}; // ends a recursion
        components[name] = { ...this.describe(components), ...keywords };
      }
      return { $ref: `#/components/schemas/${name}` };
    });
  }

  /** Converts values that are read; `undefined` is a mismatch. */
  map<U>(convert: (value: T) => U | undefined, expected: string): Schema<U> {
    return new Schema((value, path, context) => {
      const converted = convert(this.read(value, path, context));
      if (converted === undefined) throw new Mismatch(path, `expected ${expected}`);
      return converted;
    }, this.describe);
  }

  /** Converts values that are read; `convert` throws its own errors about `where`. */
  convert<U>(convert: (value: T, where: string, context: FieldContext) => U): Schema<U> {
    return new Schema(
      (value, path, context) =>
        convert(this.read(value, path, context), `${context.where}${path}`, context),
      this.describe,
    );
  }

  /** For a member that may be absent. */
  optional(): OptionalSchema<T> {
    return new OptionalSchema(this.read, this.describe);
  }

  /** For a member that may be absent, which then has the JSON value `standard`. */
  withDefault(standard: JsonValue): DefaultSchema<T> {
    return new DefaultSchema(
      (value = standard, path, context) => this.read(value, path, context),
      (components) => ({ ...this.describe(components), default: standard }),
    );
  }
}

/** Schema of a member that may be absent. */
export class OptionalSchema<T> extends Schema<T> {
  readonly isOptional = true;
}

/** Schema of a member that has a value in its absence. */
export class DefaultSchema<T> extends Schema<T> {
  readonly hasDefault = true;
}

/** The type that a schema reads. */
export type Of<S> = S extends Schema<infer T> ? T : never;

/** Members of an object by name. */
export type Members = Readonly<Record<string, Schema<unknown>>>;

/** The type of an object with `M`. */
export type OfMembers<M extends Members> =
  & { readonly [N in keyof M as M[N] extends OptionalSchema<unknown> ? never : N]: Of<M[N]> }
  & { readonly [N in keyof M as M[N] extends OptionalSchema<unknown> ? N : never]?: Of<M[N]> };

/**
 * Treatment of unknown members: documents forbid and readers refuse them, documents forbid and readers
 * ignore them, or documents allow and readers ignore them.
 */
type UnknownMembers = "refused" | "ignored" | "allowed";

/** Schema of an object; keeps its members for parameters of routes. */
export class ObjectSchema<M extends Members> extends Schema<OfMembers<M>> {
  readonly members: M;

  constructor(members: M, unknown: UnknownMembers) {
    super(
      (value, path, context) =>
        readMembers(members, value, path, context, unknown === "refused") as OfMembers<M>,
      (components) => ({
        type: "object",
        properties: Object.fromEntries(
          Object.entries(members).map(([name, schema]) => [name, schema.describe(components)]),
        ),
        required: Object.keys(members).filter((name) => !mayBeAbsent(members[name]!)),
        ...(unknown !== "allowed" && { additionalProperties: false }),
      }),
    );
    this.members = members;
  }
}

function mayBeAbsent(schema: Schema<unknown>): boolean {
  return schema instanceof OptionalSchema || schema instanceof DefaultSchema;
}

function readMembers(
  members: Members,
  value: JsonValue | undefined,
  path: string,
  context: FieldContext,
  isStrict: boolean,
): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject || value instanceof RawNumber) {
    throw new Mismatch(path, "expected an object"); // J7
  }
  const object = value as JsonObject;
  const other = Object.keys(object).find((name) => !Object.hasOwn(members, name));
  const read: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(members)) {
    const at = `${path}.${name}`;
    const isPresent = Object.hasOwn(object, name);
    if (isPresent || schema instanceof DefaultSchema) {
      read[name] = schema.read(isPresent ? object[name] : undefined, at, context);
    } else if (!(schema instanceof OptionalSchema)) {
      // An unknown member may be its name with a mistake.
      const found = isStrict && other !== undefined ? `; unknown member ${quoted(other)}` : "";
      throw new Mismatch(at, `member ${name} is missing${found}`, path); // J3
    }
  }
  if (isStrict && other !== undefined) throw new Mismatch(path, `unknown member ${quoted(other)}`);
  return read;
}

/** An object with exactly `members`, unless `unknown` says otherwise. */
export function object<const M extends Members>(
  members: M,
  unknown: UnknownMembers = "refused",
): ObjectSchema<M> {
  return new ObjectSchema(members, unknown);
}

function primitive<T extends JsonValue>(
  is: (value: JsonValue | undefined) => boolean,
  expected: string,
  keywords: JsonObject,
): Schema<T> {
  return new Schema((value, path) => {
    if (!is(value)) throw new Mismatch(path, `expected ${expected}`);
    return value as T;
  }, () => keywords);
}

export const TEXT = primitive<string>((v) => typeof v === "string", "text", { type: "string" });
export const FLAG = primitive<boolean>((v) => typeof v === "boolean", "true or false", {
  type: "boolean",
});
const NULL = primitive<null>((v) => v === null, "null", { type: "null" });
/** An integer in [0, 2^53) (J4). */
export const COUNT = primitive<number>(isCount, "an integer from 0 to 2^53 - 1", {
  type: "integer",
  minimum: 0,
  maximum: INTEGER_LIMIT - 1,
});

/** Any JSON value. */
export const ANY_JSON: Schema<JsonValue> = new Schema((value) => value ?? null, () => ({
  type: ["string", "number", "boolean", "null", "array", "object"],
})).named("JsonValue", { description: "Any JSON value" });

export function text(description: string): Schema<string> {
  return TEXT.with({ description });
}

export function flag(description: string): Schema<boolean> {
  return FLAG.with({ description });
}

/** An integer in [0, 2^53). */
export function count(description: string): Schema<number> {
  return COUNT.with({ description });
}

/** Unix seconds. */
export function time(description: string): Schema<number> {
  return COUNT.with({ description: `${description}, Unix seconds`, example: 1766275200 });
}

/** Text that matches `pattern`. */
export function pattern(pattern: RegExp): Schema<string> {
  return TEXT.map(
    (text) => pattern.test(text) ? text : undefined,
    `text that matches ${pattern.source}`,
  )
    .with({ pattern: pattern.source });
}

/** Lowercase hex of exactly `byteLength` bytes (J5). */
export function hex(byteLength: number, description: string): Schema<string> {
  const digits = 2 * byteLength;
  return TEXT.map(
    (text) => isHex(text, byteLength) ? text : undefined,
    `${digits} lowercase hex digits`,
  ).with({ pattern: `^[0-9a-f]{${digits}}$`, description });
}

export const HASH = hex(HASH_LENGTH, "32 bytes, lowercase hex").named("Hash");

/** Sibling hashes. */
export const HASH_PATH = list(HASH).named("HashPath", {
  description: "Hashes of an RFC 9162 proof, in the order in which the RFC's algorithm reads them",
});

/** The longest path at sizes below 2^53: 54 nodes by RFC 9162, or 53 after a first root. */
const MAX_CONSISTENCY_PATH = 54;

export const CONSISTENCY_PATH = HASH_PATH.map(
  (path) => path.length <= MAX_CONSISTENCY_PATH ? path.map((hash) => fromHex(hash)) : undefined,
  `at most ${MAX_CONSISTENCY_PATH} hashes`,
);

/** One of `values`. */
export function oneOf<const T extends string>(values: readonly T[]): Schema<T> {
  return TEXT.map((text) => values.find((value) => value === text), values.join(" or "))
    .with({ enum: values });
}

/** A list of `least` to `most` items. */
export function list<T>(item: Schema<T>, least = 0, most = Infinity): Schema<readonly T[]> {
  return new Schema((value, path, context) => {
    if (!Array.isArray(value)) throw new Mismatch(path, "expected a list");
    if (value.length < least || value.length > most) {
      const length = most < Infinity ? `${least} to ${most}` : `${least} or more`;
      throw new Mismatch(path, `expected a list of ${length} items`);
    }
    return value.map((entry, i) => item.read(entry, `${path}[${i}]`, context));
  }, (components) => ({
    type: "array",
    items: item.describe(components),
    ...(least > 0 && { minItems: least }),
    ...(most < Infinity && { maxItems: most }),
  }));
}

/** Any of `schemas`. Reports the fault of the alternative that matches most deeply. */
export function union<S extends readonly Schema<unknown>[]>(...schemas: S): Schema<Of<S[number]>> {
  return new Schema((value, path, context) => {
    let deepest: Mismatch | undefined;
    for (const schema of schemas) {
      try {
        return schema.read(value, path, context) as Of<S[number]>;
      } catch (error) {
        if (!(error instanceof Mismatch)) throw error;
        if (deepest === undefined || error.path.length > deepest.path.length) deepest = error;
      }
    }
    throw deepest;
  }, (components) => ({ anyOf: schemas.map((schema) => schema.describe(components)) }));
}

/** `schema` or null. */
export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return union(schema, NULL) as Schema<T | null>;
}
