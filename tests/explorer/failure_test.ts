import assert from "node:assert/strict";
import { CountersignError, ERROR_CODES } from "../../src/base/errors.ts";
import { parseAssetNames } from "../../src/explorer/assets.ts";
import { failureText } from "../../src/explorer/failure.ts";
import { GatewayRefusal } from "../../src/proof/format/gateway_refusal.ts";

const BASE = "http://gateway.test/below/";

Deno.test("failureText() has words for every error code", () => {
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

Deno.test("parseAssetNames() resolves files to the names that the document lists", () => {
  const names = parseAssetNames("main.js=assets/main.01.js a.wasm=assets/a.02.wasm", BASE);
  assert.equal(names("a.wasm").href, `${BASE}assets/a.02.wasm`);
  assert.equal(names("b.wasm").href, `${BASE}assets/b.wasm`);
  assert.equal(parseAssetNames("", BASE)("a.wasm").href, `${BASE}assets/a.wasm`);
});
