import assert from "node:assert/strict";
import { concat } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import { signersOf } from "../kept_head.ts";
import { eachSchemeOfLongRuns } from "../long_runs.ts";
import { randomDigests, TestNetwork, until } from "./fixture.ts";
import { FrontSite } from "./front_site.ts";
import { askForEverything } from "./service_conformance.ts";
import { systemClock } from "../../src/base/clock.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { encodeCheckpointBody } from "../../src/proof/format/tree_head.ts";
import { StoreFollower } from "../../src/gateway/fronts/store_follower.ts";
import { RecordCheck } from "../../src/gateway/record_check.ts";
import { Epochs } from "../../src/gateway/succession/epochs.ts";
import { headReceiptMessage } from "../../src/proof/format/receipt_message.ts";
import { nativeCrypto } from "../schemes.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { FakeClock } from "../fake_clock.ts";
import { round, row } from "../storage/log_records.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { RecordingFollower } from "./recording_follower.ts";

const REFUSAL = { code: "standby" };

/** Whether the latest head has `size` leaves and the signatures of all witnesses. */
function isWhole(service: GatewayService, size: number): boolean {
  const sth = service.log.latest()?.sth;
  return sth?.tree_head.tree_size === size &&
    signersOf(sth).length === service.network.witnesses.length;
}

eachSchemeOfLongRuns.test("a front that follows the store answers all reads as the gateway does", ({ scheme }) =>
  FrontSite.with({ scheme }, async (site) => {
    const { gateway } = site;
    const fromEmpty = await site.standBy();
    const sizes: number[] = [];
    const parts = [randomDigests(1), randomDigests(230)];
    const submit = async (part: typeof parts[number]) => {
      await gateway.jobs.submitAll(part, undefined);
      sizes.push((sizes.at(-1) ?? 0) + part.length / 32);
      await until(() => isWhole(gateway, sizes.at(-1)!));
    };
    for (const part of parts) await submit(part);
    const joined = await site.standBy();
    parts.push(randomDigests(60));
    await submit(parts.at(-1)!);
    const log = { digests: concat(...parts), sizes };
    const answers = await askForEverything(gateway, log);
    for (const front of [fromEmpty, joined]) {
      await until(() => isWhole(front, sizes.at(-1)!));
      assert.deepEqual(await askForEverything(front, log, { repeats: false }), answers);
      assert.equal(front.log.checkpoint(), gateway.log.checkpoint());
      assert.equal(front.status.health, "standby");
    }
  }));

Deno.test("a front that follows the store takes no digest, and knows those that are taken", () =>
  FrontSite.with({}, async (site) => {
    const front = await site.standBy();
    const hash = randomDigests(1).toHex();
    await assert.rejects(async () => await front.jobs.submit(hash, undefined), REFUSAL);
    await assert.rejects(front.jobs.submitAll(randomDigests(3), undefined), REFUSAL);
    await site.gateway.jobs.submit(hash, undefined);
    // At once: it says of a hash that it is unknown only after it has read the store again.
    assert.ok(await front.jobs.get(hash, undefined));
    const unknown = randomDigests(1).toHex();
    await assert.rejects(async () => await front.jobs.get(unknown, undefined), {
      code: "hash_unknown",
    });
  }));

Deno.test("a front that cannot read the store serves what it has, and says of no hash that it is unknown", () =>
  FrontSite.with({}, async (site) => {
    const known = randomDigests(1).toHex();
    await site.gateway.jobs.submit(known, 10);
    let isAway = false;
    const front = await site.standBy((store) => {
      const { sths } = store;
      const firstAbove = sths.firstAbove.bind(sths);
      sths.firstAbove = (size) =>
        isAway
          ? Promise.reject(new CountersignError("storage_failed", "Connection refused"))
          : firstAbove(size);
    });
    isAway = true;
    const fresh = randomDigests(1).toHex();
    await site.gateway.jobs.submit(fresh, 10);
    assert.ok(await front.jobs.get(known, undefined));
    const away = { code: "storage_failed" };
    await assert.rejects(async () => await front.jobs.get(fresh, undefined), away);
    await assert.rejects(async () => await front.proofs.bundle(fresh), away);
    isAway = false;
    assert.ok(await front.jobs.get(fresh, undefined));
  }));

Deno.test("a front that loses the store while it starts goes on", () =>
  FrontSite.with({}, async (site) => {
    const hash = randomDigests(1).toHex();
    await site.gateway.jobs.submit(hash, 10);
    await until(() => isWhole(site.gateway, 1));
    let reads = 0;
    const front = await site.standBy(({ sths }) => {
      const below = sths.below.bind(sths);
      sths.below = (...args) =>
        ++reads === 2
          ? Promise.reject(new CountersignError("storage_failed", "Connection refused"))
          : below(...args);
    });
    assert.equal(reads, 2, "the heads before the latest one");
    assert.ok(await front.proofs.bundle(hash));
  }));

Deno.test("a follower reads no round again, however many follow one that is not signed", async () => {
  const stored = new MemoryLog();
  const count = 1_500;
  stored.rows.set(0, row(0, count));
  for (let first = 1; first < count; first++) stored.rounds.set(first, round(first, 1));
  const store = new MemoryLogStore(stored);
  const rounds = store.rounds.rounds.bind(store.rounds);
  let read = 0;
  store.rounds.rounds = async (...args) => {
    const page = await rounds(...args);
    read += page.length;
    return page;
  };
  const { network } = new TestNetwork();
  const epochs = new Epochs(network, []);
  const { ed25519: verify, bls } = nativeCrypto;
  const clock = new FakeClock();
  const opened = await StoreFollower.open({
    epochs,
    kernels,
    store,
    clock,
    check: new RecordCheck({ epochs, kernels, verify, bls }),
    presentChain: () => Promise.reject(new Error("no succession")),
    report: () => {},
  });
  const follower = new RecordingFollower();
  const stop = new AbortController();
  const following = opened.follow(follower, stop.signal);
  const { confirmed } = follower.state;
  assert.deepEqual(confirmed, { end: 0, beyond: [{ first: 1, end: count }] });
  read = 0;
  await clock.advance(10_000);
  assert.equal(read, 0);
  // More than one page is new, behind all that is known; then the first round is signed.
  stored.rows.set(count, row(count, 600));
  for (let first = count; first < count + 600; first++) stored.rounds.set(first, round(first, 1));
  await clock.advance(400);
  assert.deepEqual(follower.state.confirmed.beyond, [{ first: 1, end: count + 600 }]);
  stored.rounds.set(0, round(0, 1));
  await clock.advance(400);
  assert.deepEqual(follower.state.confirmed, { end: count + 600, beyond: [] });
  assert.equal(read, 601);
  stop.abort();
  await clock.advance(400);
  await following;
});

Deno.test("a follower opens a store whose log has ended an epoch since its configuration was read", async () => {
  const { log, epochs: [zero, one, two], links } = threeEpochs();
  const stored = new MemoryLog();
  for (const [i, link] of links.entries()) stored.links.set(i + 1, link);
  const sth = log.sth(log.size, 1_766_278_000);
  if (!("signatures" in sth)) throw new Error("an ed25519 log");
  const ids = two.configuration.witnesses.map(({ id }) => id);
  stored.sths.set(log.size, {
    size: log.size,
    timestamp: sth.tree_head.timestamp,
    root: Uint8Array.fromHex(sth.tree_head.root_hash),
    logSignature: Uint8Array.fromHex(two.logSignature(encodeCheckpointBody(sth.tree_head))),
    receiptSignature: two.log.sign(headReceiptMessage(two.log.publicKey, sth.tree_head)),
    signatures: sth.signatures.map(({ witness_id, signature }) => ({
      witness: ids.indexOf(witness_id),
      signature: Uint8Array.fromHex(signature),
    })),
  });
  for (const [known, { configuration }] of [zero, one].entries()) {
    const epochs = new Epochs(configuration, links.slice(0, known));
    const { ed25519: verify, bls } = nativeCrypto;
    await StoreFollower.open({
      epochs,
      kernels,
      store: new MemoryLogStore(stored),
      clock: systemClock,
      check: new RecordCheck({ epochs, kernels, verify, bls }),
      presentChain: () => Promise.resolve({ network: two.configuration, links }),
      report: () => {},
    });
    assert.deepEqual(epochs.chain, { network: two.configuration, links });
  }
});
