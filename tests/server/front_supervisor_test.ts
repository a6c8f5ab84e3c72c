import assert from "node:assert/strict";
import { join } from "node:path";
import type { CountersignError } from "../../src/base/errors.ts";
import { dataPathsOf } from "../../src/server/data_paths.ts";
import { superviseGateway } from "../../src/server/fronts/front_supervisor.ts";
import type { RolePermissions } from "../../src/server/roles/role_permissions.ts";
import { threadPermissions } from "../../src/server/roles/thread_permissions.ts";
import { freePorts } from "../free_ports.ts";
import { until } from "../gateway/fixture.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { valueOf } from "../http/metrics/page_samples.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

const FAILING = new URL("./failing_thread.ts", import.meta.url);
const SLOW_MS = 120_000;

interface Supervised {
  readonly url: string;
  readonly operatorUrl: string;
  readonly io: CapturedIo;
  /** The end of the gateway. */
  readonly ended: Promise<number>;
  /** Makes the named threads that run now end with an error. */
  fail(...names: readonly string[]): Promise<void>;
  /** Makes the named thread that runs now loop for ever. */
  loop(name: string): Promise<void>;
}

/** Serves a trial network, whose threads can be made to fail, until `use` returns. */
async function supervise(
  count: number,
  use: (supervised: Supervised) => Promise<void>,
): Promise<PromiseSettledResult<number>> {
  let result: Promise<number> | undefined;
  await inFolder(async (folder) => {
    const io = new CapturedIo({ folder });
    const fail = join(folder, "fail");
    await Deno.writeTextFile(fail, "");
    await Deno.utime(fail, 0, 0);
    const options = {
      host: "127.0.0.1",
      insecure: false,
      batchMaxAgeMs: 50,
      operatorPort: 0,
      // Of a port that the system assigned, a client could be assigned the same while no front listens.
      port: freePorts(1),
      data: join(folder, "data"),
    };
    const permissions = threadPermissions([undefined], options, dataPathsOf(options, io));
    const readingFile = (granted: RolePermissions) => ({
      ...granted,
      read: [...granted.read, fail],
    });
    const stop = new AbortController();
    const ended = result = superviseGateway(
      {
        options,
        fronts: count,
        permissions: {
          ...permissions,
          supervisor: readingFile(permissions.supervisor),
          sequencer: readingFile(permissions.sequencer),
          front: readingFile(permissions.front),
        },
      },
      { sequencer: FAILING, front: FAILING },
      io,
      stop.signal,
    );
    ended.catch(() => {});
    try {
      await Promise.race([ended, io.printed(/ on http:\S+/)]);
      await use({
        io,
        ended,
        url: / on (http:\S+)/.exec(io.stdout)?.[1] ?? "",
        operatorUrl: /operators: (http:\S+)/.exec(io.stdout)?.[1] ?? "",
        fail: (...names) => Deno.writeTextFile(fail, names.join()),
        loop: (name) => Deno.writeTextFile(fail, `loop ${name}`),
      });
    } finally {
      stop.abort();
      await ended.catch(() => {});
    }
  });
  const [settled] = await Promise.allSettled([result!]);
  return settled;
}

async function supervised(
  count: number,
  use: (supervised: Supervised) => Promise<void>,
): Promise<void> {
  assert.deepEqual(await supervise(count, use), { status: "fulfilled", value: 0 });
}

async function submit(url: string, hash: string): Promise<Response> {
  return await fetch(`${url}/v1/attestations`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ hash }),
  });
}

/** Submits new hashes until `stop` aborts; adds those that the gateway acknowledged. */
async function submitUntil(url: string, stop: AbortSignal, acknowledged: string[]): Promise<void> {
  while (!stop.aborted) {
    const [hash] = randomHashes(1);
    try {
      const answer = await submit(url, hash!);
      await answer.body?.cancel();
      if (answer.ok) acknowledged.push(hash!);
    } catch {
      // The front of this connection has ended.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

Deno.test("fronts that end are replaced, and nothing acknowledged is lost", () =>
  supervised(2, async ({ url, operatorUrl, io, fail }) => {
    const acknowledged: string[] = [];
    const stop = new AbortController();
    const clients = [1, 2, 3].map(() => submitUntil(url, stop.signal, acknowledged));
    const restarted = (count: number) =>
      io.errLines.filter((line) => line.includes("listens again")).length === count;
    try {
      await until(() => acknowledged.length > 20, SLOW_MS);
      await fail("front-1", "front-2");
      await until(() => restarted(2), SLOW_MS);
      const before = acknowledged.length;
      await until(() => acknowledged.length > before + 20, SLOW_MS);
    } finally {
      stop.abort();
      await Promise.all(clients);
    }
    for (const name of ["front-1", "front-2"]) {
      const line = new RegExp(`${name} has ended unexpectedly; starting another one`);
      assert.equal(io.errLines.filter((text) => line.test(text)).length, 1, name);
    }
    for (const hash of acknowledged) {
      const answer = await fetch(`${url}/v1/attestations/${hash}`);
      assert.equal(answer.status, 200, await answer.text());
    }
    const page = await (await fetch(`${operatorUrl}/metrics`)).text();
    for (const front of ["front-1", "front-2"]) {
      assert.equal(valueOf(page, "countersign_front_restarts_total", { front }), 1);
    }
  }));

Deno.test("counters do not fall when a front is replaced", () =>
  supervised(1, async ({ url, operatorUrl, io, fail }) => {
    const posts = async () => {
      const page = await (await fetch(`${operatorUrl}/metrics`)).text();
      return valueOf(page, "countersign_http_requests_total", {
        route: "/v1/attestations",
        method: "POST",
        status: "2xx",
      });
    };
    for (const hash of randomHashes(5)) await (await submit(url, hash)).body?.cancel();
    assert.equal(await posts(), 5);
    await fail("front-1");
    await until(() => io.errLines.some((line) => line.includes("listens again")), SLOW_MS);
    for (const hash of randomHashes(3)) await (await submit(url, hash)).body?.cancel();
    assert.equal(await posts(), 8);
  }));

for (const name of ["front-2", "sequencer"]) {
  Deno.test(`${name} in an endless loop ends the gateway with a reason`, async () => {
    const result = await supervise(2, async ({ io, loop, ended }) => {
      await loop(name);
      await ended.catch(() => {});
      assert.deepEqual(io.errLines.filter((line) => line.includes("unexpectedly")), []);
    });
    assert.equal(result.status, "rejected");
    const { code, message } = result.reason as CountersignError;
    assert.equal(code, "internal");
    const thread = name === "sequencer" ? "The sequencer" : name;
    assert.equal(message, `${thread} has not responded for 10 s. Start the gateway again`);
  });
}
