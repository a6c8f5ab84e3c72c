/**
 * A running log gets ML-DSA-44 keys by a succession. Gateway, front and witnesses are processes with
 * their own permissions.
 *
 * @module
 */

import assert from "node:assert/strict";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { parseSuccessionChain } from "../../src/proof/format/succession.ts";
import { type FollowedNetwork, followSuccession } from "../../src/proof/verify/followed_network.ts";
import { type CheckpointResult, verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { bls, nativeCrypto } from "../schemes.ts";
import { eventually } from "./deployment.ts";
import { SuccessionSite } from "./succession_site.ts";

const NAMES = ["w1", "w2", "w3"];

async function submit(site: SuccessionSite, hash: string): Promise<void> {
  const response = await fetch(new URL("/v1/attestations", site.url), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ hash }),
  });
  await response.body?.cancel();
  assert.ok(response.ok, `${response.status}`);
}

/** The verified checkpoint, once `isEnough`. */
async function checkpointOf(
  site: SuccessionSite,
  network: FollowedNetwork,
  isEnough: (result: CheckpointResult) => boolean | undefined,
): Promise<CheckpointResult> {
  return await eventually("a checkpoint", async () => {
    const note = await site.get("/checkpoint");
    if (note === undefined) return undefined;
    const result = await verifyCheckpoint(nativeCrypto, network, note);
    return isEnough(result) ? result : undefined;
  });
}

Deno.test("a succession adds ML-DSA-44 keys to a running log, and earlier pins follow it", async () => {
  await using site = await SuccessionSite.create("ed25519", 1, "--batch-max-age-ms", "100");
  const file = `${site.folder}/net/network.public.json`;
  const pinned = parseNetwork(await Deno.readTextFile(file), bls);
  await Promise.all(NAMES.map((name) => site.startWitness(name)));
  await site.startGateway();
  await submit(site, "ab".repeat(32));
  const size = await eventually("a head", async () => {
    const size = await site.size();
    return size > 0 ? size : undefined;
  });
  await site.prepare({ witnesses: NAMES, threshold: 2, addsMlDsa: true });
  const succession = await site.document(size);
  for (const name of NAMES) {
    await site.killWitness(name);
    await site.startWitness(name);
  }
  // Its witnesses have the keys, its configuration not yet.
  await submit(site, "cd".repeat(32));
  const before = await checkpointOf(site, pinned, () => true);
  assert.deepEqual([before.valid, before.mlDsa], [true, undefined]);
  const checked = await site.countersign(
    "config",
    "check",
    "net/successor.json",
    ...NAMES.map((name) => `net/${name}/witness.json`),
  );
  assert.equal(checked.code, 0, checked.stdout + checked.stderr);

  // With the prepared configuration, whose files it needs permission for.
  await site.killGateway();
  await site.startGateway();
  await site.install(succession);
  await eventually("epoch 1", async () => await site.epoch() === 1 ? true : undefined);
  await site.settle();
  await submit(site, "ef".repeat(32));
  const chain = parseSuccessionChain((await site.get("/v1/succession"))!);
  const { network, failure } = await followSuccession(nativeCrypto, pinned, chain);
  assert.equal(failure, undefined);
  const after = await checkpointOf(site, network, ({ mlDsa }) => mlDsa?.witnesses.length === 3);
  assert.deepEqual([after.valid, after.required, after.mlDsa!.log], [true, 2, true]);
  const policy = (await site.get("/policy"))!.split("\n");
  assert.equal(policy.filter((line) => line.startsWith("witness ")).length, 6);

  // The next start reads the keys of the present configuration.
  await site.killGateway();
  await site.startGateway();
  await checkpointOf(site, network, ({ mlDsa }) => mlDsa?.log === true);
});
