/**
 * The successions of one gateway: who signs now, and the parts that a succession stops and moves on.
 *
 * @module
 */

import { aborted } from "../../base/clock.ts";
import type { Bytes } from "../../base/bytes.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { GatewayHealth } from "../gateway_health.ts";
import type { GatewayParts } from "../gateway_parts.ts";
import type { Assigner } from "../intake/assigner.ts";
import type { Committer } from "../intake/committer.ts";
import { NO_OBSERVER } from "../observer.ts";
import type { AttestationReader } from "../proving/attestation_reader.ts";
import type { PublishedLog } from "../proving/published_log.ts";
import type { Recovered } from "../recovery.ts";
import type { Batcher } from "../sequencing/batching.ts";
import { Cosigner } from "../sequencing/cosigning.ts";
import type { ForkEvidence } from "../sequencing/rollback_evidence.ts";
import type { Signer } from "../signing/signing.ts";
import { WitnessPool } from "../signing/witness_pool.ts";
import { WitnessWatch } from "../signing/witness_watch.ts";
import { NO_TRACER } from "../tracer.ts";
import { CurrentSigners } from "./current_signers.ts";
import type { EpochParts, PreparedEpoch, SuccessionProgress } from "./ports.ts";
import { SuccessionDriver } from "./succession_driver.ts";

/** Time limit for one answer of a witness. */
const WITNESS_TIMEOUT_MS = 5_000;

/** The pool of `witnesses`. */
export function poolOf(
  { verify, bls, clock, observer = NO_OBSERVER, tracer = NO_TRACER }: GatewayParts,
  { network, witnesses }: Pick<EpochParts, "network" | "witnesses">,
): WitnessPool {
  return new WitnessPool(network, witnesses, {
    verify,
    bls,
    clock,
    observer,
    tracer,
    timeoutMs: WITNESS_TIMEOUT_MS,
  });
}

/** The signers of the present epoch, which begin with `pool`. */
export function currentSigners(
  { network, logSigner, clock, report }: GatewayParts,
  { pool, ...context }: {
    readonly pool: WitnessPool;
    readonly evidence: ForkEvidence;
    readonly durable: () => number;
    readonly consistency: (first: number, second: number) => Promise<Bytes[]>;
  },
): CurrentSigners {
  return new CurrentSigners(
    { epoch: network.epoch ?? 0, pool, logSigner },
    (signers) => new Cosigner({ ...signers, ...context, networkId: network.id, clock, report }),
  );
}

export interface GatewaySuccessionContext {
  readonly parts: GatewayParts;
  readonly recovered: Recovered;
  readonly signers: CurrentSigners;
  readonly health: GatewayHealth;
  readonly signer: Signer;
  readonly batcher: Batcher;
  readonly assigner: Assigner;
  readonly committer: Committer;
  readonly reader: AttestationReader;
  readonly log: PublishedLog;
  readonly consistency: (first: number, second: number) => Promise<Bytes[]>;
  /** Called when `recovered.epochs` has changed. */
  readonly epochEnded: () => void;
}

export class GatewaySuccession {
  readonly #context: GatewaySuccessionContext;
  readonly #driver: SuccessionDriver;
  /** Ends the watch of the witnesses of the present epoch. */
  #epochOver = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  #stop: AbortSignal | undefined;

  constructor(context: GatewaySuccessionContext) {
    this.#context = context;
    const { parts, recovered: { epochs, writes, heads }, signers, reader, log } = context;
    const { store, clock, report, kernels, verify, bls } = parts;
    this.#driver = new SuccessionDriver({
      epochs,
      store: store.successions,
      source: parts.succession,
      writes,
      clock,
      report,
      crypto: { kernels, ed25519: verify, bls },
      pool: () => signers.pool,
      logSigner: () => signers.logSigner,
      publishedSize: () => heads.size,
      publishedRoot: async (size) => (await log.headAt(size)).root.toHex(),
      findDigest: (hash) => reader.find(hash),
      logLast: (digest, isFreeze) => this.#logLast(digest, isFreeze),
      endAt: (boundary, isFreeze) => this.#endAt(boundary, isFreeze),
      attestedAt: async (sequence) => (await reader.read(sequence))!.round.record.timestamp,
      inclusionPath: async (sequence, size) =>
        await log.inclusionPath((await reader.read(sequence))!, await log.headAt(size)),
      consistencyPath: context.consistency,
      prepare: (next) => ({ parts: next, pool: poolOf(parts, next) }),
      switchTo: (link, next) => this.#switchTo(link, next),
    });
  }

  get progress(): SuccessionProgress {
    return this.#driver.progress;
  }

  /** Call it before rounds are formed: they end where the epoch does. */
  async recover(): Promise<void> {
    const { epochs } = this.#context.recovered;
    if (epochs.frozenAt === undefined) return await this.#driver.recover();
    this.#endLog();
  }

  /** Refusals name the next log once the link is there. */
  #endLog(): void {
    const { recovered: { epochs: { endText } }, assigner, health } = this.#context;
    assigner.end(endText);
    health.logEnds(endText);
  }

  /** Watches the witnesses of the present epoch until `signal` aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    this.#stop = signal;
    this.#watchWitnesses();
    while (!signal.aborted) await this.#watching;
  }

  /** Applies successions until `signal` aborts. Rejects on a fault that no retry fixes. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#driver.run(signal);
  }

  #logLast(digest: Bytes, isFreeze: boolean) {
    const { assigner, committer } = this.#context;
    const sequence = assigner.takeOwn(digest);
    if (!this.#endAt(sequence + 1, isFreeze)) return undefined;
    return { sequence, durable: committer.whenDurable(sequence + 1) };
  }

  /** The epoch, or the log, ends at `boundary`; false if rounds beyond it were formed. Synchronous. */
  #endAt(boundary: number, isFreeze: boolean): boolean {
    const { signer, batcher } = this.#context;
    if (!signer.endAt(boundary)) return false;
    batcher.closeAt(boundary);
    if (isFreeze) this.#endLog();
    return true;
  }

  #switchTo(link: SuccessionLink, next: PreparedEpoch | null): void {
    const { recovered: { epochs }, signers, health, signer, batcher } = this.#context;
    epochs.add(link, next?.parts.network ?? null);
    this.#context.epochEnded();
    if (next === null) {
      this.#endLog();
      return this.#watchWitnesses();
    }
    const { parts: { logSigner }, pool } = next;
    signers.replace({ epoch: epochs.current.number, pool, logSigner });
    health.evidence.witnessesChanged(pool.witnesses.map(({ id }) => id), pool.threshold);
    this.#watchWitnesses();
    signer.endAt(Infinity);
    batcher.closeAt(Infinity);
  }

  /** The witnesses of a log that has ended may be gone: they are not watched. */
  #watchWitnesses(): void {
    if (this.#stop === undefined) return;
    const { parts, signers, recovered: { epochs } } = this.#context;
    const before = this.#epochOver;
    this.#epochOver = new AbortController();
    const signal = AbortSignal.any([this.#stop, this.#epochOver.signal]);
    this.#watching = epochs.frozenAt === undefined
      ? new WitnessWatch(signers.pool, parts).run(signal)
      : aborted(signal);
    before.abort();
  }
}
