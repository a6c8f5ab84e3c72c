/**
 * Reads the members of a parsed JSON object by name and kind, so that a resource is either whole
 * and exact or refused with the place of its first fault.
 *
 * @module
 */

import { type Bytes, bytesOfBase64, HASH_LENGTH, isCount, isHex } from "../bytes.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import type { JsonObject, JsonValue } from "./strict_json.ts";

/** Which members an object may have. */
export interface FieldRules {
  readonly optional?: readonly string[];
  /** Configurations of others: unknown members are ignored (protocol.md "Resources"). */
  readonly ignoreUnknown?: boolean;
}

/** Kinds of members that need nothing but a type: an integer, a string, a hash, a list of hashes. */
type Kind = "count" | "text" | "hash" | "hashes";

/** The members of an object, each with its kind. */
export type Shape = Readonly<Record<string, Kind>>;

/** What an object of a shape is read as. */
export type OfShape<S extends Shape> = {
  readonly [Name in keyof S]: S[Name] extends "count" ? number
    : S[Name] extends "hashes" ? readonly string[]
    : string;
};

/** The members of one object, and how faults in them are reported. */
export class Fields {
  readonly where: string;
  readonly code: ErrorCode;
  readonly #members: JsonObject;

  /** Refuses with `code` what is no object, misses a required member or has an unknown one. */
  constructor(
    value: JsonValue | undefined,
    context: { readonly where: string; readonly code: ErrorCode },
    required: readonly string[],
    rules: FieldRules = {},
  ) {
    this.where = context.where;
    this.code = context.code;
    if (typeof value !== "object" || value === null || !isObject(value)) {
      throw this.#fault("an object required", "another value");
    }
    this.#members = value;
    for (const name of required) {
      if (!this.has(name)) throw this.#fault(`member ${name} required`, "none");
    }
    if (rules.ignoreUnknown) return;
    const known = new Set([...required, ...(rules.optional ?? [])]);
    for (const name of Object.keys(value)) {
      if (!known.has(name)) {
        throw this.#fault("known members only", JSON.stringify(name.slice(0, 40)));
      }
    }
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
  }

  /** The raw value of a member, `undefined` when absent. */
  value(name: string): JsonValue | undefined {
    return this.has(name) ? this.#members[name] : undefined;
  }

  text(name: string): string {
    const value = this.value(name);
    if (typeof value !== "string") throw this.#fault(`text in ${name} required`, "another value");
    return value;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    if (typeof value !== "boolean") throw this.#fault(`a boolean in ${name} required`, "another");
    return value;
  }

  /** An integer in [0, 2^53). */
  count(name: string): number {
    const value = this.value(name);
    if (!isCount(value)) {
      throw this.#fault(`a plain decimal integer in ${name} required`, "another value");
    }
    return value;
  }

  /** Lowercase hex of exactly `byteLength` bytes. */
  hex(name: string, byteLength: number): string {
    const value = this.text(name);
    if (!isHex(value, byteLength)) {
      throw this.#fault(`${2 * byteLength} lowercase hex digits in ${name} required`, "another");
    }
    return value;
  }

  /** Bytes in canonical padded base64. */
  base64(name: string): Bytes {
    const bytes = bytesOfBase64(this.text(name));
    if (bytes === undefined) throw this.#fault(`base64 in ${name} required`, "another text");
    return bytes;
  }

  list(name: string): readonly JsonValue[] {
    const value = this.value(name);
    if (!Array.isArray(value)) throw this.#fault(`a list in ${name} required`, "another value");
    return value;
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((value) => {
      if (typeof value !== "string") {
        throw this.#fault(`texts in ${name} required`, "another value");
      }
      return value;
    });
  }

  /** A list of 64 lowercase hex digits each. */
  hashes(name: string): readonly string[] {
    return this.texts(name).map((text) => {
      if (!isHex(text, HASH_LENGTH)) {
        throw this.#fault(`64 lowercase hex digits each in ${name} required`, "another text");
      }
      return text;
    });
  }

  /** The members of `shape`, which this object has. */
  read<S extends Shape>(shape: S): OfShape<S> {
    const entries = Object.entries(shape).map(([name, kind]) => [
      name,
      kind === "hash" ? this.hex(name, HASH_LENGTH) : this[kind](name),
    ]);
    return Object.fromEntries(entries) as OfShape<S>;
  }

  /** The object of exactly `shape` in member `name`. */
  record<S extends Shape>(name: string, shape: S): OfShape<S> {
    return this.object(name, Object.keys(shape)).read(shape);
  }

  /** The members of an object that stands in `name`. */
  object(name: string, required: readonly string[], rules: FieldRules = {}): Fields {
    return this.within(this.value(name), name, required, rules);
  }

  /** The members of `value`, which stands at `place` of this object. */
  within(
    value: JsonValue | undefined,
    place: string,
    required: readonly string[],
    rules: FieldRules = {},
  ): Fields {
    return new Fields(value, { where: `${this.where}.${place}`, code: this.code }, required, rules);
  }

  #fault(required: string, found: string): CountersignError {
    return new CountersignError(
      this.code,
      `Cannot read ${this.where}: ${required}, found ${found}`,
    );
  }
}

function isObject(value: JsonValue & object): value is JsonObject {
  return Object.getPrototypeOf(value) === null;
}
