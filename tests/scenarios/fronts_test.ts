/**
 * `serve --fronts`: every service of a gateway whose clients are answered by other threads than the one
 * that writes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { SocketClient, StreamClient } from "../http/event_clients.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { IS_LONG } from "../long_runs.ts";
import { inFolder } from "../server/captured_io.ts";
import { valueOf } from "../http/metrics/page_samples.ts";
import { run, Server } from "./program.ts";

const READY = /^Countersign gateway of \S+ on (http:\S+)$[^]*^ {2}Embedded witnesses/m;
const SLOW_MS = 120_000;
/** With two there is another than the one that was asked; each costs as much as a small test. */
const SEVERAL = IS_LONG ? 3 : 2;

interface Served {
  readonly server: Server;
  readonly url: string;
  readonly operatorUrl: string;
  readonly socketsUrl: string;
}

async function serve(folder: string, fronts: number, port = 0): Promise<Served> {
  const args = [
    "serve",
    "--data",
    "data",
    "--port",
    String(port),
    "--fronts",
    String(fronts),
    "--operator-port",
    "0",
    "--event-sockets-port",
    "0",
    "--batch-max-age-ms",
    "50",
  ];
  const { server, match } = await Server.start(args, READY, { cwd: folder });
  const found = (pattern: RegExp) => pattern.exec(server.stdout)![1]!;
  return {
    server,
    url: match[1]!,
    operatorUrl: found(/^ {2}operators: (\S+)$/m),
    socketsUrl: found(/^ {2}sockets: +(\S+)$/m),
  };
}

async function post(url: string, body: unknown, headers = {}): Promise<Response> {
  return await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

// deno-lint-ignore no-explicit-any
async function json(answer: Response | Promise<Response>): Promise<any> {
  return await (await answer).json();
}

for (const fronts of IS_LONG ? [1, SEVERAL] : [SEVERAL]) {
  Deno.test(`--fronts ${fronts}: submissions, proofs, events, page and operators`, () =>
    inFolder(async (folder) => {
      const { server, url, operatorUrl, socketsUrl } = await serve(folder, fronts);
      await using _ = server;
      const stream = await StreamClient.open(`${url}/v1/events?after=v1.0.0.0.0.0`, {});
      const socket = await SocketClient.open(`${socketsUrl}/ws/events`, []);
      const [alone, ...many] = randomHashes(50) as [string, ...string[]];

      const job = await json(
        post(`${url}/v1/attestations`, { hash: alone }, { Prefer: "wait=30" }),
      );
      assert.equal(job.status, "confirmed");
      assert.equal(job.signed_attestation.attestation.sequence, 0);
      const bulk = await json(
        post(`${url}/v1/attestations/batch`, { hashes: many }, { Prefer: "wait=30" }),
      );
      assert.deepEqual(bulk.map((one: { hash: string }) => one.hash), many);
      await until(async () => {
        const { progress } = await json(fetch(`${url}/v1/attestations/${many.at(-1)}`));
        return progress === "batched";
      }, SLOW_MS);
      for (const hash of [alone, many[7]!]) {
        const bundle = await (await fetch(`${url}/v1/bundle/${hash}`)).text();
        const file = `${folder}/${hash}.json`;
        await Deno.writeTextFile(file, bundle);
        const verified = await run(
          [
            "verify-proof",
            "--bundle",
            file,
            "--network-config",
            "data/network/network.public.json",
          ],
          { cwd: folder },
        );
        assert.equal(verified.code, 0, verified.stdout + verified.stderr);
      }
      await stream.seen(100);
      await socket.seen(100);
      assert.match(await (await fetch(`${url}/`)).text(), /<!doctype html>/i);
      assert.deepEqual(await json(fetch(`${operatorUrl}/ready`)), { ready: true, reasons: [] });
      const page = await (await fetch(`${operatorUrl}/metrics`)).text();
      assert.equal(valueOf(page, "countersign_accepted_total"), 50);
      const submitted = { route: "/v1/attestations", method: "POST", status: "2xx" };
      assert.equal(valueOf(page, "countersign_http_requests_total", submitted), 1);
      assert.equal(valueOf(page, "countersign_event_connections"), 2);
      for (const thread of ["sequencer", `front-${fronts}`]) {
        assert.ok(valueOf(page, "countersign_thread_cpu_seconds_total", { thread })! > 0, thread);
      }

      const refused = await json(fetch(`${url}/v1/none`));
      assert.equal(refused.code, "route_not_found");
      const { closed } = socket;
      assert.equal(await server.stop(), 0, server.stderr);
      assert.equal((await closed).code, 1001);
      await stream.ended;
      assert.match(server.stderr, /Stopping/);
    }));
}

Deno.test("one hash that all fronts receive at once has one sequence", () =>
  inFolder(async (folder) => {
    const { server, url, operatorUrl } = await serve(folder, SEVERAL);
    await using _ = server;
    const others = randomHashes(2);
    for (const hash of randomHashes(IS_LONG ? 10 : 4)) {
      const bodies = [{ hash }, { hash }, { hashes: [others[0], hash, others[1], hash] }];
      const answers = await Promise.all(Array.from({ length: 60 }, async (_, i) => {
        const body = bodies[i % bodies.length]!;
        const path = "hash" in body ? "" : "/batch";
        return await json(post(`${url}/v1/attestations${path}`, body, { Prefer: "wait=30" }));
      }));
      const sequences = answers.flat()
        .filter((job) => job.hash === hash)
        .map((job) => job.signed_attestation.attestation.sequence);
      assert.ok(sequences.length >= 60, JSON.stringify(answers[2]));
      assert.equal(new Set(sequences).size, 1);
    }
    const page = await (await fetch(`${operatorUrl}/metrics`)).text();
    assert.equal(valueOf(page, "countersign_accepted_total"), IS_LONG ? 12 : 6);
    for (let number = 1; number <= SEVERAL; number++) {
      const front = `front-${number}`;
      assert.ok(valueOf(page, "countersign_front_requests_total", { front })! > 0, front);
    }
    assert.equal(await server.stop(), 0);
  }));

Deno.test("what was acknowledged before SIGTERM is served after the next start, with any fronts", () =>
  inFolder(async (folder) => {
    const acknowledged: string[] = [];
    let stopped = false;
    for (const fronts of IS_LONG ? [3, 0, 1] : [2, 0]) {
      const { server, url } = await serve(folder, fronts);
      await using _ = server;
      for (const hash of acknowledged) {
        const answer = await fetch(`${url}/v1/attestations/${hash}`);
        assert.equal(answer.status, 200, await answer.text());
      }
      stopped = false;
      const clients = [1, 2, 3, 4].map(async () => {
        while (!stopped) {
          const [hash] = randomHashes(1);
          try {
            const answer = await post(`${url}/v1/attestations`, { hash });
            await answer.body?.cancel();
            if (answer.ok) acknowledged.push(hash!);
          } catch {
            // The connection was closed.
          }
        }
      });
      const count = acknowledged.length + 40;
      await until(() => acknowledged.length > count, SLOW_MS);
      assert.equal(await server.stop(), 0, server.stderr);
      stopped = true;
      await Promise.all(clients);
    }
  }));

Deno.test("a second gateway cannot take the data or the ports of one with fronts", () =>
  inFolder(async (folder) => {
    const port = freePorts(1);
    const { server } = await serve(folder, 2, port);
    await using _ = server;
    for (const fronts of IS_LONG ? ["0", "2"] : ["2"]) {
      const options = ["--port", String(port), "--fronts", fronts];
      const sameData = await run(["serve", "--data", "data", ...options], { cwd: folder });
      assert.equal(sameData.code, 1);
      assert.match(sameData.stderr, /the gateway on http:\S+ uses it/);
      const samePort = await run(["serve", "--data", `other${fronts}`, ...options], {
        cwd: folder,
      });
      assert.equal(samePort.code, 1, samePort.stdout);
      assert.match(samePort.stderr, /Cannot listen on .*: another process uses the port/);
    }
    assert.equal(await server.stop(), 0);
  }));
