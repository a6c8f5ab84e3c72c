/**
 * The public status of a gateway: its health, witnesses, queue and latest head.
 *
 * @module
 */

import { unixSeconds } from "../clock.ts";
import { beaconTime } from "../crypto/drand.ts";
import type { GatewayParts } from "./gateway_parts.ts";
import type { Pipeline } from "./pipeline.ts";
import type { BeaconSource } from "./ports.ts";
import type { ServiceStatus } from "./gateway_service.ts";

export function pipelineStatus(parts: GatewayParts, pipeline: Pipeline): ServiceStatus {
  const now = unixSeconds(parts.clock);
  const oldest = pipeline.signer.oldestUnsigned;
  const acceptedAt = oldest === undefined ? undefined : pipeline.index.acceptedInMemory(oldest);
  const { latest } = pipeline.heads;
  return {
    status: pipeline.health.status,
    witnesses: pipeline.pool.witnesses.map(({ id }, witnessIndex) => {
      const { isHealthy, lastSeenAt, failing } = pipeline.pool.health.at(witnessIndex);
      const [lastError] = failing.values();
      return {
        id,
        healthy: isHealthy,
        ...(lastSeenAt !== undefined && { last_seen_at: lastSeenAt }),
        ...(lastError !== undefined && { last_error: lastError, failing: [...failing.keys()] }),
      };
    }),
    pending_count: pipeline.signer.unsignedCount,
    // Omitted if the row has left memory: the status reads no store.
    ...(acceptedAt !== undefined && { oldest_pending_age: Math.max(0, now - acceptedAt) }),
    ...(latest !== undefined &&
      { sth: { tree_size: latest.size, age: Math.max(0, now - latest.timestamp) } }),
    ...beaconStatus(parts.beacons, now),
  };
}

function beaconStatus(
  beacons: BeaconSource | undefined,
  now: number,
): Pick<ServiceStatus, "beacon"> {
  if (beacons === undefined) return {};
  const beacon = beacons.latest();
  if (beacon === null) return { beacon: null };
  const { round } = beacon;
  return { beacon: { round, age: Math.max(0, now - beaconTime(beacons.chain, round)) } };
}
