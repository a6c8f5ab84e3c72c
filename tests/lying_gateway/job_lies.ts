/**
 * Lies about where an attestation stands.
 *
 * @module
 */

import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { fromImpostor, jobs, otherHex } from "./changes.ts";
import type { Lie } from "./lie.ts";
import {
  each,
  JOB_READERS,
  NOT_YET_BATCHED,
  OVERDUE,
  STAMPS,
  UNPINNED,
} from "./expected_reports.ts";
import { MERGE_DELAY_SECONDS, OTHER_HASH, type World } from "./world.ts";

const BOTH = ["ed25519", "bls"] as const;
const FAILED = "gateway_refused: the gateway gives no reason";
const PENDING =
  "not_confirmed: the witnesses have not signed it yet (accepted; see: countersign status HASH)";
const OTHER_JOB = "proof_refused: the gateway stated two attestations of it. Tell its operator";

function malformed(reason: string): Lie["says"] {
  return each(`1 malformed_bundle: ${reason}`, ...JOB_READERS);
}

/** A lie about the job alone. */
function jobLie(
  name: string,
  edit: (job: JobSnapshotMembers, world: World) => unknown,
  says: Lie["says"],
): Lie {
  return { name, changes: jobs(edit), says };
}

export const jobLies: readonly Lie[] = [
  jobLie("the job of another hash", (job) => ({ ...job, hash: otherHex(job.hash) }), {
    ...each("1 gateway_refused: it is about other hashes than those that were sent", ...STAMPS),
    ...each(
      "1 gateway_refused: it is about another hash than the one that was asked for",
      "status",
      "log proof verify",
      "log proof of a size",
    ),
  }),
  {
    name: "the attestation of another hash in the job",
    changes: jobs(async (job, world) => {
      const { signed_attestation } = await world.honest.bundle(OTHER_HASH);
      return { ...job, signed_attestation };
    }),
    says: {
      ...each("1 proof_refused hash_mismatch", "stamp", "stamp save", "stamp at first"),
      "stamp several": "1 proof_refused hash_mismatch, verified",
      "status": "1 proof_refused: it is about hash HASH instead of HASH",
      ...each("1 invalid field_mismatch hash", "log proof verify", "log proof of a size"),
    },
  },
  jobLie(
    "confirmed, and no attestation",
    ({ signed_attestation: _, ...job }) => job,
    malformed("member signed_attestation is missing"),
  ),
  jobLie(
    "an attestation, and not confirmed",
    (job) => ({ ...job, status: "pending" }),
    malformed("expected unconfirmed"),
  ),
  jobLie(
    "batched, and no batch",
    ({ batch_id: _, ...job }) => job,
    malformed("expected confirmed"),
  ),
  jobLie(
    "a batch, and not batched",
    (job) => ({ ...job, progress: "confirmed" }),
    malformed("a job in this state has no such member"),
  ),
  jobLie(
    "confirmed, and no progress",
    (job) => ({ ...job, progress: "unconfirmed" }),
    malformed("expected confirmed"),
  ),
  jobLie("failed, after it was confirmed", ({ signed_attestation: _, batch_id: __, ...job }) => ({
    ...job,
    status: "failed",
    progress: "unconfirmed",
  }), {
    ...each(`1 ${FAILED}`, "stamp", "stamp save", "stamp at first"),
    "stamp several": `1 ${FAILED}, ${FAILED}`,
    "status": "0 shown",
    ...each(
      "1 not_confirmed: the gateway could not have the hash signed",
      "log proof verify",
      "log proof of a size",
    ),
  }),
  jobLie("pending for ever, after it was confirmed", ({ hash, created_at, updated_at }) => ({
    hash,
    created_at,
    updated_at,
    attempts: 9,
    next_attempt_at: updated_at + 1,
    status: "pending",
    progress: "unconfirmed",
  }), {
    ...each(`1 ${PENDING}`, "stamp", "stamp save", "stamp at first"),
    "stamp several": `1 ${PENDING}, ${PENDING}`,
    "status": "0 shown",
    ...each(
      "1 not_confirmed: the hash is accepted, but not yet signed. Try again later",
      "log proof verify",
      "log proof of a size",
    ),
  }),
  jobLie("a batch that closes before the attestation", (job) => ({ ...job, batch_id: 4 }), {
    "status": "0 shown",
  }),
  {
    name: "the job of a fork that two witnesses sign",
    changes: fromImpostor("fork", ["submit", "bulk", "job"]),
    says: {
      // A colluding threshold can attest anything, but cannot put it into one log.
      "stamp": "0 verified",
      "stamp several": "0 verified, verified",
      "stamp save": `1 ${OTHER_JOB}`,
      "stamp at first": `1 ${OTHER_JOB}`,
      "status": "0 shown",
      ...each("1 invalid field_mismatch leaf_index", "log proof verify", "log proof of a size"),
    },
    schemes: BOTH,
  },
  {
    name: "never batched, long after the merge delay",
    changes: jobs(({ batch_id: _, ...job }) => ({ ...job, progress: "confirmed" })),
    aheadSeconds: 2 * MERGE_DELAY_SECONDS,
    says: {
      "stamp": "0 verified",
      "stamp several": "0 verified, verified",
      "stamp save": NOT_YET_BATCHED,
      "stamp at first": `${NOT_YET_BATCHED}${UNPINNED}`,
      "status": `0 shown${OVERDUE}`,
    },
  },
];
