/**
 * A copy of a real store in memory, in which tests change records.
 *
 * @module
 */

import { join } from "node:path";
import { FaultLog } from "../../../src/logs/audit/faults.ts";
import type { WitnessMemory } from "../../../src/logs/audit/ports.ts";
import { auditStore, type StoreReport } from "../../../src/logs/audit/store_audit.ts";
import { type Bytes, bytesOfHex } from "../../../src/base/bytes.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import type { SuccessionLink } from "../../../src/proof/format/succession.ts";
import type { SignatureScheme } from "../../../src/proof/format/signature_set.ts";
import { systemClock } from "../../../src/base/clock.ts";
import type { Admission, BeaconSource } from "../../../src/gateway/ports.ts";
import type { BeaconRule } from "../../../src/witness/beacon_rule.ts";
import type { Gateway } from "../../../src/gateway/gateway.ts";
import { openKvLogStore } from "../../../src/storage/log/local_log_store.ts";
import { withChecksum } from "../../../src/storage/log/record_codec.ts";
import { KvStoredLog } from "../../../src/storage/log/kv_stored_log.ts";
import { inFolder } from "../../server/captured_io.ts";
import { TestNetwork, until } from "../../gateway/fixture.ts";
import { nativeCrypto } from "../../schemes.ts";

/** The result of an audit. */
export interface Audited {
  readonly report: StoreReport;
  readonly faults: FaultLog;
}

/** The records of a store and the context to audit them. */
export class StoredCopy implements Disposable {
  readonly network: NetworkConfiguration & { readonly log_vkey: string };
  readonly kv: Deno.Kv;
  readonly #indexKey: Bytes;
  witnesses: readonly WitnessMemory[];

  private constructor(
    network: StoredCopy["network"],
    kv: Deno.Kv,
    indexKey: Bytes,
    witnesses: readonly WitnessMemory[],
  ) {
    this.network = network;
    this.kv = kv;
    this.#indexKey = indexKey;
    this.witnesses = witnesses;
  }

  /** The store of a gateway of `scheme` after `life`. */
  static async of(
    scheme: SignatureScheme,
    life: (gateway: Gateway, network: TestNetwork) => Promise<void>,
    { beacons, rule, spendsTokens = false }: {
      readonly beacons?: BeaconSource;
      readonly rule?: BeaconRule;
      readonly spendsTokens?: boolean;
    } = {},
  ): Promise<StoredCopy> {
    const test = new TestNetwork(scheme, 3, 2, systemClock, rule);
    const { network } = test;
    if (network.log_vkey === undefined) throw new Error("a network with a log key");
    const kv = await Deno.openKv(":memory:");
    await inFolder(async (folder) => {
      const path = join(folder, "store.kv");
      const { gateway, faults } = await test.start(
        await openKvLogStore(path, "network"),
        { spendsTokens, ...(beacons && { beacons }) },
      );
      await life(gateway, test);
      await gateway.stop();
      if (faults.length > 0) throw faults[0];
      using stored = await Deno.openKv(path);
      for await (const { key, value } of stored.list({ prefix: [] })) await kv.set(key, value);
    });
    const { value: meta } = await kv.get<{ index_key: string }>(["meta"]);
    const witnesses = await Promise.all(
      test.states.map(async (state, i) => ({
        id: network.witnesses[i]!.id,
        head: await state.load(network.id),
      })),
    );
    const key = bytesOfHex(meta!.index_key, 8)!;
    return new StoredCopy({ ...network, log_vkey: network.log_vkey }, kv, key, witnesses);
  }

  /** With the links of a followed chain. */
  async audit(links: readonly SuccessionLink[] = []): Promise<Audited> {
    const faults = new FaultLog();
    const report = await auditStore(new KvStoredLog(this.kv, this.#indexKey, []), {
      network: { ...this.network, links },
      crypto: nativeCrypto,
      witnesses: this.witnesses,
      faults,
      onProgress: () => {},
    });
    return { report, faults };
  }

  /** Audits after `damage`, and then reverts it. */
  async auditDamaged(damage: (records: Records) => Promise<void>): Promise<Audited> {
    const records = new Records(this.kv);
    const { witnesses } = this;
    try {
      await damage(records);
      return await this.audit();
    } finally {
      await records.restore();
      this.witnesses = witnesses;
    }
  }

  [Symbol.dispose](): void {
    this.kv.close();
  }
}

function hasChecksum(key: Deno.KvKey): boolean {
  return ["in", "rd", "sp", "sth"].includes(key[0] as string);
}

/**
 * Changes records and remembers the original values. A changed row, round or published head has the checksum of its new
 * bytes, so that the audit has to find the change itself.
 */
export class Records {
  readonly #kv: Deno.Kv;
  readonly #before: Deno.KvEntryMaybe<unknown>[] = [];

  constructor(kv: Deno.Kv) {
    this.#kv = kv;
  }

  set(key: Deno.KvKey, value: unknown): Promise<void> {
    const isChecked = hasChecksum(key) && value instanceof Uint8Array;
    return this.setAsIs(key, isChecked ? withChecksum(key[1] as number, value) : value);
  }

  /** {@linkcode set} without a checksum. */
  async setAsIs(key: Deno.KvKey, value: unknown): Promise<void> {
    this.#before.push(await this.#kv.get(key));
    await this.#kv.set(key, value);
  }

  async remove(key: Deno.KvKey): Promise<void> {
    this.#before.push(await this.#kv.get(key));
    await this.#kv.delete(key);
  }

  async bytes(key: Deno.KvKey): Promise<Bytes> {
    const { value } = await this.#kv.get<Bytes>(key);
    if (value === null) throw new Error(`no record ${key.join("/")}`);
    return hasChecksum(key) ? value.slice(0, -8) : value.slice();
  }

  /** Applies `change` to a copy of the record at `key` and stores it. */
  async change(key: Deno.KvKey, change: (value: Bytes) => Bytes | void): Promise<void> {
    const value = await this.bytes(key);
    await this.set(key, change(value) ?? value);
  }

  async flip(key: Deno.KvKey, at: number): Promise<void> {
    await this.change(key, (value) => {
      value[at < 0 ? value.length + at : at]! ^= 1;
    });
  }

  async restore(): Promise<void> {
    for (const { key, value, versionstamp } of this.#before.reverse()) {
      if (versionstamp === null) await this.#kv.delete(key);
      else await this.#kv.set(key, value);
    }
  }
}

/** Submits `digests` under `admission`, and waits for the tree head over them. */
export async function publish(
  gateway: Gateway,
  digests: Bytes,
  admission?: Admission,
): Promise<void> {
  const last = Math.max(...await gateway.jobs.accept(digests, admission));
  await until(() => (gateway.log.latest()?.sth.tree_head.tree_size ?? 0) > last);
}
