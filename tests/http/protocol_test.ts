import assert from "node:assert/strict";
import { AppClient, assertProblem, RefusingService, withGateway } from "./gateway_server.ts";
import { type RouteRequest, routeRequests, STREAM_PATHS } from "./route_requests.ts";

const HASH = "ab".repeat(32);

/** Every route that ends. */
async function routesOf(client: AppClient): Promise<RouteRequest[]> {
  const known = { hash: HASH, signedAttestation: { hash: HASH }, sizes: [1, 1] } as const;
  const requests = routeRequests(await client.document(), known);
  return requests.filter(({ operation }) => !STREAM_PATHS.has(operation.path));
}

/** Methods that a table in a plain object would have. */
const INHERITED = ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"];

/** What is read too often to carry a policy for pages. */
const FREQUENT = /^\/(v1\/(attestations|bundle|proof|log\/proof)\b|tile\/)/;

function assertCommonHeaders({ headers }: Response, path = "/"): void {
  assert.equal(headers.get("Access-Control-Allow-Origin"), "*");
  assert.equal(headers.get("X-Content-Type-Options"), "nosniff");
  assert.equal(headers.get("Access-Control-Allow-Credentials"), null);
  if (FREQUENT.test(path)) return;
  const exposed = headers.get("Access-Control-Expose-Headers")?.split(", ");
  for (const name of ["Location", "Retry-After", "ETag", "Preference-Applied"]) {
    assert.ok(exposed?.includes(name), name);
  }
  assert.equal(headers.get("Referrer-Policy"), "no-referrer");
  assert.match(headers.get("Content-Security-Policy") ?? "", /default-src 'none'/);
}

Deno.test("every route answers its method with Cache-Control", async () => {
  await withGateway(async (server) => {
    await server.publish([HASH]);
    for (const { method, path, headers, body } of await routesOf(server)) {
      const response = await server.send(method, path, {
        headers,
        ...(body !== undefined && { body }),
      });
      await response.body?.cancel();
      // It refuses what is not signed.
      if (path === "/v1/verify") continue;
      assert.equal(response.status, 200, path);
      const caching = response.headers.get("Cache-Control");
      assert.match(
        caching ?? "",
        /^(no-store|public, (no-cache|max-age=31536000, immutable))$/,
        path,
      );
      assert.equal(response.headers.has("ETag"), caching === "public, no-cache", path);
      assertCommonHeaders(response, path);
    }
    assert.deepEqual(server.reported, []);
  });
});

Deno.test("GET routes answer HEAD with the same headers and no body", async () => {
  await withGateway(async (server) => {
    await server.publish([HASH]);
    for (const { method, path } of await routesOf(server)) {
      if (method === "POST") continue;
      const head = await server.send("HEAD", path);
      const got = await server.send(method, path);
      await got.body?.cancel();
      assert.equal(head.status, 200, path);
      assert.deepEqual([...head.headers], [...got.headers], path);
      assert.equal(head.body, null, path);
    }
    const absent = await server.send("HEAD", `/v1/bundle/${"00".repeat(32)}`);
    assert.equal(absent.status, 404);
    assert.equal(absent.body, null);
  });
});

Deno.test("another method is a 405 with Allow", async () => {
  const client = new AppClient(new RefusingService("internal"));
  for (const { method: allowed, path } of await routesOf(client)) {
    const allow = allowed === "GET" ? "GET, HEAD, OPTIONS" : "POST, OPTIONS";
    for (const method of ["GET", "POST", "PUT", "PATCH", "PROPFIND", "M-SEARCH", ...INHERITED]) {
      if (method === allowed) continue;
      const response = await client.send(method, path);
      assert.equal(response.headers.get("Allow"), allow, `${method} ${path}`);
      assertCommonHeaders(response);
      await assertProblem(response, "method_not_allowed");
    }
    const head = await client.send("HEAD", path);
    if (allowed === "POST") assert.equal(head.status, 405, path);
  }
});

Deno.test("pages of any origin may call every route after a preflight", async () => {
  const client = new AppClient(new RefusingService("internal"));
  for (const { method, path } of await routesOf(client)) {
    const response = await client.send("OPTIONS", path, {
      headers: {
        "Origin": "https://page.example",
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "content-type, prefer",
      },
    });
    assert.equal(response.status, 204, path);
    assert.equal(response.body, null);
    const methods = response.headers.get("Access-Control-Allow-Methods")?.split(", ");
    assert.ok(methods?.includes(method), path);
    const headers = response.headers.get("Access-Control-Allow-Headers")?.toLowerCase();
    for (const name of ["content-type", "prefer", "if-none-match"]) {
      assert.ok(headers?.includes(name), name);
    }
    assert.match(response.headers.get("Access-Control-Max-Age") ?? "", /^[1-9][0-9]*$/);
    assertCommonHeaders(response);
  }
});

Deno.test("an unknown path is a 404, even if it resembles a known one", async () => {
  const client = new AppClient(new RefusingService("internal"));
  const paths = [
    "/",
    "/v1",
    "/v1/attestations/",
    `/v1/attestations/${HASH}/`,
    `/v1/attestation/${HASH}`,
    `//v1/attestations/${HASH}`,
    "/V1/config",
    "/v1/config/",
    "/v1/%63onfig",
    "/v2/config",
    "/health/",
    "/ws/events",
    "/add-checkpoint",
    "/v1/sign",
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const response = await client.send(method, path);
      assertCommonHeaders(response);
      await assertProblem(response, "route_not_found");
    }
  }
  assert.deepEqual(client.reported, []);
});

Deno.test("errors are complete problems", async () => {
  const client = new AppClient(new RefusingService("hash_unknown"));
  for (const path of [`/v1/attestations/${HASH}`, `/v1/bundle/${HASH}`]) {
    for (const query of ["", "?token=secret"]) {
      const response = await client.get(path + query);
      assertCommonHeaders(response);
      await assertProblem(response, "hash_unknown");
    }
  }
});
