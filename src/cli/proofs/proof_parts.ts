/**
 * What a bundle holds beyond its signatures, to tell a stronger bundle from a weaker one.
 *
 * @module
 */

import { isDeepStrictEqual } from "node:util";
import type { Attestation } from "../../proof/format/attestation.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { Verdict } from "../../proof/verify/verdict.ts";
import type { AnchorReport } from "../anchor_report.ts";

/** Findings about a bundle; a refused layer is no part. */
export interface PartsChecked {
  readonly verdict: Verdict;
  readonly anchors?: AnchorReport | undefined;
}

export const WITNESSED_PART = "the checkpoint for foreign witnesses";

/**
 * Names of the parts: each succession, its place in the log, the log's signatures, the checkpoint that foreign witnesses
 * may have cosigned, each peer's cosignature, each external anchor. A confirmed anchor is also one that
 * was pending.
 */
export function proofParts(bundle: ProofBundle, checked?: PartsChecked): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const { predecessor: { epoch }, successor } of bundle.succession ?? []) {
    parts.add(successor === null ? "the end of the log" : `the succession to epoch ${epoch + 1}`);
  }
  const layers = checked?.verdict.layers;
  if (layers === undefined ? bundle.batch_inclusion !== null : layers.batch.status === "verified") {
    parts.add("its place in the log");
    const { log_signature, receipt_signature } = bundle.batch_inclusion?.sth ?? {};
    if (log_signature !== undefined) parts.add("the log's signature");
    if (receipt_signature !== undefined) parts.add("the log's receipt signature");
    const { status = "verified" } = layers?.witnessed ?? {};
    if (bundle.witnessed !== undefined && status === "verified") parts.add(WITNESSED_PART);
  }
  for (const [i, { witnessing_network: id }] of bundle.cross_anchors.entries()) {
    if (layers?.cross_anchors[i]?.status !== "failed") parts.add(`the cosignature of ${id}`);
  }
  for (const [i, { provider, service, status }] of bundle.external_anchors.entries()) {
    const isRefused = layers?.external_anchors.anchors[i]?.bound === false ||
      checked?.anchors?.findings[i]?.status === "failed";
    if (isRefused) continue;
    const name = service === undefined ? provider : `${provider} (${service})`;
    parts.add(`a pending anchor of ${name}`);
    if (status === "confirmed") parts.add(`a confirmed anchor of ${name}`);
  }
  return parts;
}

/** A bundle with the findings about it. */
export interface CheckedBundle extends PartsChecked {
  readonly bundle: ProofBundle;
}

/**
 * What a saved proof loses and gains if `fresh`, which is valid, takes its place. An invalid one has
 * nothing to lose.
 */
export function exchangedParts(
  saved: CheckedBundle,
  fresh: CheckedBundle,
): { readonly lost: readonly string[]; readonly gained: readonly string[] } {
  const now = proofParts(fresh.bundle, fresh);
  if (!saved.verdict.valid) {
    return { lost: [], gained: ["a valid signature", ...partsGained(new Set(), now)] };
  }
  const old = proofParts(saved.bundle, saved);
  const missing = partsGained(now, old);
  return {
    lost: missing.length > 0 ? missing : partsReplaced(saved, fresh),
    gained: partsGained(old, now),
  };
}

/**
 * Peers and anchors of `saved` in whose place `fresh` has others that are not verified. A gateway never
 * changes a cosignature or a confirmed anchor, so the others may be worthless.
 */
function partsReplaced(saved: CheckedBundle, fresh: CheckedBundle): string[] {
  const peers = saved.bundle.cross_anchors.filter((anchor, i) =>
    saved.verdict.layers.cross_anchors[i]?.status !== "failed" &&
    !fresh.bundle.cross_anchors.some((other, j) =>
      isDeepStrictEqual(other, anchor) ||
      other.witnessing_network === anchor.witnessing_network &&
        fresh.verdict.layers.cross_anchors[j]?.status === "verified"
    )
  );
  const anchors = saved.bundle.external_anchors.filter((anchor, i) =>
    anchor.status === "confirmed" &&
    saved.verdict.layers.external_anchors.anchors[i]?.bound !== false &&
    saved.anchors?.findings[i]?.status !== "failed" &&
    !fresh.bundle.external_anchors.some((other, j) =>
      isDeepStrictEqual(other, anchor) ||
      other.provider === anchor.provider && other.service === anchor.service &&
        fresh.anchors?.findings[j]?.status === "verified"
    )
  );
  return [
    ...peers.map(({ witnessing_network: id }) => `the saved cosignature of ${id}`),
    ...anchors.map(({ provider }) => `the saved anchor of ${provider}`),
  ];
}

/** True if the two attest one hash at one place and time of one log. */
export function isSameAttestation(a: Attestation | undefined, b: Attestation): boolean {
  return a?.hash === b.hash && a.network_id === b.network_id && a.sequence === b.sequence &&
    a.timestamp === b.timestamp;
}

/** The parts of `stronger` that `weaker` lacks. */
export function partsGained(
  weaker: ReadonlySet<string>,
  stronger: ReadonlySet<string>,
): string[] {
  const gained = new Set([...stronger].filter((part) => !weaker.has(part)));
  // A confirmed anchor says more than that it was pending.
  return [...gained].filter((part) =>
    !part.startsWith("a pending ") || !gained.has(part.replace("a pending ", "a confirmed "))
  );
}
