/**
 * A witness that is asked by requests, without a socket.
 *
 * @module
 */

import assert from "node:assert/strict";
import { hexOf } from "../../src/base/bytes.ts";
import type { WitnessSigner } from "../../src/witness/ports.ts";
import { witnessApp } from "../../src/http/witness/witness_app.ts";
import {
  digestsOf,
  forkedTree,
  NETWORK,
  NOW,
  StandingClock,
  TestLog,
  testWitness,
} from "../witness/fixture.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { sentAnswer } from "./sent_answer.ts";

export const TOKEN = "the-token-of-this-witness";
export const log = new TestLog();
export const tree = forkedTree("tree", 4, 40);
export const fork = forkedTree("fork", 4, 40);

/** A served witness, and what it reported. */
export function serve(state = new MemoryWitnessState(), signer?: WitnessSigner) {
  const clock = new StandingClock();
  const reports: unknown[] = [];
  const witness = testWitness({ state, clock, ...(signer && { signer }) });
  const app = witnessApp({ witness, token: TOKEN, clock, report: (e) => reports.push(e) });
  const ask = async (path: string, init: RequestInit = {}) =>
    sentAnswer(init.method ?? "GET", await app(new Request(`http://witness.example${path}`, init)));
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(path, {
      method: "POST",
      headers: {
        "Authorization": `Bearer ${TOKEN}`,
        "Content-Type": "application/json",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  return { app, ask, post, reports, state, clock, witness };
}

/** Asserts a problem of `code`, and answers its members. */
export async function problem(response: Response, status: number, code: string) {
  const body = await response.json();
  assert.equal(response.status, status, JSON.stringify(body));
  assert.equal(body.code, code);
  assert.equal(body.status, status);
  assert.equal(body.type, `urn:countersign:problem:${code}`);
  assert.equal(response.headers.get("Content-Type"), "application/problem+json");
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  return body;
}

/** A `POST /v1/sign` body of a round of two, but for `change`. */
export function roundBody(change: Record<string, unknown> = {}) {
  return {
    network_id: NETWORK,
    timestamp: NOW,
    first_sequence: 0,
    hashes: ["a", "b"].map((text) => hexOf(digestsOf(text))),
    ...change,
  };
}

/** An honest `POST /v1/cosign` body. */
export function cosignBody(from: number, to: number, source = tree, timestamp = NOW) {
  const request = log.request(source, from, to, timestamp);
  return {
    tree_head: { ...request.treeHead },
    log_signature: hexOf(request.logSignature),
    old_size: from,
    consistency_path: request.consistencyPath.map(hexOf),
  };
}
