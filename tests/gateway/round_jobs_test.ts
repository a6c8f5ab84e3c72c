import assert from "node:assert/strict";
import { HASH_LENGTH, textOf } from "../../src/base/bytes.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { SthRecord } from "../../src/proof/format/records.ts";
import type { Beacon } from "../../src/proof/format/round.ts";
import { confirmedSnapshot } from "../../src/gateway/intake/job.ts";
import { JobListWriter } from "../../src/gateway/intake/jobs.ts";
import { RecentJobs, RoundJobs } from "../../src/gateway/intake/round_jobs.ts";
import { pathJson, sharedMembers } from "../../src/gateway/proving/attestation_json.ts";
import { ConfirmedRounds, type RecentRound } from "../../src/gateway/proving/confirmed_rounds.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { randomDigests } from "./fixture.ts";
import { round, sth } from "../storage/log_records.ts";

const NETWORK = "test.example/log";
const BEACON: Beacon = { chain_hash: "ab".repeat(32), round: 7, signature: "9a".repeat(48) };
const SHARED = sharedMembers(BEACON, {
  signatures: [{ witness_id: "test.example/log/w1", signature: "12".repeat(64) }],
});
const ACCEPTED_AT = 1_799_999_999;

function recentRound(first: number, size: number) {
  const digests = randomDigests(size);
  const record = round(first, size);
  const { timestamp } = record;
  const tree = buildRoundTree(portableKernels, { networkId: NETWORK, timestamp, first, digests });
  const recent: RecentRound = { record, tree };
  return { recent, digests };
}

/** The job at `index` of a round, made from strings. */
function expected(
  { recent, digests }: ReturnType<typeof recentRound>,
  index: number,
  job: {
    readonly acceptedAt: number;
    readonly batch: { id: number; closedAt: number } | undefined;
  },
): string {
  const { record, tree } = recent;
  const levels = { levelsHex: tree.levels.map((level) => level.toHex()), upperPaths: [] };
  return confirmedSnapshot(NETWORK, {
    round: { record },
    hash: digests.subarray(index * HASH_LENGTH, (index + 1) * HASH_LENGTH).toHex(),
    leafHash: "",
    sequence: record.first + index,
    pathJson: pathJson(levels, index),
  }, { ...job, shared: SHARED }).json;
}

Deno.test("RoundJobs writes every job of a round as confirmedSnapshot() does", () => {
  const sizes = [1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 100, 257, 512];
  const firsts = [0, 9, 99_999, 2 ** 32 - 1, 2 ** 53 - 1_000];
  for (const size of sizes) {
    for (const first of firsts) {
      const made = recentRound(first, size);
      for (const batch of [undefined, { id: first + size, closedAt: 1_800_000_050 }]) {
        const job = { acceptedAt: ACCEPTED_AT, batch };
        const jobs = new RoundJobs(made.recent, { networkId: NETWORK, shared: SHARED, ...job });
        const target = new Uint8Array(jobs.maxLength + 3);
        for (let index = 0; index < size; index++) {
          const from = index * HASH_LENGTH;
          const written = { sequence: first + index, digests: made.digests, from };
          const end = jobs.write(target, 3, written);
          assert.equal(textOf(target.subarray(3, end)), expected(made, index, job));
        }
      }
    }
  }
});

Deno.test("RecentJobs follows rounds, times of acceptance and batches", () => {
  const confirmed = new ConfirmedRounds(0, []);
  const rounds = [recentRound(0, 20), recentRound(20, 20)];
  for (const { recent } of rounds) confirmed.add(recent);
  const heads: SthRecord[] = [sth(10), sth(30)];
  const acceptedAt = (sequence: number) => ACCEPTED_AT + (sequence % 7 === 0 ? 1 : 0);
  const jobs = new RecentJobs({
    networkId: NETWORK,
    confirmed,
    index: { acceptedInMemory: (sequence) => sequence === 33 ? undefined : acceptedAt(sequence) },
    heads: {
      closing: (sequence) => {
        const head = heads.find(({ size }) => size > sequence);
        return sequence === 25 ? Promise.resolve(head) : head;
      },
    },
    reader: { sharedOf: () => SHARED },
  });
  // Backwards as well: a bulk request may repeat digests in any order.
  const sequences = Array.from({ length: 42 }, (_, i) => i);
  for (const sequence of [...sequences, ...sequences.toReversed()]) {
    const found = jobs.of(sequence);
    // Not confirmed, not in memory, and a head that is not verified yet.
    if (sequence >= 40 || sequence === 33 || sequence === 25) {
      assert.equal(found, undefined);
      continue;
    }
    const made = rounds[sequence < 20 ? 0 : 1]!;
    const index = sequence % 20;
    const closing = heads.find(({ size }) => size > sequence);
    const batch = closing && { id: closing.size, closedAt: closing.timestamp };
    const target = new Uint8Array(found!.maxLength);
    const job = { sequence, digests: made.digests, from: index * HASH_LENGTH };
    const end = found!.write(target, 0, job);
    assert.equal(
      textOf(target.subarray(0, end)),
      expected(made, index, { acceptedAt: acceptedAt(sequence), batch }),
    );
  }
});

Deno.test("JobListWriter joins jobs of all kinds and finds the first that is not terminal", () => {
  assert.equal(textOf(new JobListWriter().end().json), "[]");
  const made = recentRound(5, 40);
  const job = { acceptedAt: ACCEPTED_AT, batch: undefined };
  const jobs = new RoundJobs(made.recent, { networkId: NETWORK, shared: SHARED, ...job });
  // Memory of an earlier list.
  const list = new JobListWriter(new Uint8Array(3_000).fill(0x7b));
  const texts: string[] = [];
  for (let index = 0; index < 40; index++) {
    assert.equal(list.count, index);
    if (index % 5 === 3) {
      // A text may have characters beyond ASCII, in the message of a witness.
      const json = `{"message":"${"\u00e9\u{1f600}".repeat(index * 50)}"}`;
      list.append({ json, terminal: index < 20 });
      texts.push(json);
    } else {
      const written = { sequence: 5 + index, digests: made.digests, from: index * HASH_LENGTH };
      // The guess of how many jobs follow may be wrong.
      list.appendRecent(jobs, written, index % 2);
      texts.push(expected(made, index, job));
    }
    assert.equal(list.waiting, index < 23 ? -1 : 23);
  }
  assert.equal(textOf(list.end().json), `[${texts.join()}]`);
});
