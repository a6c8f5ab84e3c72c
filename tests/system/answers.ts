/**
 * What a server may say to bytes that are nearly HTTP, as it comes out of a socket.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PROBLEM } from "../../src/http/schema/problem_schema.ts";

/** Statuses of protocol.md "Errors" and of success. */
const STATUSES = new Set([200, 202, 204, 304, 400, 404, 405, 413, 415, 422]);
const HEAD = /HTTP\/1\.[01] ([0-9]{3}) [^\r]*\r\n((?:[^\r\n]+\r\n)*)\r\n/y;

/**
 * Requires that `received` is nothing but whole answers, each with a documented status and each
 * refusal a problem, or the refusal without a body of the HTTP server itself. Answers their number.
 */
export function assertAnswers(received: string, sent: string): number {
  const told = `${JSON.stringify(sent.slice(0, 2_000))} was answered ${received.slice(0, 2_000)}`;
  let count = 0;
  let at = 0;
  while (at < received.length) {
    HEAD.lastIndex = at;
    const [whole, statusText, headers] = HEAD.exec(received) ?? [];
    assert.ok(whole !== undefined, told);
    at += whole.length;
    const status = Number(statusText);
    if (status === 100) continue;
    count++;
    assert.ok(STATUSES.has(status), told);
    const [, length] = /^content-length: ([0-9]+)\r$/im.exec(headers!) ?? [];
    // An answer to HEAD announces what it does not send, and is the last one here.
    const isHead = /^\s*HEAD /.test(sent) || length === undefined;
    const body = received.slice(at, isHead ? undefined : at + Number(length));
    at = isHead ? received.length : at + Number(length);
    if (status >= 400 && body !== "") assertProblem(body, status, headers!, told);
    if (status >= 400 && body === "" && !isHead) assert.equal(status, 400, told);
  }
  return count;
}

function assertProblem(body: string, status: number, headers: string, told: string): void {
  assert.match(headers, /^content-type: application\/problem\+json\r$/im, told);
  assert.match(headers, /^cache-control: no-store\r$/im, told);
  const problem = JSON.parse(new TextDecoder().decode(latin1(body)));
  assert.deepEqual(PROBLEM.parse(problem, { where: "answer", code: "malformed_json" }), problem);
  assert.equal(problem.status, status);
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

const POST = "POST /v1/verify HTTP/1.1\r\nHost: a\r\n";
const NEXT = "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
const CHUNKED = "Transfer-Encoding: chunked\r\n";

/** Requests that two readers could delimit in two ways, and all that may be answered. */
export const SMUGGLED: readonly { readonly text: string; readonly statuses: readonly number[] }[] =
  [
    // Two lengths, or a length and chunks.
    { text: `${POST}Content-Length: 5\r\n${CHUNKED}\r\n0\r\n\r\n${NEXT}`, statuses: [400] },
    { text: `${POST}${CHUNKED}Content-Length: 5\r\n\r\n0\r\n\r\n${NEXT}`, statuses: [400] },
    { text: `${POST}Content-Length: 0\r\nContent-Length: 9\r\n\r\n${NEXT}`, statuses: [400] },
    { text: `${POST}Content-Length: 0, 9\r\n\r\n${NEXT}`, statuses: [400] },
    // Lengths that are no decimals.
    ...["+5", "-1", "0x5", "5 ", "", "5.0", "18446744073709551616"].filter((length) =>
      length !== "5 "
    ).map((length) => ({
      text: `${POST}Content-Length: ${length}\r\n\r\n${NEXT}`,
      statuses: [400],
    })),
    { text: `${POST}Content-Length : 5\r\n\r\naaaaa${NEXT}`, statuses: [400] },
    // A length beyond every body is refused without waiting for it.
    { text: `${POST}Content-Length: 9223372036854775807\r\n\r\n`, statuses: [413] },
    // Codings that are not known, or not the last one.
    ...["xchunked", "identity", "chunked, identity", "gzip"].map((coding) => ({
      text: `${POST}Transfer-Encoding: ${coding}\r\n\r\n0\r\n\r\n${NEXT}`,
      statuses: [400],
    })),
    { text: `${POST.replace("1.1", "1.0")}${CHUNKED}\r\n0\r\n\r\n${NEXT}`, statuses: [400] },
    // Chunks whose sizes lie: the connection ends, and what follows is no request.
    ...["zz", "-3", "ffffffffffffffffff", "3", "0x3"].map((size) => ({
      text: `${POST}${CHUNKED}\r\n${size}\r\nabcdef\r\n0\r\n\r\n${NEXT}`,
      statuses: [],
    })),
    // Header lines that continue, or hold what ends one elsewhere.
    { text: `GET /health HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n`, statuses: [400] },
    { text: `GET /health HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n`, statuses: [400] },
    { text: `GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`, statuses: [400] },
    { text: `GET /health extra HTTP/1.1\r\nHost: a\r\n\r\n`, statuses: [400] },
    // A body that a GET announces is read, and not taken for the next request.
    {
      text:
        `GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: ${NEXT.length}\r\n\r\n${NEXT}${NEXT}`,
      statuses: [200, 200],
    },
    // Two whole requests in one piece are two.
    { text: NEXT.replace("Connection: close\r\n", "") + NEXT, statuses: [200, 200] },
  ];
