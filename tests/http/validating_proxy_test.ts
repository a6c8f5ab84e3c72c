import assert from "node:assert/strict";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { RefusingService, verifier } from "./gateway_server.ts";
import { ValidatingProxy } from "./validating_proxy.ts";

type App = (request: Request) => Response | Promise<Response>;

const APP: App = gatewayApp({
  service: new RefusingService("hash_unknown"),
  verifier,
  report: () => {},
});

/** What the proxy says at its end of `use`, while it stands before the app as `change` alters it. */
async function faultsBehind(
  change: (response: Response, path: string) => Response | Promise<Response>,
  use: (url: string) => Promise<void>,
): Promise<string> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      const response = await APP(request);
      return pathname === "/openapi.json" ? response : await change(response, pathname);
    },
  );
  const proxy = new ValidatingProxy(`http://127.0.0.1:${server.addr.port}`);
  await use(proxy.url);
  assert.ok(proxy.checked > 0 || change !== unchanged);
  const said = await proxy.close().then(() => "", String);
  await server.shutdown();
  return said;
}

const unchanged = (response: Response) => response;

async function askForAll(url: string): Promise<void> {
  const hash = "ab".repeat(32);
  for (const path of ["/health", "/v1/config", `/v1/bundle/${hash}`, "/v1/bundle/x", "/none"]) {
    await (await fetch(url + path)).body?.cancel();
  }
  for (const method of ["HEAD", "OPTIONS", "PUT"]) {
    await (await fetch(`${url}/v1/config`, { method })).body?.cancel();
  }
  const first = await fetch(`${url}/v1/config`);
  await first.body?.cancel();
  const etag = first.headers.get("ETag")!;
  const unmodified = await fetch(`${url}/v1/config`, { headers: { "If-None-Match": etag } });
  assert.equal(unmodified.status, 304);
  await unmodified.body?.cancel();
  const refused = await fetch(`${url}/v1/attestations`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{",
  });
  assert.equal((await refused.json()).code, "malformed_json");
}

Deno.test("the proxy forwards everything and reports no fault for documented exchanges", async () => {
  assert.equal(await faultsBehind(unchanged, askForAll), "");
});

Deno.test("the proxy detects a wrong header, status and member", async () => {
  const changes: Record<string, [RegExp, (response: Response) => Response | Promise<Response>]> = {
    "a header more": [/header x-trace is not documented/, (response) => {
      response.headers.set("X-Trace", "1");
      return response;
    }],
    "a header less": [/header X-Content-Type-Options is missing/, (response) => {
      response.headers.delete("X-Content-Type-Options");
      return response;
    }],
    "a header's value": [/header Cache-Control is/, (response) => {
      response.headers.set("Cache-Control", "public, max-age=60");
      return response;
    }],
    "a status": [
      /status 418 is not documented/,
      (response) => new Response(response.body, { status: 418, headers: response.headers }),
    ],
    "a member": [/\$ (additionalProperties|anyOf)/, async (response) => {
      const members = { ...await response.json(), more: 1 };
      return new Response(JSON.stringify(members), response);
    }],
    "a media type": [/media type text\/html is not documented/, (response) => {
      response.headers.set("Content-Type", "text/html");
      return response;
    }],
  };
  for (const [what, [expected, change]] of Object.entries(changes)) {
    const said = await faultsBehind(
      (response, path) => path === "/v1/config" ? change(response) : response,
      async (url) => await (await fetch(`${url}/v1/config`)).body?.cancel(),
    );
    assert.match(said, expected, what);
  }
});
