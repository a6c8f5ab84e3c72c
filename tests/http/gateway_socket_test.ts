import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { listen } from "../../src/http/listen.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { memoryStore, TestNetwork, until } from "../gateway/fixture.ts";
import { randomHashes, verifier } from "./gateway_server.ts";

/** A gateway on a free port. */
async function withListener(
  test: (port: number, gateway: Gateway, network: TestNetwork) => Promise<void>,
): Promise<void> {
  const network = new TestNetwork();
  const { gateway } = await network.start(await memoryStore());
  const handler = gatewayApp({ service: gateway, verifier, report: () => {} });
  const listener = listen({ hostname: "127.0.0.1", port: 0, handler });
  try {
    await test(listener.address.port, gateway, network);
  } finally {
    await listener.stop(0);
    await gateway.stop();
  }
}

/** Sends `text` as it is and answers what comes until the server closes, or until `end` has come. */
async function exchange(port: number, text: string, end?: string): Promise<string> {
  const connection = await Deno.connect({ port });
  // The server may stop reading before everything is sent.
  const sending = send(connection, text).catch(() => {});
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65_536);
  let answer = "";
  while (end === undefined || !answer.includes(end)) {
    const length = await connection.read(buffer);
    if (length === null) break;
    answer += decoder.decode(buffer.subarray(0, length), { stream: true });
  }
  connection.close();
  await sending;
  return answer;
}

async function send(connection: Deno.Conn, text: string): Promise<void> {
  let rest = utf8(text);
  while (rest.length > 0) rest = rest.subarray(await connection.write(rest));
}

function request(line: string, headers: readonly string[] = [], body = ""): string {
  return [line, "Host: gateway.test", "Connection: close", ...headers, "", body].join("\r\n");
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(answer)?.[1]);

Deno.test("paths are not normalized, in any form of the request line", async () => {
  await withListener(async (port) => {
    const [hash] = randomHashes(1);
    const cases: [string, number][] = [
      ["GET /health HTTP/1.1", 200],
      ["GET http://gateway.test/health HTTP/1.1", 200],
      ["GET http://other.test:81/health HTTP/1.1", 200],
      [`GET /v1/attestations/${hash} HTTP/1.1`, 404],
      [`GET http://gateway.test/v1/attestations/${hash} HTTP/1.1`, 404],
      ["GET /v1/../health HTTP/1.1", 404],
      ["GET /tile/../health HTTP/1.1", 404],
      ["GET /tile/0/../../health HTTP/1.1", 404],
      ["GET //health HTTP/1.1", 404],
      ["GET /./health HTTP/1.1", 404],
      ["GET /%68ealth HTTP/1.1", 404],
      ["GET /health?x=/v1 HTTP/1.1", 200],
      ["OPTIONS * HTTP/1.1", 404],
      ["CONNECT gateway.test:80 HTTP/1.1", 404],
      ["GET http://gateway.test?x HTTP/1.1", 404],
    ];
    for (const [line, status] of cases) {
      assert.equal(statusOf(await exchange(port, request(line))), status, line);
    }
  });
});

Deno.test("unusual methods and hosts get regular problems", async () => {
  await withListener(async (port) => {
    for (const method of ["toString", "__proto__", "get", "M-SEARCH"]) {
      for (const host of ["a", "\u00c3", "%", "a:b:c", "-", "a/v1/x?"]) {
        const text = `${method} /v1/network HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
        const answer = await exchange(port, text);
        assert.ok([404, 405].includes(statusOf(answer)), `${text}${answer}`);
        assert.match(answer, /"code":"(route_not_found|method_not_allowed)"/);
      }
    }
  });
});

Deno.test("a chunked body is read, and refused as soon as it is too large", async () => {
  await withListener(async (port) => {
    const [hash] = randomHashes(1);
    const json = `{"hash":"${hash}"}`;
    const chunked = (chunks: readonly string[]) =>
      request(
        "POST /v1/attestations HTTP/1.1",
        ["Content-Type: application/json", "Transfer-Encoding: chunked", "Prefer: wait=10"],
        chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(""),
      );
    const whole = await exchange(port, chunked([json.slice(0, 7), json.slice(7), ""]));
    assert.equal(statusOf(whole), 200);
    assert.match(whole, /preference-applied: wait=10/i);
    // No last chunk: the answer comes before the body has ended.
    const endless = chunked([json, " ".repeat(65_536), " ".repeat(65_536)]);
    assert.equal(statusOf(await exchange(port, endless, "body_too_large")), 413);
    const announced = request("POST /v1/attestations HTTP/1.1", ["Content-Length: 65537"], json);
    assert.equal(statusOf(await exchange(port, announced, "body_too_large")), 413);
  });
});

Deno.test("HEAD of a socket has no body, and the connection stays usable", async () => {
  await withListener(async (port) => {
    const head = "HEAD /v1/network HTTP/1.1\r\nHost: gateway.test\r\n\r\n";
    const answer = await exchange(port, head + request("GET /health HTTP/1.1"));
    const [first, second] = answer.split("HTTP/1.1 200 OK").slice(1);
    assert.match(first!, /application\/json/);
    assert.ok(!first!.includes("witnesses"));
    assert.match(second!, /\{"status":"ok"\}/);
  });
});

Deno.test("the job of a client that disconnects during a wait is kept", async () => {
  await withListener(async (port, gateway, network) => {
    network.witnesses.forEach((witness) => witness.down = true);
    const [hash] = randomHashes(1);
    const json = `{"hash":"${hash}"}`;
    const connection = await Deno.connect({ port });
    await connection.write(utf8(request(
      "POST /v1/attestations HTTP/1.1",
      ["Content-Type: application/json", `Content-Length: ${json.length}`, "Prefer: wait=30"],
      json,
    )));
    const digest = Uint8Array.fromHex(hash!);
    await until(async () => await gateway.eventLog.sequenceOf(digest.toHex()) !== undefined);
    connection.close();
    network.witnesses.forEach((witness) => witness.down = false);
    const answer = await exchange(
      port,
      request(`GET /v1/attestations/${hash} HTTP/1.1`, ["Prefer: wait=10"]),
    );
    assert.match(answer, /"status":"confirmed"/);
  });
});
