/**
 * Why a gateway is not ready, if it is not.
 *
 * @module
 */

import type { TokenIssuers } from "../admission/token_issuers.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { publishingLimit } from "../gateway/stall.ts";
import type { WitnessClocks } from "../gateway/witness_clocks.ts";
import type { ReadinessWarning, UnreadyCode, UnreadyReason } from "../http/readiness.ts";
import type { DiskWatch } from "./disk_watch.ts";
import type { LogAnchoring } from "./log_anchoring.ts";

/** What is looked at. */
export interface ReadinessContext {
  readonly gateway: Pick<
    Gateway,
    "network" | "health" | "missingWitnesses" | "unpublishedSince" | "batches"
  >;
  readonly clocks: Pick<WitnessClocks, "finding" | "differences">;
  /** Rejects while the disk takes nothing. */
  readonly disk: Pick<DiskWatch, "check"> & Partial<Pick<DiskWatch, "lowSpace" | "freeBytes">>;
  /** Absent where nothing is anchored. */
  readonly anchoring?: Pick<LogAnchoring, "overdue">;
  /** Absent unless each new hash needs a token. */
  readonly issuers?: Pick<TokenIssuers, "missingIssuers">;
  /** The longest that an attestation waits for its batch. */
  readonly batchMaxAgeMs: number;
  readonly clock: Clock;
}

/** Why nothing is accepted, which the log says in full. */
const STOPPED = {
  store_rolled_back:
    "the witnesses know a newer state of this log, so that this store is an old copy",
  storage_failed:
    "the store takes no writes; check free space, mount and permissions of its folder",
  shutting_down: "the gateway stops",
} as const;

/** Every reason, the gravest first; none when the gateway is ready. */
export async function unreadyReasons(context: ReadinessContext): Promise<UnreadyReason[]> {
  const { health } = context.gateway;
  switch (health) {
    case "store_rolled_back":
    case "storage_failed":
    case "shutting_down":
      return [{ code: health, detail: `Not ready: ${STOPPED[health]}` }];
  }
  const unwritable = await unwritableDisk(context);
  try {
    return [
      ...unwritable,
      ...unconfirmedStore(context),
      ...refusedTimes(context),
      ...missingWitnesses(context),
      ...stalled(context),
      ...missingIssuers(context),
      ...await latePublishing(context),
      ...await overdueAnchors(context),
    ];
  } catch (error) {
    // What cannot be read is no better than what cannot be written.
    const code = error instanceof CountersignError && error.code === "store_corrupt"
      ? error.code
      : "storage_failed";
    return [{ code, detail: "Not ready: the store cannot be read; the log says why" }];
  }
}

async function unwritableDisk({ disk }: ReadinessContext): Promise<UnreadyReason[]> {
  try {
    await disk.check();
    return [];
  } catch {
    // Why not names a path, which is nothing for whoever routes traffic.
    return [reason("storage_failed", "a disk that can be written", "otherwise")];
  }
}

/** After a start the gateway takes no new hash until the witnesses agree with its store. */
function unconfirmedStore({ gateway }: ReadinessContext): UnreadyReason[] {
  if (gateway.health !== "witnesses_unavailable") return [];
  const { threshold } = gateway.network;
  return [
    reason("witnesses_unavailable", `${threshold} witnesses that agree with the store`, "fewer"),
  ];
}

/** Nothing is signed while the threshold refuses the times of this gateway. */
function refusedTimes({ clocks: { finding } }: ReadinessContext): UnreadyReason[] {
  return finding?.stopsSigning ? [{ code: "clocks_disagree", detail: finding.message }] : [];
}

/** Problems that the operator should fix, but that leave the gateway ready. */
export function readinessWarnings(
  { clocks: { finding }, disk: { lowSpace } }: Pick<ReadinessContext, "clocks" | "disk">,
): ReadinessWarning[] {
  return [
    ...(finding === undefined || finding.stopsSigning
      ? []
      : [{ code: "clocks_disagree", detail: finding.message } as const]),
    ...(lowSpace === undefined ? [] : [{ code: "disk_nearly_full", detail: lowSpace } as const]),
  ];
}

function missingWitnesses({ gateway }: ReadinessContext): UnreadyReason[] {
  const { threshold, witnesses } = gateway.network;
  for (const work of ["sign", "cosign"] as const) {
    const missing = gateway.missingWitnesses(work);
    const working = witnesses.length - missing.length;
    if (working >= threshold) continue;
    const causes = missing.map(({ witness, error = "no answer yet" }) => `${witness}: ${error}`);
    const required = `${threshold} witnesses that ${work} without failures`;
    return [reason("witnesses_missing", required, `${working} (${causes.join(", ")})`)];
  }
  return [];
}

/** An effect: other reasons name its cause. */
function stalled({ gateway: { health } }: ReadinessContext): UnreadyReason[] {
  if (health === "signing_stalled") {
    return [{ code: health, detail: "Not ready: a hash has waited for its signatures for 30 s" }];
  }
  if (health !== "publishing_stalled") return [];
  return [{ code: health, detail: "Not ready: hashes wait, and tree heads are not published" }];
}

/** Without a key of any issuer the gateway takes no new hash. */
function missingIssuers({ issuers }: ReadinessContext): UnreadyReason[] {
  const missing = issuers?.missingIssuers() ?? [];
  if (missing.length === 0) return [];
  return [reason("issuer_unreachable", `keys of ${missing.join(", ")}`, "no directory yet")];
}

async function latePublishing(
  { gateway, batchMaxAgeMs, clock }: ReadinessContext,
): Promise<UnreadyReason[]> {
  // Reads the store also where nothing waits.
  await gateway.batches(undefined, 1);
  const since = await gateway.unpublishedSince();
  const limit = publishingLimit(batchMaxAgeMs);
  const age = since === undefined ? 0 : unixSeconds(clock) - since;
  if (age <= limit) return [];
  return [
    reason("publishing_late", `hashes published within ${limit} s`, `one that waits for ${age} s`),
  ];
}

async function overdueAnchors({ anchoring }: ReadinessContext): Promise<UnreadyReason[]> {
  const overdue = await anchoring?.overdue() ?? [];
  return overdue.map(({ name, treeSize, maxDelaySeconds }) =>
    reason(
      "anchor_overdue",
      `tree heads anchored by ${name} within ${maxDelaySeconds} s`,
      `that of size ${treeSize} without an anchor`,
    )
  );
}

function reason(code: UnreadyCode, required: string, found: string): UnreadyReason {
  return { code, detail: `Not ready: ${required} required, found ${found}` };
}
