import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import { NETWORK, NOW, signerOf, WITNESS_ID } from "../witness/fixture.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { cosignBody, problem, roundBody, serve, TOKEN } from "./witness_server.ts";

/** Asserts what `GET /health` says. */
async function assertHealth({ ask }: ReturnType<typeof serve>, expected: string): Promise<void> {
  const response = await ask("/health");
  assert.equal(response.status, expected === "ok" ? 200 : 503);
  assert.deepEqual(await response.json(), { status: expected });
}

Deno.test("GET /health reports storage_failed from any failure until the next successful check", async () => {
  for (const failing of ["load", "replace", "loadSigned", "appendSigned", "probe"] as const) {
    let fails = true;
    // A disk that stores no head takes no probe either.
    const failed = failing === "replace" ? ["replace", "probe"] : [failing];
    const fault = (operation: string) =>
      fails && failed.includes(operation) ? "fail_not_stored" as const : undefined;
    const served = serve(new MemoryWitnessState({ fault }));
    await assertHealth(served, "ok");
    if (failing === "probe") {
      await problem(await served.post("/v1/probe", {}), 503, "storage_failed");
    } else {
      await served.post("/v1/sign", roundBody());
      await served.post("/v1/cosign", cosignBody(0, 5));
    }
    await assertHealth(served, "storage_failed");
    // Work that the state takes does not show that it takes all work.
    await served.post("/v1/sign", roundBody());
    await problem(await served.post("/v1/probe", {}), 503, "storage_failed");
    await assertHealth(served, "storage_failed");
    fails = false;
    served.clock.seconds++;
    assert.equal((await served.post("/v1/probe", {})).status, 200);
    await assertHealth(served, "ok");
    assert.deepEqual(served.reports, [], "the witness reports it, once a minute");
  }
});

Deno.test("GET /health does not access the disk", async () => {
  const served = serve();
  for (let i = 0; i < 3; i++) await assertHealth(served, "ok");
  assert.deepEqual(Object.values(served.state.calls), [0, 0, 0, 0, 0]);
});

Deno.test("POST /v1/probe requires the token, writes to the disk and names the witness", async () => {
  const { post, state } = serve();
  const strangers: [Record<string, string>, number, string][] = [
    [{ Authorization: "" }, 401, "token_required"],
    [{ Authorization: "Bearer of-another-witness" }, 403, "token_refused"],
  ];
  for (const [headers, status, code] of strangers) {
    await problem(await post("/v1/probe", {}, headers), status, code);
  }
  assert.deepEqual(Object.values(state.calls), [0, 0, 0, 0, 0]);
  const response = await post("/v1/probe", {});
  assert.deepEqual(await response.json(), {
    id: WITNESS_ID,
    pubkey: signerOf(WITNESS_ID).publicKey.toHex(),
    network_id: NETWORK,
    size: 0,
    signed_end: 0,
  });
  assert.equal(state.calls.probe, 1);
  await post("/v1/sign", roundBody());
  const { signed_end } = await (await post("/v1/probe", {})).json();
  assert.ok(signed_end > 0);
  await post("/v1/cosign", cosignBody(0, 5));
  const cosigned = await (await post("/v1/probe", {})).json();
  assert.equal(cosigned.size, 5);
  assert.match(cosigned.root_hash, /^[0-9a-f]{64}$/);
  assert.ok(cosigned.signed_end >= 5);
});

Deno.test("GET /v1/info names the witness, its key and its network", async () => {
  const { ask } = serve();
  const response = await ask("/v1/info");
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("Cache-Control"), "no-store");
  assert.deepEqual(await response.json(), {
    id: WITNESS_ID,
    pubkey: signerOf(WITNESS_ID).publicKey.toHex(),
    network_id: NETWORK,
  });
});

Deno.test("GET /v1/info shows the latest 100 releases without a disk read", async () => {
  const { ask, post, state, witness } = serve();
  for (let from = 0; from < 150; from++) await state.release({ from, count: 1, timestamp: NOW });
  await witness.load();
  state.loadReleases = () => Promise.reject(new Error("the disk is gone"));
  const { releases } = await (await ask("/v1/info")).json();
  assert.deepEqual(
    releases.map(({ from_sequence }: Record<string, unknown>) => from_sequence),
    Array.from({ length: 100 }, (_, i) => 50 + i),
  );
  assert.equal((await ask("/health")).status, 200);
  assert.equal((await post("/v1/probe", {})).status, 200);
});

Deno.test("requests to a witness with a damaged state add no reports", async () => {
  const { ask, post, reports, state } = serve();
  state.loadSigned = () => Promise.reject(new CountersignError("store_corrupt", "damaged"));
  for (let i = 0; i < 3; i++) {
    await problem(await post("/v1/sign", roundBody()), 500, "internal");
    await problem(await post("/v1/probe", {}), 503, "storage_failed");
  }
  assert.equal((await ask("/health")).status, 503);
  assert.deepEqual(reports, [], "the witness reports it, once a minute");
});

Deno.test("HEAD answers as GET does, without a body", async () => {
  const { ask } = serve();
  for (const path of ["/health", "/v1/info"]) {
    const response = await ask(path, { method: "HEAD" });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "");
  }
});

Deno.test("another method is 405 with Allow, another path 404", async () => {
  const { ask } = serve();
  const routes: [string, string, string[]][] = [
    ["/health", "GET, HEAD", ["POST", "PUT", "DELETE", "OPTIONS", "toString", "__proto__"]],
    ["/v1/info", "GET, HEAD", ["POST"]],
    ["/v1/sign", "POST", ["GET", "PUT", "PATCH", "OPTIONS", "constructor"]],
    ["/v1/cosign", "POST", ["GET", "DELETE"]],
    ["/add-checkpoint", "POST", ["GET"]],
  ];
  for (const [path, allow, methods] of routes) {
    for (const method of methods) {
      const response = await ask(path, { method });
      assert.equal(response.headers.get("Allow"), allow);
      await problem(response, 405, "method_not_allowed");
    }
  }
  for (const path of ["/", "/v1", "/v1/sign/", "/v1/config", "//health", "/v1/%2e%2e/health/x"]) {
    await problem(await ask(path), 404, "route_not_found");
  }
});

Deno.test("signing routes require the bearer token", async () => {
  const { ask, post } = serve();
  for (const path of ["/v1/sign", "/v1/cosign"]) {
    for (const headers of [{}, { Authorization: "" }, { Authorization: `Basic ${TOKEN}` }]) {
      const response = await ask(path, { method: "POST", headers, body: "not read" });
      assert.equal(response.headers.get("WWW-Authenticate"), "Bearer");
      await problem(response, 401, "token_required");
    }
    for (const token of [`${TOKEN}x`, TOKEN.slice(1), TOKEN.toUpperCase(), "x"]) {
      const response = await post(path, roundBody(), { Authorization: `Bearer ${token}` });
      const body = await problem(response, 403, "token_refused");
      assert.equal(JSON.stringify(body).includes(TOKEN), false);
    }
  }
  // RFC 9110 section 11.1: the scheme's name is case-insensitive.
  const response = await post("/v1/sign", roundBody(), { Authorization: `bearer ${TOKEN}` });
  assert.equal(response.status, 200);
});

Deno.test("JSON routes refuse other media types and malformed JSON", async () => {
  const { post } = serve();
  for (const path of ["/v1/sign", "/v1/cosign"]) {
    for (const text of ["", "{", "{}x", '{"a":1,"a":1}', "{'a':1}", "\ufeff{}"]) {
      await problem(await post(path, text), 400, "malformed_json");
    }
    for (const text of ["[]", "null", "7", "{}"]) {
      await problem(await post(path, text), 400, "malformed_request");
    }
    for (const type of ["text/plain", "application/jsonx", "application/x-www-form-urlencoded"]) {
      const response = await post(path, "{}", { "Content-Type": type });
      await problem(response, 415, "unsupported_media_type");
    }
  }
  for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
    const response = await post("/v1/sign", roundBody(), { "Content-Type": type });
    assert.equal(response.status, 200);
  }
});

Deno.test("a body that is not UTF-8 is malformed", async () => {
  const { ask } = serve();
  for (const path of ["/v1/sign", "/v1/cosign", "/add-checkpoint"]) {
    const response = await ask(path, {
      method: "POST",
      headers: { "Authorization": `Bearer ${TOKEN}` },
      body: Uint8Array.of(0x7b, 0xff, 0x7d),
    });
    const code = path === "/add-checkpoint" ? "malformed_text" : "malformed_json";
    await problem(response, 400, code);
  }
});

Deno.test("bodies are read up to their limit", async () => {
  const { post } = serve();
  const limits = {
    "/v1/sign": 128,
    "/v1/cosign": 64,
    "/add-checkpoint": 128,
    // A succession of two networks with the keys of 64 witnesses.
    "/v1/epoch-begin": 1_024,
  };
  for (const [path, kibibytes] of Object.entries(limits)) {
    const longest = " ".repeat(kibibytes * 1024);
    assert.equal((await post(path, longest)).status, 400);
    await problem(await post(path, `${longest} `), 413, "body_too_large");
    const declared = await post(path, "x", { "Content-Length": `${kibibytes * 1024 + 1}` });
    await problem(declared, 413, "body_too_large");
  }
});

Deno.test("a storage fault is 503 with Retry-After and hides its cause", async () => {
  const { post, state, reports } = serve();
  state.nextFault = "fail_but_stored";
  const response = await post("/v1/cosign", cosignBody(0, 5));
  assert.ok(Number(response.headers.get("Retry-After")) > 0);
  const body = await problem(response, 503, "storage_failed");
  assert.equal(/stored|disk|Error/.test(body.detail), false);
  assert.deepEqual(reports, [], "the witness reports it, once a minute");
  const retry = await post("/v1/cosign", cosignBody(0, 5));
  assert.equal((await problem(retry, 409, "tree_size_conflict")).size, 5);
});

Deno.test("an unexpected throw is 500 and hides its cause, even if it is not an Error", async () => {
  for (const thrown of [new Error("/secret/path"), "/secret/path"]) {
    const { ask, witness, reports } = serve();
    witness.releases = () => {
      throw thrown;
    };
    const body = await problem(await ask("/v1/info"), 500, "internal");
    assert.equal(JSON.stringify(body).includes("secret"), false);
    assert.deepEqual(reports, [thrown]);
  }
});
