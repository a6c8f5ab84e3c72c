import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { AnswerReader } from "../../bench/load/answer_reader.ts";

const ANSWER = utf8(
  "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nContent-LENGTH:  13\r\n" +
    "retry-after: 7\r\nx-content-length: 3\r\n\r\n\r\n\r\nbody 1234",
);

Deno.test("an answer may arrive in parts of any size", () => {
  const reader = new AnswerReader();
  for (let first = 0; first <= ANSWER.length; first++) {
    for (let second = first; second <= ANSWER.length; second += 7) {
      const parts = [
        ANSWER.slice(0, first),
        ANSWER.slice(first, second),
        ANSWER.slice(second),
      ].filter((part) => part.length > 0);
      const answers = parts.map((part) => reader.push(part)?.status);
      assert.deepEqual(answers.slice(0, -1), answers.slice(0, -1).fill(undefined));
      assert.equal(answers.at(-1), 503);
    }
  }
});

Deno.test("an answer has the body and the fields that were sent", () => {
  const answer = new AnswerReader().push(ANSWER)!;
  assert.equal(new TextDecoder().decode(answer.body), "\r\n\r\nbody 1234");
  assert.equal(answer.retryAfter, 7);
  assert.ok(answer.head.endsWith("x-content-length: 3\r\n\r\n"));
});

Deno.test("an answer without a length, or with bytes after its end, is refused", () => {
  const refused = [
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nab",
  ];
  for (const text of refused) {
    assert.throws(() => new AnswerReader().push(utf8(text)), /Cannot read answer/);
  }
  assert.equal(
    new AnswerReader().push(utf8("HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na"))?.status,
    200,
  );
});
