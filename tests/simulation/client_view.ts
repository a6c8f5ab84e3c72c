/**
 * Compares the answers that clients received about one log with later answers, with the log, and
 * with the pinned configuration.
 *
 * @module
 */

import { hasCode } from "../../src/base/errors.ts";
import { isDeepStrictEqual } from "node:util";
import { keepsHead } from "../kept_head.ts";
import { parseBundle, type SignedAttestation } from "../../src/proof/format/bundle.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import type { JobSnapshot } from "../../src/gateway/intake/job.ts";
import { attestationTime } from "../../src/proof/verify/time_bracket.ts";
import { verifySignedAttestation } from "../../src/proof/verify/attestation.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { verifyConsistencyProof } from "../../src/proof/verify/log_proofs.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { verifySignedTreeHead } from "../../src/proof/verify/tree_head.ts";
import { require } from "./fault.ts";
import type { LogMonitor } from "./log_monitor.ts";
import { beaconVerifier } from "./relays.ts";
import type { ServingThread } from "./serving_thread.ts";
import type { World } from "./world.ts";

/** Progress of a job, ascending. */
const PROGRESS = ["unconfirmed", "confirmed", "batched"] as const;

export class ClientView {
  readonly #world: World;
  readonly #log: LogMonitor;
  /** Sequence by hex digest, as acknowledged. */
  readonly acknowledged = new Map<string, number>();
  /** The furthest progress seen for each sequence, and its attestation. */
  readonly #progress = new Map<number, number>();
  readonly #attestations = new Map<number, SignedAttestation>();
  /** Served heads by size. */
  readonly heads = new Map<number, SignedTreeHead>();
  /** The furthest position that any thread has answered in each list of the log. */
  readonly #answered = { accepted: 0, confirmed: 0, published: 0 };

  constructor(world: World, log: LogMonitor) {
    this.#world = world;
    this.#log = log;
  }

  /** A copy for another log that is identical so far. */
  copy(log: LogMonitor): ClientView {
    const copy = new ClientView(this.#world, log);
    for (const [hash, sequence] of this.acknowledged) {
      if (sequence < log.accepted.length) copy.acknowledged.set(hash, sequence);
    }
    return copy;
  }

  /** Rounds were lost from `confirmed` on. Attestations that clients have must stay what they are. */
  lose(confirmed: number): void {
    this.#answered.confirmed = Math.min(this.#answered.confirmed, confirmed);
    for (const sequence of this.#progress.keys()) {
      if (sequence >= confirmed) this.#progress.delete(sequence);
    }
  }

  /** Records an acknowledged digest. It must be on disk already and keep its sequence. */
  acknowledge(hash: string): void {
    const sequence = this.#log.sequenceOf(hash);
    require(sequence !== undefined, "order", "a digest is acknowledged and on no disk");
    const known = this.acknowledged.get(hash) ?? sequence;
    require(known === sequence, "promises", `${known} is acknowledged at ${sequence} again`);
    this.acknowledged.set(hash, sequence);
    this.#answered.accepted = Math.max(this.#answered.accepted, sequence + 1);
  }

  /** Requires a thread to know all that any thread has answered before, and nothing that is on no disk. */
  checkProgress({ service, process, name }: ServingThread): void {
    const { accepted, confirmed, published } = service.eventLog;
    const found = { accepted, confirmed, published };
    const { accepted: { length }, confirmedEnd, publishedSize } = this.#log;
    const stored = { accepted: length, confirmed: confirmedEnd, published: publishedSize };
    for (const list of ["accepted", "confirmed", "published"] as const) {
      const at = found[list];
      require(at <= stored[list], "order", `${name} has ${list} ${at}, which is on no disk`);
      if (!process.isInCharge) continue;
      const before = this.#answered[list];
      require(at >= before, "view", `${name} has ${list} ${at} after an answer with ${before}`);
      this.#answered[list] = at;
    }
    const { health } = process.gateway!.status;
    require(
      service.status.health === health,
      "health",
      `${name} does not know that it is ${health}`,
    );
  }

  /** Requires every acknowledged digest to be at its acknowledged sequence. */
  checkKept(): void {
    for (const [hash, sequence] of this.acknowledged) {
      const found = this.#log.accepted[sequence]?.hash;
      require(found === hash, "promises", `acknowledged digest ${sequence} is lost`);
    }
  }

  /** The furthest progress seen for the job of a digest. */
  seen(hash: string): number {
    return this.#progress.get(this.#log.sequenceOf(hash) ?? -1) ?? 0;
  }

  /** Looks up a digest and its job. */
  async look(thread: ServingThread, hash: string): Promise<void> {
    const { service, process } = thread;
    const seen = this.seen(hash);
    const isAccepted = this.acknowledged.has(hash);
    const sequence = await service.eventLog.sequenceOf(hash);
    const expected = this.#log.sequenceOf(hash);
    if (sequence === undefined) {
      // A process that lost the fence does not know later digests.
      const isMissed = process.isInCharge && isAccepted;
      return require(!isMissed, "memory", `accepted digest ${expected} is not found`);
    }
    require(sequence === expected, "memory", `digest ${expected} is found at ${sequence}`);
    const snapshot = await service.jobs.get(hash, undefined);
    require(snapshot !== undefined, "memory", `digest ${sequence} is found and has no job`);
    await this.checkSnapshot(thread, { hash, seen }, snapshot);
  }

  /**
   * Checks a snapshot from a thread; `seen` is the progress of the job at the time of the request.
   */
  async checkSnapshot(
    { process }: ServingThread,
    { hash, seen }: { readonly hash: string; readonly seen: number },
    { json }: JobSnapshot,
  ): Promise<void> {
    const sequence = this.#log.sequenceOf(hash);
    require(sequence !== undefined, "order", "the job of a digest that is on no disk");
    const job = JSON.parse(json) as JobSnapshotMembers;
    const progress = this.#checkJob(sequence, job);
    // Two concurrent processes may differ; the one with the fence knows at least as much as the
    // other.
    require(
      progress >= seen || !process.isInCharge,
      "view",
      `${sequence} went from ${PROGRESS[seen]} to ${job.progress}`,
    );
    if (job.signed_attestation === undefined) return;
    await this.#checkAttestation(sequence, job.signed_attestation);
  }

  /** Requires the bundle of a sequence to verify offline, up to the progress of its job. */
  async checkBundle({ service }: ServingThread, sequence: number): Promise<void> {
    const { network, crypto } = this.#world;
    const { hash } = this.#log.accepted[sequence]!;
    let text: string;
    try {
      text = await service.proofs.bundle(hash);
    } catch (error) {
      if (hasCode(error, "not_confirmed") || hasCode(error, "hash_unknown")) return;
      throw error;
    }
    const bundle = parseBundle(text);
    const verdict = await verifyBundle(crypto, { network, peers: [] }, bundle, { hash });
    require(verdict.valid, "view", `bundle of ${sequence} does not verify`);
    const isBatched = bundle.batch_inclusion !== null;
    const { status } = verdict.layers.batch;
    require(!isBatched || status === "verified", "view", `batch of ${sequence} does not verify`);
  }

  /**
   * Requires the latest head and checkpoint to be published, signed by the threshold, final, and no older
   * than those that any thread has served before.
   */
  async checkHeads({ service: { log }, process, name }: ServingThread): Promise<void> {
    const { network, crypto } = this.#world;
    const sth = log.latest()?.sth;
    const { published } = this.#answered;
    const { tree_size: size, root_hash } = sth?.tree_head ?? { tree_size: 0, root_hash: "" };
    const isCurrent = size >= published || !process.isInCharge;
    require(isCurrent, "view", `${name} serves head ${size} after head ${published}`);
    if (sth === undefined) return;
    this.#answered.published = Math.max(size, published);
    const stored = this.#log.published.get(size);
    require(stored?.root.toHex() === root_hash, "view", `a head of ${size} that is not published`);
    const known = this.heads.get(size);
    if (known === undefined) {
      const verdict = await verifySignedTreeHead(crypto, network, sth);
      require(verdict.valid, "view", `the head of ${size} does not verify`);
      this.heads.set(size, sth);
    } else require(isOneHead(sth, known), "view", `the head of ${size} is another`);
    const text = await log.checkpoint();
    if (text === undefined) return;
    const { valid, head } = await verifyCheckpoint(crypto, network, text);
    require(valid, "view", `the checkpoint does not verify`);
    const root = this.#log.heads.get(head.tree_size);
    require(root === head.root_hash, "view", `a checkpoint of ${head.tree_size} that is no head`);
  }

  /** Requires the smaller of two served heads to be a prefix of the larger. */
  async checkConsistency(
    { service }: ServingThread,
    first: number,
    second: number,
  ): Promise<void> {
    const { network, crypto } = this.#world;
    const proof = await service.log.consistency(first, second);
    const verdict = await verifyConsistencyProof(crypto, network, proof, { first, second });
    require(verdict.valid, "view", `heads of ${first} and ${second} are not proven consistent`);
    const isSame = isOneHead(proof.first_sth, this.heads.get(first)!) &&
      isOneHead(proof.second_sth, this.heads.get(second)!);
    require(isSame, "view", `heads of ${first} and ${second} are others`);
  }

  /** Returns the progress of the job. */
  #checkJob(sequence: number, job: JobSnapshotMembers): number {
    const { hash, acceptedAt, round } = this.#log.accepted[sequence]!;
    require(job.hash === hash, "memory", `${sequence} is the job of another digest`);
    require(job.created_at === acceptedAt, "memory", `${sequence} was accepted at another time`);
    const progress = PROGRESS.indexOf(job.progress);
    this.#progress.set(sequence, Math.max(progress, this.#progress.get(sequence) ?? 0));
    if (progress === 0) return progress;
    require(round !== undefined, "order", `${sequence} is confirmed and on no disk`);
    require(job.attempts === round.attempts, "memory", `${sequence} was tried otherwise`);
    if (progress === 1) return progress;
    const closing = Math.min(...[...this.#log.published.keys()].filter((size) => size > sequence));
    require(job.batch_id === closing, "memory", `${sequence} is batched in ${job.batch_id}`);
    return progress;
  }

  async #checkAttestation(sequence: number, signed: SignedAttestation): Promise<void> {
    const known = this.#attestations.get(sequence);
    if (known !== undefined) {
      // After a loss, others of the witnesses may have signed it again.
      const isSame = isDeepStrictEqual(said(known), said(signed));
      return require(isSame, "view", `attestation ${sequence} changed`);
    }
    const { network, crypto } = this.#world;
    const outcome = await verifySignedAttestation(crypto, network, signed);
    const { valid, leafHash } = outcome;
    require(valid, "view", `attestation ${sequence} does not verify`);
    const { failed, contradictions } = attestationTime(beaconVerifier, signed, outcome);
    const isBracketed = failed.length + contradictions.length === 0;
    require(isBracketed, "view", `the time of attestation ${sequence} contradicts itself`);
    const leaf = this.#log.accepted[sequence]!.leaf!;
    const isLeaf = leafHash !== undefined && leafHash.toHex() === leaf.toHex();
    require(isLeaf, "view", `attestation ${sequence} is of another leaf`);
    this.#attestations.set(sequence, signed);
  }
}

/** What an attestation says. */
const said = ({ attestation, round }: SignedAttestation) => ({ attestation, round });

/** Whether two readings are of one head; a thread may not have its latest cosignatures yet. */
function isOneHead(a: SignedTreeHead, b: SignedTreeHead): boolean {
  return keepsHead(a, b) || keepsHead(b, a);
}
