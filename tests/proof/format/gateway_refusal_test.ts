import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { CapturedIo } from "../../server/captured_io.ts";
import { Output } from "../../../src/cli/output.ts";
import { readRefusal } from "../../../src/proof/format/gateway_refusal.ts";

const ID = "0123456789abcdef";

const refusal = (members: Record<string, unknown>) =>
  readRefusal(
    "job",
    new Response(null, { status: 503 }),
    utf8(JSON.stringify({ code: "overloaded", ...members })),
  );

Deno.test("a refusal has the id of its request, when the gateway gave one of ours", () => {
  assert.equal(refusal({ request_id: ID }).requestId, ID);
  assert.equal(refusal({}).requestId, undefined);
  for (
    const other of [ID.toUpperCase(), ID + "0", ID.slice(1), `${ID}\n`, "", "\x1b[2Jabcdefghijk"]
  ) {
    const read = refusal({ request_id: other });
    assert.equal(read.requestId, undefined, other);
    assert.equal(read.reason, "overloaded", "the rest of the problem is read all the same");
  }
});

Deno.test("the command line tells a user the id, for people and for programs", () => {
  const told = (format: "text" | "json", id: Record<string, unknown>) => {
    const io = new CapturedIo({ folder: "." });
    new Output(io, { format, colour: false }).failure(refusal(id));
    return io;
  };
  assert.ok(told("text", { request_id: ID }).errLines.some((line) => line.includes(ID)));
  assert.ok(!told("text", {}).errLines.join().includes("request  "));
  const { error } = JSON.parse(told("json", { request_id: ID }).stdout);
  assert.deepEqual(error.refusal, { status: 503, code: "overloaded", request_id: ID });
  assert.deepEqual(JSON.parse(told("json", {}).stdout).error.refusal, {
    status: 503,
    code: "overloaded",
  });
});
