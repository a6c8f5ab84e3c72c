/**
 * Anchoring dies at each of its operations on the store, and at each answer of a service, once
 * before it has an effect and once after; the next run has to go on from the store and the log alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import { AnchoringSite, digestHex } from "./anchoring_site.ts";
import { configured, SlowService } from "./fake_service.ts";
import type { FaultPlace } from "./memory_anchor_store.ts";

const MINUTE = 60_000;
const PLACES = ["before", "after"] as const;

/** A process that does not get any further. */
function dead(): Promise<never> {
  return new Promise(() => {});
}

/** A service whose process dies at one of its answers. */
class MortalService extends SlowService {
  /** Answers so far, of any kind. */
  answers = 0;
  onAnswer: (answer: number, place: FaultPlace) => Promise<void> = () => Promise.resolve();

  protected override async answer(
    ...args: Parameters<SlowService["answer"]>
  ): ReturnType<SlowService["answer"]> {
    const number = this.answers++;
    await this.onAnswer(number, "before");
    const answer = await super.answer(...args);
    await this.onAnswer(number, "after");
    return answer;
  }
}

/** What happens to a log of three heads whose anchors are confirmed one by one. */
async function live(site: AnchoringSite, service: MortalService): Promise<void> {
  for (const size of [2, 5, 9]) {
    const head = site.log.publish(size);
    await site.clock.advance(11 * MINUTE);
    service.ready.add(digestHex(head));
    await site.clock.advance(11 * MINUTE);
  }
}

async function operationsOf(): Promise<{ store: number; service: number }> {
  await using site = new AnchoringSite();
  const service = new MortalService("one", site.clock);
  site.start(configured(service, { mode: "required" }));
  await live(site, service);
  return { store: site.store.operations, service: service.answers };
}

/** Everything is anchored and confirmed, and little was asked for twice. */
async function assertFinished(site: AnchoringSite, service: MortalService): Promise<void> {
  const records = site.store.all("one");
  const heads = site.log.heads;
  assert.equal(records.at(-1)?.treeHead.tree_size, 9);
  assert.ok(records.every(({ status }) => status === "confirmed"));
  for (const { treeHead, proof } of records) {
    const head = heads.find(({ tree_size }) => tree_size === treeHead.tree_size);
    assert.deepEqual(treeHead, head);
    assert.equal((proof as { digest: string }).digest, digestHex(treeHead));
  }
  const twice = service.asked.filter((digest, i) => service.asked.indexOf(digest) !== i);
  assert.ok(twice.length <= 1, `${twice.length} anchors were made twice`);
  // The next start finds nothing to do.
  const asked = service.asked.length;
  await site.kill();
  const anchoring = site.start(configured(service, { mode: "required" }));
  await site.clock.advance(30 * MINUTE);
  assert.equal(service.asked.length, asked);
  assert.deepEqual(await anchoring.overdue(), []);
}

/** Lives through `site`'s history; whenever `hasDied` says so a new run is started. */
async function liveOn(
  site: AnchoringSite,
  service: MortalService,
  died: { at: boolean },
): Promise<void> {
  const restart = async () => {
    if (!died.at) return;
    died.at = false;
    await site.kill();
    site.start(configured(service, { mode: "required" }));
    await site.clock.advance(11 * MINUTE);
  };
  for (const size of [2, 5, 9]) {
    const head = site.log.publish(size);
    await site.clock.advance(11 * MINUTE);
    await restart();
    service.ready.add(digestHex(head));
    await site.clock.advance(11 * MINUTE);
    await restart();
  }
  await site.clock.advance(30 * MINUTE);
}

Deno.test("anchoring resumes after it dies at any store operation", async () => {
  const { store: count } = await operationsOf();
  assert.ok(count > 10, "there is something to die at");
  for (const place of PLACES) {
    for (let fatal = 0; fatal < count; fatal++) {
      await using site = new AnchoringSite();
      const service = new MortalService("one", site.clock);
      const died = { at: false };
      let isDue = true;
      site.store.fault = (operation, at) => {
        if (died.at) throw new Error("dead");
        if (!isDue || operation !== fatal || at !== place) return;
        isDue = false;
        died.at = true;
        throw new Error("dead");
      };
      site.start(configured(service, { mode: "required" }));
      await liveOn(site, service, died);
      assert.equal(isDue, false, `died ${place} operation ${fatal}`);
      await assertFinished(site, service);
    }
  }
});

Deno.test("anchoring resumes after it dies at any answer of a service", async () => {
  const { service: count } = await operationsOf();
  for (const place of PLACES) {
    for (let fatal = 0; fatal < count; fatal++) {
      await using site = new AnchoringSite();
      const service = new MortalService("one", site.clock);
      const died = { at: false };
      let isDue = true;
      service.onAnswer = async (answer, at) => {
        if (!isDue || answer !== fatal || at !== place) return;
        isDue = false;
        died.at = true;
        await dead();
      };
      site.start(configured(service, { mode: "required" }));
      await liveOn(site, service, died);
      assert.equal(isDue, false, `died ${place} answer ${fatal}`);
      await assertFinished(site, service);
    }
  }
});
