import assert from "node:assert/strict";
import { join } from "node:path";
import { dataPathsOf } from "../../src/server/data_paths.ts";
import { superviseGateway } from "../../src/server/front_supervisor.ts";
import type { RolePermissions } from "../../src/server/role_permissions.ts";
import { threadPermissions } from "../../src/server/thread_permissions.ts";
import { until } from "../gateway/fixture.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { valueOf } from "../telemetry/page_samples.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";

const ROLE_WORKER = new URL("../../src/server/role_worker.ts", import.meta.url);
const FAILING = new URL("./failing_front.ts", import.meta.url);
const SLOW_MS = 120_000;

interface Supervised {
  readonly url: string;
  readonly operatorUrl: string;
  readonly io: CapturedIo;
  /** Ends all fronts that run now with an error. */
  failFronts(): Promise<void>;
}

/** Serves a trial network with fronts that can be made to fail, while `use` runs. */
async function supervised(
  count: number,
  use: (supervised: Supervised) => Promise<void>,
): Promise<void> {
  await inFolder(async (folder) => {
    const io = new CapturedIo({ folder });
    const fail = join(folder, "fail");
    await Deno.writeTextFile(fail, "");
    await Deno.utime(fail, 0, 0);
    const module = new URL(`?fail=${encodeURIComponent(fail)}`, FAILING);
    const options = {
      ...{ port: 0, host: "127.0.0.1", insecure: false, batchMaxAgeMs: 50, operatorPort: 0 },
      data: join(folder, "data"),
    };
    const permissions = threadPermissions(undefined, options, dataPathsOf(options, io));
    const readingFile = (granted: RolePermissions) => ({
      ...granted,
      read: [...granted.read, fail],
    });
    const stop = new AbortController();
    const ended = superviseGateway(
      {
        ...{ options, fronts: count },
        permissions: {
          ...permissions,
          firstFront: readingFile(permissions.firstFront),
          front: readingFile(permissions.front),
        },
      },
      { sequencer: ROLE_WORKER, front: module },
      io,
      stop.signal,
    );
    ended.catch(() => {});
    try {
      await Promise.race([ended, io.printed(/ on http:\S+/)]);
      await use({
        io,
        url: / on (http:\S+)/.exec(io.stdout)?.[1] ?? "",
        operatorUrl: /operators: (http:\S+)/.exec(io.stdout)?.[1] ?? "",
        failFronts: () => Deno.writeTextFile(fail, "now"),
      });
    } finally {
      stop.abort();
      await ended.catch(() => {});
    }
    assert.equal(await ended, 0, io.errLines.join("\n"));
  });
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
  supervised(2, async ({ url, operatorUrl, io, failFronts }) => {
    const acknowledged: string[] = [];
    const stop = new AbortController();
    const clients = [1, 2, 3].map(() => submitUntil(url, stop.signal, acknowledged));
    const restarted = (count: number) =>
      io.errLines.filter((line) => line.includes("listens again")).length === count;
    try {
      await until(() => acknowledged.length > 20, SLOW_MS);
      await failFronts();
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
  supervised(1, async ({ url, operatorUrl, io, failFronts }) => {
    const posts = async () => {
      const page = await (await fetch(`${operatorUrl}/metrics`)).text();
      return valueOf(page, "countersign_http_requests_total", {
        ...{ route: "/v1/attestations", method: "POST", status: "2xx" },
      });
    };
    for (const hash of randomHashes(5)) await (await submit(url, hash)).body?.cancel();
    assert.equal(await posts(), 5);
    await failFronts();
    await until(() => io.errLines.some((line) => line.includes("listens again")), SLOW_MS);
    for (const hash of randomHashes(3)) await (await submit(url, hash)).body?.cancel();
    assert.equal(await posts(), 8);
  }));
