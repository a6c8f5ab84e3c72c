/** `serve` with limits in its configuration, over real connections. */

import assert from "node:assert/strict";
import { inFolder } from "./captured_io.ts";
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

Deno.test("what is configured holds for clients and operators, each by who it is", async () => {
  await inFolder(async (root) => {
    const network = await ServedNetwork.create(root, "limited");
    await network.configure({
      operator: { host: "127.0.0.1", port: 0 },
      limits: { trusted_proxies: ["127.0.0.1"], reads: ONE, operator: ONE },
    });
    await network.serve(async ({ url, operatorUrl }) => {
      for (const asked of [`${url}/health`, `${operatorUrl}/ready`]) {
        // The second, unless each takes a second.
        assert.ok(await isRefused(() => statusOf(asked, "192.0.2.1"), 1_000), asked);
        assert.notEqual(await statusOf(asked, "192.0.2.2"), 429, asked);
      }
    });
    await network.configure({ limits: "off" });
    await network.serve(async ({ url, operatorUrl }) => {
      for (const asked of [`${url}/health`, `${operatorUrl}/ready`]) {
        assert.ok(!await isRefused(() => statusOf(asked, "192.0.2.1"), 20), asked);
      }
    });
  });
});
