/** The whole pipeline over Deno KV on disk and the clock of the machine. */

import assert from "node:assert/strict";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { checkLog, hashesOf } from "./checker.ts";
import { hashAt, randomDigests, TestNetwork, until } from "./fixture.ts";
import { partOf } from "./scenario.ts";
import { eachScheme } from "../schemes.ts";

async function withFolder(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(`${folder}/log.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function sizeOf(gateway: Gateway): number {
  return gateway.log.latest()?.sth.tree_head.tree_size ?? 0;
}

eachScheme.test("many clients of three successive gateways leave a valid log on disk", (scheme) =>
  withFolder(async (path) => {
    const network = new TestNetwork(scheme);
    const hashes = new Map<string, number>();
    for (let life = 0; life < 3; life++) {
      const { gateway, faults } = await network.start(await openKvLogStore(path, "network"));
      for (const [hash, sequence] of hashes) {
        assert.equal(await gateway.eventLog.sequenceOf(hash), sequence);
      }
      const digests = randomDigests(1_500);
      await Promise.all(Array.from({ length: 300 }, async (_, client) => {
        for (const part of [client, (client + 7) % 300]) {
          const request = partOf(digests, part, 5);
          const sequences = await gateway.jobs.accept(request);
          hashesOf(request).forEach((hash, i) => {
            assert.equal(hashes.get(hash) ?? sequences[i], sequences[i]);
            hashes.set(hash, sequences[i]!);
          });
        }
      }));
      // The last gateway stops between acceptance and confirmation.
      if (life < 2) await until(async () => await sizeOf(gateway) === hashes.size);
      await gateway.stop();
      assert.deepEqual(faults, []);
    }
    const store = await openKvLogStore(path, "network");
    try {
      const checked = await checkLog(store, network.network);
      assert.equal(checked.accepted, 4_500);
      assert.ok(checked.published >= 3_000);
      for (const [hash, sequence] of hashes) assert.equal(checked.hashes[sequence], hash);
      assert.deepEqual(network.heads.forks, []);
    } finally {
      store.close();
    }
  }));

eachScheme.test("a second gateway takes over a file, and the first stops", (scheme) =>
  withFolder(async (path) => {
    const network = new TestNetwork(scheme);
    const first = await network.start(await openKvLogStore(path, "network"));
    await first.gateway.jobs.accept(randomDigests(20));
    const second = await network.start(await openKvLogStore(path, "network"));
    await second.gateway.jobs.accept(randomDigests(20));
    // Whichever the gateway finds first: another one writes, or its own write failed.
    const refused = { code: /^(standby|storage_failed)$/ };
    await assert.rejects(first.gateway.jobs.accept(randomDigests(1)), refused);
    assert.equal(first.faults.length, 1);
    assert.equal((first.faults[0] as { code?: string }).code, "fence_lost");
    await until(async () => await sizeOf(second.gateway) === 40);
    assert.deepEqual(second.faults, []);
    await first.gateway.stop();
    await second.gateway.stop();
    const store = await openKvLogStore(path, "network");
    const checked = await checkLog(store, network.network);
    store.close();
    assert.equal(checked.published, 40);
  }));

eachScheme.test("a gateway whose file is deleted accepts no digests and serves reads", (scheme) =>
  withFolder(async (path) => {
    const network = new TestNetwork(scheme);
    const messages: string[] = [];
    const { gateway, faults } = await network.start(await openKvLogStore(path, "network"), {
      report: (message) => messages.push(message),
    });
    await gateway.jobs.accept(randomDigests(20));
    await until(async () => await sizeOf(gateway) === 20);
    assert.equal(gateway.status.health, "ok");
    await Deno.remove(path);
    await until(() => gateway.status.health === "storage_failed");
    await assert.rejects(gateway.jobs.accept(randomDigests(1)), { code: "storage_failed" });
    assert.equal(await sizeOf(gateway), 20);
    await gateway.proofs.bundle(await hashAt(gateway, 7));
    assert.equal(messages.length, 1);
    assert.match(messages[0]!, /deleted/);
    // The process must continue, because only it has the deleted file open.
    assert.deepEqual(faults, []);
    await gateway.stop();
  }));
