/**
 * The reasons for which a gateway is not ready.
 *
 * @module
 */

import type { TokenIssuers } from "../../gateway/tokens/token_issuers.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Gateway } from "../../gateway/gateway.ts";
import type { StatusSource } from "../../gateway/status_source.ts";
import type { PublishedLog } from "../../gateway/proving/published_log.ts";
import { publishingLimit } from "../../gateway/stall.ts";
import type { WitnessClocks } from "../../gateway/signing/witness_clocks.ts";
import type {
  ReadinessWarning,
  UnreadyCode,
  UnreadyReason,
} from "../../http/operator/readiness.ts";
import type { CertificateWatch } from "./certificate_watch.ts";
import type { DiskWatch } from "./disk_watch.ts";
import type { LogAnchoring } from "../anchoring/log_anchoring.ts";

export interface ReadinessContext {
  readonly gateway: Pick<Gateway, "network"> & {
    readonly status: Pick<
      StatusSource,
      "health" | "isLogKeyAway" | "missingWitnesses" | "unpublishedSince"
    >;
    readonly log: Pick<PublishedLog, "batches">;
  };
  readonly clocks: Pick<WitnessClocks, "finding" | "differences">;
  /** `check` rejects while the disk cannot be written. */
  readonly disk:
    & Pick<DiskWatch, "check" | "subject" | "advice">
    & Partial<Pick<DiskWatch, "lowSpace" | "freeBytes" | "replicas">>;
  /** Absent if nothing is anchored. */
  readonly anchoring?: Pick<LogAnchoring, "overdue">;
  /** Present if each new hash needs a token. */
  readonly issuers?: Pick<TokenIssuers, "missingIssuers">;
  /** Absent if the gateway is no time-stamp authority. */
  readonly certificates?: Pick<CertificateWatch, "warning">;
  /** Longest wait of an attestation for its batch. */
  readonly batchMaxAgeMs: number;
  readonly clock: Clock;
}

/** States in which nothing is accepted. The log has the details. */
const STOPPED = {
  store_rolled_back: "the witnesses know a newer state of this log, so this store is an old copy",
  storage_failed: "the store rejects writes",
  shutting_down: "the gateway is stopping",
} as const;

/** All reasons, the gravest first; empty if the gateway is ready. */
export async function unreadyReasons(context: ReadinessContext): Promise<UnreadyReason[]> {
  const { health } = context.gateway.status;
  switch (health) {
    case "store_rolled_back":
    case "storage_failed":
    case "shutting_down":
      return [
        reason(
          health,
          health === "storage_failed"
            ? `${
              context.disk.subject === "database"
                ? "the database does not answer, or takes no writes"
                : STOPPED[health]
            }; ${context.disk.advice}`
            : STOPPED[health],
        ),
      ];
  }
  const unwritable = await unwritableDisk(context);
  try {
    return [
      ...unwritable,
      // A log that has ended is only read: its witnesses and issuers may be gone.
      ...(health === "log_ended" ? [] : signingReasons(context)),
      ...await latePublishing(context),
      ...await overdueAnchors(context),
    ];
  } catch (error) {
    const code = error instanceof CountersignError && error.code === "store_corrupt"
      ? error.code
      : "storage_failed";
    return [{ code, detail: "Not ready: the store cannot be read; see the log" }];
  }
}

function signingReasons(context: ReadinessContext): UnreadyReason[] {
  return [
    ...missingLogKey(context),
    ...unconfirmedStore(context),
    ...refusedTimes(context),
    ...missingWitnesses(context),
    ...stalled(context),
    ...missingIssuers(context),
  ];
}

async function unwritableDisk({ disk }: ReadinessContext): Promise<UnreadyReason[]> {
  try {
    await disk.check();
    return [];
  } catch {
    // The error names a path, which a load balancer must not learn.
    return [reason("storage_failed", `the ${disk.subject} cannot be written`)];
  }
}

/** Listed before its effects: no head is sent to the witnesses, so none confirms the store. */
function missingLogKey({ gateway: { status } }: ReadinessContext): UnreadyReason[] {
  if (!status.isLogKeyAway) return [];
  return [reason("signer_unavailable", "the signer of the log's key does not sign; see the log")];
}

/** After a start, the gateway accepts no new hash until the witnesses have confirmed its store. */
function unconfirmedStore({ gateway }: ReadinessContext): UnreadyReason[] {
  if (gateway.status.health !== "witnesses_unavailable") return [];
  const { threshold } = gateway.network;
  return [
    reason("witnesses_unavailable", `fewer than ${threshold} witnesses have confirmed the store`),
  ];
}

/** Nothing is signed while too many witnesses refuse the times of this gateway. */
function refusedTimes({ clocks: { finding } }: ReadinessContext): UnreadyReason[] {
  return finding?.stopsSigning ? [{ code: "clocks_disagree", detail: finding.message }] : [];
}

/** Problems that the operator should fix while the gateway is ready. */
export function readinessWarnings(
  { clocks: { finding }, disk: { lowSpace }, certificates }: Pick<
    ReadinessContext,
    "clocks" | "disk" | "certificates"
  >,
): ReadinessWarning[] {
  return [
    ...(finding === undefined || finding.stopsSigning
      ? []
      : [{ code: "clocks_disagree", detail: finding.message } as const]),
    ...(lowSpace === undefined ? [] : [{ code: "disk_nearly_full", detail: lowSpace } as const]),
    ...certificateWarnings(certificates),
  ];
}

/** Also for a standby. */
export function certificateWarnings(
  certificates: ReadinessContext["certificates"],
): ReadinessWarning[] {
  const detail = certificates?.warning;
  return detail === undefined ? [] : [{ code: "tsa_certificate_expires", detail }];
}

function missingWitnesses({ gateway }: ReadinessContext): UnreadyReason[] {
  const { threshold, witnesses } = gateway.network;
  for (const work of ["sign", "cosign"] as const) {
    const missing = gateway.status.missingWitnesses(work);
    const working = witnesses.length - missing.length;
    if (working >= threshold) continue;
    const causes = missing.map(({ witness, error = "no answer yet" }) => `${witness}: ${error}`);
    const detail = `${working} of ${threshold} required witnesses can ${work}`;
    return [reason("witnesses_missing", `${detail} (${causes.join(", ")})`)];
  }
  return [];
}

/** An effect, whose cause the other reasons name. */
function stalled({ gateway: { status: { health } } }: ReadinessContext): UnreadyReason[] {
  if (health === "signing_stalled") {
    return [reason(health, "a hash has waited for its signatures for 30 s")];
  }
  if (health !== "publishing_stalled") return [];
  return [reason(health, "hashes wait, and no tree head is published")];
}

/** Without a key of any issuer, the gateway accepts no new hash. */
function missingIssuers({ issuers }: ReadinessContext): UnreadyReason[] {
  const missing = issuers?.missingIssuers() ?? [];
  if (missing.length === 0) return [];
  return [reason("issuer_unreachable", `no directory yet of ${missing.join(", ")}`)];
}

async function latePublishing(
  { gateway, batchMaxAgeMs, clock }: ReadinessContext,
): Promise<UnreadyReason[]> {
  // Reads the store even if nothing waits.
  await gateway.log.batches(undefined, 1);
  const since = await gateway.status.unpublishedSince();
  const limit = publishingLimit(batchMaxAgeMs);
  const age = since === undefined ? 0 : unixSeconds(clock) - since;
  if (age <= limit) return [];
  return [
    reason("publishing_late", `a hash has waited ${age} s for publication, more than ${limit} s`),
  ];
}

async function overdueAnchors({ anchoring }: ReadinessContext): Promise<UnreadyReason[]> {
  const overdue = await anchoring?.overdue() ?? [];
  return overdue.map(({ name, treeSize, maxDelaySeconds }) =>
    reason(
      "anchor_overdue",
      `tree size ${treeSize} was not anchored by ${name} within ${maxDelaySeconds} s`,
    )
  );
}

function reason(code: UnreadyCode, problem: string): UnreadyReason {
  return { code, detail: `Not ready: ${problem}` };
}
