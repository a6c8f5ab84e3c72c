/** Bundles and tlog-proofs of a gateway whose checkpoints witnesses outside its network cosign. */

import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { parseBundle } from "../../../src/proof/format/bundle.ts";
import { parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import { parseTlogProof } from "../../../src/proof/format/tlog_proof.ts";
import { leafHash } from "../../../src/proof/crypto/hashing.ts";
import { verifyBundle } from "../../../src/proof/verify/bundle.ts";
import { countWitnessed } from "../../../src/proof/verify/witnessed_policy.ts";
import { verifyTlogProof } from "../../../src/proof/verify/tlog_proof.ts";
import { hashAt, TestNetwork, until } from "../fixture.ts";
import { eachScheme, nativeCrypto } from "../../schemes.ts";
import type { StrangersWitness } from "./foreign_witness.ts";
import { linesBy, planOf, policyOf, strangerTo, WitnessedGateway } from "./witnessed_gateway.ts";

/** The verdict on `text`, and the count by `policy`. */
async function verdictOf(home: TestNetwork, text: string, policy = policyOf(home, [])) {
  const { network } = home;
  const bundle = parseBundle(text);
  const verdict = await verifyBundle(nativeCrypto, { network, peers: [] }, bundle);
  const { checkpoint } = bundle.witnessed ?? {};
  const size = verdict.layers.witnessed?.tree_size;
  const counted = checkpoint === undefined || size === undefined
    ? undefined
    : await countWitnessed(nativeCrypto, network, parseLogPolicy(utf8(policy)), {
      checkpoint,
      size,
    });
  return { ...verdict, counted };
}

async function proofVerdict(policy: string, text: string) {
  const proof = parseTlogProof(text);
  const leaf = leafHash(nativeCrypto.kernels, proof.extra!);
  return await verifyTlogProof(nativeCrypto, parseLogPolicy(utf8(policy)), proof, leaf);
}

eachScheme.test("a bundle shows the first checkpoint that met the policy, and proves it", async (scheme) => {
  const home = new TestNetwork(scheme);
  await using one = strangerTo(home, "one");
  await using two = strangerTo(home, "two");
  const answer = Promise.withResolvers<void>();
  two.manner = async (_, honest) => {
    await answer.promise;
    return await honest();
  };
  const policy = policyOf(home, [one, two]);
  await using site = await WitnessedGateway.start(home, planOf(home, [one, two]));
  await site.publish();
  await site.cosigned(1);
  const hash = await hashAt(site.gateway, 0);
  const bundle = async () => await site.gateway.proofs.bundle(hash, undefined, true);
  const before = await verdictOf(home, await bundle(), policy);
  assert.deepEqual([before.level, before.counted], ["batched", {
    met: false,
    cosigners: ["s0"],
    reason: "threshold_not_met",
  }]);
  await site.publish();
  await site.publish();
  answer.resolve();
  await site.cosigned(2);
  // The second checkpoint was cosigned by one witness alone.
  for (const [sequence, size] of [[0, 1], [1, 3], [2, 3]] as const) {
    const text = await site.gateway.proofs.bundle(await hashAt(site.gateway, sequence));
    const { layers, level, unauthenticated, counted } = await verdictOf(home, text, policy);
    assert.equal(level, "batched");
    assert.deepEqual(unauthenticated.filter((path) => path.startsWith("witnessed")), []);
    const { status, tree_size } = layers.witnessed!;
    assert.deepEqual([status, tree_size], ["verified", size]);
    assert.deepEqual(counted, { met: true, cosigners: ["s0", "s1"] });
    const { checkpoint } = parseBundle(text).witnessed!;
    assert.equal(linesBy(checkpoint).length, 2);
    const proof = await site.gateway.proofs.tlogProof(await hashAt(site.gateway, sequence));
    const { valid, cosigners } = await proofVerdict(policy, proof);
    assert.ok(valid);
    assert.deepEqual(cosigners.map(({ name }) => name), ["s0", "s1"]);
  }
});

/** A bundle of the first attestation, cosigned by `witness`. */
async function cosignedBundle(home: TestNetwork, witness: StrangersWitness): Promise<string> {
  await using site = await WitnessedGateway.start(home, planOf(home, [witness]));
  await site.publish();
  await site.cosigned(1);
  let text = "";
  const hash = await hashAt(site.gateway, 0);
  await until(async () => (text = await site.gateway.proofs.bundle(hash)).includes("witnessed"));
  return text;
}

Deno.test("foreign cosignatures never count for the network's threshold, nor under another policy", async () => {
  const home = new TestNetwork();
  await using one = strangerTo(home, "one");
  await using two = strangerTo(home, "two");
  const text = await cosignedBundle(home, one);
  const parsed = parseBundle(text);
  const { witnessed, ...plain } = parsed;
  const unchanged = (await verdictOf(home, JSON.stringify(plain))).layers;
  const { witnessed: layer, ...layers } = (await verdictOf(home, text)).layers;
  assert.deepEqual(layers, unchanged);
  assert.equal(layer!.status, "verified");
  // One line of the network's witnesses is left, and the stranger's.
  const isOwn = (line: string) => line.startsWith(`\u2014 ${home.network.id}/w`);
  const lines = witnessed!.checkpoint.split("\n");
  const first = lines.findIndex(isOwn);
  const left = lines.filter((line, i) => i === first || !isOwn(line));
  const stolen = {
    ...parsed,
    witnessed: { ...witnessed!, checkpoint: left.join("\n") },
  };
  const { layers: { witnessed: found }, level } = await verdictOf(home, JSON.stringify(stolen));
  assert.deepEqual([found!.status, found!.reason, level], [
    "failed",
    "threshold_not_met",
    "batched",
  ]);
  const other = await verdictOf(home, text, policyOf(home, [two]));
  assert.deepEqual(other.counted, {
    met: false,
    cosigners: [],
    reason: "threshold_not_met",
  });
});
