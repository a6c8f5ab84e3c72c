import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import { encodeCrossAnchorRequest } from "../../src/proof/format/federation.ts";
import type { PeerRoutesOptions } from "../../src/http/operator/peer_routes.ts";
import { PeerTokens } from "../../src/http/operator/peer_tokens.ts";
import { FakeClock } from "../fake_clock.ts";
import { until } from "../gateway/fixture.ts";
import { peerApp, TOKEN } from "../gateway/federation/peer_server.ts";
import { mesh, Site } from "../gateway/federation/site.ts";
import { assertProblem } from "./gateway_server.ts";

const OLD = "token-from-before-the-rotation";
const OTHER = "token-of-another-peer-altogether";

async function makeSite(change: Partial<PeerRoutesOptions> = {}) {
  const clock = new FakeClock();
  const home = new Site("home.example", clock);
  const peer = new Site("peer.example", clock);
  mesh([home, peer]);
  const head = await home.publish(5);
  const text = encodeCrossAnchorRequest({ ...head, minWitnesses: 2, growth: [] });
  const app = peerApp(peer, clock, change);
  const send = (token: string | undefined, init: RequestInit = {}) =>
    app(
      new Request("http://peer.test/v1/federation/tree-heads", {
        method: "POST",
        body: text,
        ...init,
        headers: {
          "Content-Type": "application/json",
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...init.headers,
        },
      }),
    );
  return { clock, home, peer, text, send };
}

Deno.test("a peer's token is required and valid only for the log of that peer", async () => {
  const accepted = [
    { peer: "other.example", token: OTHER },
    { peer: "home.example", token: TOKEN },
  ];
  const { send, peer } = await makeSite({ accepted });
  const none = await send(undefined);
  assert.equal(none.headers.get("WWW-Authenticate"), "Bearer");
  await assertProblem(none, "token_required");
  await assertProblem(
    await send(undefined, { headers: { Authorization: "Basic x" } }),
    "token_required",
  );
  for (const wrong of [`${TOKEN}x`, TOKEN.slice(1), TOKEN.toUpperCase()]) {
    await assertProblem(await send(wrong), "token_refused");
  }
  await assertProblem(await send(OTHER), "network_refused");
  assert.deepEqual(await peer.intake.seenHeads(), []);
  const response = await send(TOKEN);
  assert.equal(response.status, 200);
  const body = await response.json();
  assert.deepEqual(Object.keys(body).toSorted(), ["signatures", "tree_head", "witnessing_network"]);
  assert.equal(body.witnessing_network, peer.id);
});

Deno.test("the body is not read before authentication", async () => {
  const { send } = await makeSite();
  let pulled = 0;
  const body = () =>
    new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1024));
      },
    }, { highWaterMark: 0 });
  await assertProblem(await send(OLD, { body: body() }), "token_refused");
  assert.equal(pulled, 0);
  await assertProblem(await send(TOKEN, { body: body() }), "body_too_large");
  assert.ok(pulled > 1024);
});

Deno.test("the previous token is valid until its end", async () => {
  const clock = new FakeClock();
  const now = clock.nowMs() / 1_000;
  const accepted = [{
    peer: "home.example",
    token: TOKEN,
    previous: { token: OLD, until: now + 3_600 },
  }];
  const { send, clock: own } = await makeSite({ accepted });
  for (const token of [TOKEN, OLD]) assert.equal((await send(token)).status, 200);
  await own.advance(3_599_000);
  assert.equal((await send(OLD)).status, 200);
  await own.advance(1_000);
  await assertProblem(await send(OLD), "token_refused");
  assert.equal((await send(TOKEN)).status, 200);
  // Control: without an end it would hold for ever.
  const endless = [{
    peer: "home.example",
    token: TOKEN,
    previous: { token: OLD, until: 2 ** 40 },
  }];
  const tokens = new PeerTokens(endless, own);
  assert.equal(tokens.peerOf(new Headers({ Authorization: `Bearer ${OLD}` })), "home.example");
});

Deno.test("a token that is configured twice is refused at start", () => {
  const clock = new FakeClock();
  const pairs = [
    [{ peer: "a", token: TOKEN }, { peer: "b", token: TOKEN }],
    [{ peer: "a", token: TOKEN, previous: { token: TOKEN, until: 1 } }],
    [{ peer: "a", token: TOKEN }, {
      peer: "b",
      token: OTHER,
      previous: { token: TOKEN, until: 1 },
    }],
  ];
  for (const accepted of pairs) {
    assert.throws(() => new PeerTokens(accepted, clock), { code: "invalid_configuration" });
  }
});

Deno.test("a conflict lists sizes as numbers, and a refusal has its code", async () => {
  const { send, home, peer } = await makeSite();
  await send(TOKEN);
  const later = await home.publish(3);
  const body = (growth: Parameters<typeof encodeCrossAnchorRequest>[0]["growth"]) =>
    encodeCrossAnchorRequest({ ...later, minWitnesses: 2, growth });
  const required = await send(TOKEN, { body: body([]) });
  const problem = await required.clone().json();
  assert.deepEqual(problem.sizes, [5]);
  assert.equal(required.status, 409);
  assert.equal(problem.code, "tree_size_conflict");
  const path = (await home.consistencyPath(5, 8)).toReversed();
  await assertProblem(
    await send(TOKEN, { body: body([{ oldSize: 5, path }]) }),
    "consistency_refused",
  );
  for (const witness of peer.witnesses) witness.down = true;
  const good = body([{ oldSize: 5, path: await home.consistencyPath(5, 8) }]);
  const unavailable = await send(TOKEN, { body: good });
  assert.ok(unavailable.headers.has("Retry-After"));
  await assertProblem(unavailable, "witnesses_unavailable");
});

Deno.test("bodies are read strictly", async () => {
  const { send, text } = await makeSite();
  const request = JSON.parse(text);
  const proof = (old_size: number) => ({ old_size, consistency_path: [] });
  const bad: unknown[] = [
    { ...request, more: 1 },
    { ...request, growth: undefined },
    { ...request, min_witnesses: -1 },
    { ...request, log_signature: request.log_signature.toUpperCase().replaceAll("0", "A") },
    { ...request, growth: [proof(0)] },
    { ...request, growth: [proof(5)] },
    { ...request, growth: [proof(2), proof(2)] },
    { ...request, growth: [proof(3), proof(2)] },
    { ...request, growth: [{ ...proof(2), consistency_path: Array(55).fill("00".repeat(32)) }] },
    { ...request, growth: [{ ...proof(2), consistency_path: ["00"] }] },
  ];
  for (const body of bad) {
    await assertProblem(await send(TOKEN, { body: JSON.stringify(body) }), "malformed_request");
  }
  // As many proofs as may be are read, and the head is refused for its signatures.
  for (const [count, code] of [[16, "tree_head_refused"], [17, "malformed_request"]] as const) {
    const { sth } = request;
    const larger = { ...sth, tree_head: { ...sth.tree_head, tree_size: 100 } };
    const growth = Array.from({ length: count }, (_, i) => proof(i + 1));
    const body = JSON.stringify({ ...request, sth: larger, growth });
    await assertProblem(await send(TOKEN, { body }), code);
  }
  await assertProblem(await send(TOKEN, { body: "{" }), "malformed_json");
  const headers = { "Content-Type": "text/plain" };
  await assertProblem(await send(TOKEN, { headers }), "unsupported_media_type");
  const get = await send(TOKEN, { method: "GET", body: null });
  assert.equal(get.headers.get("Allow"), "POST");
  await assertProblem(get, "method_not_allowed");
});

Deno.test("at most two requests of a peer and eight of all peers are in flight", async () => {
  const release = Promise.withResolvers<void>();
  let inHand = 0;
  const peers = Array.from({ length: 6 }, (_, i) => `p${i}.example`);
  const accepted = peers.map((peer) => ({ peer, token: `token-of-${peer}-which-is-long` }));
  const intake = {
    take: async () => {
      inHand++;
      await release.promise;
      throw new CountersignError("tree_head_refused", "Cannot: a test");
    },
  };
  const { send } = await makeSite({ accepted, intake });
  const asked = accepted.flatMap(({ token }) => [token, token, token]);
  let answered = 0;
  const answers = asked.map(async (token) => {
    const answer = await send(token);
    answered++;
    return answer;
  });
  // All but those in hand are refused, and all of them were seen then.
  await until(() => answered >= asked.length - 8 && inHand >= 8);
  assert.equal(inHand, 8);
  release.resolve();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 503).length, asked.length - 8);
  assert.deepEqual(statuses.slice(0, 3), [422, 422, 503]);
  // What was in hand is let go: all of it counts no longer.
  assert.equal((await send(accepted[0]!.token)).status, 422);
  assert.equal(inHand, 9);
});

Deno.test("a stopping gateway answers pending requests with shutting_down", async () => {
  const stop = new AbortController();
  const { send, peer } = await makeSite({ signal: stop.signal });
  for (const witness of peer.witnesses) witness.state = "silent";
  const waiting = send(TOKEN);
  await until(() => peer.witnesses.some(({ asked }) => asked.cosign > 0));
  stop.abort();
  await assertProblem(await waiting, "shutting_down");
  await assertProblem(await send(TOKEN), "shutting_down");
});
