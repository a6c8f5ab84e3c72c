/**
 * Reads the members of a JSON object by name and type. A resource is read whole and exact, or
 * refused with an error that names the first bad member. J1 to J9 are the rules of verification.md
 * "JSON".
 *
 * @module
 */

import { type Bytes, bytesOfBase64, bytesOfBase64Url, isCount, isHex } from "../../base/bytes.ts";
import { CountersignError, type ErrorCode } from "../../base/errors.ts";
import type { FieldContext, Schema } from "./schema.ts";
import { type JsonObject, type JsonValue, parseStrictJson, quoted } from "./strict_json.ts";

/** Which members an object may have. */
export interface FieldRules {
  readonly optional?: readonly string[];
  /** Ignores unknown members: for configurations (C1) and for answers of other implementations. */
  readonly ignoreUnknown?: boolean;
}

/** The members of one object. */
export class Fields {
  readonly where: string;
  readonly code: ErrorCode;
  readonly #members: JsonObject;

  /** Refuses with `code` a value that is not an object with the `required` members (J3, J7). */
  constructor(
    value: JsonValue | undefined,
    { where, code }: FieldContext,
    required: readonly string[],
    rules: FieldRules = {},
  ) {
    this.where = where;
    this.code = code;
    if (typeof value !== "object" || value === null || !isObject(value)) {
      throw this.error("expected an object"); // J7
    }
    this.#members = value;
    for (const name of required) {
      if (!this.has(name)) throw this.error(`member ${name} is missing`); // J3
    }
    if (rules.ignoreUnknown) return;
    const known = new Set([...required, ...(rules.optional ?? [])]);
    for (const name of Object.keys(value)) {
      if (!known.has(name)) throw this.error(`unknown member ${quoted(name)}`); // J3
    }
  }

  /** The members of the object that JSON `text` holds. */
  static parse(
    text: string,
    context: FieldContext,
    required: readonly string[],
    rules: FieldRules & { readonly maxValues?: number } = {},
  ): Fields {
    const value = parseStrictJson(text, context.code, rules.maxValues, `JSON of ${context.where}`);
    return new Fields(value, context, required, rules);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  /** The raw value of a member, `undefined` if absent. */
  value(name: string): JsonValue | undefined {
    return this.has(name) ? this.#members[name] : undefined;
  }

  /** The member `name` by its schema, `undefined` if absent. */
  read<T>(
    name: string,
    schema: Schema<T>,
    file: Pick<FieldContext, "folder" | "insecure"> = {},
  ): T | undefined {
    if (!this.has(name)) return undefined;
    const { where, code } = this;
    return schema.parse(this.value(name), { ...file, where: `${where}.${name}`, code });
  }

  text(name: string): string {
    const value = this.value(name);
    if (typeof value !== "string") throw this.error(`${name} must be a string`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== "boolean") throw this.error(`${name} must be true or false`);
    return value;
  }

  /** An integer in [0, 2^53) (J4). */
  integer(name: string): number {
    const value = this.value(name);
    if (!isCount(value)) throw this.error(`${name} must be an integer from 0 to 2^53 - 1`);
    return value;
  }

  /** Lowercase hex of exactly `byteLength` bytes (J5). */
  hex(name: string, byteLength: number): string {
    const value = this.text(name);
    if (!isHex(value, byteLength)) {
      throw this.error(`${name} must be ${2 * byteLength} lowercase hex digits`);
    }
    return value;
  }

  /** Bytes in canonical padded base64. */
  base64(name: string): Bytes {
    const bytes = bytesOfBase64(this.text(name));
    if (bytes === undefined) throw this.error(`${name} must be padded base64`);
    return bytes;
  }

  /** Bytes in base64url, with all its padding or none. */
  base64Url(name: string): Bytes {
    const bytes = bytesOfBase64Url(this.text(name));
    if (bytes === undefined) throw this.error(`${name} must be base64url`);
    return bytes;
  }

  list(name: string): readonly JsonValue[] {
    const value = this.value(name);
    if (!Array.isArray(value)) throw this.error(`${name} must be a list`);
    return value;
  }

  texts(name: string): readonly string[] {
    const values = this.list(name);
    if (!values.every((value) => typeof value === "string")) {
      throw this.error(`${name} must be a list of strings`);
    }
    return values;
  }

  /** The members of the object in member `name`. */
  object(name: string, required: readonly string[], rules: FieldRules = {}): Fields {
    return this.within(this.value(name), name, required, rules);
  }

  /** The members of each object in the list in member `name`. */
  objects(name: string, required: readonly string[], rules: FieldRules = {}): Fields[] {
    return this.list(name).map((value, i) => this.within(value, `${name}[${i}]`, required, rules));
  }

  /** The members of `value`, which is at `path` below this object. */
  within(
    value: JsonValue | undefined,
    path: string,
    required: readonly string[],
    rules: FieldRules = {},
  ): Fields {
    return new Fields(value, { where: `${this.where}.${path}`, code: this.code }, required, rules);
  }

  /** An error about this object. */
  error(reason: string): CountersignError {
    return new CountersignError(this.code, `Cannot read ${this.where}: ${reason}`);
  }
}

function isObject(value: JsonValue & object): value is JsonObject {
  return Object.getPrototypeOf(value) === null;
}
