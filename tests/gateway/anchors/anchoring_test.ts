import assert from "node:assert/strict";
import { CountersignError } from "../../../src/base/errors.ts";
import { GIVE_UP_SECONDS } from "../../../src/gateway/anchors/anchor_ledger.ts";
import { coveringAnchors } from "../../../src/gateway/anchors/external_anchor.ts";
import { AnchoringSite, digestHex } from "./anchoring_site.ts";
import { configured, FakeService, type Misbehaviour, SlowService } from "./fake_service.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function sizesOf(records: readonly { readonly treeHead: { readonly tree_size: number } }[]) {
  return records.map(({ treeHead }) => treeHead.tree_size);
}

Deno.test("each service anchors each published head, and status() shows it once durable", async () => {
  await using site = new AnchoringSite();
  const services = ["one", "two"].map((name) => new FakeService(name, site.clock));
  const anchoring = site.start(...services.map((service) => configured(service)));
  await site.settle();
  assert.deepEqual(services.map(({ asked }) => asked), [[], []], "no head, no request");
  const heads = [];
  for (const size of [3, 7]) {
    heads.push(site.log.publish(size));
    await site.settle();
  }
  for (const { name, asked } of services) {
    assert.deepEqual(asked, heads.map(digestHex));
    assert.deepEqual(sizesOf(site.store.all(name)), [3, 7]);
    for (const record of site.store.all(name)) {
      assert.deepEqual([record.provider, record.status], ["fake", "confirmed"]);
      assert.ok(
        heads.includes(heads.find((head) => head.tree_size === record.treeHead.tree_size)!),
      );
    }
  }
  assert.equal(site.added.length, 4);
  assert.deepEqual(site.reports, []);
  assert.deepEqual(
    await anchoring.status(),
    ["one", "two"].map((name) => ({
      name,
      provider: "fake",
      mode: "best_effort",
      last: { treeSize: 7, timestamp: 1_800_000_000, status: "confirmed" },
      lastConfirmedSize: 7,
      pending: 0,
      givenUp: 0,
    })),
  );
  await site.stop();
  assert.equal(site.clock.sleeping, 0, "nothing waits after the end");
  assert.equal(site.log.listeners, 0);
});

Deno.test("heads published during a request share one anchor of the latest", async () => {
  await using site = new AnchoringSite();
  const service = new FakeService("slow", site.clock);
  site.start(configured(service));
  site.log.publish(1);
  for (const size of [2, 3, 4]) site.log.publish(size);
  await site.settle();
  assert.deepEqual(sizesOf(site.store.all("slow")).at(-1), 4);
  assert.ok(service.asked.length <= 2);
});

Deno.test("the interval is the minimum time between two anchors, also across a restart", async () => {
  await using site = new AnchoringSite();
  const service = new FakeService("hourly", site.clock);
  const anchor = configured(service, { intervalSeconds: 3_600 });
  site.start(anchor);
  for (let size = 1; size <= 150; size++) {
    site.log.publish(size);
    await site.clock.advance(MINUTE);
    if (size === 90) {
      // The time of the last anchored head is all that the next run knows.
      await site.stop();
      site.start(anchor);
    }
  }
  const gaps = service.askedAtMs.slice(1).map((ms, i) => ms - service.askedAtMs[i]!);
  assert.equal(gaps.length, 2);
  for (const gap of gaps) assert.ok(gap >= HOUR - MINUTE && gap <= HOUR + MINUTE, String(gap));
  // What came last is not forgotten when nothing follows it.
  await site.clock.advance(HOUR);
  assert.equal(sizesOf(site.store.all("hourly")).at(-1), 150);
});

Deno.test("a clock that is set back delays an anchor by at most one interval", async () => {
  await using site = new AnchoringSite();
  const service = new FakeService("hourly", site.clock);
  site.start(configured(service, { intervalSeconds: 3_600 }));
  site.log.publish(1);
  await site.settle();
  site.clock.jump(-7 * DAY);
  site.log.publish(2);
  await site.clock.advance(HOUR + MINUTE);
  assert.deepEqual(sizesOf(site.store.all("hourly")), [1, 2]);
});

const FAILURES: readonly (readonly [Misbehaviour, string])[] = [
  ["unreachable", "anchor_unreachable"],
  ["refusing", "anchor_refused"],
  ["mute", "anchor_unreachable"],
  ["lying", "anchor_refused"],
  ["garbled", "anchor_refused"],
  ["oversized", "anchor_refused"],
  ["broken", "internal"],
];

for (const [misbehaviour, code] of FAILURES) {
  Deno.test(`a service that is ${misbehaviour} for hours gets fewer and fewer requests, and nothing is stored`, async () => {
    await using site = new AnchoringSite();
    const [service, other] = [misbehaviour, "other"].map((name) =>
      new FakeService(name, site.clock)
    ) as [FakeService, FakeService];
    service.misbehaviour = misbehaviour;
    const anchoring = site.start(configured(service), configured(other));
    site.log.publish(5);
    await site.clock.advance(6 * HOUR);
    assert.deepEqual(site.store.all(service.name), []);
    assert.deepEqual(sizesOf(site.store.all("other")), [5], "the other goes its own way");
    const [status] = await anchoring.status();
    assert.equal(status?.fault?.code, code);
    assert.equal(status?.last, undefined);
    assert.equal(site.reports.length, 1, "told once");
    assert.match(site.reports[0]!, new RegExp(`^Anchor service ${service.name} fails: `));
    const gaps = service.askedAtMs.slice(1).map((ms, i) => ms - service.askedAtMs[i]!);
    const [patience] = misbehaviour === "mute" ? [180_000] : [0];
    assert.equal(gaps[0], 750 + patience, "at first soon");
    assert.equal(
      Math.max(...gaps),
      450_000 + patience,
      "with three quarters of ten minutes at last",
    );
    assert.ok(service.asked.length > 20, "for ever");

    site.log.publish(9);
    service.misbehaviour = undefined;
    await site.clock.advance(10 * MINUTE);
    assert.deepEqual(sizesOf(site.store.all(service.name)), [9], "caught up by the latest");
    assert.equal((await anchoring.status())[0]?.fault, undefined);
    assert.equal(site.reports.length, 2);
    assert.match(
      site.reports[1]!,
      new RegExp(`^Anchor service ${service.name} works again, after `),
    );

    service.misbehaviour = misbehaviour;
    site.log.publish(10);
    await site.clock.advance(10 * MINUTE);
    const [first = 0, second = 0] = service.askedAtMs.slice(service.asked.length - 3);
    assert.ok(second - first <= 200_000, "another failure is a first one");
    assert.equal(site.reports.length, 3);
    service.misbehaviour = undefined;
    await site.stop();
    assert.equal(site.clock.sleeping, 0);
  });
}

Deno.test("an anchor with a time far from now is not stored", async () => {
  for (const ahead of [-300, 300]) {
    await using site = new AnchoringSite();
    const service = new FakeService("one", site.clock);
    const anchoring = site.start(configured(service));
    site.log.publish(5);
    for (const wrong of [ahead + Math.sign(ahead), 1_000 * ahead]) {
      service.aheadSeconds = wrong;
      await site.clock.advance(MINUTE);
      assert.deepEqual(site.store.all("one"), [], `${wrong} s`);
      assert.equal((await anchoring.status())[0]?.fault?.code, "anchor_refused");
    }
    service.aheadSeconds = ahead;
    await site.clock.advance(10 * MINUTE);
    assert.equal(site.store.all("one").length, 1, `${ahead} s`);
  }
});

Deno.test("mode off sends no requests, and stored anchors stay visible", async () => {
  await using site = new AnchoringSite();
  const service = new FakeService("kept", site.clock);
  site.start(configured(service));
  site.log.publish(4);
  await site.settle();
  await site.stop();
  const anchoring = site.start(configured(service, { mode: "off" }));
  site.log.publish(8);
  await site.clock.advance(DAY);
  assert.equal(service.asked.length, 1);
  const [status] = await anchoring.status();
  assert.equal(status?.last?.treeSize, 4);
  assert.deepEqual(await anchoring.overdue(), []);
  const { records } = await coveringAnchors(site.store, [{ name: "kept" }], 2);
  assert.deepEqual(sizesOf(records), [4]);
});

Deno.test("mode required: overdue() reports a published head that lacks a confirmed anchor for too long", async () => {
  await using site = new AnchoringSite();
  const needed = new SlowService("needed", site.clock);
  const welcome = new FakeService("welcome", site.clock);
  welcome.misbehaviour = "unreachable";
  const anchoring = site.start(
    configured(needed, { mode: "required", maxDelaySeconds: 7_200 }),
    configured(welcome, { maxDelaySeconds: 60 }),
  );
  assert.deepEqual(await anchoring.overdue(), [], "nothing is published");
  const first = site.log.publish(10);
  await site.clock.advance(HOUR);
  const second = site.log.publish(20);
  await site.clock.advance(HOUR);
  assert.deepEqual(await anchoring.overdue(), [], "as old as allowed");
  await site.clock.advance(1_000);
  const overdue = { name: "needed", maxDelaySeconds: 7_200 };
  assert.deepEqual(await anchoring.overdue(), [
    { ...overdue, treeSize: 10, since: first.timestamp },
  ], "pending is not enough");

  needed.ready.add(digestHex(first));
  await site.clock.advance(10 * MINUTE);
  assert.deepEqual(await anchoring.overdue(), [], "the next oldest is younger");
  await site.clock.advance(HOUR);
  assert.deepEqual(await anchoring.overdue(), [
    { ...overdue, treeSize: 20, since: second.timestamp },
  ]);
  needed.ready.add(digestHex(second));
  await site.clock.advance(10 * MINUTE);
  assert.deepEqual(await anchoring.overdue(), []);
});

Deno.test("a later anchor covers all earlier heads", async () => {
  await using site = new AnchoringSite();
  const service = new FakeService("needed", site.clock);
  service.misbehaviour = "unreachable";
  const anchoring = site.start(configured(service, { mode: "required", maxDelaySeconds: 60 }));
  for (const size of [1, 2, 3]) {
    site.log.publish(size);
    await site.clock.advance(HOUR);
  }
  assert.equal((await anchoring.overdue())[0]?.treeSize, 1);
  service.misbehaviour = undefined;
  await site.clock.advance(10 * MINUTE);
  assert.deepEqual(sizesOf(site.store.all("needed")), [3]);
  assert.deepEqual(await anchoring.overdue(), []);
});

Deno.test("pending anchors are requested again, oldest first, and replaced when confirmed", async () => {
  await using site = new AnchoringSite();
  const service = new SlowService("slow", site.clock);
  const anchoring = site.start(configured(service));
  const heads = [];
  for (const size of [1, 2, 3]) {
    heads.push(site.log.publish(size));
    await site.settle();
  }
  assert.equal((await anchoring.status())[0]?.pending, 3);
  assert.deepEqual(sizesOf((await coveringAnchors(site.store, [{ name: "slow" }], 2)).records), [
    2,
  ]);
  await site.clock.advance(10 * MINUTE);
  assert.deepEqual(service.askedAgain, heads.map(digestHex));

  // A better one that is still pending is kept, under the time at which it was taken.
  const [taken] = site.store.all("slow");
  service.round = 1;
  await site.clock.advance(10 * MINUTE);
  const [better] = site.store.all("slow");
  assert.equal(better?.timestamp, taken?.timestamp);
  assert.notDeepEqual(better?.proof, taken?.proof);

  service.ready.add(digestHex(heads[1]!));
  await site.clock.advance(10 * MINUTE);
  assert.deepEqual(site.store.all("slow").map(({ status }) => status), [
    "pending",
    "confirmed",
    "pending",
  ]);
  const covering = await coveringAnchors(site.store, [{ name: "slow" }], 1);
  assert.deepEqual([sizesOf(covering.records), covering.final], [[2], true]);
  assert.equal((await coveringAnchors(site.store, [{ name: "slow" }], 3)).final, false);
  assert.equal((await anchoring.status())[0]?.pending, 2);
  assert.equal(service.asked.length, 3, "nothing was anchored twice");
});

Deno.test("a false upgrade is not stored and does not block others", async () => {
  await using site = new AnchoringSite();
  const service = new SlowService("slow", site.clock);
  const anchoring = site.start(configured(service));
  const heads = [1, 2].map((size) => site.log.publish(size));
  await site.settle();
  await site.stop();
  const again = site.start(configured(service));
  site.log.publish(3);
  await site.settle();
  for (const head of heads) service.ready.add(digestHex(head));
  service.misbehaviour = "lying";
  await site.clock.advance(HOUR);
  assert.ok(site.store.all("slow").every(({ status }) => status === "pending"));
  assert.equal((await again.status())[0]?.fault?.code, "anchor_refused");
  service.misbehaviour = undefined;
  await site.clock.advance(3 * HOUR);
  assert.equal((await again.status())[0]?.fault, undefined);
  assert.equal((await again.status())[0]?.lastConfirmedSize, 2);
  assert.equal((await anchoring.status())[0]?.lastConfirmedSize, 2);
});

Deno.test("an anchor that its service lost does not delay others", async () => {
  await using site = new AnchoringSite();
  const service = new SlowService("slow", site.clock);
  const anchoring = site.start(configured(service));
  await site.settle();
  for (const size of [1, 2, 3]) {
    const head = site.log.publish(size);
    (size === 2 ? service.lost : service.ready).add(digestHex(head));
    await site.settle();
  }
  await site.clock.advance(10 * MINUTE);
  assert.deepEqual(site.store.all("slow").map(({ status }) => status), [
    "confirmed",
    "pending",
    "confirmed",
  ]);
  assert.equal((await anchoring.status())[0]?.fault?.code, "anchor_refused");
});

Deno.test("requests after a long outage are made in rounds", async () => {
  await using site = new AnchoringSite();
  const service = new SlowService("slow", site.clock);
  site.start(configured(service));
  for (let size = 1; size <= 100; size++) {
    service.ready.add(digestHex(site.log.publish(size)));
    await site.settle();
  }
  const before = service.askedAgain.length;
  await site.clock.advance(10 * MINUTE);
  assert.equal(service.askedAgain.length - before, 32);
  await site.clock.advance(30 * MINUTE);
  assert.ok(site.store.all("slow").every(({ status }) => status === "confirmed"));
  assert.equal(new Set(service.askedAgain).size, 100);
});

Deno.test("a lost anchor is given up, reported, and replaced by a new one", async () => {
  await using site = new AnchoringSite();
  const service = new SlowService("forgetful", site.clock);
  const anchoring = site.start(configured(service));
  site.log.publish(6);
  await site.clock.advance(GIVE_UP_SECONDS * 1000 - DAY);
  assert.equal(service.asked.length, 1);
  await site.clock.advance(DAY + 20 * MINUTE);
  assert.deepEqual(site.reports, [
    "Anchor service forgetful did not complete its anchor of tree size 6 within 30 days",
  ]);
  assert.equal(service.asked.length, 2, "the latest head is not left without an anchor");
  const [status] = await anchoring.status();
  assert.deepEqual([status?.pending, status?.givenUp], [1, 0]);
  const [record] = site.store.all("forgetful");
  assert.ok(site.clock.nowMs() / 1000 - record!.timestamp < 3_600);
});

Deno.test("an anchor that was given up is not requested again after a restart", async () => {
  await using site = new AnchoringSite();
  const service = new SlowService("forgetful", site.clock);
  site.start(configured(service));
  const lost = site.log.publish(6);
  await site.settle();
  const kept = site.log.publish(7);
  await site.settle();
  service.ready.add(digestHex(kept));
  await site.clock.advance(GIVE_UP_SECONDS * 1000 + HOUR);
  await site.stop();
  const asked = service.askedAgain.length;
  const anchoring = site.start(configured(service));
  await site.clock.advance(DAY);
  assert.equal(service.askedAgain.length, asked);
  const [status] = await anchoring.status();
  assert.deepEqual([status?.pending, status?.givenUp], [0, 1]);
  assert.equal(service.asked.filter((digest) => digest === digestHex(lost)).length, 1);
  // One that waits beside it is asked for, and alone.
  const waiting = site.log.publish(8);
  await site.clock.advance(HOUR);
  assert.deepEqual(new Set(service.askedAgain.slice(asked)), new Set([digestHex(waiting)]));
});

Deno.test("a failing store does not cause a second anchor", async () => {
  await using site = new AnchoringSite();
  const service = new FakeService("one", site.clock);
  const anchoring = site.start(configured(service));
  await site.settle();
  site.store.fault = () => {
    throw new CountersignError("storage_failed", "Cannot store: room required, found none");
  };
  site.log.publish(5);
  await site.clock.advance(HOUR);
  assert.equal(service.asked.length, 1);
  assert.deepEqual(site.added, [], "nothing is shown that is not durable");
  site.store.fault = () => {};
  assert.equal((await anchoring.status())[0]?.fault?.code, "storage_failed");
  await site.clock.advance(10 * MINUTE);
  assert.equal(service.asked.length, 1);
  assert.deepEqual(sizesOf(site.added), [5]);
});

Deno.test("every service retries a damaged store", async () => {
  await using site = new AnchoringSite();
  const services = ["one", "two"].map((name) => new SlowService(name, site.clock));
  const anchoring = site.start(...services.map((service) => configured(service)));
  await site.settle();
  site.store.fault = () => {
    throw new CountersignError("store_corrupt", "Cannot read anchor: a whole one required");
  };
  site.log.publish(5);
  await site.settle();
  assert.ok(site.clock.sleeping >= 2, "each waits for its next try");
  site.store.fault = () => {};
  for (const { fault } of await anchoring.status()) assert.equal(fault?.code, "store_corrupt");
  await site.clock.advance(10 * MINUTE);
  assert.deepEqual(sizesOf(site.added), [5, 5]);
});
