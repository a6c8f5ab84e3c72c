/**
 * The OpenAPI document as a test reads it, and holds exchanges with the app to what it says.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { ErrorCode } from "../../src/base/errors.ts";
import type { JsonObject, JsonValue } from "../../src/proof/format/strict_json.ts";
import { type Exchange, faultOfExchange } from "./exchange_check.ts";
import { faultOf } from "./json_schema.ts";

/** An operation and where it stands. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly value: JsonObject;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: JsonObject;
}

/** A response header, whose values are texts. */
export interface DocumentedHeader {
  readonly required?: boolean;
  readonly schema: JsonObject;
}

/** One status of an operation. */
export interface DocumentedResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, DocumentedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>>;
}

/** A parsed document. */
export class ApiDocument {
  readonly value: JsonObject;
  readonly operations: readonly Operation[];
  /** `<operation> <status> <problem code or "ok">` of every answer that was checked. */
  readonly seen = new Set<string>();

  constructor(text: string) {
    this.value = JSON.parse(text);
    this.operations = Object.entries(this.value["paths"] as JsonObject).flatMap(([path, item]) =>
      Object.entries(item as JsonObject).map(([method, value]) => ({
        id: (value as JsonObject)["operationId"] as string,
        method,
        path,
        value: value as JsonObject,
      }))
    );
  }

  /** What a `$ref` of this document refers to. */
  readonly resolve = (ref: string): JsonObject => {
    assert.ok(ref.startsWith("#/"), `${ref} is outside the document`);
    let value: JsonValue | undefined = this.value;
    for (const name of ref.slice(2).split("/")) value = (value as JsonObject)[name];
    assert.ok(value, `${ref} refers to nothing`);
    return value as JsonObject;
  };

  /** The first fault of `value` under `schema`. */
  faultOf(value: JsonValue, schema: JsonObject): string | undefined {
    return faultOf(value, schema, this.resolve);
  }

  /** Requires this request and this answer to be in the document, and records both. */
  check(exchange: Exchange): void {
    const { operation, code, fault } = faultOfExchange(this, exchange);
    const { method, path, status, text } = exchange;
    assert.equal(fault, undefined, `${method} ${path} ${status}: ${text.slice(0, 500)}`);
    if (operation !== undefined) this.seen.add(`${operation.id} ${status} ${code}`);
  }

  /** The documented responses of `operation` by status. */
  responses(operation: Operation): Readonly<Record<string, DocumentedResponse>> {
    return operation.value["responses"] as unknown as Record<string, DocumentedResponse>;
  }

  parameters(operation: Operation): readonly Parameter[] {
    return (operation.value["parameters"] ?? []) as unknown as Parameter[];
  }

  /** The headers of every route's answers. */
  get commonHeaders(): Readonly<Record<string, DocumentedHeader>> {
    return this.value["x-common-headers"] as unknown as Record<string, DocumentedHeader>;
  }

  /** The operation that answers `path`, which has no query. A HEAD is that of its GET. */
  operationOf(method: string, path: string): Operation | undefined {
    const asked = method === "HEAD" ? "GET" : method;
    const found = this.operations.filter((operation) =>
      operation.method.toUpperCase() === asked && patternOf(operation.path).test(path)
    );
    // A literal path wins over a template that also matches.
    return found.find((operation) => !operation.path.includes("{")) ?? found[0];
  }
}

/** Matches the paths of a template; its groups are the parameters, in order. */
export function patternOf(template: string): RegExp {
  const escaped = template.replaceAll(".", "\\.");
  // A tile's index spans segments.
  return new RegExp(`^${escaped.replace("{index}", "(.+)").replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
}

/** The problem codes of a documented response. */
export function codesOf({ content }: DocumentedResponse): ErrorCode[] {
  const schema = content?.["application/problem+json"]?.schema;
  if (schema === undefined) return [];
  const [, refined] = schema["allOf"] as unknown as {
    properties: { code: { enum: ErrorCode[] } };
  }[];
  return refined!.properties.code.enum;
}
