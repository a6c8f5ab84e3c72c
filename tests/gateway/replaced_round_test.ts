import assert from "node:assert/strict";
import { concat } from "../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { UPPER_NODE_HEIGHT } from "../../src/proof/format/records.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { hashAt } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { Scenario } from "./scenario.ts";

Deno.test("a round that is not the one in the tree leaves no proof of its leaves", async () => {
  for (const size of [1, 20, 300]) {
    const log = new MemoryLog(KV_LOG_LIMITS);
    const scenario = new Scenario("ed25519", log);
    const first = await scenario.start(scenario.open());
    await scenario.submitRounds(first.gateway, 300, size);
    await first.gateway.stop();
    // Its nodes are those of its digests, at another time.
    const [start, round] = [...log.rounds].find(([start, { size }]) => start + size > 100)!;
    const timestamp = round.timestamp + 1;
    const rows = await scenario.open().rounds.rows(start, start + round.size);
    const from = (start - rows[0]!.first) * 32;
    const packed = concat(...rows.map(({ digests }) => digests));
    const { levels } = buildRoundTree(kernels, {
      networkId: scenario.network.network.id,
      timestamp,
      first: start,
      digests: packed.slice(from, from + round.size * 32),
    });
    const upperNodes = (levels[UPPER_NODE_HEIGHT] ?? levels.at(-1)!).slice();
    log.rounds.set(start, { ...round, timestamp, upperNodes });
    const { gateway } = await scenario.start(scenario.open());
    const hash = await hashAt(gateway, 100);
    const damaged = { code: "store_corrupt" };
    await assert.rejects(async () => await gateway.proofs.bundle(hash), damaged, `${size}`);
    await assert.rejects(async () => await gateway.proofs.merkleProof(hash), damaged);
    // All is in memory now. A throw would leave the other reads of a bundle unhandled.
    await assert.rejects(gateway.proofs.bundle(hash) as Promise<string>, damaged);
    await assert.rejects(async () => await gateway.proofs.inclusion(hash, 300), damaged);
    await gateway.stop();
  }
});
