import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import type { GatewayRun } from "../../src/server/gateway/gateway_run.ts";
import type { GatewayStores } from "../../src/server/gateway/gateway_stores.ts";
import { standBy } from "../../src/server/gateway/standby.ts";
import { TestNetwork } from "../gateway/fixture.ts";

Deno.test("a standby whose start fails again and again closes what it opened", async () => {
  const stop = new AbortController();
  let [open, opened] = [0, 0];
  const failing = () => {
    throw new CountersignError("storage_failed", "Cannot reach the store");
  };
  const reads = new Proxy({}, { get: () => failing });
  const stores = {
    lease: {
      reach: () => Promise.resolve(),
      take: () => Promise.resolve({ heldBy: { name: "other" }, timeline: "1" }),
    },
    readLinks: () => Promise.resolve([]),
    openLog() {
      assert.equal(open, 0);
      if (++opened === 3) stop.abort();
      open++;
      const sets = ["rounds", "tree", "sths", "index", "spent", "spentIndex", "successions"];
      return Promise.resolve({
        ...Object.fromEntries(sets.map((name) => [name, reads])),
        close: () => open--,
      });
    },
  } as unknown as GatewayStores;
  const { network } = new TestNetwork("ed25519", 1, 1);
  const reported: string[] = [];
  const run = {
    signal: stop.signal,
    damage: { take: () => false },
    operator: { network, witnesses: [] },
    options: { host: "127.0.0.1", port: 0 },
    paths: {},
    crypto: { kernels: undefined, bls: undefined },
    report: (text: string) => reported.push(text),
  } as unknown as GatewayRun;
  assert.equal(await standBy(run, stores), undefined);
  assert.deepEqual([opened, open, reported], [3, 0, ["Cannot reach the store"]]);
});
