/**
 * A request to every operation of the OpenAPI document, made of the document: a new route is asked by
 * every test that uses this table.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { ApiDocument, Operation } from "./api_document.ts";

/** What a log can be asked. */
export interface Known {
  /** A hash, of the log if the request is to succeed. */
  readonly hash: string;
  readonly signedAttestation: unknown;
  /** Published tree sizes, ascending. */
  readonly sizes: readonly [number, number];
}

/** A request and the operation that answers it. */
export interface RouteRequest {
  readonly operation: Operation;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Paths whose answers do not end. */
export const STREAM_PATHS: ReadonlySet<string> = new Set(["/ws/events", "/v1/events"]);

/** A request to every operation of `document`, with `which` parameters of its query. */
export function routeRequests(
  document: ApiDocument,
  known: Known,
  which: "required" | "all" = "required",
): RouteRequest[] {
  return document.operations.map((operation) => {
    const { method, path, id } = operation;
    const [first, second] = known.sizes;
    const filled = path
      .replace("{hash}", known.hash)
      .replace(/\{(tree_size|id)\}/, String(second))
      .replace("{level}", "0")
      .replace("{index}", `000.p/${first}`);
    assert.doesNotMatch(filled, /[{}]/, `${id}: a parameter of the path has no value here`);
    const query = document.parameters(operation)
      .filter(({ in: place, required }) => place === "query" && (required || which === "all"))
      .map(({ name }) => `${name}=${valueOf(name, known)}`);
    const body = bodyOf(id, known);
    assert.ok(
      body !== undefined || method === "get" || id === "verifyAttestation",
      `${id}: no body is known`,
    );
    return {
      operation,
      method: method.toUpperCase(),
      path: query.length === 0 ? filled : `${filled}?${query.join("&")}`,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  });
}

function valueOf(name: string, { hash, sizes: [first, second] }: Known): string {
  const values: Record<string, string | number> = {
    hash,
    first,
    second,
    tree_size: second,
    before: second + 1,
    limit: 2,
    log_signature: "true",
    ed25519_only: "true",
    types: "attestation.confirmed",
    after: "v1.0.0.0.0.0",
  };
  const value = values[name];
  assert.ok(value !== undefined, `no value is known for the parameter ${name}`);
  return String(value);
}

function bodyOf(id: string, { hash, signedAttestation }: Known): unknown {
  const bodies: Record<string, unknown> = {
    submitAttestation: { hash, issuer_token: "token" },
    submitAttestations: { hashes: [hash, hash], issuer_tokens: [null, "token"] },
    verifyAttestation: signedAttestation,
  };
  return bodies[id];
}
