/**
 * `stamp` at real gateways that take tokens, with a supply that the test has filled.
 *
 * @module
 */

import assert from "node:assert/strict";
import { base64UrlOf } from "../../src/base/bytes.ts";
import type { TokenSupply } from "../../src/cli/token_supply.ts";
import { systemClock } from "../../src/base/clock.ts";
import { TokenSource } from "../gateway/tokens/token_source.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { digestOf } from "../proof/verify/fixture.ts";
import { inFolder } from "../server/captured_io.ts";
import { assertFailed, Client } from "./client_run.ts";
import { jsonOf, type Served, ServedNetwork } from "../server/served_network.ts";

const source = await TokenSource.create();
const NETWORK = "tokens.example";

/** A user of a gateway that takes tokens. */
interface Site {
  readonly client: Client;
  readonly supply: TokenSupply;
  readonly served: Served;
}

/** Runs `test` at a gateway of `mode` with `limits`. */
async function withSite(
  test: (site: Site) => Promise<void>,
  mode = "token_required",
  limits: unknown = "off",
): Promise<void> {
  await inFolder(async (root) => {
    const network = await ServedNetwork.create(root, NETWORK);
    const issuer = {
      name: source.name,
      token_keys: [{ token_key: base64UrlOf(source.key.publicKey) }],
    };
    await network.configure({ limits, admission: { mode, issuers: [issuer] } });
    await network.serve(async (served) => {
      const client = new Client(root);
      client.gateway = served.url;
      for (let i = 0; i < 6; i++) await client.write(`file${i}`, `content ${i}`);
      await test({ client, supply: client.supply(NETWORK), served });
    });
  });
}

function fill(supply: TokenSupply, count: number): Promise<void> {
  return supply.add(Array.from({ length: count }, () => ({ token: source.text(NETWORK) })));
}

Deno.test("stamp spends a token for each new hash, and reports missing tokens", async () => {
  await withSite(async ({ client, supply, served }) => {
    const none = await client.run(["stamp", "file0"]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /countersign token --count 1/);
    assertFailed(await client.runJson(["stamp", "file0", "file1"]), "tokens_missing");

    await fill(supply, 5);
    assert.equal((await client.run(["stamp", "file0"])).code, 0);
    assert.equal(await supply.count(), 4);
    assert.equal((await client.run(["stamp", "file0"])).code, 0);
    assert.equal(await supply.count(), 4);
    assert.equal((await client.run(["stamp", "file0", "file1", "file2"])).code, 0);
    assert.equal(await supply.count(), 2);

    const scarce = await client.runJson(["stamp", "file2", "file3", "file4", "file5"]);
    assertFailed(scarce, "tokens_missing");
    assert.equal(await supply.count(), 2);
    const missing = await jsonOf(served.url, `/v1/attestations/${digestOf("content 3")}`);
    assert.equal(missing.code, "hash_unknown");

    // Neither the user nor the operator is shown a token.
    const shown = [served.io.stdout, ...served.io.errLines, none.stdout, none.stderr].join("\n");
    const [token] = await supply.take(1);
    assert.ok(!shown.includes(token!.token));
  });
});

Deno.test("refused tokens are replaced, others are kept", async () => {
  await withSite(async ({ client, supply }) => {
    const spent = source.text(NETWORK);
    await supply.add([{ token: spent }]);
    assert.equal((await client.run(["stamp", "file0"])).code, 0);
    await supply.add([{ token: spent }, { token: source.text("other.example") }]);
    await fill(supply, 3);
    assert.equal((await client.run(["stamp", "file1", "file2"])).code, 0);
    assert.equal(await supply.count(), 1);
  });
});

Deno.test("tokens return to the supply if the gateway fails", async () => {
  await withSite(async ({ client, served }) => {
    await using failing = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        const body = request.method === "POST" ? await request.text() : null;
        if (body?.includes("issuer_token")) return new Response("", { status: 500 });
        const { method, headers } = request;
        return await fetch(served.url + pathname, { method, headers, body });
      },
    );
    client.gateway = `http://127.0.0.1:${failing.addr.port}`;
    const supply = client.supply(NETWORK);
    await fill(supply, 3);
    assertFailed(await client.runJson(["stamp", "file0", "file1"]), "gateway_refused");
    assert.equal(await supply.count(), 3);
  });
});

Deno.test("a gateway that refuses every token does not get the whole supply", async () => {
  await withSite(async ({ client, supply }) => {
    await supply.add(Array.from({ length: 20 }, () => ({ token: source.text("other.example") })));
    assertFailed(await client.runJson(["stamp", "file0"]), "gateway_refused");
    assert.equal(await supply.count(), 11);
  });
});

Deno.test("optional tokens are spent only above the rate limit", async () => {
  const limits = { new_attestations: { per_second: 1, burst: 1_000 } };
  await withSite(
    async ({ client, supply }) => {
      const stamp = (hashes: readonly string[]) =>
        client.run(["stamp", "--no-wait", ...hashes.flatMap((hash) => ["--hash", hash])]);
      let pauses = 0;
      client.clock = {
        nowMs: () => systemClock.nowMs(),
        elapsedMs: () => systemClock.elapsedMs(),
        sleep: () => Promise.resolve(void pauses++),
      };
      await fill(supply, 201);
      const known = randomHashes(1_000);
      assert.equal((await stamp(known)).code, 0);
      assert.equal(await supply.count(), 201);
      // So many more are allowed after 200 s, which is not waited for.
      assert.equal((await stamp([known[0]!, ...randomHashes(200)])).code, 0);
      assert.equal(await supply.count(), 1);
      assert.equal(pauses, 0);
    },
    "token_optional",
    limits,
  );
});

Deno.test("a token is spent once, even if the answer is lost", async () => {
  await withSite(async ({ client, served }) => {
    let lost = 0;
    await using proxy = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        const { pathname, search } = new URL(request.url);
        const body = request.method === "POST" ? await request.text() : null;
        const { method, headers } = request;
        const answer = await fetch(served.url + pathname + search, { method, headers, body });
        const text = await answer.text();
        if (!answer.ok || !body?.includes("issuer_token") || lost++ > 0) {
          return new Response(text, { status: answer.status, headers: answer.headers });
        }
        return new Response("", { status: 503, headers: { "Retry-After": "1" } });
      },
    );
    client.gateway = `http://127.0.0.1:${proxy.addr.port}`;
    const supply = client.supply(NETWORK);
    await fill(supply, 3);
    assert.equal((await client.run(["stamp", "file0"])).code, 0);
    assert.equal(lost, 2);
    assert.equal(await supply.count(), 2);
    lost = 0;
    assert.equal((await client.run(["stamp", "file1", "file2"])).code, 0);
    assert.equal(lost, 2);
    assert.equal(await supply.count(), 0);
  });
});
