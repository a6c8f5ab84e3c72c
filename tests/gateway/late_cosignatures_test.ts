import assert from "node:assert/strict";
import type { SthRecord } from "../../src/proof/format/records.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import type { CosignAnswer } from "../../src/proof/format/witness_request.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import { HeadPublisher } from "../../src/gateway/sequencing/head_publisher.ts";
import { PublishedHeads } from "../../src/gateway/sequencing/published_heads.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { verifySignedTreeHead } from "../../src/proof/verify/tree_head.ts";
import { FakeClock } from "../fake_clock.ts";
import { signersOf } from "../kept_head.ts";
import { eachScheme, nativeCrypto } from "../schemes.ts";
import { headCommit, sth } from "../storage/log_records.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { RecordingFollower } from "./recording_follower.ts";
import { Scenario } from "./scenario.ts";
import { WrappedWitness } from "./wrapped_witness.ts";

const LATE_MS = 700;

/** A witness that cosigns `LATE_MS` after it is asked, unless the request is cancelled. */
class LateWitness extends WrappedWitness {
  readonly #clock: FakeClock;
  /** Its cosignatures are those of another message. */
  isLying = false;

  constructor(client: WitnessClient, clock: FakeClock) {
    super(client);
    this.#clock = clock;
  }

  override async cosign(
    ...[request, signal]: Parameters<WitnessClient["cosign"]>
  ): Promise<CosignAnswer> {
    await this.#clock.sleep(LATE_MS, signal);
    signal.throwIfAborted();
    const answer = await this.client.cosign(request, signal);
    if (!this.isLying || answer.kind !== "cosigned") return answer;
    return { ...answer, signature: answer.signature.toReversed() };
  }
}

/** A gateway whose third witness cosigns late. */
async function startLate(scenario: Scenario, store = scenario.open()) {
  const [a, b, c] = scenario.network.witnesses;
  const late = new LateWitness(c!, scenario.clock);
  const running = await scenario.start(store, { witnesses: [a!, b!, late], maxAgeMs: 100 });
  return { ...running, late, store };
}

/** The number of witnesses that signed the head of `size`, and the checkpoint; both verify. */
async function signerCounts(scenario: Scenario, gateway: Gateway, size: number) {
  const { network } = scenario.network;
  const sth = (await gateway.log.sthAt(size))!;
  assert.equal((await verifySignedTreeHead(nativeCrypto, network, sth)).valid, true);
  const checkpoint = await verifyCheckpoint(nativeCrypto, network, gateway.log.checkpoint()!);
  assert.equal(checkpoint.valid, true);
  return [signersOf(sth).length, checkpoint.signers.length];
}

eachScheme.test("a cosignature that comes after the threshold is added to the head, once and for good", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway, store, faults } = await startLate(scenario);
  const follower = new RecordingFollower();
  gateway.sequencer.follow(follower, new AbortController().signal);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.clock.advance(400);
  assert.deepEqual(await signerCounts(scenario, gateway, 3), [2, 2]);
  const first = (await gateway.log.sthAt(3))!;
  await scenario.clock.advance(LATE_MS);
  assert.deepEqual(await signerCounts(scenario, gateway, 3), [3, 3]);
  const whole = (await gateway.log.sthAt(3))!;
  assert.deepEqual(whole.tree_head, first.tree_head);
  assert.ok(signersOf(first).every((id) => signersOf(whole).includes(id)));
  assert.equal(store.commits.get("signatures"), 1);
  assert.deepEqual(
    follower.lines.filter((line) => line.endsWith(" 3") && !line.startsWith("acc")),
    [
      "tree 3",
      "published 3",
      "extended 3",
    ],
  );
  assert.deepEqual(follower.state.latest, scenario.log.sths.get(3));
  await gateway.stop();
  assert.deepEqual([faults, scenario.log.violations], [[], []]);

  const next = await scenario.start(scenario.open());
  assert.deepEqual(await next.gateway.log.sthAt(3), whole);
  await next.gateway.stop();
});

eachScheme.test("a wrong cosignature that comes late is dropped, and counts as a failure", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway, store, late, faults } = await startLate(scenario);
  late.isLying = true;
  await scenario.submit(gateway, randomDigests(3));
  await scenario.clock.advance(2 * LATE_MS);
  assert.deepEqual(await signerCounts(scenario, gateway, 3), [2, 2]);
  assert.equal(store.commits.get("signatures"), undefined);
  const { witnesses } = gateway.status.resource();
  assert.equal(witnesses.find(({ id }) => id === late.id)?.last_error, "witness_refused");
  await gateway.stop();
  assert.deepEqual(faults, []);
});

eachScheme.test("the next head does not wait for a late cosignature, which is added to the earlier one", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway, faults } = await startLate(scenario);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.clock.advance(400);
  await scenario.submit(gateway, randomDigests(2));
  await scenario.clock.advance(200);
  assert.deepEqual(await signerCounts(scenario, gateway, 5), [2, 2]);
  await scenario.clock.advance(LATE_MS);
  assert.equal(signersOf((await gateway.log.sthAt(3))!).length, 3);
  // One late request of a witness is open at a time.
  assert.deepEqual(await signerCounts(scenario, gateway, 5), [2, 2]);
  await gateway.stop();
  assert.deepEqual([faults, scenario.log.violations], [[], []]);
});

eachScheme.test("a gateway that stops or fails to store a late cosignature keeps a valid head", async (scheme) => {
  for (const how of ["stop", "fail_not_stored", "fail_but_stored"] as const) {
    const scenario = new Scenario(scheme);
    const { gateway, store, faults } = await startLate(scenario);
    await scenario.submit(gateway, randomDigests(3));
    await scenario.clock.advance(400);
    if (how === "stop") await gateway.stop();
    else {
      store.fault = (operation) => operation === "signatures" ? how : undefined;
      await scenario.clock.advance(LATE_MS);
      assert.deepEqual(await signerCounts(scenario, gateway, 3), [2, 2]);
      assert.equal(gateway.status.health, "ok");
      await gateway.stop();
    }
    const next = await scenario.start(scenario.open());
    const { network } = scenario.network;
    const sth = (await next.gateway.log.sthAt(3))!;
    assert.equal((await verifySignedTreeHead(nativeCrypto, network, sth)).valid, true);
    assert.equal(signersOf(sth).length, how === "fail_but_stored" ? 3 : 2, how);
    await next.gateway.stop();
    assert.deepEqual([faults, scenario.log.violations], [[], []]);
  }
});

Deno.test("a stop waits for a late cosignature that is being stored, also after another process took the log", async () => {
  const scenario = new Scenario("ed25519");
  const stored = Promise.withResolvers<void>();
  const store = new MemoryLogStore(scenario.log, {
    reach: (operation) => operation === "signatures" ? stored.promise : Promise.resolve(),
    answer: () => Promise.resolve(),
  });
  const { gateway, faults } = await startLate(scenario, store);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.clock.advance(400 + LATE_MS);
  await scenario.submit(gateway, randomDigests(2));
  await scenario.open().takeFence();
  // The next head cannot be committed.
  await scenario.clock.advance(400);
  assert.match(String(faults), /fence/);
  const stopped = gateway.stop();
  await scenario.clock.advance(100);
  assert.equal(store.isClosed, false);
  stored.resolve();
  await stopped;
  assert.equal(store.isClosed, true);
  assert.deepEqual(scenario.log.violations, []);
});

Deno.test("HeadPublisher.extend() only adds signatures to the head of the same root and time", async () => {
  const store = new MemoryLogStore(new MemoryLog());
  await store.takeFence();
  await store.tree.commit(headCommit(null, 7));
  const clock = new FakeClock();
  const check = { head: () => Promise.resolve() };
  const heads = new PublishedHeads(store.sths, undefined);
  const writes = new StoreWrites(clock);
  const publisher = new HeadPublisher({ store: store.sths, writes, heads, check });
  const head = await publisher.publish(sth(7));
  const further = { witness: 3, signature: new Uint8Array(64).fill(3) };
  const signatures = [...sth(7).signatures as [], further];
  const whole: SthRecord = { ...sth(7), signatures };
  const refused: SthRecord[] = [
    { ...whole, root: whole.root.map((byte) => byte ^ 1) },
    { ...whole, timestamp: whole.timestamp + 1 },
    { ...whole, size: 8 },
    { ...whole, logSignature: whole.logSignature.map((byte) => byte ^ 1) },
    { ...whole, signatures: signatures.slice(1) },
    { ...whole, signatures: [further, ...signatures.slice(1), further] },
    { ...whole, signatures: { witnesses: [1, 2, 3], signature: new Uint8Array(48) } },
    head,
  ];
  for (const record of refused) {
    assert.equal(await publisher.extend(head, record), undefined);
    assert.deepEqual(await store.sths.at(7), head);
  }
  assert.equal(await publisher.extend(head, whole), whole);
  assert.deepEqual(await store.sths.at(7), whole);
  assert.equal(heads.latest, whole);
  // The store has another set by now.
  assert.equal(await publisher.extend(head, { ...whole, signatures: [...signatures] }), undefined);
});
