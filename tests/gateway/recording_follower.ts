/**
 * A follower that applies all updates to the snapshot that it received, and remembers their order.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Bytes } from "../../src/base/bytes.ts";
import type { SthRecord } from "../../src/proof/format/records.ts";
import type {
  AnchorsState,
  ConfirmedRound,
  FailingRound,
  Follower,
  Health,
  SigningLoad,
  Snapshot,
  StatusFacts,
} from "../../src/gateway/fronts/ports.ts";
import type { SequencerService } from "../../src/gateway/fronts/gateway_sequencer.ts";
import type { SharedIndex } from "../../src/gateway/index/shared_index.ts";
import type { StoredHead } from "../../src/gateway/ports.ts";
import type { EpochChain } from "../../src/gateway/succession/epochs.ts";
import { ConfirmedRounds } from "../../src/gateway/proving/confirmed_rounds.ts";

export class RecordingFollower implements Follower {
  /** A line for each update; tests add their own. */
  readonly lines: string[] = [];
  #state: Snapshot | undefined;

  /** The snapshot with all updates applied. */
  get state(): Snapshot {
    assert.ok(this.#state !== undefined, "an update before the snapshot");
    return this.#state;
  }

  joined(snapshot: Snapshot): void {
    this.#state = snapshot;
    this.lines.push("joined");
  }

  accepted(end: number, load: SigningLoad): void {
    assert.ok(end > this.state.durable, "accepted twice");
    this.#apply({ durable: end, load }, `accepted ${end}`);
  }

  confirmed({ record, levels }: ConfirmedRound, load: SigningLoad): void {
    const { first, size } = record;
    assert.ok(first + size <= this.state.durable, "confirmed before it was accepted");
    assert.ok(levels === undefined || levels[0]!.length === 32 * size);
    const { end, beyond } = this.state.confirmed;
    const rounds = new ConfirmedRounds(end, beyond);
    rounds.addStored(first, first + size);
    const confirmed = { end: rounds.end, beyond: rounds.beyond };
    this.#apply({ confirmed, load }, `confirmed ${first}+${size}`);
  }

  treeGrown(head: StoredHead, edges: readonly Bytes[]): void {
    assert.ok(head.size <= this.state.confirmed.end, "grown before it was confirmed");
    this.#apply({ tree: { head, edges } }, `tree ${head.size}`);
  }

  headCosigned(record: SthRecord, isNew: boolean): void {
    const { size } = record;
    assert.ok(size <= this.state.tree.head.size, "published before the tree had grown");
    if (isNew) assert.ok(size > (this.state.latest?.size ?? 0), "published twice");
    const { latest, checkpoint } = this.state;
    if (isNew) this.#apply({ checkpoint: record, latest: record }, `published ${size}`);
    else if (size < latest!.size) this.#apply({}, `extended ${size}`);
    else if (signerCount(record) > signerCount(latest!) && latest!.timestamp === record.timestamp) {
      const isRefreshed = checkpoint!.timestamp !== record.timestamp;
      this.#apply(
        { latest: record, checkpoint: isRefreshed ? checkpoint : record },
        `extended ${size}`,
      );
    } else this.#apply({ checkpoint: record }, `cosigned ${size}`);
  }

  healthChanged(health: Health): void {
    this.#apply({ health }, health.status);
  }

  failingChanged(failing: readonly FailingRound[], load: SigningLoad): void {
    this.#apply({ failing, load }, `failing ${failing.map(({ first }) => first)}`);
  }

  statusChanged(status: StatusFacts): void {
    this.#apply({ status }, `pending ${status.pending}`);
  }

  anchorsChanged(anchors: AnchorsState): void {
    this.#apply({ anchors }, `anchors ${anchors.length}`);
  }

  epochEnded(epochs: EpochChain): void {
    // A follower that reads a round or a head of the new epoch must know who signs there.
    const size = epochs.links.at(-1)!.end.tree_size;
    const { confirmed: { end, beyond }, tree, latest } = this.state;
    const isEarlier = end <= size && beyond.length === 0 && tree.head.size <= size &&
      (latest?.size ?? 0) <= size;
    assert.ok(isEarlier, "a round or a head of the new epoch before its beginning");
    this.#apply({ epochs }, `epoch ${epochs.network.epoch ?? 0}`);
  }

  indexChanged(name: "digests" | "spent", index: SharedIndex): void {
    const change = name === "digests" ? { index } : { spent: index };
    this.#apply(change, `${name} of ${index.runs.length} runs`);
  }

  #apply(change: Partial<Snapshot>, line: string): void {
    this.#state = { ...this.state, ...change };
    this.lines.push(line);
  }
}

/** Requires `state` to be that of the sequencer now. Runs are compared as memory, not by content. */
export function assertCurrent(state: Snapshot, service: Pick<SequencerService, "snapshot">): void {
  const { index, spent, ...values } = state;
  const { index: currentIndex, spent: currentSpent, ...current } = service.snapshot();
  assert.deepEqual(values, current);
  assertSameMemory(index, currentIndex);
  assert.equal(spent === undefined, currentSpent === undefined);
  if (spent !== undefined) assertSameMemory(spent, currentSpent!);
}

function assertSameMemory(a: SharedIndex, b: SharedIndex): void {
  const memories = ({ filters, runs }: SharedIndex) => [
    ...filters,
    ...runs.map(({ memory }) => memory),
  ];
  const [first, second] = [memories(a), memories(b)];
  assert.deepEqual(a.runs.map(({ base }) => base), b.runs.map(({ base }) => base));
  assert.equal(first.length, second.length);
  first.forEach((memory, i) => assert.ok(memory === second[i], `memory ${i} of an index`));
}

function signerCount({ signatures }: SthRecord): number {
  return "witnesses" in signatures ? signatures.witnesses.length : signatures.length;
}
