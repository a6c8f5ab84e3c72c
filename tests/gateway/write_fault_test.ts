/**
 * Each write of a gateway fails once, before or after it is stored, without a kill: the gateway
 * continues or is restarted. Then the log is rebuilt from the store.
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { FakeClock } from "../fake_clock.ts";
import { eachScheme, SWEEP_STRIDE } from "../schemes.ts";
import { checkLog, hashesOf } from "./checker.ts";
import { type WriteFault, WriteFaults } from "./faulty_store.ts";
import { randomDigests, type RunningGateway, TestNetwork, until } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";
import { checkSpent, Spending } from "./spending.ts";

/** The store of a log, and its clock. */
interface Place {
  readonly clock: Clock;
  open(): Promise<LogStore>;
  until(condition: () => boolean): Promise<void>;
  remove(): Promise<void>;
}

function inMemory(): Promise<Place> {
  const clock = new FakeClock();
  const log = new MemoryLog();
  return Promise.resolve({
    clock,
    open: () => Promise.resolve(new MemoryLogStore(log)),
    until: (condition) => clock.until(condition),
    remove: () => Promise.resolve(assert.deepEqual(log.violations, [])),
  });
}

async function onDisk(): Promise<Place> {
  const folder = await Deno.makeTempDir();
  return {
    clock: systemClock,
    open: () => openKvLogStore(`${folder}/log.kv`, "network"),
    until,
    remove: () => Deno.remove(folder, { recursive: true }),
  };
}

/** How a run continues after the failed write. */
type Sequel = "goes on" | "is started again";

const WAVES = 3;
const CLIENTS = 3;

/** One log with one or two successive gateways; the first one's writes may fail. */
class Life {
  readonly #place: Place;
  readonly #network: TestNetwork;
  readonly #acknowledged = new Map<string, number>();
  /** The token id redeemed for each acknowledged digest, in hex. */
  readonly #spent = new Map<string, string>();

  constructor(scheme: SignatureScheme, place: Place) {
    this.#place = place;
    this.#network = new TestNetwork(scheme, 3, 2, place.clock);
  }

  async run(faults: WriteFaults, sequel: Sequel): Promise<void> {
    let running = await this.#start(faults);
    const digests = randomDigests(WAVES * CLIENTS * 2);
    const ids = randomDigests(WAVES * CLIENTS * 2);
    for (let wave = 0; wave < WAVES; wave++) {
      const clients = Array.from(
        { length: CLIENTS },
        (_, i) => {
          const parts = [digests, ids].map((all) => partOf(all, wave * CLIENTS + i, 2));
          return this.#submit(running.gateway, parts[0]!, i === 1 ? undefined : parts[1]);
        },
      );
      await this.#settled(Promise.all(clients));
      // The last wave is stopped between acceptance and publication.
      if (wave < WAVES - 1) await this.#published(running.gateway);
    }
    if (sequel === "is started again") {
      const stopped = running.gateway.stop();
      await this.#settled(stopped);
      assert.deepEqual(running.faults, []);
      running = await this.#start(new WriteFaults());
    }
    // A repeated digest redeems nothing, and a redeemed token is refused for other digests.
    await this.#submit(running.gateway, partOf(digests, 0, 2), randomDigests(2));
    const spent = new Spending(partOf(ids, 4, 1));
    await assert.rejects(running.gateway.jobs.accept(randomDigests(1), spent), {
      code: "token_spent",
    });
    await this.#published(running.gateway);
    await this.#settled(running.gateway.stop());
    assert.deepEqual(running.faults, []);
    await this.#check();
  }

  async #start(faults: WriteFaults): Promise<RunningGateway> {
    const policy = { maxAgeMs: 5, maxLeaves: 8, spendsTokens: true };
    // The fence is written too, and again after a failure.
    const starting = this.#network.start(faults.around(await this.#place.open()), policy);
    await this.#settled(starting);
    return await starting;
  }

  async #submit(gateway: Gateway, digests: Bytes, ids: Bytes | undefined): Promise<void> {
    const sequences = await gateway.jobs.accept(digests, ids && new Spending(ids));
    hashesOf(digests).forEach((hash, i) => {
      if (ids !== undefined && !this.#acknowledged.has(hash)) {
        this.#spent.set(hash, hashesOf(ids)[i]!);
      }
      assert.equal(this.#acknowledged.get(hash) ?? sequences[i], sequences[i]);
      this.#acknowledged.set(hash, sequences[i]!);
    });
  }

  #published(gateway: Gateway): Promise<void> {
    return this.#place.until(() =>
      gateway.status.resource().sth?.tree_size === this.#acknowledged.size
    );
  }

  /** Lets time pass until `done`. */
  async #settled(done: Promise<unknown>): Promise<void> {
    let isDone = false;
    void done.then(() => isDone = true, () => isDone = true);
    await this.#place.until(() => isDone);
    await done;
  }

  async #check(): Promise<void> {
    const store = await this.#place.open();
    const { hashes, published } = await checkLog(store, this.#network.network);
    assert.deepEqual(await checkSpent(store), this.#spent);
    store.close();
    assert.equal(published, WAVES * CLIENTS * 2);
    for (const [hash, sequence] of this.#acknowledged) assert.equal(hashes[sequence], hash);
    assert.deepEqual(this.#network.heads.forks, []);
    for (const state of this.#network.states) state.assertSound();
  }
}

async function live(
  scheme: SignatureScheme,
  make: () => Promise<Place>,
  faults: WriteFaults,
  sequel: Sequel,
): Promise<void> {
  const place = await make();
  try {
    await new Life(scheme, place).run(faults, sequel);
  } finally {
    await place.remove();
  }
}

/** One run for each n-th failed write. */
async function sweep(
  scheme: SignatureScheme,
  make: () => Promise<Place>,
  options: { readonly fault: WriteFault; readonly sequel: Sequel; readonly stride: number },
): Promise<void> {
  const sound = new WriteFaults();
  await live(scheme, make, sound, options.sequel);
  // The fence, and digests, rounds, heads and their signatures of several batches.
  assert.ok(sound.writes >= 10, `${sound.writes} writes`);
  let [lives, struck] = [0, 0];
  for (let at = 1; at <= sound.writes; at += options.stride) {
    const faults = new WriteFaults(at, options.fault);
    await live(scheme, make, faults, options.sequel);
    lives++;
    struck += Number(faults.haveStruck);
  }
  // Runs may need fewer writes, so the last ones are not always reached.
  assert.ok(struck >= 0.7 * lives, `${struck} of ${lives} writes failed`);
}

for (const sequel of ["goes on", "is started again"] as const) {
  for (const fault of ["not stored", "but stored"] as const) {
    eachScheme.test(`a gateway that ${sequel} after any failed write, ${fault}, loses nothing`, (scheme) =>
      sweep(scheme, inMemory, { fault, sequel, stride: SWEEP_STRIDE[scheme] }));

    Deno.test(`a gateway that ${sequel} after any failed write to a disk, ${fault}, loses nothing`, () =>
      sweep("ed25519", onDisk, { fault, sequel, stride: 4 }));
  }
}
