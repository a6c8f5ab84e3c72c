/**
 * A gateway without a proxy before it, and clients that break every rule of HTTP: it answers honest
 * ones meanwhile, keeps nothing of the others afterwards, and stops when it is told to.
 *
 * @module
 */

import assert from "node:assert/strict";
import { connect as connectHttp2 } from "node:http2";
import { utf8 } from "../../src/base/bytes.ts";
import { BODY_BOUNDS } from "../../src/http/limits.ts";
import { inFolder } from "../server/captured_io.ts";
import { IS_LONG } from "../long_runs.ts";
import { mutate } from "../fuzz/mutation.ts";
import { Random } from "../fuzz/random.ts";
import { spell } from "../fuzz/request_text.ts";
import { requestsOf } from "../fuzz/route_targets.ts";
import { ApiDocument } from "../http/api_document.ts";
import { eventually, whenSigned } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { assertAnswers, SMUGGLED } from "./answers.ts";
import { descriptorsOf, memoryOf } from "./process_figures.ts";
import { exchange, pause, RawConnection, requestText, within } from "./raw_connection.ts";

const READY = /^Countersign gateway of (\S+) on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
const SEED = 20_261_121;

/** Damaged requests that warm the process up, and those after which it is looked at. */
const WARM_REQUESTS = IS_LONG ? 600 : 200;
const DAMAGED_REQUESTS = IS_LONG ? 1_500 : 600;
const AT_ONCE = 24;
/** Milliseconds after which a server that has not answered is taken to wait for more, at first. */
const WAITING_MS = 150;
const MOST_WAITING_MS = 10_000;

/** Connections of each kind of bad client; idle ones are the cheapest to open. */
const DEAF = IS_LONG ? 16 : 6;
const FEW = IS_LONG ? 40 : 20;
const MANY = IS_LONG ? 200 : 70;
const IDLE = IS_LONG ? 3_000 : 1_000;

/** Milliseconds after which a body that is late has been refused, on a machine that has more to do. */
const PATIENCE_MS = 180_000;

/**
 * Bytes of resident memory by which a second wave of bad clients may make the process grow: what the
 * collector and the allocator have had no reason to give back. One wave of a long run is 3,500 connections,
 * 16 MiB of answers that no one reads and 30 MiB of bodies that do not end.
 */
const GROWTH_BYTES = (IS_LONG ? 192 : 96) * 1024 * 1024;

/** Connections whose bodies drip, and the bytes of memory that each may cost. */
const DRIPPING = 600;
const DRIP_MS = 1_500;
/** Between two bytes of a slow header, and after how many of them an honest client asks. */
const SLOW_MS = 400;
const ASKED_EVERY = 5;
const DRIPPING_BYTES = 150 * 1024;

interface Target {
  readonly server: Server;
  readonly port: number;
}

async function withGateway(
  fronts: number,
  test: (target: Target) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const args = ["serve", "--data", "data", "--port", "0", "--fronts", String(fronts)];
    const { server, match } = await Server.start(args, READY, { cwd: folder });
    await using _running = server;
    await test({ server, port: Number(match[2]) });
  });
}

let submitted = 0;

function newHash(): string {
  return (++submitted).toString(16).padStart(64, "0");
}

/** Requires that a hash is attested for a client that keeps to the rules. */
async function requireHonestAnswer({ port }: Target): Promise<void> {
  const body = JSON.stringify({ hash: newHash() });
  const { status, job } = await whenSigned(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v1/attestations`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Prefer": "wait=30" },
      body,
    });
    return { status: response.status, job: await response.json() };
  });
  assert.equal(status, 200, JSON.stringify(job));
  assert.equal(job.status, "confirmed");
}

/** Valid requests to every route of the gateway, as they go over a socket. */
async function validRequests({ port }: Target): Promise<Uint8Array<ArrayBuffer>[]> {
  const url = `http://127.0.0.1:${port}`;
  const document = new ApiDocument(await (await fetch(`${url}/openapi.json`)).text());
  const hash = newHash();
  const body = JSON.stringify({ hash });
  const headers = { "Content-Type": "application/json", "Prefer": "wait=30" };
  const posted = await fetch(`${url}/v1/attestations`, { method: "POST", headers, body });
  const job = await posted.json();
  const size = await eventually("a tree head", async () => {
    const response = await fetch(`${url}/v1/log/sth`);
    const sth = await response.json();
    return response.ok ? sth.tree_head.tree_size as number : undefined;
  });
  const known = { hash, signedAttestation: job.signed_attestation, sizes: [size, size] } as const;
  return requestsOf(document, known).map(spell);
}

async function sendDamaged(
  target: Target,
  random: Random,
  valid: readonly Uint8Array<ArrayBuffer>[],
  count: number,
): Promise<number> {
  let answered = 0;
  let left = count;
  let sent = 0;
  let waitingMs = WAITING_MS;
  const send = async () => {
    while (left-- > 0) {
      const input = mutate(random, random.pick(valid), valid);
      const text = Array.from(input, (byte) => String.fromCharCode(byte)).join("");
      const { received } = await exchange(target.port, text, { timeoutMs: waitingMs });
      answered += assertAnswers(received, text) > 0 ? 1 : 0;
      // Most are answered: where they seem not to be, the machine is slower than that.
      const isSlow = ++sent >= AT_ONCE && answered < 0.6 * sent;
      waitingMs = isSlow ? Math.min(MOST_WAITING_MS, 2 * waitingMs) : WAITING_MS;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return answered;
}

Deno.test("damaged requests over sockets are refused, and leave no memory behind", async () => {
  await withGateway(2, async (target) => {
    const random = new Random(SEED);
    const valid = await validRequests(target);
    for (const request of valid) {
      const text = new TextDecoder().decode(request);
      const { received } = await exchange(target.port, text);
      assert.ok(assertAnswers(received, text) === 1, received.slice(0, 300));
      assert.match(received, /^HTTP\/1\.1 (200|304) /);
    }
    await sendDamaged(target, random, valid, WARM_REQUESTS);
    const before = await memoryOf(target.server);
    const answered = await sendDamaged(target, random, valid, DAMAGED_REQUESTS);
    assert.ok(answered > DAMAGED_REQUESTS / 2, `${answered} were answered`);
    const growth = await memoryOf(target.server) - before;
    assert.ok(growth < GROWTH_BYTES, `grown by ${growth >> 20} MiB`);
    await requireHonestAnswer(target);
    assert.doesNotMatch(target.server.stderr, /countersign: /);
  });
});

Deno.test("requests that could be two are one, or refused", async () => {
  await withGateway(0, async (target) => {
    for (const { text, statuses } of SMUGGLED) {
      const { received } = await exchange(target.port, text, {
        timeoutMs: statuses.length === 0 ? 1_000 : 60_000,
        isAnswered: (received) =>
          statuses.length > 0 && received.split("HTTP/1.1 ").length > statuses.length,
      });
      const found = [...received.matchAll(/HTTP\/1\.1 ([0-9]{3}) /g)].map(([, s]) => Number(s));
      assert.deepEqual(found, statuses, `${JSON.stringify(text.slice(0, 200))}: ${received}`);
      assertAnswers(received, text);
    }
    await requireHonestAnswer(target);
  });
});

/** A body of 60,000 bytes of which `sent` come. */
function stopped(sent: number): string {
  const head = requestText("POST /v1/attestations", ["Content-Length: 60000"]);
  return head + " ".repeat(sent);
}

/** A bulk request whose answer is nearly a mebibyte. */
function bulk(hashes: readonly string[]): string {
  const body = JSON.stringify({ hashes });
  return "POST /v1/attestations/batch HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" +
    `Prefer: wait=15\r\nContent-Length: ${utf8(body).length}\r\n\r\n${body}`;
}

/** Opens every kind of bad connection; each does its worst. */
async function openBadConnections({ port }: Target) {
  const slow = await RawConnection.openMany(MANY, port);
  const half = await RawConnection.openMany(MANY, port);
  for (const connection of half) connection.write("POST /v1/attestations HTTP/1.1\r\nHost: a\r\n");
  const stoppedBodies = await RawConnection.openMany(FEW, port);
  for (const [i, connection] of stoppedBodies.entries()) connection.write(stopped(1_000 * i));
  const smallBodies = await RawConnection.openMany(FEW, port);
  for (const connection of smallBodies) {
    connection.write(requestText("POST /v1/attestations", ["Content-Length: 90"], "{"));
  }
  const hashes = Array.from({ length: 1_000 }, newHash);
  const deaf = await RawConnection.openMany(DEAF, port);
  for (const connection of deaf) {
    connection.stopReading();
    connection.write(bulk(hashes).repeat(3));
  }
  const idle: RawConnection[] = [];
  while (idle.length < IDLE) idle.push(...await RawConnection.openMany(500, port));
  return { slow, half, stoppedBodies, smallBodies, deaf, idle };
}

async function closeAll(bad: Readonly<Record<string, RawConnection[]>>): Promise<void> {
  await Promise.all(Object.values(bad).flat().map((connection) => connection.close()));
}

/** Connections that send part of a body and are reset. */
async function resetInBodies({ port }: Target): Promise<void> {
  const connections = await RawConnection.openMany(MANY, port);
  for (const [i, connection] of connections.entries()) connection.write(stopped(300 * i));
  await pause(100);
  await Promise.all(connections.map((connection) => connection.reset()));
}

/** 200 streams of one HTTP/2 connection whose window is closed. */
async function closedWindow({ port }: Target): Promise<void> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 0 } });
  const failed = new Promise((resolve) => session.once("error", resolve));
  for (let i = 0; i < MANY; i++) {
    const stream = session.request({ ":path": "/openapi.json" });
    stream.on("error", () => {});
    stream.pause();
  }
  await within(1_000, failed);
  session.destroy();
}

Deno.test("slow, silent, deaf and idle clients keep no one else waiting, and leave nothing", async () => {
  await withGateway(2, async (target) => {
    const descriptors = await descriptorsOf(target.server);
    // What one wave makes the process keep, the next one finds.
    await closeAll(await openBadConnections(target));
    await resetInBodies(target);
    await closedWindow(target);
    await requireHonestAnswer(target);
    const memory = await memoryOf(target.server);

    const start = performance.now();
    const bad = await openBadConnections(target);
    const header = requestText("GET /health", [`X-Slow: ${"a".repeat(2_000)}`]);
    await resetInBodies(target);
    await closedWindow(target);
    const bodies = [...bad.stoppedBodies, ...bad.smallBodies];
    for (let sent = 0; performance.now() - start < PATIENCE_MS; sent++) {
      for (const connection of bad.slow) connection.write(header[sent] ?? "a");
      if (sent % ASKED_EVERY === 0) await requireHonestAnswer(target);
      if (bodies.every((connection) => connection.status !== undefined)) break;
      await pause(SLOW_MS);
    }
    for (const connection of bodies) {
      assert.equal(connection.status, 400, "a body that is late is refused");
      assert.match(connection.received, /"code":"malformed_request"/);
    }
    assert.ok(performance.now() - start > BODY_BOUNDS.graceMs - 1_000, "refused before its time");
    assert.ok(await descriptorsOf(target.server) > descriptors + IDLE, "the idle are connected");

    await closeAll(bad);
    await eventually(
      "all descriptors are closed",
      async () => await descriptorsOf(target.server) <= descriptors + 16 ? true : undefined,
    );
    for (let i = 0; i < 20; i++) await requireHonestAnswer(target);
    const growth = await memoryOf(target.server) - memory;
    assert.ok(growth < GROWTH_BYTES, `grown by ${growth >> 20} MiB`);
    assert.doesNotMatch(target.server.stderr, /countersign: /);
  });
});

Deno.test("bodies that drip cost little more than their connections, and are given up", async () => {
  await withGateway(0, async (target) => {
    const descriptors = await descriptorsOf(target.server);
    await requireHonestAnswer(target);
    const memory = await memoryOf(target.server);
    const dripping: RawConnection[] = [];
    while (dripping.length < DRIPPING) {
      dripping.push(...await RawConnection.openMany(100, target.port));
    }
    for (const connection of dripping) connection.write(stopped(1));
    const start = performance.now();
    let most = 0;
    while (dripping.some(({ status }) => status === undefined)) {
      assert.ok(performance.now() - start < PATIENCE_MS, "a body that drips is still read");
      for (const connection of dripping) connection.write(" ");
      most = Math.max(most, await memoryOf(target.server) - memory);
      await requireHonestAnswer(target);
      await pause(DRIP_MS);
    }
    for (const { status, received } of dripping) assert.equal(status, 400, received);
    assert.ok(most < DRIPPING * DRIPPING_BYTES, `${most / DRIPPING >> 10} KiB for each connection`);
    await closeAll({ dripping });
    await eventually(
      "all descriptors are closed",
      async () => await descriptorsOf(target.server) <= descriptors + 16 ? true : undefined,
    );
  });
});

Deno.test("a gateway that bad clients hold on to stops all the same", async () => {
  await withGateway(2, async (target) => {
    await openBadConnections(target);
    const stopped = target.server.stop("SIGINT");
    // Most of the connections do not end by themselves.
    assert.ok(await within(60_000, stopped));
    assert.equal(await stopped, 0);
  });
});
