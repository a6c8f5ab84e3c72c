/**
 * The status of a gateway: health, witnesses, queue and anchoring for everyone, the depths of its pipeline
 * for the operator.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../base/clock.ts";
import { beaconTime } from "../proof/crypto/drand.ts";
import type { RoundRecord } from "../proof/format/records.ts";
import type { HealthStatus } from "../proof/format/gateway_status.ts";
import type { StatusFacts } from "./fronts/ports.ts";
import type { HealthView } from "./health_view.ts";
import type { DigestIndex } from "./index/digest_index.ts";
import type { SpentIds } from "./index/spent_ids.ts";
import type { Committer } from "./intake/committer.ts";
import type { Waiters } from "./intake/waiters.ts";
import type { WitnessPurpose } from "./observer.ts";
import type { AnchoringStatus, AnchorSource, BeaconSource, WitnessClient } from "./ports.ts";
import type { ConfirmedRounds } from "./proving/confirmed_rounds.ts";
import type { PublishedHeads } from "./sequencing/published_heads.ts";
import { type ServiceStatus, serviceStatus } from "./service_status.ts";
import type { Signer } from "./signing/signing.ts";
import type { CurrentSigners } from "./succession/current_signers.ts";
import type { SuccessionProgress } from "./succession/ports.ts";
import type { MissingWitness } from "./signing/witness_health.ts";

/** The numbers of digests and rounds in each stage of the pipeline. */
export interface PipelineDepths {
  /** Sequences that are durable, durable with their signatures, and published. */
  readonly accepted: number;
  readonly confirmed: number;
  readonly published: number;
  /** Digests without a durable sequence. */
  readonly backlog: number;
  /** Durable digests that wait because witnesses did not answer. */
  readonly retryable: number;
  /** Durable digests without a round. */
  readonly unformed: number;
  /** Rounds that are being signed or wait for their next attempt. */
  readonly roundsInFlight: number;
  /** Signed rounds that are not durable yet. */
  readonly unstoredRounds: number;
  /** Redeemed tokens; absent if the gateway redeems none. */
  readonly spent?: number;
  /** Requests that wait for their jobs. */
  readonly waiters: number;
  /** Runs of the index in memory, and in the store. */
  readonly unsealedRuns: number;
  readonly sealedRuns: number;
}

export interface StatusContext {
  readonly health: HealthView;
  /** Signers of the present epoch. */
  readonly signers: Pick<CurrentSigners, "pool" | "logSigner">;
  readonly succession: () => SuccessionProgress;
  readonly committer: Committer;
  readonly signer: Signer;
  readonly index: DigestIndex;
  readonly spent: SpentIds | undefined;
  readonly confirmed: ConfirmedRounds;
  readonly heads: PublishedHeads;
  readonly waiters: Waiters;
  readonly beacons: BeaconSource | undefined;
  readonly anchors: AnchorSource | undefined;
  readonly clock: Clock;
  /** Signed rounds that are not durable yet. */
  readonly unstored: () => readonly Pick<RoundRecord, "size">[];
}

/** The status of one running gateway. */
export class StatusSource {
  readonly #context: StatusContext;

  constructor(context: StatusContext) {
    this.#context = context;
  }

  /** `ok`, or why the gateway does not do all of its work. */
  get health(): HealthStatus {
    return this.#context.health.value.status;
  }

  /** The resource `GET /v1/status`, without the status of anchoring. */
  resource(): ServiceStatus {
    const { health, heads, clock } = this.#context;
    return serviceStatus(health.value, this.facts(), heads.latest, unixSeconds(clock));
  }

  /** The current facts. Reads no store. */
  facts(): StatusFacts {
    const { signer, index, beacons } = this.#context;
    const pool = this.#context.signers.pool;
    const succession = this.#context.succession();
    const oldest = signer.oldestUnsigned;
    const oldestPendingAt = oldest === undefined ? undefined : index.acceptedInMemory(oldest);
    return {
      witnesses: pool.witnesses.map(({ id, client }, witnessIndex) => {
        const { isHealthy, lastSeenAt, failing } = pool.health.at(witnessIndex);
        const [lastError] = failing.values();
        return {
          id,
          healthy: isHealthy,
          ...(client.inProcess === true && { embedded: true }),
          ...(lastSeenAt !== undefined && { last_seen_at: lastSeenAt }),
          ...(lastError !== undefined && { last_error: lastError, failing: [...failing.keys()] }),
        };
      }),
      pending: signer.unsignedCount,
      // Absent if the row has left memory.
      ...(oldestPendingAt !== undefined && { oldestPendingAt }),
      ...(beacons !== undefined && { beacon: beaconOf(beacons) }),
      // Without a succession, only the epoch is there.
      ...((succession.epoch > 0 || Object.keys(succession).length > 1) && { succession }),
    };
  }

  /** The clients of the present epoch's witnesses. */
  get witnesses(): readonly WitnessClient[] {
    return this.#context.signers.pool.witnesses.map(({ client }) => client);
  }

  /** The status of anchoring; `undefined` if heads are not anchored. Rejects with `storage_failed`. */
  anchoring(): Promise<AnchoringStatus> | undefined {
    return this.#context.anchors?.status(this.#context.heads.size);
  }

  get depths(): PipelineDepths {
    const { committer, signer, index, spent, heads, waiters } = this.#context;
    const unstored = this.#context.unstored().map(({ size }) => size);
    return {
      accepted: committer.durable,
      // Counts only durable digests, so that none of the three ever decreases.
      confirmed: unstored.reduce(
        (left, size) => left - size,
        committer.durable - signer.unsignedCount,
      ),
      published: heads.size,
      backlog: committer.backlog,
      retryable: signer.retryableCount,
      unformed: signer.unformedCount,
      roundsInFlight: signer.roundsInFlight,
      unstoredRounds: unstored.length,
      ...(spent !== undefined && { spent: spent.index.end - spent.backlog }),
      waiters: waiters.count,
      unsealedRuns: index.unsealedRuns,
      sealedRuns: index.sealedRuns,
    };
  }

  /** The witnesses that do not do `work` at present. */
  missingWitnesses(work: WitnessPurpose): readonly MissingWitness[] {
    return this.#context.signers.pool.health.missing(work);
  }

  /** True if the log's key is with a signer that did not sign the last head. */
  get isLogKeyAway(): boolean {
    return this.#context.signers.logSigner.isAway ?? false;
  }

  /** Unix seconds at which the oldest unpublished digest was accepted. */
  async unpublishedSince(): Promise<number | undefined> {
    const { confirmed, heads, index, signer } = this.#context;
    const oldest = confirmed.end > heads.size ? heads.size : signer.oldestUnsigned;
    return oldest === undefined ? undefined : await index.acceptedAt(oldest);
  }
}

function beaconOf(beacons: BeaconSource): NonNullable<StatusFacts["beacon"]> | null {
  const beacon = beacons.latest();
  return beacon && { round: beacon.round, time: beaconTime(beacons.chain, beacon.round) };
}
