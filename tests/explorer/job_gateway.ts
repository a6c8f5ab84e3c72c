/**
 * A gateway as the page that stamps meets it: jobs that go on with every question, and a line that can
 * be cut.
 *
 * @module
 */

import { CountersignError } from "../../src/base/errors.ts";
import type { GatewayAnswer } from "../../src/client/gateway_connection.ts";
import type { StampGateway } from "../../src/explorer/stamp/stamp_follower.ts";
import { type CrossAnchor, parseBundle, type ProofBundle } from "../../src/proof/format/bundle.ts";
import { GatewayRefusal } from "../../src/proof/format/gateway_refusal.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { batchedBundle, makeLog, TestNetwork } from "../proof/verify/fixture.ts";

export const network = new TestNetwork("stamp.example");
export const whole: ProofBundle = batchedBundle(makeLog(network));
export const HASH = whole.signed_attestation.attestation.hash;

const PEER: CrossAnchor = {
  witnessing_network: "peer.example",
  tree_head: whole.batch_inclusion!.sth.tree_head,
  consistency_path: [],
  signatures: [],
};

function answer<T>(value: T): Promise<GatewayAnswer<T>> {
  return Promise.resolve({ text: JSON.stringify(value), value });
}

/** Each stage is reached by so many questions about the one before it. */
export interface Delays {
  readonly pending?: number;
  readonly unbatched?: number;
  readonly unanchored?: number;
}

export class JobGateway {
  /** Thrown by the next questions, one each; `undefined` is an answer. */
  readonly faults: unknown[] = [];
  readonly asked: string[] = [];
  peers: readonly string[] = [];
  isFailed = false;
  readonly #left: { pending: number; unbatched: number; unanchored: number };

  constructor({ pending = 0, unbatched = 0, unanchored = 0 }: Delays = {}) {
    this.#left = { pending, unbatched, unanchored };
  }

  get api(): StampGateway {
    return {
      submit: async (hashes) => {
        const isPending = this.#left.pending-- > 0;
        const what = hashes.length === 1 ? hashes[0] : hashes.length;
        const jobs = () => hashes.map((hash) => this.#job(hash, isPending));
        return (await this.#ask(`submit ${what}`, jobs)).value;
      },
      job: (hash) => this.#ask("job", () => this.#job(hash, this.#left.pending-- > 0)),
      bundle: (hash) => this.#ask("bundle", () => this.#bundle(hash)),
      sth: () => {
        const { sth } = whole.batch_inclusion!;
        const tree_size = this.#left.unbatched-- > 0 ? 0 : sth.tree_head.tree_size;
        return this.#ask("sth", () => ({ ...sth, tree_head: { ...sth.tree_head, tree_size } }));
      },
      status: () =>
        this.#ask("status", () => ({
          status: "ok",
          witnesses: [],
          pending_count: 0,
          contradictions: 0,
          anchors: [],
          foreign_witnesses: [],
          peers: this.peers.map((id) => ({ id, failing: false })),
        })),
    };
  }

  #ask<T>(what: string, make: () => T): Promise<GatewayAnswer<T>> {
    this.asked.push(what);
    const fault = this.faults.shift();
    return fault === undefined ? answer(make()) : Promise.reject(fault);
  }

  #job(hash: string, isPending: boolean): JobSnapshotMembers {
    const members = { hash, attempts: 1, created_at: 1, updated_at: 1 };
    if (this.isFailed) return { ...members, status: "failed", progress: "unconfirmed" };
    if (isPending) {
      const last_error = { code: "threshold_not_met", message: "Cannot sign" };
      return { ...members, status: "retryable", progress: "unconfirmed", last_error };
    }
    const { signed_attestation } = whole;
    return this.#left.unbatched > 0
      ? { ...members, status: "confirmed", progress: "confirmed", signed_attestation }
      : { ...members, status: "confirmed", progress: "batched", signed_attestation, batch_id: 12 };
  }

  #bundle(hash: string): ProofBundle {
    const { signed_attestation: signed } = whole;
    const attestation = { ...signed.attestation, hash };
    const bundle = { ...whole, signed_attestation: { ...signed, attestation } };
    if (this.#left.unbatched > 0) return { ...bundle, batch_inclusion: null };
    const isAnchored = this.#left.unanchored-- <= 0;
    return isAnchored ? { ...bundle, cross_anchors: this.peers.map(() => PEER) } : bundle;
  }
}

/** Read strictly: the fixture is what a gateway would answer. */
parseBundle(JSON.stringify(whole));

export function unreachable(): CountersignError {
  return new CountersignError("gateway_unreachable", "Cannot obtain job: found none");
}

export function refusal(status: number, retryAfter?: number): GatewayRefusal {
  return new GatewayRefusal("job", { status, retryAfter });
}
