/**
 * A network with its clients. Compares all answers to clients with later gateways and with the log.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, HASH_LENGTH } from "../../src/base/bytes.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { verifyConsistencyProof } from "../../src/proof/verify/log_proofs.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { FakeClock } from "../fake_clock.ts";
import { keepsHead } from "../kept_head.ts";
import { anyBeacons, nativeCrypto } from "../schemes.ts";
import { type CheckedLog, checkLog, hashesOf, LogFault } from "./checker.ts";
import { randomDigests, type RunningGateway, TestNetwork } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { checkSpent, Spending } from "./spending.ts";

/** The members of a snapshot. */
export async function jobOf(gateway: Gateway, sequence: number): Promise<JobSnapshotMembers> {
  return JSON.parse((await gateway.jobs.snapshot(sequence)).json);
}

/** One log in memory, its witnesses, and the answers that its clients received. */
export class Scenario {
  readonly clock = new FakeClock();
  readonly network: TestNetwork;
  readonly log: MemoryLog;
  /** Sequence by hex digest, as acknowledged. */
  readonly acknowledged = new Map<string, number>();
  /**
   * Token ids in hex that each digest was submitted with; contains `undefined` if it was also
   * submitted without one.
   */
  readonly #offers = new Map<string, Set<string | undefined>>();
  /** Served heads by size. */
  readonly #heads = new Map<number, SignedTreeHead>();
  /** JSON of served signed attestations, by sequence. */
  readonly #attestations = new Map<number, string>();

  constructor(
    scheme: SignatureScheme,
    log = new MemoryLog(),
    { size = 3, threshold = 2, beacons = anyBeacons } = {},
  ) {
    this.log = log;
    this.network = new TestNetwork(scheme, size, threshold, this.clock, beacons);
  }

  /** Opens a store over the log, like a new process. */
  open(): MemoryLogStore {
    return new MemoryLogStore(this.log);
  }

  start(
    store: LogStore,
    options: Parameters<TestNetwork["start"]>[1] = {},
  ): Promise<RunningGateway> {
    return this.network.start(store, options);
  }

  /**
   * Submits packed digests, with one token id of `ids` for each, and records the acknowledgements.
   */
  async submit(gateway: Gateway, digests: Bytes, ids?: Bytes): Promise<readonly number[]> {
    this.#offer(digests, ids);
    const sequences = await gateway.jobs.accept(digests, ids && new Spending(ids));
    hashesOf(digests).forEach((hash, i) => {
      assert.equal(this.acknowledged.get(hash) ?? sequences[i], sequences[i], "another sequence");
      this.acknowledged.set(hash, sequences[i]!);
    });
    return sequences;
  }

  /** Submits `count` digests in rounds of `size`, each confirmed before the next, and waits for a head over all. */
  async submitRounds(gateway: Gateway, count: number, size: number): Promise<void> {
    for (let left = count; left > 0; left -= size) {
      await this.submit(gateway, randomDigests(size));
      await this.clock.until(() => gateway.status.resource().pending_count === 0, 1_000);
    }
    await this.settle(gateway);
  }

  #offer(digests: Bytes, ids: Bytes | undefined): void {
    const offered = ids && hashesOf(ids);
    hashesOf(digests).forEach((hash, i) => {
      const offers = this.#offers.get(hash) ?? new Set();
      this.#offers.set(hash, offers.add(offered?.[i]));
    });
  }

  /**
   * Redeemed token ids in hex, by hash. Requires each to be one that was submitted for the hash, or
   * none if it was submitted without one.
   */
  async #checkSpent(hashes: readonly string[]): Promise<void> {
    const spent = await checkSpent(this.open());
    for (const hash of hashes) {
      const offers = this.#offers.get(hash);
      if (offers === undefined || offers.has(spent.get(hash))) continue;
      throw new LogFault("spent", `${spent.get(hash)} for a digest that came with another`);
    }
  }

  /** Reads everything that clients can read, and requires it to be unchanged. */
  async observe(gateway: Gateway): Promise<void> {
    const latest = gateway.log.latest()?.sth;
    if (latest !== undefined) this.#remember(latest);
    for (const [size, sth] of this.#heads) {
      const found = (await gateway.log.sthAt(size))!;
      assert.ok(keepsHead(found, sth), `another head of ${size}`);
      this.#heads.set(size, found);
    }
    for (const [hash, sequence] of this.acknowledged) {
      assert.equal(
        await gateway.eventLog.sequenceOf(hash),
        sequence,
        "not where it was",
      );
      const job = await jobOf(gateway, sequence);
      assert.equal(job.hash, hash);
      const seen = this.#attestations.get(sequence);
      const signed = JSON.stringify(job.signed_attestation);
      assert.equal(signed, seen ?? signed, "a final attestation changed");
      if (signed !== undefined) this.#attestations.set(sequence, signed);
    }
  }

  #remember(sth: SignedTreeHead): void {
    const { tree_size } = sth.tree_head;
    if (!this.#heads.has(tree_size)) this.#heads.set(tree_size, sth);
  }

  /** Lets time pass until everything acknowledged is published. */
  async settle(gateway: Gateway, ms = 120_000): Promise<void> {
    const size = Math.max(-1, ...this.acknowledged.values()) + 1;
    await this.clock.until(
      () => (gateway.log.latest()?.sth.tree_head.tree_size ?? 0) >= size,
      ms,
    );
  }

  /** Checks the log against its rules and against the answers to clients. */
  async check(): Promise<CheckedLog> {
    const [violation] = this.log.violations;
    if (violation !== undefined) throw new LogFault("rules", violation);
    const checked = await checkLog(this.open(), this.network.network);
    await this.#checkSpent(checked.hashes);
    assert.deepEqual(this.network.heads.forks, []);
    for (const state of this.network.states) state.assertSound();
    for (const [hash, sequence] of this.acknowledged) {
      if (checked.hashes[sequence] === hash) continue;
      throw new LogFault("promises", `acknowledged digest ${sequence} is lost`);
    }
    for (const [size, sth] of this.#heads) {
      if (checked.roots.get(size) === sth.tree_head.root_hash) continue;
      throw new LogFault("promises", `published head ${size} is lost`);
    }
    return checked;
  }

  /** {@linkcode check}, and requires everything acknowledged to be signed and published. */
  async checkFinished(gateway: Gateway): Promise<void> {
    await this.observe(gateway);
    const checked = await this.check();
    for (const sequence of this.acknowledged.values()) {
      assert.ok(this.#attestations.has(sequence), "an acknowledged digest is not signed");
      assert.ok(sequence < checked.published, "an acknowledged digest is not published");
    }
    await this.#checkConsistency(gateway);
  }

  /** {@linkcode settle}, {@linkcode checkFinished}, and stops a gateway without faults. */
  async finish(
    { gateway, faults }: { readonly gateway: Gateway; readonly faults: readonly unknown[] },
  ): Promise<void> {
    await this.settle(gateway);
    await this.checkFinished(gateway);
    assert.deepEqual(faults, []);
    await gateway.stop();
  }

  /** Requires every served head to be a prefix of the latest, by the gateway's proofs. */
  async #checkConsistency(gateway: Gateway): Promise<void> {
    const second = gateway.log.latest()?.sth.tree_head.tree_size ?? 0;
    for (const [first, sth] of this.#heads) {
      const proof = await gateway.log.consistency(first, second);
      assert.ok(keepsHead(proof.first_sth, sth), `another head of ${first}`);
      const expected = { first, second };
      const verdict = await verifyConsistencyProof(
        nativeCrypto,
        this.network.network,
        proof,
        expected,
      );
      assert.equal(verdict.valid, true);
    }
  }
}

/** Part `index` of packed digests, in parts of `count`. */
export function partOf(digests: Bytes, index: number, count: number): Bytes {
  return digests.slice(index * count * HASH_LENGTH, (index + 1) * count * HASH_LENGTH);
}
