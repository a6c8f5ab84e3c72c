/**
 * Watches jobs that wait, at a gateway and as a front answers them.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { SigningReplica } from "../../src/gateway/signing/signing_view.ts";
import { RecordingFollower } from "./recording_follower.ts";
import { jobOf } from "./scenario.ts";

export class JobWatch {
  /** The attempts that were answered, by sequence; each once in a row. */
  readonly attempts = new Map<number, number[]>();
  readonly #updates = new Map<number, number>();
  readonly #follower = new RecordingFollower();
  readonly #gateway: Gateway;

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
    gateway.sequencer.follow(this.#follower, new AbortController().signal);
  }

  /** Requires that attempts never decrease, nor the time of the last change while a job waits. */
  async look(): Promise<void> {
    const { durable, load, failing } = this.#follower.state;
    const replica = new SigningReplica(durable, load, failing);
    for (let sequence = 0; sequence < durable; sequence++) {
      const { attempts, updated_at, signed_attestation } = await jobOf(this.#gateway, sequence);
      const seen = this.attempts.get(sequence) ?? [];
      this.attempts.set(sequence, seen);
      const name = `job ${sequence} after ${seen} attempts`;
      if (attempts !== seen.at(-1)) seen.push(attempts);
      assert.deepEqual(seen, seen.toSorted((a, b) => a - b), name);
      if (signed_attestation !== undefined) continue;
      assert.equal(replica.stateOf(sequence).attempts, attempts, `${name}, at a front`);
      assert.ok(updated_at >= (this.#updates.get(sequence) ?? 0), name);
      this.#updates.set(sequence, updated_at);
    }
  }
}
