import { HTTPException } from "hono/http-exception";
import assert from "node:assert/strict";
import { CountersignError, ERROR_CODES } from "../../src/base/errors.ts";
import { problemResponse, STATUS } from "../../src/http/problem.ts";

const ID = "0123456789abcdef";

Deno.test("problemResponse() encodes every code as RFC 9457 problem details", async () => {
  for (const code of ERROR_CODES) {
    const response = problemResponse(new CountersignError(code, "Cannot do: this"), { id: ID });
    const body = await response.json();
    const told = STATUS[code] === 500 ? "internal" : code;
    assert.equal(response.status, STATUS[code]);
    assert.equal(response.headers.get("Content-Type"), "application/problem+json");
    assert.equal(response.headers.get("Cache-Control"), "no-store");
    assert.deepEqual(Object.keys(body), [
      "type",
      "title",
      "status",
      "detail",
      "code",
      "request_id",
    ]);
    assert.equal(body.type, `urn:countersign:problem:${told}`);
    assert.equal(body.code, told);
    assert.equal(body.status, STATUS[code]);
    assert.equal(body.request_id, ID);
    assert.match(body.title, /^[A-Z][a-z ]+$/);
    const retries = response.headers.get("Retry-After");
    assert.equal(retries !== null, [429, 503].includes(STATUS[code]), code);
    if (retries !== null) assert.match(retries, /^[1-9][0-9]*$/);
    assert.equal(response.headers.get("WWW-Authenticate"), STATUS[code] === 401 ? "Bearer" : null);
  }
});

Deno.test("STATUS uses only the statuses of docs/protocol.md, and 421", () => {
  const statuses = [400, 401, 403, 404, 405, 409, 413, 415, 421, 422, 429, 500, 503];
  for (const [code, status] of Object.entries(STATUS)) {
    assert.ok(statuses.includes(status), code);
    if (/^malformed_(?!configuration)/.test(code)) assert.equal(status, 400, code);
  }
});

Deno.test("problemResponse() explains client errors and hides internal ones", async () => {
  const detailOf = async (error: unknown) =>
    (await problemResponse(error, { id: ID }).json()).detail;
  const message = "Cannot read /etc/secret";
  assert.equal(await detailOf(new CountersignError("malformed_hash", message)), message);
  const faults = [
    new CountersignError("storage_failed", message),
    new CountersignError("file_failed", message),
    new CountersignError("internal", message),
    new CountersignError("store_corrupt", message),
    new Error(message),
    new TypeError(message, { cause: new Error(message) }),
    message,
    undefined,
    null,
    { code: "malformed_hash", message },
  ];
  for (const fault of faults) {
    const body = await problemResponse(fault, { id: ID }).text();
    assert.equal(body.includes("secret"), false);
    assert.equal(body.includes("problem_test"), false);
  }
});

Deno.test("problemResponse() maps exceptions of hono", async () => {
  const rows = [
    [400, "malformed_request"],
    [404, "route_not_found"],
    [405, "method_not_allowed"],
    [413, "body_too_large"],
    [415, "unsupported_media_type"],
    [418, "internal"],
    [500, "internal"],
  ] as const;
  for (const [status, code] of rows) {
    const response = problemResponse(new HTTPException(status, { message: "secret" }), { id: ID });
    const body = await response.json();
    assert.equal(body.code, code);
    assert.equal(response.status, STATUS[code]);
    assert.equal(JSON.stringify(body).includes("secret"), false);
  }
});

Deno.test("a 415 says which codings a body may have", () => {
  const error = new CountersignError("unsupported_media_type", "Cannot read body");
  assert.equal(problemResponse(error, { id: ID }).headers.get("Accept-Encoding"), "identity");
});

Deno.test("problemResponse() adds members and headers", async () => {
  const error = new CountersignError("tree_size_conflict", "Cannot cosign");
  const response = problemResponse(error, { id: ID }, {
    members: { size: 7 },
    headers: { Allow: "GET" },
  });
  const body = await response.json();
  assert.equal(body.size, 7);
  assert.equal(response.headers.get("Allow"), "GET");
});
