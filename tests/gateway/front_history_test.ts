/** Clients of several fronts, of which some are late and lose updates, all at once. */

import { textOf } from "../../src/base/bytes.ts";
import assert from "node:assert/strict";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import { Random, seedOf } from "../fuzz/random.ts";
import { hashesOf } from "./checker.ts";
import { randomDigests, until } from "./fixture.ts";
import { FrontSite } from "./front_site.ts";

const RANKS = ["unconfirmed", "confirmed", "batched"];
const CLIENTS = 12;
const STEPS = 25;
const HASHES = 120;

Deno.test("what any front has answered, every other one answers at least, whatever updates are lost", () =>
  FrontSite.with({}, async (site) => {
    const { gateway } = site;
    const late = [await site.join({ isLate: true }), await site.join({ isLate: true })];
    const prompt = await site.join();
    const services: GatewayService[] = [gateway, prompt.front, ...late.map(({ front }) => front)];
    const hashes = hashesOf(randomDigests(HASHES));
    const sequences = new Map<string, number>();
    /** The furthest progress that anyone has answered, by hash. */
    const known = new Map<string, number>();

    const check = (json: string, atLeast: ReadonlyMap<string, number>) => {
      for (const job of [JSON.parse(json)].flat() as JobSnapshotMembers[]) {
        const { hash, progress, signed_attestation } = job;
        const rank = RANKS.indexOf(progress);
        assert.ok(rank >= (atLeast.get(hash) ?? 0), `${hash} is only ${progress}`);
        known.set(hash, Math.max(rank, known.get(hash) ?? 0));
        const sequence = signed_attestation?.attestation.sequence;
        if (sequence === undefined) continue;
        assert.equal(sequences.get(hash) ?? sequence, sequence);
        sequences.set(hash, sequence);
      }
    };

    const runClient = async (client: number) => {
      const random = new Random(seedOf("fronts", client));
      for (let step = 0; step < STEPS; step++) {
        const service = random.pick(services);
        const atLeast = new Map(known);
        const hash = random.pick(hashes);
        const seconds = random.below(2) === 0 ? undefined : 30;
        const action = random.below(4);
        if (action === 0) check((await service.jobs.submit(hash, seconds)).json, atLeast);
        else if (action === 1) {
          const some = Array.from({ length: 5 }, () => random.pick(hashes));
          const digests = Uint8Array.fromHex(some.join(""));
          check(textOf((await service.jobs.submitAll(digests, seconds)).json), atLeast);
        } else if (known.has(hash)) {
          check((await service.jobs.get(hash, undefined)).json, atLeast);
          if (atLeast.get(hash) === 2) await service.proofs.merkleProof(hash);
        }
        if (random.below(8) === 0) random.pick(late).link.lap();
      }
    };
    const random = new Random(seedOf("fronts", CLIENTS));
    const timer = setInterval(() => random.pick(late).link.catchUp(), 3);
    try {
      await Promise.all(Array.from({ length: CLIENTS }, (_, client) => runClient(client)));
    } finally {
      clearInterval(timer);
    }
    await until(() =>
      services.every(({ log }) => log.latest()?.sth.tree_head.tree_size === known.size)
    );
    assert.equal(gateway.eventLog.accepted, known.size);
    for (const hash of known.keys()) {
      const [bundle, ...others] = await Promise.all(
        services.map(({ proofs }) => proofs.bundle(hash)),
      );
      for (const other of others) assert.equal(other, bundle);
    }
    assert.deepEqual(site.running.faults, []);
  }));
