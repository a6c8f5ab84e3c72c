/**
 * `serve` without a configuration: the trial that a newcomer starts, stops and starts again.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { inFolder } from "../server/captured_io.ts";
import { ValidatingProxy } from "../http/validating_proxy.ts";
import { run, Server } from "./program.ts";

const READY = /^Countersign gateway of (\S+) on (http:\/\/127\.0\.0\.1:([0-9]+))$/m;
const HASH = "ab".repeat(32);
/** What waits for connections that their clients do not end does not stop at all. */
const STOP_MS = 120_000;

async function serve(folder: string, ...options: readonly string[]) {
  const args = ["serve", "--data", "data", "--port", "0", ...options];
  const { server, match } = await Server.start(args, READY, { cwd: folder });
  return { server, id: match[1]!, url: match[2]!, port: Number(match[3]) };
}

/** Submits `hash` through a proxy that holds request and answer against the OpenAPI document. */
async function attest(url: string, hash: string) {
  await using proxy = new ValidatingProxy(url);
  const response = await fetch(`${proxy.url}/v1/attestations`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=30" },
    body: JSON.stringify({ hash }),
  });
  return await response.json();
}

/** Milliseconds from the first signal to the end of the process, and its exit code. */
async function timedStop(server: Server, signals: readonly Deno.Signal[]) {
  const start = performance.now();
  for (const signal of signals.slice(1)) server.signal(signal);
  const code = await server.stop(signals[0]);
  return { code, tookMs: performance.now() - start };
}

Deno.test("a trial gateway creates its network once, and prints that it adds no trust", async () => {
  await inFolder(async (folder) => {
    const first = await serve(folder);
    await using gateway = first.server;
    assert.match(gateway.stdout, /trials/);
    const job = await attest(first.url, HASH);
    assert.equal(job.status, "confirmed");
    assert.equal(job.signed_attestation.signatures.length, 2);

    const second = await run(["serve", "--data", "data", "--port", "0"], { cwd: folder });
    assert.equal(second.code, 1);
    assert.match(second.stderr, /the gateway on http:\S+ uses it/);
    assert.equal((await timedStop(gateway, ["SIGINT", "SIGINT"])).code, 0);

    const third = await serve(folder);
    await using again = third.server;
    assert.equal(third.id, first.id);
    const found = await (await fetch(`${third.url}/v1/attestations/${HASH}`)).json();
    assert.deepEqual(found.signed_attestation, job.signed_attestation);
    const taken = ["serve", "--data", "other", "--port", String(third.port)];
    const refused = await run(taken, { cwd: folder });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^countersign: Cannot listen on 127\.0\.0\.1:[0-9]+: /m);
    assert.equal((await timedStop(again, ["SIGTERM"])).code, 0);
  });
});

Deno.test("a trial network keeps its signature scheme", async () => {
  await inFolder(async (folder) => {
    const first = await serve(folder, "--scheme", "bls");
    await using gateway = first.server;
    assert.match(gateway.stdout, /threshold 2, bls/);
    const { status, signed_attestation: signed } = await attest(first.url, HASH);
    assert.equal(status, "confirmed");
    assert.equal(signed.signatures, undefined);
    assert.deepEqual([signed.signature.length, signed.signers.length], [96, 2]);
    const config = await (await fetch(`${first.url}/v1/config`)).json();
    assert.equal(config.signature_scheme, "bls");
    assert.equal((await timedStop(gateway, ["SIGTERM"])).code, 0);

    const other = ["serve", "--data", "data", "--port", "0", "--scheme", "ed25519"];
    const refused = await run(other, { cwd: folder });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /--scheme ed25519: its scheme is bls/);
    const again = await serve(folder);
    await using second = again.server;
    assert.equal(again.id, first.id);
    const found = await (await fetch(`${again.url}/v1/attestations/${HASH}`)).json();
    assert.deepEqual(found.signed_attestation, signed);
    assert.equal((await timedStop(second, ["SIGTERM"])).code, 0);
  });
});

Deno.test("a trial gateway that is killed during its first start works after the next", async () => {
  await inFolder(async (folder) => {
    const { server, url, id } = await serve(folder);
    const jobs = Array.from({ length: 64 }, (_, i) => i.toString(16).padStart(64, "0"));
    const answers = jobs.map((hash) => attest(url, hash).catch(() => undefined));
    await attest(url, HASH);
    await server.kill();
    const accepted = (await Promise.all(answers)).filter((job) => job !== undefined);
    const again = await serve(folder);
    await using gateway = again.server;
    assert.equal(again.id, id);
    for (const { hash } of [...accepted, { hash: HASH }]) {
      const response = await fetch(`${again.url}/v1/attestations/${hash}`);
      assert.equal(response.status, 200);
      await response.body?.cancel();
    }
    assert.equal((await timedStop(gateway, ["SIGTERM"])).code, 0);
  });
});

Deno.test("a gateway stops while clients are connected and wait", async () => {
  await inFolder(async (folder) => {
    const { server, port } = await serve(folder);
    await using gateway = server;
    const open = async (text: string) => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      await connection.write(utf8(text));
      return connection;
    };
    const body = `{"hash":"${HASH}"}`;
    const connections = await Promise.all([
      open("GET /health HTTP/1.1\r\nHost: half-open\r\n"),
      open("POST /v1/attestations HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf a body"),
      open("GET /health HTTP/1.1\r\nHost: idle\r\n\r\n"),
      open(
        "POST /v1/attestations HTTP/1.1\r\nHost: waiting\r\nPrefer: wait=30\r\n" +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
      open(
        "GET /v1/attestations/" + "cd".repeat(32) +
          " HTTP/1.1\r\nPrefer: wait=30\r\nHost: a\r\n\r\n",
      ),
    ]);
    const { code, tookMs } = await timedStop(gateway, ["SIGINT", "SIGTERM"]);
    assert.equal(code, 0);
    assert.ok(tookMs < STOP_MS, `${tookMs} ms`);
    for (const connection of connections) connection.close();
  });
});

Deno.test("a witness node stops cleanly on a signal, and starts again", async () => {
  await inFolder(async (folder) => {
    const made = await run(["init", "--witnesses", "1", "--out", "net"], { cwd: folder });
    assert.equal(made.code, 0);
    const file = join(folder, "net", "witness-1", "witness.json");
    const configuration = JSON.parse(await Deno.readTextFile(file));
    await Deno.writeTextFile(file, JSON.stringify({ ...configuration, port: 0 }));
    const ready = /^Witness \S+ on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
    for (const signals of [["SIGINT", "SIGINT"], ["SIGTERM"]] as const) {
      const { server, match } = await Server.start(["witness", file], ready, { cwd: folder });
      await using witness = server;
      const port = Number(match[1]);
      const halfOpen = await Deno.connect({ hostname: "127.0.0.1", port });
      await halfOpen.write(utf8("POST /v1/sign HTTP/1.1\r\n"));
      const { code, tookMs } = await timedStop(witness, signals);
      assert.equal(code, 0);
      assert.ok(tookMs < STOP_MS, `${tookMs} ms`);
      halfOpen.close();
    }
  });
});
