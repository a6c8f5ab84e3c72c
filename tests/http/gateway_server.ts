/**
 * A real gateway behind the app that serves it, without a socket; and, for states that a real one
 * cannot be brought into, a service that refuses everything.
 *
 * @module
 */

import { Epochs } from "../../src/gateway/succession/epochs.ts";
import assert from "node:assert/strict";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import type { HealthStatus } from "../../src/proof/format/gateway_status.ts";
import type { Schema } from "../../src/proof/format/schema.ts";
import type { EventFeed } from "../../src/gateway/events/event_feed.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import type { PeerEvidence } from "../../src/http/gateway/evidence_routes.ts";
import { gatewayApp, type GatewayAppOptions } from "../../src/http/gateway/gateway_app.ts";
import { PROBLEM } from "../../src/http/schema/problem_schema.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import { signersOf } from "../kept_head.ts";
import { nativeCrypto as verifier } from "../schemes.ts";
import { ApiDocument } from "./api_document.ts";
import { exchangeOf } from "./exchange_check.ts";
import { sentAnswer } from "./sent_answer.ts";
import { memoryStore, randomDigests, TestNetwork, until } from "../gateway/fixture.ts";

export { nativeCrypto as verifier } from "../schemes.ts";

/** Sends requests to an app. */
export class AppClient {
  readonly #app: (request: Request) => Response | Promise<Response>;
  #document: Promise<ApiDocument> | undefined;
  /** Faults that the app reported. */
  readonly reported: unknown[] = [];

  constructor(
    service: GatewayService & Partial<PeerEvidence>,
    events?: EventFeed,
    rules: Pick<GatewayAppOptions, "admission" | "apiKeys" | "limits" | "timestamps"> = {},
  ) {
    this.#app = gatewayApp({
      service,
      ...rules,
      ...(events !== undefined && { events }),
      verifier,
      ...(isEvidence(service) && { evidence: service }),
      report: (error) => this.reported.push(error),
    });
  }

  /** Sends a request, and requires of it and of the answer what the OpenAPI document says. */
  async send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(`http://gateway.test${path}`, { method, ...init });
    const response = await sentAnswer(method, await this.#app(request));
    (await this.document()).check(await exchangeOf(method, path, init, response.clone()));
    return response;
  }

  /** The OpenAPI document that the app serves. */
  document(): Promise<ApiDocument> {
    this.#document ??= this.#readDocument();
    return this.#document;
  }

  async #readDocument(): Promise<ApiDocument> {
    const response = await this.#app(new Request("http://gateway.test/openapi.json"));
    return new ApiDocument(await response.text());
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send("GET", path, { headers });
  }

  /** Posts `body` as it is when it is a text or bytes, as JSON otherwise. */
  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    return this.send("POST", path, {
      body: isRaw ? body as BodyInit : JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...headers },
    });
  }
}

function isEvidence(service: Partial<PeerEvidence>): service is PeerEvidence {
  return service.contradictions !== undefined && service.seenHeads !== undefined;
}

/** A real gateway and its client. */
export class GatewayServer extends AppClient {
  readonly network: TestNetwork;
  readonly gateway: Gateway;

  constructor(network: TestNetwork, gateway: Gateway) {
    super(gateway);
    this.network = network;
    this.gateway = gateway;
  }

  /** Submits `hashes` and waits for the tree head that holds them. */
  async publish(hashes: readonly string[]): Promise<void> {
    const sequences = await this.gateway.jobs.accept(Uint8Array.fromHex(hashes.join("")));
    const last = Math.max(...sequences);
    await until(() => (this.gateway.log.latest()?.sth.tree_head.tree_size ?? 0) > last);
  }

  /** Publishes `count` new hashes; their hex. */
  async batch(count: number): Promise<string[]> {
    const hashes = randomHashes(count);
    await this.publish(hashes);
    return hashes;
  }

  /** The latest head, once all witnesses that may answer late have signed it. */
  async wholeHead(): Promise<SignedTreeHead> {
    const latest = () => this.gateway.log.latest()!.sth;
    await until(() => signersOf(latest()).length === this.network.witnesses.length);
    return latest();
  }

  /** Takes `count` witnesses away, or gives all back with 0. */
  takeDown(count: number): void {
    this.network.witnesses.forEach((witness, i) => witness.down = i < count);
  }
}

/** Runs `test` on a new gateway, which is stopped afterwards. */
export async function withGateway(
  test: (server: GatewayServer) => Promise<void>,
  options: { maxAgeMs?: number; scheme?: SignatureScheme } = {},
): Promise<void> {
  const network = new TestNetwork(options.scheme);
  const { gateway } = await network.start(await memoryStore(), options);
  try {
    await test(new GatewayServer(network, gateway));
  } finally {
    await gateway.stop();
  }
}

/** `count` random hashes in hex. */
export function randomHashes(count: number): string[] {
  const hex = randomDigests(count).toHex();
  return Array.from({ length: count }, (_, i) => hex.slice(64 * i, 64 * i + 64));
}

/** The body of a JSON response with `status`, which must be exactly what `schema` says. */
export async function bodyOf<T>(
  response: Response,
  schema: Schema<T>,
  status = 200,
): Promise<T> {
  const body = await response.json();
  assert.equal(response.status, status, JSON.stringify(body));
  assert.equal(response.headers.get("Content-Type"), "application/json");
  const parsed = schema.parse(body, { where: "answer", code: "malformed_json" });
  assert.deepEqual(parsed, body, "the body has members that the schema does not know");
  return parsed;
}

/** Requires a problem with `code`, complete and not cacheable. */
export async function assertProblem(response: Response, code: ErrorCode): Promise<void> {
  const body = await response.json();
  assert.equal(body.code, code, JSON.stringify(body));
  assert.equal(response.status, body.status);
  assert.equal(response.headers.get("Content-Type"), "application/problem+json");
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  assert.deepEqual(PROBLEM.parse(body, { where: "answer", code: "malformed_json" }), body);
}

/** A service of which every method fails with one error, and with the given health. */
export class RefusingService implements GatewayService, PeerEvidence {
  readonly network: NetworkConfiguration = new TestNetwork().network;
  readonly epochs = new Epochs(this.network);
  readonly jobs: GatewayService["jobs"];
  readonly proofs: GatewayService["proofs"];
  readonly log: GatewayService["log"];
  readonly status: GatewayService["status"];
  readonly contradictions: PeerEvidence["contradictions"];
  readonly seenHeads: PeerEvidence["seenHeads"];

  constructor(fault: ErrorCode | { readonly thrown: unknown }, health: HealthStatus = "ok") {
    const thrown = typeof fault === "string"
      ? new CountersignError(fault, "Cannot do this: a test")
      : fault.thrown;
    const refuse = (): never => {
      throw thrown;
    };
    const refusing = <Part extends object>() => new Proxy({} as Part, { get: () => refuse });
    this.jobs = refusing();
    this.proofs = refusing();
    this.log = refusing();
    this.status = {
      health,
      resource: () => ({ status: health, witnesses: [], pending_count: 0 }),
      anchoring: refuse,
    };
    this.contradictions = refuse;
    this.seenHeads = refuse;
  }
}
