import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { nextCrash, seededRandom } from "./crash_plan.ts";
import { HttpMessages } from "./http_messages.ts";
import { WitnessRecord } from "./witness_record.ts";

const ROOT = "aa".repeat(32);
const OTHER_ROOT = "bb".repeat(32);

function request(path: string, body: unknown): Uint8Array {
  const text = JSON.stringify(body);
  return utf8(
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: ${text.length}\r\naccept: */*\r\n\r\n${text}`,
  );
}

function answer(status: number, body: unknown): Uint8Array {
  const text = JSON.stringify(body);
  return utf8(`HTTP/1.1 ${status} Words\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
}

function messageOf(bytes: Uint8Array) {
  const [message] = new HttpMessages().take(bytes);
  assert(message !== undefined);
  return message;
}

function cosign(record: WitnessRecord, size: number, root: string) {
  return record.ask(
    messageOf(request("/v1/cosign", { tree_head: { tree_size: size, root_hash: root } })),
  );
}

function sign(record: WitnessRecord, first: number, hashes: readonly string[]): void {
  const asked = record.ask(messageOf(request("/v1/sign", { first_sequence: first, hashes })));
  record.answer(asked, messageOf(answer(200, {})));
}

Deno.test("HttpMessages reads the same messages for any split of the bytes", () => {
  const bytes = new Uint8Array([
    ...request("/v1/sign", { a: 1 }),
    ...utf8("GET /health HTTP/1.1\r\nhost: a\r\n\r\n"),
    ...request("/v1/cosign", {}),
  ]);
  const whole = new HttpMessages().take(bytes);
  assert.deepEqual(whole.map(({ start }) => start.split(" ")[1]), [
    "/v1/sign",
    "/health",
    "/v1/cosign",
  ]);
  for (let step = 1; step < bytes.length; step++) {
    const messages = new HttpMessages();
    const found = [];
    for (let at = 0; at < bytes.length; at += step) {
      found.push(...messages.take(bytes.subarray(at, at + step)));
    }
    assert.deepEqual(found, whole);
    assert.ok(!messages.isAmidst);
  }
  assert.throws(
    () => new HttpMessages().take(utf8("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")),
    /no content length/,
  );
});

Deno.test("WitnessRecord reports a second root for a size, but not a second time", () => {
  const record = new WitnessRecord("w", []);
  for (const root of [ROOT, ROOT]) {
    record.answer(cosign(record, 7, root), messageOf(answer(200, {})));
  }
  assert.deepEqual(record.contradictions, []);
  record.answer(cosign(record, 7, OTHER_ROOT), messageOf(answer(422, {})));
  assert.deepEqual(record.contradictions, []);
  record.answer(cosign(record, 7, OTHER_ROOT), messageOf(answer(200, {})));
  assert.equal(record.contradictions.length, 1);
});

Deno.test("WitnessRecord reports a witness whose state is below what it signed", () => {
  const record = new WitnessRecord("w", []);
  const early = cosign(record, 9, ROOT);
  record.answer(cosign(record, 7, ROOT), messageOf(answer(200, {})));
  record.answer(early, messageOf(answer(409, { size: 0 })));
  assert.deepEqual(record.contradictions, [], "it was asked before");
  record.answer(cosign(record, 9, ROOT), messageOf(answer(409, { size: 5 })));
  assert.equal(record.contradictions.length, 1);
});

Deno.test("WitnessRecord accepts requests in flight and heads stored without an answer", () => {
  const record = new WitnessRecord("w", []);
  const asked = cosign(record, 7, ROOT);
  assert.equal(record.inFlight, 1);
  record.unanswered(asked);
  assert.equal(record.inFlight, 0);
  assert.equal(record.remembered.size, 0);
  record.answer(cosign(record, 9, ROOT), messageOf(answer(409, { size: 7 })));
  assert.deepEqual([...record.remembered], [7]);
  assert.equal(record.cosigned.size, 0);
});

Deno.test("WitnessRecord reports two hashes for one sequence, by any witnesses", () => {
  const signed: string[] = [];
  const [first, second] = [new WitnessRecord("w1", signed), new WitnessRecord("w2", signed)];
  sign(first, 5, ["a", "b"]);
  sign(second, 6, ["b", "c"]);
  assert.deepEqual([...first.contradictions, ...second.contradictions], []);
  sign(second, 5, ["x"]);
  assert.equal(second.contradictions.length, 1);
});

Deno.test("a seed determines the crashes, which include every kind", () => {
  const plan = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 100 }, () => nextCrash(random, false));
  };
  assert.deepEqual(plan(1), plan(1));
  assert.notDeepEqual(plan(1), plan(2));
  const kinds = plan(1).map(({ gateway, witnesses }) => `${gateway} ${witnesses.length}`);
  assert.deepEqual([...new Set(kinds)].toSorted(), [
    "false 1",
    "false 2",
    "true 0",
    "true 1",
    "true 3",
  ]);
});
