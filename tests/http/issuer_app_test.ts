import assert from "node:assert/strict";
import { concat } from "../../src/base/bytes.ts";
import { unixSeconds } from "../../src/base/clock.ts";
import {
  ISSUER_DIRECTORY_PATH,
  parseIssuerDirectory,
} from "../../src/proof/format/issuer_directory.ts";
import { spendOf } from "../../src/proof/format/privacy_pass.ts";
import { issuerKeyOf } from "../../src/gateway/tokens/issuer_key.ts";
import { orderToken } from "../../src/client/token_fetch.ts";
import {
  API_KEY,
  challengeOf,
  MEAGRE_KEY,
  serveTokens,
  WORK_BITS,
  workFor,
} from "../gateway/tokens/fixture.ts";
import { problem } from "./witness_server.ts";

type Served = ReturnType<typeof serveTokens>;

const BEARER = `Bearer ${API_KEY}`;

/** An order under the published key. */
function order({ secret: { tokenKey } }: Served) {
  return orderToken({ tokenKey, challenge: challengeOf() });
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("Content-Type"), "application/private-token-response");
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  return new Uint8Array(await response.arrayBuffer());
}

Deno.test("the directory names the token route and lists the newest key first", async () => {
  const { ask, secret, clock } = serveTokens();
  const response = await ask(ISSUER_DIRECTORY_PATH);
  assert.equal(response.status, 200);
  assert.equal(
    response.headers.get("Content-Type"),
    "application/private-token-issuer-directory",
  );
  assert.match(response.headers.get("Cache-Control") ?? "", /^public, max-age=[1-9][0-9]*$/);
  const text = await response.text();
  assert.deepEqual(parseIssuerDirectory(text), {
    requestUri: "/token-request",
    tokenKeys: [{ tokenKey: secret.tokenKey, notBefore: secret.notBefore }],
  });
  clock.jump(3_600_000);
  assert.deepEqual(
    parseIssuerDirectory(await (await ask(ISSUER_DIRECTORY_PATH)).text()).tokenKeys,
    [],
  );
});

Deno.test("GET /health is ok while a key can sign", async () => {
  const { ask, clock } = serveTokens();
  assert.deepEqual(await (await ask("/health")).json(), { status: "ok" });
  clock.jump(3_600_000);
  const response = await ask("/health");
  assert.equal(response.status, 503);
  assert.deepEqual(await response.json(), { status: "no_signing_key" });
});

Deno.test("a token is issued for an API key and for a proof of work", async () => {
  const served = serveTokens();
  const spent = new Set<string>();
  for (const kind of ["key", "work"]) {
    const { request, finish } = order(served);
    const authorization = kind === "key" ? BEARER : workFor(request, unixSeconds(served.clock));
    const token = finish(await bytesOf(await served.request(request, authorization)));
    spent.add(spendOf(token).toHex());
  }
  assert.equal(spent.size, 2);
  assert.deepEqual(served.reports, []);
});

Deno.test("a changed request is refused", async () => {
  const served = serveTokens();
  const { request } = order(served);
  const changed = (index: number, value: number) => {
    const copy = request.slice();
    copy[index] = value;
    return copy;
  };
  const wrong = [
    changed(0, 1),
    changed(1, 1),
    changed(1, 0),
    changed(1, 3),
    changed(2, request[2]! ^ 1),
    // No element, and no number below the modulus.
    concat(request.subarray(0, 3), new Uint8Array(request.length - 3).fill(0xff)),
    request.slice(1),
    request.slice(0, -1),
    concat(request, Uint8Array.of(0)),
    request.slice(0, 2),
    request.slice(0, 1),
    new Uint8Array(),
  ];
  for (const body of wrong) {
    await problem(await served.request(body, BEARER), 422, "token_request_refused");
  }
  await bytesOf(await served.request(request, BEARER));
});

Deno.test("a request without credentials gets a challenge for each accepted kind", async () => {
  const all = serveTokens();
  const { request } = order(all);
  const work = `CountersignWork realm="issuer.example", bits="${WORK_BITS}", window="300"`;
  const cases = [
    [all, `Bearer realm="issuer.example", ${work}`],
    [serveTokens({ apiKeys: false }), work],
    [serveTokens({ work: false }), `Bearer realm="issuer.example"`],
  ] as const;
  for (const [served, challenge] of cases) {
    for (const authorization of [undefined, "Basic abc", "Bearer", "CountersignWork time=1"]) {
      const response = await served.request(request, authorization);
      assert.equal(response.headers.get("WWW-Authenticate"), challenge);
      await problem(response, 401, "token_required");
    }
  }
});

Deno.test("an unknown API key is refused and not echoed", async () => {
  const served = serveTokens();
  const { request } = order(served);
  for (const key of [`${API_KEY}x`, API_KEY.slice(1), "another-key-of-the-same-length"]) {
    const body = await problem(
      await served.request(request, `Bearer ${key}`),
      403,
      "token_refused",
    );
    assert.ok(!JSON.stringify(body).includes(key));
  }
});

Deno.test("an API key has a daily budget, which refills evenly", async () => {
  const served = serveTokens();
  const { request } = order(served);
  const ask = () => served.request(request, `Bearer ${MEAGRE_KEY}`);
  await bytesOf(await ask());
  await bytesOf(await ask());
  const refused = await ask();
  assert.equal(refused.headers.get("Retry-After"), "43200");
  assert.equal(refused.headers.get("RateLimit-Policy"), '"tokens";q=2;w=86400');
  await problem(refused, 429, "rate_limited");
});

Deno.test("a refused request costs an API key nothing", async () => {
  const served = serveTokens();
  const { request } = order(served);
  const bearer = `Bearer ${MEAGRE_KEY}`;
  const wrong = [
    new Uint8Array(),
    request.slice(1),
    request.with(2, request[2]! ^ 1),
    concat(request.subarray(0, 3), new Uint8Array(request.length - 3).fill(0xff)),
  ];
  for (const body of wrong) {
    await problem(await served.request(body, bearer), 422, "token_request_refused");
  }
  await problem(await served.request(new Uint8Array(5_000), bearer), 413, "body_too_large");
  await bytesOf(await served.request(request, bearer));
  await bytesOf(await served.request((order(served)).request, bearer));
  await problem(await served.request(request, bearer), 429, "rate_limited");
});

Deno.test("a failure of the issuer to sign costs an API key nothing", async () => {
  const served = serveTokens();
  const { request } = order(served);
  const bearer = `Bearer ${MEAGRE_KEY}`;
  const good = [issuerKeyOf(served.secret)];
  const fault = () => {
    throw new Error("a fault in the signer");
  };
  served.issuer.useKeys(
    good.map((key) => ({ ...key, signer: { checkBlinded: () => {}, sign: fault } })),
  );
  for (let i = 0; i < 5; i++) {
    await problem(await served.request(request, bearer), 500, "internal");
  }
  assert.equal(served.reports.length, 5);
  served.issuer.useKeys(good);
  await bytesOf(await served.request(request, bearer));
  await bytesOf(await served.request(request, bearer));
  await problem(await served.request(request, bearer), 429, "rate_limited");
});

Deno.test("a proof of work must be recent and have enough zero bits", async () => {
  const served = serveTokens();
  const now = unixSeconds(served.clock);
  const { request } = order(served);
  for (const time of [now - 300, now, now + 300]) {
    await bytesOf(await served.request(request, workFor(request, time)));
  }
  for (const time of [now - 301, now + 301]) {
    await problem(await served.request(request, workFor(request, time)), 403, "work_refused");
  }
  // The search ends with the first that will do.
  const first = Number(/counter="([0-9]+)"/.exec(workFor(request, now))?.[1]);
  for (let counter = 0; counter < Math.min(first, 5); counter++) {
    const authorization = `CountersignWork time="${now}", counter="${counter}"`;
    await problem(await served.request(request, authorization), 403, "work_refused");
  }
});

Deno.test("a replayed proof of work yields the same response", async () => {
  const served = serveTokens();
  const { request, finish } = order(served);
  const proof = workFor(request, unixSeconds(served.clock));
  const [one, again] = [
    await bytesOf(await served.request(request, proof)),
    await bytesOf(await served.request(request, proof)),
  ];
  assert.deepEqual(one, again);
  assert.deepEqual(finish(one), finish(again));
  served.clock.jump(3_600_000);
  const late = workFor(request, unixSeconds(served.clock));
  await problem(await served.request(request, late), 422, "token_request_refused");
});

Deno.test("other media types, methods, routes and long bodies are refused", async () => {
  const served = serveTokens();
  const { request } = order(served);
  for (const type of ["application/json", "application/octet-stream", ""]) {
    await problem(await served.request(request, BEARER, type), 415, "unsupported_media_type");
  }
  await bytesOf(
    await served.request(request, BEARER, "Application/Private-Token-Request; charset=x"),
  );
  await problem(
    await served.request(new Uint8Array(5_000), BEARER),
    413,
    "body_too_large",
  );
  const get = await served.ask("/token-request");
  assert.equal(get.headers.get("Allow"), "POST, OPTIONS");
  await problem(get, 405, "method_not_allowed");
  const post = await served.ask(ISSUER_DIRECTORY_PATH, { method: "POST" });
  assert.equal(post.headers.get("Allow"), "GET, HEAD");
  await problem(post, 405, "method_not_allowed");
  await problem(await served.ask("/"), 404, "route_not_found");
  assert.equal((await served.ask("/health", { method: "toString" })).status, 405);
});

Deno.test("the body is not read after a refusal by headers", async () => {
  const served = serveTokens();
  let pulled = 0;
  const body = new ReadableStream({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(1));
    },
  }, { highWaterMark: 0 });
  await problem(await served.request(body), 401, "token_required");
  assert.equal(pulled, 0);
});

Deno.test("pages of other origins may ask for tokens, and read what a refusal demands", async () => {
  const served = serveTokens();
  const { request } = order(served);
  const preflight = await served.ask("/token-request", { method: "OPTIONS" });
  assert.equal(preflight.status, 204);
  assert.equal(
    preflight.headers.get("Access-Control-Allow-Headers"),
    "Authorization, Content-Type",
  );
  const refused = await served.request(request);
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get("Access-Control-Expose-Headers")!, /WWW-Authenticate/);
  const issued = await served.request(request, BEARER);
  for (const { headers } of [preflight, refused, issued]) {
    assert.equal(headers.get("Access-Control-Allow-Origin"), "*");
  }
  for (const response of [refused, issued]) await response.body?.cancel();
});
