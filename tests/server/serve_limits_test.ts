/** `serve` with limits in its configuration, over real connections. */

import assert from "node:assert/strict";
import { serveGateway } from "../../src/server/gateway/gateway_server.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";
import { ServedNetwork } from "./served_network.ts";

const ONE = { per_second: 1, burst: 1 };

async function statusOf(url: string, forwarded: string): Promise<number> {
  const response = await fetch(url, { headers: { "X-Forwarded-For": forwarded } });
  await response.body?.cancel();
  return response.status;
}

/** Whether one of `count` requests, one after the other, is refused. */
async function isRefused(ask: () => Promise<number>, count: number): Promise<boolean> {
  for (let i = 0; i < count; i++) if (await ask() === 429) return true;
  return false;
}

Deno.test("configured limits hold for each client and for operators", async () => {
  await inFolder(async (root) => {
    const network = await ServedNetwork.create(root, "limited");
    await network.configure({
      operator: { host: "127.0.0.1", port: 0 },
      limits: { trusted_proxies: ["127.0.0.1"], reads: ONE, operator: ONE },
    });
    await network.serve(async ({ url, operatorUrl }) => {
      for (const asked of [`${url}/v1/config`, `${operatorUrl}/ready`]) {
        // The second, unless each takes a second.
        assert.ok(await isRefused(() => statusOf(asked, "192.0.2.1"), 1_000), asked);
        assert.notEqual(await statusOf(asked, "192.0.2.2"), 429, asked);
      }
    });
    await network.configure({ limits: "off" });
    await network.serve(async ({ url, operatorUrl }) => {
      for (const asked of [`${url}/v1/config`, `${operatorUrl}/ready`]) {
        assert.ok(!await isRefused(() => statusOf(asked, "192.0.2.1"), 20), asked);
      }
    });
  });
});

/** How many of 200 requests at once are refused; each of them is answered. */
async function refusedOf(operatorUrl: string): Promise<number> {
  const statuses = await Promise.all(
    Array.from({ length: 200 }, () => statusOf(`${operatorUrl}/ready`, "192.0.2.1")),
  );
  return statuses.filter((status) => status === 429).length;
}

Deno.test("a configuration without limits has the defaults", async () => {
  await inFolder(async (root) => {
    const network = await ServedNetwork.create(root, "default");
    await network.configure({ limits: undefined, operator: { host: "127.0.0.1", port: 0 } });
    await network.serve(async ({ operatorUrl }) => {
      // 100 are let in, unless the others take 5 s.
      let refused = 0;
      for (let i = 0; i < 50 && refused === 0; i++) refused = await refusedOf(operatorUrl);
      assert.ok(refused > 0);
    });
  });
});

Deno.test("a trial network has no limits", async () => {
  await inFolder(async (root) => {
    const io = new CapturedIo({ folder: root });
    const stop = new AbortController();
    const options = { host: "127.0.0.1", port: 0, operatorPort: 0, data: "trial", insecure: false };
    const running = serveGateway(options, io, stop.signal);
    try {
      await Promise.race([running, io.printed(/operators: http:\S+/)]);
      const operatorUrl = /operators: (http:\S+)/.exec(io.stdout)?.[1] ?? "";
      assert.equal(await refusedOf(operatorUrl), 0);
    } finally {
      stop.abort();
      await running;
    }
  });
});
