import assert from "node:assert/strict";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { type ErrorCode, hasCode } from "../../src/base/errors.ts";
import { list, object, pattern } from "../../src/proof/format/schema.ts";
import { parseBody, requireJson } from "../../src/http/body.ts";
import { RequestContext } from "../../src/http/request_context.ts";

const LIMIT = 100;

function readBody(request: Request, limit: number): Promise<Uint8Array> {
  return new RequestContext(request).readBody(limit);
}

/** A request whose body comes in `chunks`, without a length. */
function streamed(chunks: readonly Uint8Array[], onCancel: () => void = () => {}): Request {
  const rest = [...chunks];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = rest.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
    cancel: onCancel,
  });
  return new Request("http://gateway.test/", { method: "POST", body });
}

function sized(body: Uint8Array<ArrayBuffer>, length = String(body.length)): Request {
  return new Request("http://gateway.test/", {
    method: "POST",
    body,
    headers: { "Content-Length": length },
  });
}

Deno.test("readBody() reads up to the limit, with and without Content-Length", async () => {
  for (const length of [0, 1, LIMIT - 1, LIMIT]) {
    const bytes = new Uint8Array(length).fill(7);
    assert.deepEqual(await readBody(sized(bytes), LIMIT), bytes);
    assert.deepEqual(await readBody(streamed([bytes]), LIMIT), bytes);
    const chunks = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.deepEqual(await readBody(streamed(chunks), LIMIT), concat(...chunks));
  }
  assert.deepEqual(
    await readBody(new Request("http://gateway.test/", { method: "POST" }), LIMIT),
    new Uint8Array(),
  );
});

Deno.test("readBody() stops reading at the limit", async () => {
  const isTooLarge = (error: unknown) => hasCode(error, "body_too_large");
  await assert.rejects(readBody(sized(new Uint8Array(LIMIT + 1)), LIMIT), isTooLarge);
  await assert.rejects(readBody(streamed([new Uint8Array(LIMIT + 1)]), LIMIT), isTooLarge);
  let cancelled = false;
  const endless = streamed(Array(1000).fill(new Uint8Array(60)), () => cancelled = true);
  await assert.rejects(readBody(endless, LIMIT), isTooLarge);
  assert.ok(cancelled);
  // A length that is no number is no promise.
  await assert.rejects(readBody(sized(new Uint8Array(LIMIT + 1), "1e1"), LIMIT), isTooLarge);
});

Deno.test("readBody() distinguishes an aborted body from a body that is too large", async () => {
  for (const headers of [{}, { "Content-Length": "10" }]) {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error("connection closed")),
    });
    const request = new Request("http://gateway.test/", { method: "POST", body, headers });
    await assert.rejects(readBody(request, LIMIT), (error) => hasCode(error, "malformed_request"));
  }
});

Deno.test("requireJson() accepts JSON and a missing Content-Type", () => {
  for (
    const type of [
      undefined,
      "application/json",
      "application/json;charset=utf-8",
      "APPLICATION/JSON ; x",
    ]
  ) {
    requireJson(new Headers(type === undefined ? {} : { "Content-Type": type }));
  }
  for (
    const type of [
      "",
      "text/json",
      "application/json5",
      "application/jsonp",
      "application/ld+json",
      "application/json, text/plain",
    ]
  ) {
    assert.throws(
      () => requireJson(new Headers({ "Content-Type": type })),
      (error) => hasCode(error, "unsupported_media_type"),
      type,
    );
  }
});

Deno.test("requireJson() refuses an encoded body, and says how to send it", () => {
  requireJson(new Headers({ "Content-Encoding": "identity" }));
  for (const coding of ["gzip", "br", "identity, gzip", ""]) {
    assert.throws(
      () => requireJson(new Headers({ "Content-Encoding": coding })),
      (error) =>
        hasCode(error, "unsupported_media_type") && /without Content-Enc/.test(error.message),
      coding,
    );
  }
});

Deno.test("a body with a byte order mark or in UTF-16 is refused with its cure", () => {
  const utf16 = (text: string) =>
    new Uint8Array(new Uint16Array([...text].map((c) => c.charCodeAt(0))).buffer);
  const schema = object({});
  for (
    const [body, message] of [
      [utf8("\ufeff{}"), /a byte order mark \(save it as UTF-8 without one\)/],
      [utf16("\ufeff{}"), /Cannot read JSON: it is UTF-16: save it as UTF-8/],
      [utf16("{}"), /UTF-16.*save it as UTF-8/],
      [new Uint8Array([0xff, 0x20]), /Cannot read JSON: bytes are not UTF-8/],
    ] as const
  ) {
    assert.throws(
      () => parseBody(body, schema),
      (error) => hasCode(error, "malformed_json") && message.test(error.message),
    );
  }
});

Deno.test("parseBody() distinguishes a malformed hash from a malformed request", () => {
  const schema = object({ hash: pattern(/^.?$/), hashes: list(pattern(/^.?$/)) });
  const cases: [string, ErrorCode][] = [
    ['{"hash":"aa","hashes":[]}', "malformed_hash"],
    ['{"hashes":[]}', "malformed_hash"],
    ['{"hash":"a","hashes":["a","bb"]}', "malformed_hash"],
    ['{"hash":"a","hashes":["a",1]}', "malformed_hash"],
    ['{"hash":"a","hashes":"a"}', "malformed_request"],
    ['{"hash":"a"}', "malformed_request"],
    ['"hash"', "malformed_request"],
    ['{"hash":"a","hashes":[]', "malformed_json"],
  ];
  for (const [text, code] of cases) {
    assert.throws(() => parseBody(utf8(text), schema), (error) => hasCode(error, code), text);
  }
  assert.deepEqual(parseBody(utf8('{"hash":"a","hashes":["b"]}'), schema), {
    hash: "a",
    hashes: ["b"],
  });
});
