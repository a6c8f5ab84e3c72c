import assert from "node:assert/strict";
import { portableBls } from "../../src/crypto/portable_bls.ts";
import { CountersignError, ERROR_CODES, hasCode } from "../../src/errors.ts";
import { Api } from "../../src/explorer/api.ts";
import { parseAssetNames } from "../../src/explorer/asset_names.ts";
import { failureText } from "../../src/explorer/failure.ts";
import { GatewayRefusal } from "../../src/format/gateway_refusal.ts";
import { withGateway } from "../http/gateway_server.ts";
import { SCHEMES } from "../schemes.ts";
import { digestOf } from "../verify/fixture.ts";

const BASE = "http://gateway.test/below/";

/** A client whose requests `answer` answers. */
function apiOf(answer: (url: URL, init: RequestInit) => Promise<Response> | Response): Api {
  return new Api({
    base: BASE,
    blsFor: () => Promise.resolve(portableBls),
    fetch: async (input, init) => await answer(new URL(String(input)), init ?? {}),
  });
}

for (const scheme of SCHEMES) {
  Deno.test(`a real ${scheme} gateway's answers are read`, () =>
    withGateway(async (server) => {
      const api = apiOf(({ pathname, search }, { method, body, headers }) =>
        server.send(method!, pathname.replace("/below", "") + search, {
          ...(body !== undefined && { body }),
          ...(headers !== undefined && { headers }),
        })
      );
      const hash = digestOf("stamped");
      const { value: job } = await api.submit(hash, 5);
      assert.equal(job.status, "confirmed");
      assert.equal((await api.job(hash, 0)).value.hash, hash);
      assert.equal((await api.network()).value.id, server.network.network.id);
      assert.equal((await api.status()).value.status, "ok");
      const { value: bundle, text } = await api.bundle(hash);
      assert.equal(bundle.signed_attestation.attestation.hash, hash);
      assert.deepEqual(JSON.parse(text), bundle);
      await assert.rejects(
        api.job(digestOf("another"), 0),
        (error) => error instanceof GatewayRefusal && error.reason === "hash_unknown",
      );
    }, { scheme }));
}

Deno.test("a question says what it wants, and takes no detour", async () => {
  const asked: [string, RequestInit][] = [];
  const api = apiOf((url, init) => {
    asked.push([url.pathname + url.search, init]);
    return new Response("[]");
  });
  await api.batches({ before: 12, limit: 5 });
  await api.batches();
  await assert.rejects(api.submit("ab".repeat(32), 3));
  assert.deepEqual(asked.map(([path]) => path), [
    "/below/v1/batches?before=12&limit=5",
    "/below/v1/batches",
    "/below/v1/attestations",
  ]);
  const { headers, body, redirect, credentials } = asked[2]![1];
  assert.deepEqual(headers, {
    "Accept": "application/json",
    "Content-Type": "application/json",
    "Prefer": "wait=3",
  });
  assert.deepEqual([body, redirect, credentials], [
    `{"hash":"${"ab".repeat(32)}"}`,
    "error",
    "omit",
  ]);
});

Deno.test("what is no answer is told from what refuses", async () => {
  const cases = [
    [() => Promise.reject(new TypeError("failed to fetch")), "gateway_unreachable"],
    [() => new Response("<html>", { status: 502 }), "gateway_refused"],
    [() => new Response("<html>"), "malformed_bundle"],
    [() => new Response(new Uint8Array(9 * 1024 * 1024)), "gateway_refused"],
    [() => new Response(new Uint8Array([0xff])), "gateway_refused"],
  ] as const;
  for (const [answer, code] of cases) {
    await assert.rejects(apiOf(answer).status(), (error) => hasCode(error, code));
  }
});

Deno.test("the reason of who gives up is what rejects", async () => {
  const stop = new AbortController();
  const api = apiOf((_, { signal }) =>
    new Promise((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)))
  );
  const asking = api.status(stop.signal);
  stop.abort(new Error("given up"));
  await assert.rejects(asking, /given up/);
});

Deno.test("every failure has words, and its code", () => {
  for (const code of ERROR_CODES) {
    const text = failureText(new CountersignError(code, "Cannot do it"));
    assert.deepEqual([text.code, text.detail], [code, "Cannot do it"]);
    for (const words of [text.title, text.advice]) assert.match(words, /^[A-Z].{5,}/);
    assert.doesNotMatch(text.title, /[.]$/);
  }
  const busy = failureText(new GatewayRefusal("job", { status: 503, reason: "overloaded" }));
  assert.equal(busy.title, "The gateway is busy");
  assert.equal(busy.code, "overloaded");
  assert.equal(failureText(new GatewayRefusal("job", { status: 502 })).code, "HTTP 502");
  assert.equal(failureText("a text").detail, "a text");
});

Deno.test("files are found under the names that the document gives them", () => {
  const names = parseAssetNames("main.js=assets/main.01.js a.wasm=assets/a.02.wasm", BASE);
  assert.equal(names("a.wasm").href, `${BASE}assets/a.02.wasm`);
  assert.equal(names("b.wasm").href, `${BASE}assets/b.wasm`);
  assert.equal(parseAssetNames("", BASE)("a.wasm").href, `${BASE}assets/a.wasm`);
});
