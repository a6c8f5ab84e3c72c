/**
 * A log that passes from epoch 0 (witnesses a, b, c) to epoch 1 (b, c, d, and another log key) while its
 * gateway or a witness is killed. What is durable outlives each process: the log, and each witness's state.
 *
 * @module
 */

import assert from "node:assert/strict";
import { textOf } from "../../src/base/bytes.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import { EPOCH_END_DOMAIN } from "../../src/proof/crypto/domains.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { Front } from "../../src/gateway/fronts/front.ts";
import { Gateway } from "../../src/gateway/gateway.ts";
import type { LogStore, SuccessionStore, WitnessClient } from "../../src/gateway/ports.ts";
import type { EpochParts } from "../../src/gateway/succession/ports.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import { EmbeddedWitness } from "../../src/server/gateway/embedded_witness.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { followSuccession } from "../../src/proof/verify/followed_network.ts";
import { Witness } from "../../src/witness/witness.ts";
import { FakeClock } from "../fake_clock.ts";
import { anyBeacons, nativeCrypto, schemeSigner } from "../schemes.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";
import { propose, signSuccession } from "../proof/verify/test_succession.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { hashesOf } from "./checker.ts";
import { HeadLedger, randomDigests } from "./fixture.ts";
import type { LinkedFront } from "./front_site.ts";
import { LocalLink } from "./local_link.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { MortalProcess } from "./mortal_process.ts";
import { RecordingFollower } from "./recording_follower.ts";

const ID = "ceremony.example";
const named = (...names: string[]) => names.map((name) => `${ID}/${name}`);
const OLD = new TestNetwork(ID, { witnessIds: named("a", "b", "c") });
const NEW = new TestNetwork(ID, {
  epoch: 1,
  witnessIds: named("b", "c", "d"),
  logSeed: `${ID}/log2`,
});
const SUCCESSION = signSuccession(propose(OLD, NEW, { treeSize: 1 }), OLD, NEW);
/** Of witnesses, in both epochs. */
export const WITNESSES: readonly string[] = named("a", "b", "c", "d");

/** A durable write that a variant forgets. */
export type Forgotten = "document" | "link" | "end";

/** Signatures over ends of epochs, by witness. Outlives all processes. */
type EndLedger = Map<string, Set<string>>;

/** A witness whose process dies in the `lastStep`th access of its state, or after it. */
class MortalWitness {
  readonly client: WitnessClient;
  readonly state: MemoryWitnessState;
  readonly #site: CeremonySite;
  readonly #id: string;
  #witness: Witness;
  #life = 0;
  steps = 0;

  constructor(site: CeremonySite, id: string, public lastStep = Infinity) {
    this.#site = site;
    this.#id = id;
    this.state = new MemoryWitnessState({
      pass: async () => {
        if (++this.steps >= this.lastStep) await new Promise(() => {});
      },
    });
    this.#witness = this.#open();
    const ask = async <T>(
      signal: AbortSignal,
      request: (client: EmbeddedWitness) => Promise<T>,
    ): Promise<T> => {
      const life = this.#life;
      const { promise: cancelled, reject } = Promise.withResolvers<never>();
      signal.throwIfAborted();
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const answer = await Promise.race([request(new EmbeddedWitness(this.#witness)), cancelled]);
      return this.isDead || life !== this.#life ? await cancelled : answer;
    };
    this.client = {
      id,
      sign: (request, signal) => ask(signal, (client) => client.sign(request, signal)),
      cosign: (request, signal) => {
        const { tree_size, root_hash } = request.treeHead;
        site.heads.note(tree_size, root_hash);
        return ask(signal, (client) => client.cosign(request, signal));
      },
      checkHealth: (signal) => ask(signal, (client) => client.checkHealth(signal)),
      reach: (signal) => ask(signal, (client) => client.reach(signal)),
      roundsFrom: (from, signal) => ask(signal, (client) => client.roundsFrom(from, signal)),
      epochs: {
        state: (signal) => ask(signal, ({ epochs }) => epochs.state(signal)),
        end: (request, signal) => ask(signal, ({ epochs }) => epochs.end(request, signal)),
        begin: (request, signal) => ask(signal, ({ epochs }) => epochs.begin(request, signal)),
      },
    };
  }

  get isDead(): boolean {
    return this.steps >= this.lastStep;
  }

  /** The process runs again, over what it stored. */
  restart(): void {
    this.#life++;
    this.lastStep = Infinity;
    this.state.endProcess();
    this.#witness = this.#open();
  }

  /** Whoever has the log's old key asks for a round beyond the end that this witness has signed. */
  async askBeyond(size: number): Promise<void> {
    const round = { networkId: ID, digests: randomDigests(1), beacon: null };
    const timestamp = Math.floor(this.#site.clock.nowMs() / 1000);
    let outcome: unknown;
    this.#witness.sign({ ...round, timestamp, firstSequence: size })
      .then(() => outcome = "signed", (error) => outcome = error.code);
    await this.#site.clock.until(() => outcome !== undefined);
    assert.equal(outcome, "epoch_mismatch", `${this.#id} signs beyond the end`);
  }

  #open(): Witness {
    const { clock, ends, forgotten } = this.#site;
    const { state } = this;
    const memo = new RoundTreeMemo(kernels);
    const signer = schemeSigner("ed25519", this.#id);
    const sign = (message: Uint8Array<ArrayBuffer>) => {
      const text = textOf(message, "internal");
      if (text.startsWith(EPOCH_END_DOMAIN)) {
        ends.set(this.#id, (ends.get(this.#id) ?? new Set()).add(text));
      }
      return signer.sign(message);
    };
    return new Witness({
      id: this.#id,
      networkId: ID,
      kernels,
      clock,
      beacons: anyBeacons,
      report: () => {},
      signer: new Proxy(signer, {
        get: (of, name) => name === "sign" ? sign : Reflect.get(of, name, of),
      }),
      logs: [{ origin: ID, keys: [parseVkey(OLD.configuration.log_vkey!)] }],
      state: forgotten !== "end" ? state : new Proxy(state, {
        get(of, name) {
          const value = Reflect.get(of, name, of);
          if (name !== "replace") return typeof value === "function" ? value.bind(of) : value;
          return (...args: Parameters<typeof of.replace>) =>
            args[2].epoch?.endedBy ? Promise.resolve("forgotten") : of.replace(...args);
        },
      }),
      buildRoundTree: (round) => memo.build(round),
      succession: { armed: () => Promise.resolve(SUCCESSION), crypto: nativeCrypto },
    });
  }
}

interface Plan {
  readonly forgotten?: Forgotten;
  /** The witness that dies, and when. */
  readonly victim?: string;
  readonly lastStep?: number;
}

export class CeremonySite {
  readonly clock = new FakeClock();
  readonly log: MemoryLog;
  readonly heads = new HeadLedger();
  readonly ends: EndLedger = new Map();
  readonly forgotten: Forgotten | undefined;
  readonly witnesses: ReadonlyMap<string, MortalWitness>;
  /** Sequence by hash, as acknowledged to clients. */
  readonly acknowledged = new Map<string, number>();
  /** The chains that gateways served, as JSON. */
  readonly #chains = new Set<string>();
  readonly #faults: unknown[] = [];

  private constructor({ forgotten, victim, lastStep }: Plan, before?: CeremonySite) {
    this.forgotten = forgotten;
    this.log = before?.log.copy() ?? new MemoryLog();
    this.witnesses = new Map(
      WITNESSES.map((id) => [id, new MortalWitness(this, id, id === victim ? lastStep : Infinity)]),
    );
    for (const [id, { state }] of before?.witnesses ?? []) {
      this.witnesses.get(id)!.state.restore(state.backup());
    }
    for (const [hash, sequence] of before?.acknowledged ?? []) {
      this.acknowledged.set(hash, sequence);
    }
  }

  /** A log that has published a head, before its gateway finds the succession. */
  static async begin(): Promise<CeremonySite> {
    const site = new CeremonySite({});
    const gateway = await site.#start(new MortalProcess(), { isArmed: false });
    assert.ok(await site.#submit(gateway));
    await site.#published(gateway);
    await gateway.stop();
    return site;
  }

  /** The same log again, with another fate. */
  with(plan: Plan): CeremonySite {
    return new CeremonySite(plan, this);
  }

  /** Starts a gateway from what is stored, as `serve` does; never resolves if it dies. */
  async #start(process: MortalProcess, { isArmed = true } = {}): Promise<Gateway> {
    const store = this.#store(process);
    const links = await new MemoryLogStore(this.log).successions.links();
    const network = links.length === 0 ? OLD : NEW;
    const memo = new RoundTreeMemo(kernels);
    const clock = process.clock(this.clock);
    const gateway = await Gateway.start({
      ...this.#partsOf(network, process),
      links,
      store,
      kernels,
      clock,
      bls: nativeCrypto.bls,
      verify: nativeCrypto.ed25519,
      buildTree: (round) => memo.build(round),
      policy: { maxAgeMs: 10, maxLeaves: 12 },
      succession: {
        read: () => Promise.resolve(isArmed ? SUCCESSION : undefined),
        open: () => Promise.resolve(this.#partsOf(NEW, process)),
      },
      onFatal: (error) => this.#faults.push(error),
      report: () => {},
    });
    gateway.sequencer.follow(new RecordingFollower(), new AbortController().signal);
    return gateway;
  }

  #partsOf({ configuration: network, log }: TestNetwork, process: MortalProcess): EpochParts {
    const clients = network.witnesses.map(({ id }) => this.witnesses.get(id)!.client);
    return { network, logSigner: log, witnesses: process.witnesses(clients) };
  }

  #store({ fault }: MortalProcess): LogStore {
    const store = new MemoryLogStore(this.log);
    store.fault = fault;
    const { forgotten } = this;
    const stored = () => Promise.resolve("stored" as const);
    const { successions } = store;
    const lost: Partial<SuccessionStore> = {
      ...(forgotten === "document" && { commitDocument: stored }),
      ...(forgotten === "link" && { commitLink: stored }),
    };
    return Object.assign(store, { successions: { ...successions, ...lost } });
  }

  /** What a client of epoch 0 has pinned. */
  get pinned(): NetworkConfiguration {
    return OLD.configuration;
  }

  /** A front of `gateway` that sees nothing until it reads. */
  async join({ sequencer }: Gateway): Promise<LinkedFront> {
    const { clock } = this;
    const never = { nowMs: () => 0, elapsedMs: () => 0, sleep: () => new Promise<void>(() => {}) };
    const link = new LocalLink(sequencer, {
      clock: never,
      requestMs: () => 0,
      updateMs: () => 1,
    });
    const front = await Front.start({
      network: OLD.configuration,
      store: new MemoryLogStore(this.log),
      kernels,
      clock,
      verify: nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      report: () => {},
    }, (follower) => {
      link.follow(follower);
      return link;
    });
    const end = () => {
      front.close();
      link.end();
    };
    return { front, link, end };
  }

  /** Adds one attestation, and waits until it is in a batch. */
  async grow(gateway: Gateway): Promise<void> {
    await this.#acceptOne(gateway);
    await this.#published(gateway);
  }

  /**
   * Runs one gateway under load until it has ended the ceremony or is dead. `joins` is called once it has
   * started.
   */
  async live(
    process: MortalProcess,
    joins?: (gateway: Gateway) => Promise<void>,
  ): Promise<Gateway | undefined> {
    let gateway: Gateway | undefined;
    this.#start(process).then(async (started) => {
      await joins?.(started);
      gateway = started;
    }).catch((error) => this.#faults.push(error));
    const isOver = () =>
      process.isDead || this.#faults.length > 0 || (gateway?.epochs.links.length ?? 0) > 0;
    for (let wave = 0; wave < 60 && !isOver(); wave++) {
      await this.clock.advance(wave < 8 ? 20 : 1_000);
      if (gateway !== undefined && !process.isDead) void this.#submit(gateway);
      const dead = [...this.witnesses.values()].filter(({ isDead }) => isDead);
      for (const witness of wave % 4 === 3 ? dead : []) witness.restart();
    }
    for (const witness of this.witnesses.values()) if (witness.isDead) witness.restart();
    assert.deepEqual(this.#faults, []);
    if (gateway !== undefined) this.#chains.add(gateway.epochs.chainJson);
    return process.isDead ? undefined : gateway;
  }

  async #submit(gateway: Gateway): Promise<boolean> {
    const digests = randomDigests(1);
    try {
      const sequences = await gateway.jobs.accept(digests);
      hashesOf(digests).forEach((hash, i) => this.acknowledged.set(hash, sequences[i]!));
      return true;
    } catch {
      return false;
    }
  }

  /** A gateway that is not killed ends the ceremony, and what stands then is as promised. */
  async finish(): Promise<void> {
    const gateway = await this.live(new MortalProcess());
    assert.equal(gateway?.epochs.links.length, 1, "the ceremony does not end");
    const [link] = gateway.epochs.links;
    await this.#acceptOne(gateway);
    this.#chains.add(gateway.epochs.chainJson);
    await gateway.stop();
    // Whatever was kept in memory only is gone.
    for (const [id, witness] of this.witnesses) {
      witness.restart();
      if (this.ends.has(id)) await witness.askBeyond(link!.end.tree_size);
    }
    const again = await this.live(new MortalProcess());
    assert.deepEqual(again?.epochs.links, [link]);
    await this.#acceptOne(again);
    await this.#published(again);
    await this.#check(again);
    await again.stop();
  }

  async #acceptOne(gateway: Gateway): Promise<void> {
    let isAccepted = false;
    await this.clock.until(() => {
      if (!isAccepted) void this.#submit(gateway).then((accepted) => isAccepted ||= accepted);
      return isAccepted;
    });
  }

  async #published({ log }: Gateway): Promise<void> {
    const size = Math.max(...this.acknowledged.values()) + 1;
    await this.clock.until(() => (log.latest()?.sth.tree_head.tree_size ?? 0) >= size);
  }

  async #check({ epochs, proofs, eventLog }: Gateway): Promise<void> {
    assert.deepEqual(this.log.violations, []);
    assert.deepEqual(this.#faults, []);
    assert.deepEqual(this.heads.forks, []);
    for (const { state } of this.witnesses.values()) state.assertSound();
    for (const [id, ends] of this.ends) assert.equal(ends.size, 1, `${id} signed several ends`);
    this.#chains.add(epochs.chainJson);
    assert.equal(this.#chains.difference(new Set(["[]"])).size, 1, "several links of one epoch");
    const { network, failure } = await followSuccession(
      nativeCrypto,
      OLD.configuration,
      epochs.links,
    );
    assert.equal(failure, undefined);
    for (const [hash, sequence] of this.acknowledged) {
      assert.equal(await eventLog.sequenceOf(hash), sequence, "not where it was");
      const bundle = parseBundle(await proofs.bundle(hash));
      const verdict = await verifyBundle(nativeCrypto, { network, peers: [] }, bundle, { hash });
      assert.ok(verdict.valid, `${sequence}: ${JSON.stringify(verdict)}`);
    }
  }
}
