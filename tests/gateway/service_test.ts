import assert from "node:assert/strict";
import { concat } from "../../src/base/bytes.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { signersOf } from "../kept_head.ts";
import { eachSchemeOfLongRuns } from "../long_runs.ts";
import { eachSchemeInSteps } from "../schemes.ts";
import { memoryStore, randomDigests, type RunningGateway, TestNetwork, until } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { askForEverything, type PublishedLog } from "./service_conformance.ts";

/** A log that successive processes open. */
interface Place {
  open(): Promise<LogStore>;
  readonly isLasting: boolean;
  remove(): Promise<void>;
}

const PLACES: Readonly<Record<string, () => Promise<Place>>> = {
  "in a test's memory": () => {
    const log = new MemoryLog(KV_LOG_LIMITS);
    return Promise.resolve({
      open: () => Promise.resolve(new MemoryLogStore(log)),
      isLasting: true,
      remove: () => Promise.resolve(assert.deepEqual(log.violations, [])),
    });
  },
  "on Deno KV in memory": () =>
    Promise.resolve({ open: memoryStore, isLasting: false, remove: () => Promise.resolve() }),
  "on Deno KV on disk": async () => {
    const folder = await Deno.makeTempDir();
    return {
      open: () => openKvLogStore(`${folder}/log.kv`, "network"),
      isLasting: true,
      remove: () => Deno.remove(folder, { recursive: true }),
    };
  },
};

/** Three batches; the last begins a second tile. */
async function publish({ gateway }: RunningGateway): Promise<PublishedLog> {
  const parts = [1, 40, 230].map(randomDigests);
  const sizes: number[] = [];
  for (const part of parts) {
    await gateway.jobs.submitAll(part, undefined);
    sizes.push((sizes.at(-1) ?? 0) + part.length / 32);
    // Answers change until all witnesses have signed the head.
    await until(() => {
      const { sth } = gateway.log.latest() ?? {};
      return sth !== undefined && sth.tree_head.tree_size === sizes.at(-1) &&
        signersOf(sth).length === gateway.network.witnesses.length;
    });
  }
  return { digests: concat(...parts), sizes };
}

for (const [name, make] of Object.entries(PLACES)) {
  const each = name === "in a test's memory" ? eachSchemeInSteps : eachSchemeOfLongRuns;
  each.test(`a gateway ${name} answers all requests, from memory and from the store`, async ({ scheme }) => {
    const place = await make();
    const network = new TestNetwork(scheme);
    try {
      const first = await network.start(await place.open());
      const log = await publish(first);
      const answers = await askForEverything(first.gateway, log);
      await first.gateway.stop();
      if (!place.isLasting) return;
      const second = await network.start(await place.open());
      assert.deepEqual(await askForEverything(second.gateway, log), answers);
      await second.gateway.stop();
      assert.deepEqual([...first.faults, ...second.faults], []);
    } finally {
      await place.remove();
    }
  });
}
