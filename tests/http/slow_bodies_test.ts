/**
 * Bodies that do not end, sent to a gateway with the default limits. Time stands still: nothing here
 * lets a body expire.
 *
 * @module
 */

import assert from "node:assert/strict";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { BodyReader } from "../../src/http/body_reader.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { BODY_BOUNDS } from "../../src/http/limits.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import type { RequestHandler } from "../../src/http/request_context.ts";
import { FakeClock } from "../fake_clock.ts";
import { memoryStore, TestNetwork } from "../gateway/fixture.ts";
import { within } from "../time_limits.ts";
import { assertProblem, randomHashes, verifier } from "./gateway_server.ts";

const ATTACKER = "192.0.2.2";
const HONEST = "192.0.2.3";
const ANNOUNCED = 60_000;
/** Unfinished bodies of that length that one client may have. */
const ROOM = Math.floor(BODY_BOUNDS.bytesOfOne / ANNOUNCED);
/** Reads the bodies of all requests, like that of a listener. */
const bodies = new BodyReader();
const PATHS = ["/v1/attestations", "/v1/attestations/batch", "/v1/verify"];

async function withLimits(test: (app: RequestHandler) => Promise<void>): Promise<void> {
  const { gateway } = await new TestNetwork().start(await memoryStore());
  const limits = new RateLimits(DEFAULT_CLIENT_LIMITS, new FakeClock(), () => {});
  try {
    await test(gatewayApp({
      service: gateway,
      verifier,
      limits,
      report: () => {},
      admission: { mode: "open", budget: limits.newAttestations },
    }));
  } finally {
    await gateway.stop();
  }
}

/** Sends a body of `length` bytes from `hostname`. */
async function post(
  app: RequestHandler,
  hostname: string,
  path: string,
  { length, body }: { length: number; body: BodyInit },
): Promise<Response> {
  const headers = { "Content-Type": "application/json", "Content-Length": String(length) };
  const request = new Request(`http://gateway.test${path}`, { method: "POST", headers, body });
  const remoteAddr = { transport: "tcp", hostname, port: 40_000 } as const;
  return await app(request, { remoteAddr, completed: Promise.resolve() }, bodies);
}

/** A body that has begun, and what ends it. */
function unfinished() {
  let controller!: ReadableByteStreamController;
  const body = new ReadableStream({
    type: "bytes",
    start(made) {
      controller = made;
      made.enqueue(new Uint8Array(1));
    },
  });
  return {
    body,
    end() {
      controller.close();
      controller.byobRequest?.respond(0);
    },
  };
}

Deno.test("the announced bytes of a client's unfinished bodies are limited", async () => {
  await withLimits(async (app) => {
    const held = Array.from({ length: ROOM }, unfinished);
    const answers = held.map(({ body }, i) =>
      post(app, ATTACKER, PATHS[i % PATHS.length]!, { length: ANNOUNCED, body })
    );
    for (const path of PATHS) {
      const { body } = unfinished();
      const answer = post(app, ATTACKER, path, { length: ANNOUNCED, body });
      assert.ok(await within(60_000, answer), "the body is read");
      const refused = await answer;
      assert.equal(refused.headers.get("RateLimit-Policy"), '"body_bytes";q=8388608');
      assert.equal(refused.headers.get("Retry-After"), "1");
      assert.ok(!body.locked, "the refused body is read");
      await assertProblem(refused, "rate_limited");
    }
    const honest = async (hostname: string) => {
      const body = JSON.stringify({ hashes: randomHashes(200) });
      const { status } = await post(app, hostname, PATHS[1]!, { length: body.length, body });
      return status === 202 ? 200 : status;
    };
    assert.equal(await honest(HONEST), 200);
    assert.equal(await honest(ATTACKER), 200, "what is left of its share");
    for (const { end } of held) end();
    for (const answer of await Promise.all(answers)) assert.equal(answer.status, 400);
    const { body, end } = unfinished();
    const taken = post(app, ATTACKER, PATHS[0]!, { length: ANNOUNCED, body });
    end();
    assert.equal((await taken).status, 400, "ended bodies make room");
  });
});
