import assert from "node:assert/strict";
import { concat, textOf } from "../../src/base/bytes.ts";
import { EventFeed } from "../../src/gateway/events/event_feed.ts";
import {
  ALL_EVENTS,
  type EventPosition,
  START_POSITION,
} from "../../src/gateway/events/event_ports.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { systemClock } from "../../src/base/clock.ts";
import { FEED_LIMITS } from "../../src/http/events/event_bounds.ts";
import { signersOf } from "../kept_head.ts";
import { eachSchemeOfLongRuns } from "../long_runs.ts";
import { hashesOf } from "./checker.ts";
import { nameOf, Transcript } from "./event_site.ts";
import { randomDigests, until } from "./fixture.ts";
import { FrontSite, type LinkedFront } from "./front_site.ts";
import { askForEverything, type PublishedLog } from "./service_conformance.ts";
import { Spending } from "./spending.ts";

const WAIT_SECONDS = 30;

function sizeOf(service: GatewayService): number {
  return service.log.latest()?.sth.tree_head.tree_size ?? 0;
}

/** Whether the latest head has `size` leaves and the signatures of all witnesses. */
function isWhole(service: GatewayService, size: number): boolean {
  const sth = service.log.latest()?.sth;
  return sth?.tree_head.tree_size === size &&
    signersOf(sth).length === service.network.witnesses.length;
}

/** Submits digests to the services in turn; returns the log once all services know its last head. */
async function publish(
  services: readonly GatewayService[],
  counts: readonly number[],
): Promise<PublishedLog> {
  const parts = counts.map(randomDigests);
  const sizes: number[] = [];
  for (const [i, part] of parts.entries()) {
    await services[i % services.length]!.jobs.submitAll(part, undefined);
    sizes.push((sizes.at(-1) ?? 0) + part.length / 32);
    await until(() => services.every((service) => isWhole(service, sizes.at(-1)!)));
  }
  return { digests: concat(...parts), sizes };
}

function progressOf({ json }: { readonly json: string }): string {
  return (JSON.parse(json) as JobSnapshotMembers).progress;
}

eachSchemeOfLongRuns.test("fronts answer all requests, with the bytes of the gateway's answers", ({ scheme }) =>
  FrontSite.with({ scheme }, async (site) => {
    const { gateway, running } = site;
    const first = await site.join();
    const second = await site.join();
    const log = await publish([first.front, gateway, second.front], [1, 40, 230]);
    const answers = await askForEverything(gateway, log);
    assert.deepEqual(await askForEverything(first.front, log), answers);
    const late = await site.join();
    assert.deepEqual(await askForEverything(late.front, log), answers);
    assert.equal(late.front.log.checkpoint(), gateway.log.checkpoint());
    assert.equal(first.front.log.checkpoint(), gateway.log.checkpoint());
    const { sth, witnesses, ...status } = late.front.status.resource();
    assert.equal(sth!.tree_size, 271);
    assert.equal(witnesses.length, 3);
    assert.deepEqual(status, { status: "ok", pending_count: 0 });
    assert.deepEqual(running.faults, []);
  }));

Deno.test("a front catches up before each read", () =>
  FrontSite.with({}, async (site) => {
    const { front: first } = await site.join();
    const { front: second } = await site.join({ isLate: true });
    for (let round = 0; round < 5; round++) {
      const hash = randomDigests(1).toHex();
      const accepted = await first.jobs.submit(hash, undefined);
      const read = await second.jobs.get(hash, undefined);
      assert.ok(["unconfirmed", "confirmed", "batched"].includes(progressOf(read)));
      assert.equal(second.eventLog.accepted, round + 1);
      if (progressOf(accepted) !== "unconfirmed") assert.notEqual(progressOf(read), "unconfirmed");
      await first.jobs.submit(hash, WAIT_SECONDS);
      assert.notEqual(progressOf(await second.jobs.get(hash, undefined)), "unconfirmed");
      await until(() => isWhole(first, round + 1));
      assert.deepEqual(second.log.latest(), first.log.latest());
      assert.equal(second.log.checkpoint(), first.log.checkpoint());
      assert.equal(await second.proofs.bundle(hash), await first.proofs.bundle(hash));
      assert.equal(progressOf(await second.jobs.get(hash, undefined)), "batched");
      assert.equal(second.status.resource().sth?.tree_size, round + 1);
    }
  }));

Deno.test("every member of a front catches up first", () =>
  FrontSite.with({}, async (site) => {
    const { front, link } = await site.join();
    let caughtUp = false;
    link.catchUp = () => {
      caughtUp = true;
    };
    const { epochs, jobs, proofs, log, status, eventLog } = front;
    for (const part of [front, epochs, jobs, proofs, log, status, eventLog]) {
      const members = part === front ? ["network"] : Object.keys(part);
      assert.ok(members.length > 0);
      for (const name of members) {
        caughtUp = false;
        try {
          const member = Reflect.get(part, name);
          if (typeof member === "function") await member();
        } catch {
          // Most methods fail without arguments.
        }
        assert.ok(caughtUp, name);
      }
    }
  }));

Deno.test("one digest sent to two fronts and the gateway at once has one sequence", () =>
  FrontSite.with({}, async (site) => {
    const [first, second] = [await site.join(), await site.join()];
    const services = [first.front, site.gateway, second.front];
    const digests = randomDigests(60);
    const [shared, own] = [digests.slice(0, 32 * 30), digests.slice(32 * 30)];
    const jobs = await Promise.all([
      ...services.map(({ jobs }) => jobs.submitAll(concat(shared, shared), WAIT_SECONDS)),
      ...hashesOf(shared).flatMap((hash) =>
        services.map(({ jobs }) => jobs.submit(hash, WAIT_SECONDS))
      ),
      ...services.map(({ jobs }) => jobs.submitAll(own, WAIT_SECONDS)),
    ]);
    const sequences = new Map<string, Set<number>>();
    for (const { json } of jobs) {
      const text = typeof json === "string" ? json : textOf(json);
      const list = [JSON.parse(text)].flat() as JobSnapshotMembers[];
      for (const { hash, signed_attestation } of list) {
        const { sequence } = signed_attestation!.attestation;
        sequences.set(hash, (sequences.get(hash) ?? new Set()).add(sequence));
      }
    }
    assert.deepEqual([...sequences.keys()].sort(), hashesOf(digests).sort());
    for (const found of sequences.values()) assert.equal(found.size, 1);
    assert.equal(site.gateway.eventLog.accepted, 60);
  }));

/** Lets a late front catch up until `answer` has settled. */
async function deliver<T>({ link }: LinkedFront, answer: Promise<T>): Promise<T> {
  const timer = setInterval(() => link.catchUp(), 2);
  try {
    return await answer;
  } finally {
    clearInterval(timer);
  }
}

Deno.test("a front that lost updates joins again and answers the requests that wait", () =>
  FrontSite.with({}, async (site) => {
    const { gateway, network: { witnesses } } = site;
    const old = await publish([gateway], [3]);
    const late = await site.join({ isLate: true });
    const { front, link } = late;
    const stop = new AbortController();
    const published: number[] = [];
    front.log.onPublished(() => published.push(sizeOf(front)), stop.signal);
    let progress = 0;
    front.eventLog.onProgress(() => progress++, stop.signal);

    // Lost: confirmations and heads.
    for (const witness of witnesses) witness.down = true;
    const digests = randomDigests(40);
    const waiting = front.jobs.submitAll(digests, WAIT_SECONDS);
    await deliver(late, until(() => front.waiters === 1));
    for (const witness of witnesses) witness.down = false;
    await until(() => isWhole(gateway, 43));
    const { length } = published;
    const before = progress;
    assert.equal(front.waiters, 1);
    link.lap();
    assert.equal(front.waiters, 0);
    assert.equal((await waiting).waiting, -1);
    assert.ok(progress > before);
    assert.deepEqual(published.slice(length), [43]);

    // Lost: the outcome of an assign, and its updates.
    const more = randomDigests(1);
    const submitted = front.jobs.submit(more.toHex(), undefined);
    await until(() => isWhole(gateway, 44));
    link.lap();
    assert.equal(progressOf(await deliver(late, submitted)), "batched");
    assert.equal(gateway.eventLog.accepted, 44);

    // Nothing lost: later updates continue the last snapshot.
    const last = randomDigests(300);
    await deliver(late, front.jobs.submitAll(last, WAIT_SECONDS));
    await deliver(late, until(() => isWhole(front, 344)));
    const log = { digests: concat(old.digests, digests, more, last), sizes: [3, 43, 44, 344] };
    const answers = await askForEverything(gateway, log);
    assert.deepEqual(await deliver(late, askForEverything(front, log)), answers);
    stop.abort();
  }));

Deno.test("events of all fronts are those of the gateway, and a cursor of one continues at another", () =>
  FrontSite.with({}, async (site) => {
    const { gateway } = site;
    const { front: first } = await site.join();
    const { front: second } = await site.join({ isLate: true });
    const feeds = [gateway, first, second].map(({ eventLog }) =>
      new EventFeed({
        log: eventLog,
        clock: systemClock,
        report: (error) => assert.fail(String(error)),
        limits: FEED_LIMITS,
      })
    );
    const connect = async (feed: EventFeed, after: EventPosition) => {
      const transcript = new Transcript(ALL_EVENTS, () => {});
      transcript.subscription = await feed.subscribe({ filter: ALL_EVENTS, after });
      transcript.reader = transcript.subscription.read(transcript);
      return transcript;
    };
    const live = await connect(feeds[1]!, START_POSITION);
    await publish([first, gateway], [2, 5, 60]);
    // Two events for each attestation, two for each head.
    const count = 2 * 67 + 2 * 3;
    await until(() => live.events.length === count);
    for (const feed of feeds) {
      const replayed = await connect(feed, START_POSITION);
      await until(() => replayed.events.length === count);
      const ofHeads = ({ events }: Transcript) =>
        events.filter(({ json }) => !json.includes('"attestation.'));
      assert.equal(ofHeads(replayed).length, 6);
      assert.deepEqual(
        replayed.events.map(nameOf).sort(),
        live.events.map(nameOf).sort(),
      );
      replayed.leave();
    }
    await first.jobs.submit(randomDigests(1).toHex(), WAIT_SECONDS);
    await until(() => live.events.length === count + 4);
    const resumed = await connect(feeds[2]!, live.cursor);
    assert.equal(resumed.hasGap, false);
    assert.deepEqual(resumed.cursor, live.cursor);
    live.leave();
    resumed.leave();
    await Promise.all(feeds.map((feed) => feed.close()));
  }));

Deno.test("a token is redeemed once, whichever fronts receive it", () =>
  FrontSite.with({ spendsTokens: true }, async (site) => {
    const services = [(await site.join()).front, (await site.join()).front, site.gateway];
    const ids = randomDigests(1);
    const results = await Promise.allSettled(
      services.map(({ jobs }) =>
        jobs.submit(randomDigests(1).toHex(), undefined, new Spending(ids))
      ),
    );
    const codes = results.map((result) => result.status === "rejected" ? result.reason.code : "ok");
    assert.deepEqual(codes.sort(), ["ok", "token_spent", "token_spent"]);
    for (const { jobs } of services) {
      const again = jobs.submitAll(randomDigests(1), undefined, new Spending(ids));
      await assert.rejects(again, { code: "token_spent" });
    }
    assert.equal(site.gateway.eventLog.accepted, 1);
  }));

Deno.test("each front refuses more submissions in flight than one thread answers soon", () =>
  FrontSite.with({}, async (site) => {
    const { front } = await site.join();
    const { front: other } = await site.join();
    for (const witness of site.network.witnesses) witness.state = "silent";
    const submit = () => front.jobs.submit(randomDigests(1).toHex(), WAIT_SECONDS);
    const waiting = Array.from({ length: 768 }, submit);
    await assert.rejects(submit(), { code: "overloaded" });
    waiting.push(other.jobs.submit(randomDigests(1).toHex(), WAIT_SECONDS));
    await until(() => front.waiters === 768 && other.waiters === 1);
    for (const witness of site.network.witnesses) witness.state = "up";
    site.gateway.refuseNew();
    for (const job of await Promise.all(waiting)) assert.equal(progressOf(job), "unconfirmed");
    await assert.rejects(submit(), { code: "shutting_down" });
    assert.equal(front.status.health, "shutting_down");
  }));

Deno.test("a job that waits for witnesses has the same snapshot at a front and at the gateway", () =>
  FrontSite.with({}, async (site) => {
    const { gateway, network: { witnesses } } = site;
    const { front } = await site.join();
    const { front: late } = await site.join({ isLate: true });
    for (const witness of witnesses) witness.down = true;
    const hash = randomDigests(1).toHex();
    await front.jobs.submit(hash, undefined);
    const failed = (json: string) =>
      (JSON.parse(json) as JobSnapshotMembers).last_error?.code === "threshold_not_met";
    await until(async () => failed((await front.jobs.get(hash, undefined)).json));
    for (const service of [front, late]) {
      // Between two attempts, which are soon 10 s apart.
      await until(async () =>
        (await service.jobs.get(hash, undefined)).json ===
          (await gateway.jobs.get(hash, undefined)).json
      );
    }
    for (const witness of witnesses) witness.down = false;
    assert.ok((await front.jobs.submit(hash, WAIT_SECONDS)).terminal);
  }));
