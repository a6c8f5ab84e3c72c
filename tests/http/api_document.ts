/**
 * The OpenAPI document as a test reads it: holds every answer of the app to what it says.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../src/format/strict_json.ts";
import { faultOf } from "./json_schema.ts";

/** An operation and where it stands. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly value: JsonObject;
}

/** Codes of refusals that belong to no operation. */
const OUTSIDE = ["route_not_found", "method_not_allowed"];

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

  /** Requires that the document has the status, the media type and the body of `response`. */
  async check(method: string, path: string, response: Response): Promise<void> {
    if (method === "OPTIONS" || method === "HEAD") return;
    const text = await response.text();
    const type = response.headers.get("Content-Type") ?? "";
    const isProblem = type === "application/problem+json";
    const code = isProblem ? JSON.parse(text).code : "ok";
    const operation = this.#operationOf(method, path);
    if (OUTSIDE.includes(code)) return;
    // Everything below /tile/ is refused as a tile, in whatever form the document has none.
    if (operation === undefined && code === "tile_not_found") return;
    assert.ok(operation, `${method} ${path} is not documented`);
    const { status } = response;
    const documented = this.responses(operation)[status];
    assert.ok(documented, `${operation.id} does not document ${status}`);
    this.seen.add(`${operation.id} ${status} ${code}`);
    this.#checkHeaders(documented, response.headers, operation.id);
    if (status === 304) return;
    const content = (documented["content"] as JsonObject)[type] as JsonObject | undefined;
    assert.ok(content, `${operation.id} does not document ${type} for ${status}`);
    const body = type.endsWith("json") ? JSON.parse(text) : text;
    const fault = this.faultOf(body, content["schema"] as JsonObject);
    assert.equal(fault, undefined, `${operation.id} ${status}: ${text.slice(0, 500)}`);
  }

  /** The documented responses of `operation` by status. */
  responses(operation: Operation): Readonly<Record<string, JsonObject>> {
    return operation.value["responses"] as Record<string, JsonObject>;
  }

  /** Those that a client has to handle. */
  #checkHeaders(documented: JsonObject, headers: Headers, id: string): void {
    const known = Object.keys(documented["headers"] ?? {}).map((name) => name.toLowerCase());
    for (const name of ["location", "retry-after", "preference-applied"]) {
      if (headers.has(name)) assert.ok(known.includes(name), `${id} does not document ${name}`);
    }
  }

  #operationOf(method: string, path: string): Operation | undefined {
    const [bare] = path.split("?");
    return this.operations.find((operation) =>
      operation.method.toUpperCase() === method && patternOf(operation.path).test(bare!)
    );
  }
}

function patternOf(template: string): RegExp {
  const escaped = template.replaceAll(".", "\\.");
  // A tile's index spans segments.
  return new RegExp(`^${escaped.replace("{index}", ".*").replaceAll(/\{\w+\}/g, "[^/]*")}$`);
}
