/**
 * The resource `GET /v1/status` without anchoring, as the sequencer and its fronts compute it.
 *
 * @module
 */

import type { GATEWAY_STATUS, HealthStatus } from "../proof/format/gateway_status.ts";
import type { SthRecord } from "../proof/format/records.ts";
import type { Of } from "../proof/format/schema.ts";
import type { Health, StatusFacts } from "./fronts/ports.ts";
import type { AnchoringStatus } from "./ports.ts";

/** The answer of `GET /v1/status` without the status of anchoring. */
export type ServiceStatus =
  & Omit<Of<typeof GATEWAY_STATUS>, "status" | keyof AnchoringStatus>
  & { readonly status: HealthStatus };

/** The status at `now`, in Unix seconds; `latest` is the latest published head. */
export function serviceStatus(
  { status }: Pick<Health, "status">,
  { witnesses, pending, oldestPendingAt, beacon, succession }: StatusFacts,
  latest: Pick<SthRecord, "size" | "timestamp"> | undefined,
  now: number,
): ServiceStatus {
  const ageOf = (time: number) => Math.max(0, now - time);
  return {
    status,
    witnesses: [...witnesses],
    pending_count: pending,
    ...(oldestPendingAt !== undefined && { oldest_pending_age: ageOf(oldestPendingAt) }),
    ...(latest !== undefined &&
      { sth: { tree_size: latest.size, age: ageOf(latest.timestamp) } }),
    ...(beacon !== undefined &&
      { beacon: beacon && { round: beacon.round, age: ageOf(beacon.time) } }),
    ...(succession !== undefined && { succession }),
  };
}
