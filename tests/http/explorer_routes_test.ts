import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { loadPageFiles, type PageFiles } from "../../src/http/gateway/explorer_assets.ts";
import { pagePolicy } from "../../src/http/gateway/explorer_routes.ts";
import { RefusingService, verifier } from "./gateway_server.ts";

const page = await loadPageFiles();

/** Bytes of everything that a browser loads before the page works, WebAssembly apart. */
const SIZE_LIMIT = 180_000;
/** Scripts that are loaded when a time-stamp token is chosen, or a file of one with a long hash. */
const ON_DEMAND = /\/(timestamps|long_hashes)\./;
const PART_LIMIT = 15_000;

function appOf(files?: PageFiles) {
  const app = gatewayApp({
    service: new RefusingService("internal"),
    verifier,
    ...(files !== undefined && { page: files }),
    report: (error) => assert.fail(String(error)),
  });
  return (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app(new Request(`http://gateway.test${path}`, { method, headers }));
}

const get = appOf(page);

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

Deno.test("the page's policy allows only its own files", async () => {
  const response = await get("/");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("Content-Type"), "text/html; charset=utf-8");
  assert.equal(response.headers.get("Cache-Control"), "public, no-cache");
  const policy = response.headers.get("Content-Security-Policy")!;
  assert.ok(policy.startsWith("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "));
  for (const word of ["unsafe-inline", "'unsafe-eval'", "http:", "https:", "*"]) {
    assert.ok(!policy.includes(word), word);
  }
  const text = await response.text();
  assert.ok(!text.includes("{{"));
  assert.doesNotMatch(text, /<style|style=|<script(?![^>]*src=)|\son\w+=|https?:/);
});

Deno.test("every file that the page names is served under a content hash", async () => {
  const text = await (await get("/")).text();
  const named = new Set(text.match(/assets\/[\w.]+/g));
  assert.equal(named.size, page.size - 1);
  for (const path of named) {
    const response = await get(`/${path}`);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get("Cache-Control"), "public, max-age=31536000, immutable");
    const bytes = await response.bytes();
    assert.ok(path.includes(`.${digestOf(bytes).slice(0, 16)}.`), path);
    assert.notEqual(response.headers.get("Content-Type"), null);
  }
  assert.equal((await get("/assets/main.0000000000000000.js")).status, 404);
});

Deno.test("files are compressed as requested, and each coding has a separate ETag", async () => {
  const [path] = [...page.keys()].filter((name) => name.includes("main") && name.endsWith(".js"));
  const plain = await (await get(path!)).bytes();
  const tags = new Set<string>();
  const codings = [
    ["", undefined],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["deflate", undefined],
  ] as const;
  for (const [accepted, coding] of codings) {
    const response = await get(path!, { "Accept-Encoding": accepted });
    assert.equal(response.headers.get("Content-Encoding"), coding ?? null);
    assert.equal(response.headers.get("Vary"), "Accept-Encoding");
    tags.add(response.headers.get("ETag")!);
    const bytes = await response.bytes();
    const decode = { gzip: gunzipSync, br: brotliDecompressSync, undefined: (b: Uint8Array) => b };
    assert.equal(digestOf(decode[coding ?? "undefined"](bytes)), digestOf(plain));
  }
  assert.equal(tags.size, 3);
});

Deno.test("a matching ETag is 304, and HEAD has no body", async () => {
  for (const path of page.keys()) {
    const first = await get(path, { "Accept-Encoding": "br" }, "HEAD");
    assert.equal(first.status, 200);
    assert.equal(first.body, null);
    const etag = first.headers.get("ETag")!;
    assert.match(etag, /^"[0-9a-f]{32}-br"$/);
    const headers = { "Accept-Encoding": "br", "If-None-Match": etag };
    assert.equal((await get(path, headers)).status, 304);
    assert.equal((await get(path, { "If-None-Match": etag })).status, 200);
  }
});

Deno.test("other methods are 405, and a gateway without the page is 404", async () => {
  const refused = await get("/", {}, "POST");
  assert.deepEqual([refused.status, refused.headers.get("Allow")], [405, "GET, HEAD"]);
  assert.equal((await refused.json()).code, "method_not_allowed");
  const bare = await appOf()("/");
  assert.deepEqual([bare.status, (await bare.json()).code], [404, "route_not_found"]);
});

Deno.test("the page stays below its limit of compressed bytes", () => {
  let sum = 0;
  for (const [path, { bytes }] of page) {
    const { length } = gzipSync(bytes, { level: 9 });
    if (ON_DEMAND.test(path)) assert.ok(length < PART_LIMIT, `${path}: ${length} bytes`);
    else if (!path.endsWith(".wasm")) sum += length;
  }
  assert.ok(sum > 10_000);
  assert.ok(sum < SIZE_LIMIT, `${sum} bytes`);
});

Deno.test("the committed files match their manifest", async () => {
  const build = new URL("../../src/explorer/build/", import.meta.url);
  const manifest = JSON.parse(await Deno.readTextFile(new URL("manifest.json", build)));
  const listed = new Map(
    manifest.files.map(({ name, sha256 }: Record<string, string>) => [name, sha256]),
  );
  const found = new Map<string, string>();
  for await (const { name } of Deno.readDir(build)) {
    if (name !== "manifest.json") {
      found.set(name, digestOf(await Deno.readFile(new URL(name, build))));
    }
  }
  assert.deepEqual(new Map([...found].toSorted()), new Map([...listed].toSorted()));
});

Deno.test("the page may contact the issuers of its network, each origin once", () => {
  const urls = ["https://issuer.example/a/", "https://issuer.example/b/", "https://other.example/"];
  assert.match(
    pagePolicy(urls),
    /; connect-src 'self' https:\/\/issuer\.example https:\/\/other\.example; /,
  );
  assert.match(pagePolicy([]), /; connect-src 'self'; /);
});
