import assert from "node:assert/strict";
import { confirmedSnapshot, waitingSnapshot } from "../../src/gateway/intake/job.ts";
import { sharedMembers } from "../../src/gateway/proving/attestation_json.ts";
import type { Beacon } from "../../src/proof/format/round.ts";
import type { SignatureSet } from "../../src/proof/format/signature_set.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { round } from "../storage/log_records.ts";

const HASH = "ab".repeat(32);
const NODE = "cd".repeat(32);
const BEACONS = [null, { chain_hash: HASH, round: 7, signature: "9a".repeat(48) }];
const SETS: readonly SignatureSet[] = [
  {
    signatures: [
      { witness_id: "test.example/log/w1", signature: "12".repeat(64) },
      { witness_id: "test.example/log/w2", signature: "34".repeat(64) },
    ],
  },
  { signature: "56".repeat(48), signers: ["test.example/log/w1", "test.example/log/w2"] },
];

/** The members in which snapshots differ. */
interface Parts {
  readonly set: SignatureSet;
  readonly path: readonly string[];
  readonly beacon: Beacon | null;
}

/** The snapshot of sequence 7, in a round that begins at 5. */
function snapshotOf(
  { set, path, beacon }: Parts,
  batch?: { id: number; closedAt: number },
) {
  return confirmedSnapshot("test.example/log", {
    round: { record: round(5, 4) },
    hash: HASH,
    leafHash: NODE,
    sequence: 7,
    pathJson: JSON.stringify(path),
  }, { acceptedAt: 1_799_999_999, shared: sharedMembers(beacon, set), batch });
}

function expected(
  { set, path, beacon }: Parts,
  batch?: { id: number; updatedAt: number },
) {
  return {
    hash: HASH,
    status: "confirmed",
    progress: batch === undefined ? "confirmed" : "batched",
    attempts: 2,
    created_at: 1_799_999_999,
    updated_at: batch?.updatedAt ?? 1_800_000_001,
    signed_attestation: {
      attestation: {
        hash: HASH,
        timestamp: 1_800_000_001,
        network_id: "test.example/log",
        sequence: 7,
      },
      round: { index: 2, size: 4, inclusion_path: path, beacon },
      ...set,
    },
    ...(batch !== undefined && { batch_id: batch.id }),
  } satisfies JobSnapshotMembers;
}

Deno.test("confirmedSnapshot() equals JSON.stringify() of the members", () => {
  const paths = [[], [NODE], [NODE, HASH, NODE]];
  const all = SETS.flatMap((set) =>
    paths.flatMap((path) => BEACONS.map((beacon): Parts => ({ set, path, beacon })))
  );
  for (const parts of all) {
    const json = JSON.stringify(expected(parts));
    assert.deepEqual(snapshotOf(parts), { terminal: true, json });
    const closed = snapshotOf(parts, { id: 9, closedAt: 1_800_000_050 });
    const batched = expected(parts, { id: 9, updatedAt: 1_800_000_050 });
    assert.deepEqual(closed, { terminal: true, json: JSON.stringify(batched) });
  }
});

Deno.test("updated_at of a job is not before its signature, even if the clock was set back", () => {
  const parts = { set: SETS[0]!, path: [], beacon: null };
  const { json } = snapshotOf(parts, { id: 9, closedAt: 5 });
  assert.equal((JSON.parse(json) as JobSnapshotMembers).updated_at, 1_800_000_001);
});

Deno.test("a waiting job has the time of its next attempt and the error of the last one", () => {
  const times = { acceptedAt: 50, nowSeconds: 60 };
  const members = {
    hash: HASH,
    status: "pending",
    progress: "unconfirmed",
    attempts: 0,
    created_at: 50,
    updated_at: 50,
    next_attempt_at: 60,
  };
  const pending = waitingSnapshot(HASH, { ...times, state: { attempts: 0 } });
  assert.deepEqual(pending, { terminal: false, json: JSON.stringify(members) });
  const lastError = { code: "threshold_not_met" as const, message: 'with "quotes"' };
  const state = { attempts: 3, nextAttemptAt: 70, failedAt: 65, lastError };
  const retryable = waitingSnapshot(HASH, { ...times, state });
  assert.deepEqual(JSON.parse(retryable.json), {
    ...members,
    status: "retryable",
    attempts: 3,
    updated_at: 65,
    next_attempt_at: 70,
    last_error: lastError,
  });
});
