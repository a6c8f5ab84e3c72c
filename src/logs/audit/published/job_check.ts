/**
 * Checks the jobs of a gateway against its log: each must have the attestation in the entry at its
 * sequence, signed by the threshold.
 *
 * @module
 */

import type { Attestation } from "../../../proof/format/attestation.ts";
import type { SignedAttestation } from "../../../proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../../proof/format/network.ts";
import { verifySignedAttestation } from "../../../proof/verify/attestation.ts";
import { VERIFY_REASONS } from "../../../proof/verify/reasons.ts";
import type { BeaconChecker } from "../beacon_check.ts";
import type { FaultLog } from "../faults.ts";
import type { VerdictCache } from "../verdict_cache.ts";
import type { JobSnapshotMembers } from "../../../proof/format/job_snapshot.ts";
import { type GatewayRecords, isDamaged, type Published } from "./gateway_records.ts";

/** Concurrent requests. */
const LANES = 32;

/** An entry of the log and its batch. */
export interface ExpectedJob {
  readonly attestation: Attestation;
  /** `undefined` when the gateway lists no batch. */
  readonly batchId: number | undefined;
}

export interface JobContext {
  readonly records: Pick<GatewayRecords, "job">;
  readonly network: NetworkConfiguration;
  readonly verdicts: VerdictCache;
  readonly beacons: BeaconChecker;
  readonly faults: FaultLog;
}

/** Fetches and checks the jobs of `expected`; verifies their signatures together. */
export async function checkJobs(
  context: JobContext,
  expected: readonly ExpectedJob[],
): Promise<void> {
  const jobs = await fetchAll(context.records, expected.map(({ attestation }) => attestation.hash));
  const signed = expected.map((job, i) => checkMembers(context.faults, job, jobs[i]));
  await verifyAll(context, signed.filter((found) => found !== undefined));
}

async function fetchAll(
  records: JobContext["records"],
  hashes: readonly string[],
): Promise<Published<JobSnapshotMembers>[]> {
  const jobs: Published<JobSnapshotMembers>[] = [];
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < hashes.length; i = next++) jobs[i] = await records.job(hashes[i]!);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return jobs;
}

/** The signed attestation of a job that agrees with the log. */
function checkMembers(
  faults: FaultLog,
  { attestation, batchId }: ExpectedJob,
  job: Published<JobSnapshotMembers>,
): SignedAttestation | undefined {
  const { hash, sequence } = attestation;
  const place = `${sequence} (${hash})`;
  if (isDamaged(job)) {
    faults.add("job", place, `cannot read the job: ${job?.damage ?? "unknown hash"}`);
    return undefined;
  }
  const { value } = job;
  const signed = value.signed_attestation;
  const found = signed?.attestation;
  const members = [
    ["hash", hash, value.hash],
    ["status", "confirmed", value.status],
    ["progress", "batched", value.progress],
    // Without a list of batches, any id is accepted.
    ["batch_id", batchId ?? value.batch_id, value.batch_id],
    ["attestation.hash", hash, found?.hash],
    ["attestation.network_id", attestation.network_id, found?.network_id],
    ["attestation.timestamp", attestation.timestamp, found?.timestamp],
    ["attestation.sequence", sequence, found?.sequence],
  ] as const;
  const wrong = members.find(([, required, found]) => required !== found);
  if (wrong === undefined) return signed;
  const [name, required, other] = wrong;
  faults.add("job", place, `${name} is ${other ?? "missing"}, not ${required}`);
  return undefined;
}

async function verifyAll(
  { network, verdicts, beacons, faults }: JobContext,
  signed: readonly SignedAttestation[],
): Promise<void> {
  if (network.signature_scheme === "bls") {
    await verdicts.prepare(async (crypto) => {
      for (const one of signed) await verifySignedAttestation(crypto, network, one);
    });
  }
  beacons.check(signed.flatMap(({ attestation, round: { beacon } }) => {
    const { hash, sequence, timestamp } = attestation;
    return beacon === null ? [] : { place: `${sequence} (${hash})`, timestamp, beacon };
  }));
  const { crypto } = verdicts;
  for (const one of signed) {
    const { reason } = await verifySignedAttestation(crypto, network, one);
    if (reason === undefined) continue;
    const { hash, sequence } = one.attestation;
    faults.add("round_signatures", `${sequence} (${hash})`, VERIFY_REASONS[reason]);
  }
}
