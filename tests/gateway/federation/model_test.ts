/**
 * Two networks through random histories: growth, outages, lost memories and old copies. Only signed
 * data is stored. After all faults have ended, every head is cosigned, or there is evidence against
 * the network that rewrote its log.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { utf8 } from "../../../src/base/bytes.ts";
import { encodeCosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { verifyAnyContradiction } from "../../../src/proof/verify/succession_conflict.ts";
import { verifyThreshold } from "../../../src/proof/verify/threshold.ts";
import { FakeClock } from "../../fake_clock.ts";
import { nativeCrypto } from "../../schemes.ts";
import { type Backup, mesh, Site } from "./site.ts";

const RUNS = 60;

type Step =
  | { readonly do: "publish"; readonly site: number; readonly count: number }
  | { readonly do: "wait"; readonly seconds: number }
  | { readonly do: "reach"; readonly site: number }
  | { readonly do: "witness"; readonly site: number; readonly place: number }
  | { readonly do: "restart"; readonly site: number }
  | { readonly do: "forget cross-anchors"; readonly site: number }
  | { readonly do: "forget seen heads"; readonly site: number }
  | { readonly do: "back up" }
  | { readonly do: "put back" };

const site = fc.nat(1);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("publish"),
      site,
      count: fc.integer({ min: 1, max: 5 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("wait"), seconds: fc.constantFrom(1, 30, 700) }),
  },
  fc.record({ do: fc.constant("reach"), site }),
  fc.record({ do: fc.constant("witness"), site, place: fc.nat(2) }),
  fc.record({ do: fc.constant("restart"), site }),
  fc.record({ do: fc.constant("forget cross-anchors"), site }),
  fc.record({ do: fc.constant("forget seen heads"), site }),
  fc.record({ do: fc.constant("back up") }),
  fc.record({ do: fc.constant("put back") }),
) as fc.Arbitrary<Step>;

/** Two networks of both schemes, and everything that they published. */
class World {
  readonly clock = new FakeClock();
  readonly sites = [
    new Site("a.example", this.clock),
    new Site("b.example", this.clock, { scheme: "bls" }),
  ] as const;
  /** `<origin> <size> <root>` of every published head. */
  readonly published = new Set<string>();
  #backup: Backup | undefined;
  /** Whether the first network rewrote its log. */
  forked = false;

  constructor() {
    mesh(this.sites);
    for (const site of this.sites) site.start();
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "publish": {
        const site = this.sites[step.site]!;
        // If its own witnesses are down, it publishes nothing.
        if (site.witnesses.filter(({ down }) => down).length > 1) return;
        const { sth: { tree_head: head } } = await site.publish(step.count);
        this.published.add(`${site.id} ${head.tree_size} ${head.root_hash}`);
        return;
      }
      case "wait":
        return await this.clock.advance(step.seconds * 1_000);
      case "reach":
        this.sites[step.site]!.reachable = !this.sites[step.site]!.reachable;
        return;
      case "witness": {
        const witness = this.sites[step.site]!.witnesses[step.place]!;
        witness.down = !witness.down;
        return;
      }
      case "restart":
        return await this.#restart(this.sites[step.site]!, () => {});
      case "forget cross-anchors":
        return await this.#restart(
          this.sites[step.site]!,
          (site) => site.store.disk.crossAnchors.clear(),
        );
      case "forget seen heads":
        return await this.#restart(this.sites[step.site]!, (site) => site.store.disk.seen.clear());
      case "back up":
        this.#backup = this.sites[0].backup();
        return;
      case "put back": {
        if (this.#backup === undefined) return;
        const backup = this.#backup;
        this.forked ||= backup.leaves.length < this.sites[0].size;
        await this.#restart(this.sites[0], (site) => site.restore(backup));
        return;
      }
    }
  }

  /** Requires all stored data to be signed, and all evidence to verify. */
  async check(): Promise<void> {
    for (const [site, peer] of [this.sites, this.sites.toReversed()] as [Site, Site][]) {
      for (const record of site.store.disk.crossAnchors.values()) {
        const { treeHead, signatures } = record;
        assert.equal(record.peer, peer.id);
        const { network_id: id, tree_size: size, root_hash: root } = treeHead;
        assert.ok(this.published.has(`${id} ${size} ${root}`) && id === site.id);
        const message = utf8(encodeCosignatureMessage(treeHead));
        assert.ok((await verifyThreshold(nativeCrypto, peer.network, message, signatures)).met);
      }
      for (const { sth: { tree_head: head } } of site.store.disk.seen.values()) {
        const seen = `${head.network_id} ${head.tree_size} ${head.root_hash}`;
        assert.ok(this.published.has(seen) && head.network_id === peer.id);
      }
      for (const contradiction of site.store.disk.contradictions) {
        assert.ok((await verifyAnyContradiction(nativeCrypto, peer.network, contradiction)).valid);
        assert.ok(this.forked && peer === this.sites[0], "who never rewrote a log is accused");
      }
    }
  }

  /** Ends all faults and grows both logs beyond every size seen before. */
  async settle(): Promise<void> {
    for (const site of this.sites) {
      site.reachable = true;
      for (const witness of site.witnesses) witness.down = false;
    }
    const [a, b] = this.sites;
    await this.take({ do: "publish", site: 0, count: 200 - a.size });
    await this.take({ do: "publish", site: 1, count: 200 - b.size });
    await this.clock.advance(900_000);
    for (const [site, peer] of [[a, b], [b, a]] as const) {
      const last = await site.store.lastCrossAnchor(peer.id);
      const { root_hash: root } = site.latest()!.sth.tree_head;
      const isAnchored = last?.treeHead.root_hash === root;
      if (isAnchored) continue;
      const { contradictions, seen } = peer.store.disk;
      assert.ok(site === a && this.forked, `${site.id} is not cosigned, and rewrote nothing`);
      // A peer that remembers another history has evidence. If it lost its memory, only its
      // witnesses know.
      assert.ok(contradictions.length > 0 || seen.get(a.id)?.sth.tree_head.root_hash === root);
    }
  }

  async stop(): Promise<void> {
    for (const site of this.sites) await site.stop();
  }

  async #restart(site: Site, change: (site: Site) => void): Promise<void> {
    await site.stop();
    change(site);
    site.open();
    site.start();
  }
}

async function runThrough(steps: readonly Step[]): Promise<World> {
  const world = new World();
  try {
    for (const step of steps) {
      await world.take(step);
      await world.check();
    }
    await world.settle();
    await world.check();
  } finally {
    await world.stop();
  }
  return world;
}

Deno.test("after any history every head is cosigned, or there is evidence against the rewritten log", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 30 }), async (steps) => {
      await runThrough(steps);
    }),
    { numRuns: RUNS, seed: 20_261_121 },
  );
});

Deno.test("the model reaches both outcomes", async () => {
  const publish = (count: number): Step => ({ do: "publish", site: 0, count });
  const wait: Step = { do: "wait", seconds: 30 };
  const honest = await runThrough([publish(3), wait, publish(2), wait]);
  assert.equal(honest.forked, false);
  assert.equal(honest.sites[1].found.length, 0);
  const rewritten = await runThrough([
    publish(3),
    wait,
    { do: "back up" },
    publish(2),
    wait,
    { do: "put back" },
    publish(4),
    wait,
  ]);
  assert.equal(rewritten.forked, true);
  assert.ok(rewritten.sites[1].found.length > 0);
  // Control: the check detects a cross-anchor of an unpublished head.
  const [record] = honest.sites[0].store.disk.crossAnchors.values();
  honest.published.delete(`${record!.treeHead.network_id} 3 ${record!.treeHead.root_hash}`);
  await assert.rejects(honest.check());
});
