import assert from "node:assert/strict";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { utf8 } from "../../src/base/bytes.ts";
import { cosignatureMessage } from "../../src/proof/format/tree_head.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { randomDigests } from "./fixture.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { bls, eachScheme } from "../schemes.ts";

const TEN_MINUTES = 600_000;

function sizeOf(gateway: Gateway): number {
  return gateway.log.latest()?.sth.tree_head.tree_size ?? 0;
}

/** Sizes of all batches, oldest first. */
async function batchSizes(gateway: Gateway): Promise<number[]> {
  return (await gateway.log.batches(undefined, 100)).map(({ id }) => id).reverse();
}

eachScheme.test("a batch closes when its oldest attestation has reached the age", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open(), { maxAgeMs: 1_000 });
  assert.equal(await gateway.log.checkpoint(), undefined);
  assert.equal(gateway.log.latest()?.sth, undefined);
  await scenario.submit(gateway, randomDigests(1));
  await scenario.clock.advance(600);
  assert.equal((await jobOf(gateway, 0)).progress, "confirmed");
  await scenario.submit(gateway, randomDigests(1));
  await scenario.clock.advance(399);
  assert.equal(await sizeOf(gateway), 0);
  await scenario.clock.advance(2);
  assert.equal(await sizeOf(gateway), 2);
  assert.equal((await jobOf(gateway, 0)).progress, "batched");
  // The next one has a new age.
  await scenario.clock.advance(5_000);
  await scenario.submit(gateway, randomDigests(1));
  await scenario.clock.advance(998);
  assert.equal(await sizeOf(gateway), 2);
  await scenario.clock.advance(3);
  assert.deepEqual(await batchSizes(gateway), [2, 3]);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

eachScheme.test("a batch closes at once when it is full, at its maximum size", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open(), { maxAgeMs: 60_000, maxLeaves: 10 });
  await scenario.submit(gateway, randomDigests(9));
  await scenario.clock.advance(100);
  assert.equal(await sizeOf(gateway), 0);
  await scenario.submit(gateway, randomDigests(1));
  await scenario.clock.advance(1);
  assert.deepEqual(await batchSizes(gateway), [10]);
  await scenario.submit(gateway, randomDigests(25));
  await scenario.clock.advance(1);
  assert.deepEqual(await batchSizes(gateway), [10, 20, 30]);
  await scenario.clock.advance(60_001);
  assert.deepEqual(await batchSizes(gateway), [10, 20, 30, 35]);
  const batches = await gateway.log.batches(undefined, 100);
  assert.deepEqual(batches.map(({ first_index }) => first_index), [30, 20, 10, 0]);
  assert.deepEqual(batches.map((batch) => batch.attestation_count), [5, 10, 10, 10]);
  assert.deepEqual(await gateway.log.batches(30, 1), [await gateway.log.batch(20)]);
  assert.equal(await gateway.log.batch(21), undefined);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

/** The times of the checkpoint's cosignatures; requires all lines to verify. */
async function checkpointTimes(scenario: Scenario, gateway: Gateway): Promise<number[]> {
  const note = (await gateway.log.checkpoint())!;
  const [text = "", lines = ""] = note.split("\n\n");
  const [, ...cosignatures] = lines.trimEnd().split("\n");
  const { network } = scenario.network;
  return cosignatures.flatMap((line) => {
    const [, name, encoded] = line.split(" ");
    const bytes = Uint8Array.fromBase64(encoded!);
    const time = Number(new DataView(bytes.buffer).getBigUint64(4));
    if (network.signature_scheme === "bls") {
      const signers = network.witnesses.filter((_, witnessIndex) =>
        (bytes[12]! << witnessIndex) & 0x80
      );
      const keys = signers.map(({ pubkey }) => Uint8Array.fromHex(pubkey));
      const message = utf8(cosignatureMessage(time, `${text}\n`));
      assert.equal(name, network.id);
      assert.ok(bls.fastAggregateVerify(keys, message, bytes.slice(13), BLS_SIGNATURE_DST));
      return signers.map(() => time);
    }
    const key = network.witnesses.find(({ id }) => id === name)!;
    const message = utf8(cosignatureMessage(time, `${text}\n`));
    assert.ok(verifyNative(Uint8Array.fromHex(key.pubkey), message, bytes.slice(12)));
    return [time];
  });
}

eachScheme.test("without growth the checkpoint is cosigned again, and its size keeps the first head", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { clock } = scenario;
  const { gateway } = await scenario.start(scenario.open());
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway);
  const first = (await gateway.log.sthAt(3))!;
  const times = await checkpointTimes(scenario, gateway);
  // All three witnesses, of which the last answered after the threshold.
  assert.deepEqual(times, Array(3).fill(first.tree_head.timestamp));
  await clock.advance(TEN_MINUTES - 1_000);
  assert.deepEqual(await checkpointTimes(scenario, gateway), times);
  for (let refresh = 1; refresh <= 3; refresh++) {
    await clock.advance(refresh === 1 ? 2_000 : TEN_MINUTES);
    const [fresh] = await checkpointTimes(scenario, gateway);
    assert.ok(fresh! >= times[0]! + 600 * refresh && fresh! <= times[0]! + 600 * refresh + 3);
    assert.deepEqual(await gateway.log.sthAt(3), first);
  }
  assert.equal(scenario.log.sths.size, 1);
  assert.deepEqual(await batchSizes(gateway), [3]);
  // Later growth continues from it; a restart also requests a fresh one.
  await scenario.submit(gateway, randomDigests(1));
  await scenario.settle(gateway);
  await scenario.checkFinished(gateway);
  await gateway.stop();
  await clock.advance(5_000);
  const next = await scenario.start(scenario.open());
  const now = Math.floor(clock.nowMs() / 1000);
  assert.deepEqual(await checkpointTimes(scenario, next.gateway), [now, now]);
  await next.gateway.stop();
});

eachScheme.test("a checkpoint that cannot be refreshed stays until witnesses answer", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway, faults } = await scenario.start(scenario.open());
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway);
  const times = await checkpointTimes(scenario, gateway);
  for (const witness of scenario.network.witnesses) witness.down = true;
  await scenario.clock.advance(2 * TEN_MINUTES);
  assert.deepEqual(await checkpointTimes(scenario, gateway), times);
  for (const witness of scenario.network.witnesses) witness.down = false;
  await scenario.clock.advance(11_000);
  assert.ok((await checkpointTimes(scenario, gateway))[0]! >= times[0]! + 1_200);
  assert.deepEqual(faults, []);
  await gateway.stop();
});

for (const hours of [-1, -24, 1, 24]) {
  eachScheme.test(`a clock change of ${hours} h delays no batch and no refresh`, async (scheme) => {
    const scenario = new Scenario(scheme);
    const { clock } = scenario;
    const { gateway, faults } = await scenario.start(scenario.open(), { maxAgeMs: 1_000 });
    await scenario.submit(gateway, randomDigests(2));
    await clock.advance(500);
    clock.jump(hours * 3_600_000);
    await clock.advance(2_500);
    assert.equal(await sizeOf(gateway), 2);
    await scenario.submit(gateway, randomDigests(2));
    await clock.advance(1_500);
    assert.equal(await sizeOf(gateway), 4);
    clock.jump(hours * 3_600_000);
    await clock.advance(2 * TEN_MINUTES);
    const [time] = await checkpointTimes(scenario, gateway);
    const age = Math.floor(clock.nowMs() / 1000) - time!;
    assert.ok(age >= 0 && age <= 601, `the checkpoint is ${age} s old`);
    assert.equal((await jobOf(gateway, 0)).progress, "batched");
    await gateway.stop();

    clock.jump(hours * 3_600_000);
    const next = await scenario.start(scenario.open(), { maxAgeMs: 1_000 });
    await scenario.submit(next.gateway, randomDigests(2));
    await clock.advance(2_500);
    assert.equal(await sizeOf(next.gateway), 6);
    await clock.advance(TEN_MINUTES + 1_000);
    const [fresh] = await checkpointTimes(scenario, next.gateway);
    const freshAge = Math.floor(clock.nowMs() / 1000) - fresh!;
    assert.ok(freshAge >= 0 && freshAge <= 601, `the checkpoint is ${freshAge} s old`);
    await scenario.checkFinished(next.gateway);
    assert.deepEqual([faults, next.faults], [[], []]);
    await next.gateway.stop();
  });
}

eachScheme.test("a committed but unpublished head is published first, unchanged", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { witnesses } = scenario.network;
  const store = scenario.open();
  const first = await scenario.start(store);
  await scenario.submit(first.gateway, randomDigests(4));
  // The round is on disk; from here on no head is cosigned.
  store.fault = (kind) => {
    if (kind === "head") { for (const witness of witnesses) witness.down = true; }
    return undefined;
  };
  await scenario.clock.until(() => scenario.log.head?.head.size === 4);
  await scenario.clock.advance(60_000);
  assert.equal(await sizeOf(first.gateway), 0);
  assert.equal(await first.gateway.log.sthAt(4), undefined);
  await first.gateway.stop();
  const root = scenario.log.head!.head.root.toHex();

  const second = await scenario.start(scenario.open(), { acceptsBeforeWitnesses: true });
  await scenario.submit(second.gateway, randomDigests(4));
  await scenario.clock.advance(60_000);
  assert.equal(await sizeOf(second.gateway), 0);
  for (const witness of witnesses) witness.down = false;
  await scenario.settle(second.gateway);
  assert.equal((await second.gateway.log.sthAt(4))?.tree_head.root_hash, root);
  assert.deepEqual(await batchSizes(second.gateway), [4, 8]);
  await scenario.checkFinished(second.gateway);
  await second.gateway.stop();
});

eachScheme.test("a pending head is sent at once to witnesses that answer rounds again", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { witnesses } = scenario.network;
  const store = scenario.open();
  const { gateway } = await scenario.start(store, { maxLeaves: 10 });
  let isOut = false;
  store.fault = (kind) => {
    isOut ||= kind === "head";
    if (isOut) { for (const witness of witnesses) witness.down = true; }
    return undefined;
  };
  // One digest more than the maximum of a batch waits already.
  await scenario.submit(gateway, randomDigests(11));
  // By then ten seconds lie between two attempts; this is in the midst of them.
  await scenario.clock.advance(64_000);
  assert.equal(scenario.log.head?.head.size, 10);
  store.fault = () => undefined;
  for (const witness of witnesses) witness.down = false;
  await scenario.submit(gateway, randomDigests(2));
  await scenario.settle(gateway, 100);
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

eachScheme.test("a log without a head sleeps until there is growth", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open());
  const { clock } = scenario;
  const sleep = clock.sleep;
  let short = 0;
  clock.sleep = (ms, signal) => {
    if (ms < 100) short++;
    return sleep.call(clock, ms, signal);
  };
  await clock.advance(601_000);
  await clock.advance(1_000);
  assert.equal(short, 0);
  await gateway.stop();
});
