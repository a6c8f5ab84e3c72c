import assert from "node:assert/strict";
import { join } from "node:path";
import { base64UrlOf } from "../../src/base/bytes.ts";
import { unixSeconds } from "../../src/base/clock.ts";
import { parseTokenText, tokenKeyIdOf } from "../../src/proof/format/privacy_pass.ts";
import { TimeLimits } from "../time_limits.ts";
import { API_KEY, challengeOf, MEAGRE_KEY, NAME, serveTokens } from "../gateway/tokens/fixture.ts";
import { type Client, withClient } from "./client_run.ts";

const ID = "log.example";

type Answer = (request: Request) => Response | Promise<Response>;

/** A gateway that offers the issuer at `url`, and that issuer, while `use` runs. */
async function inNetwork(
  use: (client: Client, issuerUrl: string, world: World) => Promise<void>,
): Promise<void> {
  using _ = new TimeLimits();
  const { app, secret, clock } = serveTokens();
  const { tokenKey, notBefore, notAfter } = secret;
  const key = {
    token_key: base64UrlOf(tokenKey),
    token_key_id: tokenKeyIdOf(tokenKey).toHex(),
    not_before: notBefore,
    not_after: notAfter,
  };
  const now = unixSeconds(clock);
  const world: World = { app, key, now, seen: [], offer: {}, answer: undefined };
  await using issuer = serveHandler((request) => {
    world.seen.push(request.headers.get("Authorization") ?? "");
    return world.answer?.(request) ?? app(request);
  });
  const offered = () => ({
    mode: "token_required",
    issuers: [{
      name: NAME,
      url: issuer.url,
      token_type: 2,
      challenge: base64UrlOf(challengeOf(ID)),
      token_keys: [key],
      ...world.offer,
    }],
  });
  await using gateway = serveHandler(() => Response.json(offered()));
  await withClient(async (client) => {
    client.gateway = gateway.url;
    client.clock = clock;
    await use(client, issuer.url, world);
  });
}

/** What a test changes of the network, and what the issuer was shown. */
interface World {
  readonly app: Answer;
  /** The offered key, and the time in Unix seconds. */
  readonly key: Record<string, unknown>;
  readonly now: number;
  readonly seen: string[];
  /** Members of the offered issuer. */
  offer: Record<string, unknown>;
  answer: Answer | undefined;
}

function serveHandler(handler: Answer) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function keyFile(client: Client, key: string): Promise<string> {
  const path = join(client.folder, "api.key");
  await Deno.writeTextFile(path, `${key}\n`, { mode: 0o600 });
  return path;
}

/** The tokens that the client has. */
async function supplied(client: Client): Promise<string[]> {
  try {
    const folder = join(client.folder, "home", "tokens");
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    const [name] = names.filter((name) => name.startsWith(`${ID}@`) && name.endsWith(".json"));
    if (name === undefined) return [];
    const text = await Deno.readTextFile(join(folder, name));
    return JSON.parse(text).tokens.map(({ token }: { token: string }) => token);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

Deno.test("tokens for a proof of work are stored, counted and never printed", () =>
  inNetwork(async (client, _, { seen }) => {
    const fetched = await client.run(["token", "--count", "6"]);
    assert.equal(fetched.code, 0, fetched.stderr);
    assert.equal(fetched.stdout, `Fetched 6 of ${NAME}; 6 for ${ID}`);
    assert.match(fetched.stderr, /about 32 hashes of work/);
    const tokens = await supplied(client);
    assert.equal(new Set(tokens).size, 6);
    for (const token of tokens) {
      parseTokenText(token);
      assert.ok(!(fetched.stdout + fetched.stderr).includes(token));
    }
    // The directory and the first request without anything, then each with work: of few bits, so that
    // the counters of two may be equal.
    assert.deepEqual(seen.slice(0, 2), ["", ""]);
    assert.equal(seen.length, 8);
    for (const shown of seen.slice(2)) assert.match(shown, /^CountersignWork /);
    const more = await client.run(["token", "--count", "1", "--output", "json"]);
    assert.deepEqual(more.json, { network_id: ID, issuer: NAME, fetched: 1, available: 7 });
    const { gateway } = client;
    client.gateway = "http://127.0.0.1:1";
    const list = await client.run(["token", "--list"]);
    assert.deepEqual([list.code, list.stdout], [0, `7 for ${ID} at ${gateway}`]);
    assert.deepEqual((await client.run(["token", "--list", "--output", "json"])).json, [
      { network_id: ID, gateway, available: 7 },
    ]);
  }));

Deno.test("an API key is sent only to the issuer of --issuer", () =>
  inNetwork(async (client, issuerUrl, { seen }) => {
    const path = await keyFile(client, API_KEY);
    const unnamed = await client.run(["token", "--api-key-file", path]);
    assert.equal(unnamed.code, 2, unnamed.stderr);
    assert.deepEqual(seen, []);
    const args = ["token", "--count", "2", "--issuer", issuerUrl, "--api-key-file", path];
    const fetched = await client.run(args);
    assert.equal(fetched.code, 0, fetched.stderr);
    assert.deepEqual(seen, ["", `Bearer ${API_KEY}`, `Bearer ${API_KEY}`]);
    await keyFile(client, "another-key-that-nobody-knows");
    const refused = await client.run(args);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /status 403, token_refused/);
    assert.ok(!refused.stderr.includes("another-key"));
  }));

Deno.test("tokens that were fetched before a refusal are kept", () =>
  inNetwork(async (client, issuerUrl) => {
    const path = await keyFile(client, MEAGRE_KEY);
    const args = ["token", "--count", "5", "--issuer", issuerUrl, "--api-key-file", path];
    const fetched = await client.run(args);
    assert.equal(fetched.code, 1);
    assert.match(fetched.stderr, /rate_limited, retry in 43200 s/);
    assert.equal((await supplied(client)).length, 2);
  }));

Deno.test("only keys that both gateway and issuer list are used", () =>
  inNetwork(async (client, _, world) => {
    const tokenKey = new Uint8Array(294).fill(1);
    const key = {
      token_key: base64UrlOf(tokenKey),
      token_key_id: tokenKeyIdOf(tokenKey).toHex(),
    };
    const offers = [
      { token_keys: [key] },
      { token_keys: [] },
      { token_keys: [{ ...world.key, not_before: world.now + 1 }] },
      { token_keys: [{ ...world.key, not_after: world.now }] },
    ];
    for (const offer of offers) {
      world.offer = offer;
      const fetched = await client.run(["token"]);
      assert.equal(fetched.code, 1);
      assert.match(fetched.stderr, /accepts none of the issuer's current keys/);
    }
    assert.deepEqual(await supplied(client), []);
  }));

Deno.test("a malformed answer of an issuer gives no token", () =>
  inNetwork(async (client, issuerUrl, world) => {
    const typed = (body: BodyInit, type: string) =>
      new Response(body, { headers: { "Content-Type": type } });
    const directory = (text: string) => (request: Request) =>
      request.method === "GET"
        ? typed(text, "application/private-token-issuer-directory")
        : world.app(request);
    const response = (answer: Answer) => (request: Request) =>
      request.method === "GET" ? world.app(request) : answer(request);
    const key = base64UrlOf(new Uint8Array(256));
    const answers: readonly (readonly [Answer, RegExp])[] = [
      [() => Response.redirect(issuerUrl, 302), /status 302/],
      [() => typed("{}", "text/html"), /is not application\/private-token-issuer-directory/],
      [directory("{"), /Cannot read JSON/],
      [
        directory(`{"issuer-request-uri":"https://elsewhere.example/","token-keys":[]}`),
        /another origin than the issuer/,
      ],
      [
        directory(
          `{"issuer-request-uri":"/","token-keys":[{"token-type":2,"token-key":"${key}"}]}`,
        ),
        /accepts none of the issuer's current keys/,
      ],
      [response(() => Response.redirect(issuerUrl, 307)), /status 307/],
      [
        response(() => typed(new Uint8Array(256), "application/private-token-response")),
        /not by the issuer's key/,
      ],
      [
        response(() => typed(new Uint8Array(255), "application/private-token-response")),
        /255 bytes in place of 256/,
      ],
      [
        response(() => typed(new Uint8Array(300_000), "application/private-token-response")),
        /exceeds 262144 bytes/,
      ],
      [
        response(() => new Response(null, { status: 401 })),
        /requires an API key/,
      ],
      [
        response(() =>
          new Response(null, {
            status: 401,
            headers: { "WWW-Authenticate": `CountersignWork realm="", bits="27", window="300"` },
          })
        ),
        /requires an API key/,
      ],
    ];
    for (const [answer, pattern] of answers) {
      world.answer = answer;
      const fetched = await client.run(["token", "--count", "1"]);
      assert.equal(fetched.code, 1, String(pattern));
      assert.match(fetched.stderr, pattern);
    }
    assert.deepEqual(await supplied(client), []);
  }));

Deno.test("wrong options of token are usage errors", () =>
  inNetwork(async (client, issuerUrl, world) => {
    const cases: readonly (readonly [string[], RegExp])[] = [
      [["--count", "0"], /count/i],
      [["--count", "1001"], /count/i],
      [["--issuer", "not a URL"], /not an http or https URL/],
      [["--issuer", "http://issuer.example"], /use https/],
      [["--issuer", issuerUrl, "--api-key-file", "nowhere"], /there is no such file/],
    ];
    for (const [args, pattern] of cases) {
      const run = await client.run(["token", ...args]);
      assert.notEqual(run.code, 0);
      assert.match(run.stderr, pattern);
    }
    world.offer = { url: undefined };
    assert.match((await client.run(["token"])).stderr, /names no issuer .* give --issuer URL/);
    assert.equal((await client.run(["token", "--issuer", issuerUrl, "--count", "1"])).code, 0);
    world.offer = { challenge: base64UrlOf(challengeOf("not an id")) };
    assert.match((await client.run(["token"])).stderr, /does not contain a network id/);
    world.offer = { name: "other.example" };
    assert.match((await client.run(["token"])).stderr, /a challenge that matches their name/);
  }));
