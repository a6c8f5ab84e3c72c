/**
 * Fuzzes every route with a bounded number of inputs, without a socket.
 *
 * @module
 */

import assert from "node:assert/strict";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { AppClient, RefusingService, verifier } from "../http/gateway_server.ts";
import { fuzz, reportOf } from "./engine.ts";
import { gatewayTarget, openRouteTargets, requestsOf } from "./route_targets.ts";

const SEED = 20_261_121;
const INPUTS = 1_500;

// On a busy machine a write may end after the gateway has stopped, and its store is closed then.
const sanitizers = { sanitizeResources: false };
Deno.test("every route answers every request as documented", sanitizers, async (t) => {
  const { targets, close } = await openRouteTargets();
  try {
    for (const target of targets) {
      await t.step(target.name, async () => {
        const { tried, accepted, refused, faults } = await fuzz(target, SEED, INPUTS);
        assert.deepEqual(faults.slice(0, 5).map(reportOf), []);
        const none = refused.get("none") ?? 0;
        assert.ok(accepted > target.seeds.length && none > tried / 10, `${accepted}, ${none}`);
      });
    }
  } finally {
    await close();
  }
});

Deno.test("fuzz() finds a 500 and an undocumented status", async () => {
  const client = new AppClient(new RefusingService("internal"));
  const document = await client.document();
  const requests = requestsOf(document, {
    hash: "ab".repeat(32),
    signedAttestation: {},
    sizes: [1, 2],
  });
  const options = { verifier, report: () => {} };
  const faulty = gatewayApp({ service: new RefusingService({ thrown: new Error() }), ...options });
  const busy = gatewayApp({ service: new RefusingService("time_refused"), ...options });
  for (const [app, found] of [[faulty, /500: /], [busy, /status 422 is not documented/]] as const) {
    const { faults } = await fuzz(gatewayTarget(app, document, requests, []), SEED, 20);
    assert.match(faults.map(reportOf).join("\n"), found);
  }
});
