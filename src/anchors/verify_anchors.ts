/**
 * What each external anchor of a bundle says, by its provider's own proof and the roots that a user
 * supplies. Offline: no network, no clock; whether an anchor is bound to the attestation was found
 * before (`verify/external_anchors.ts`). No finding changes the level (protocol.md "Levels").
 *
 * @module
 */

import type { ExternalAnchor } from "../format/bundle.ts";
import { VERIFY_REASONS } from "../verify/reasons.ts";
import type { ExternalAnchorBinding } from "../verify/verdict.ts";
import type { Bytes } from "../bytes.ts";
import type { AnchorProvider, AnchorVerdict } from "./ports.ts";
import { ANCHOR_PROVIDERS, providerNamed } from "./registry.ts";

/** A bundle may hold any number, and each costs some signatures to verify. */
const MAX_VERIFIED = 64;

/** What became of one anchor. `notAfter` and `source` exactly when it is verified. */
export type AnchorFinding = AnchorVerdict & {
  readonly provider: string;
  /** As the bundle names it; nothing covers it. */
  readonly service?: string;
  readonly treeSize: number;
  /** Its digest and path lead to the batch: of one that is not, nothing else is looked at. */
  readonly bound: boolean;
};

/**
 * The findings on `anchors`, in order.
 *
 * @param bindings what is known of each, in the same order
 * @param roots contents of the files that the user supplied, by name of the provider
 */
export async function verifyAnchors(
  anchors: readonly ExternalAnchor[],
  bindings: readonly ExternalAnchorBinding[],
  roots: ReadonlyMap<string, readonly Bytes[]>,
  providers: readonly AnchorProvider[] = ANCHOR_PROVIDERS,
): Promise<readonly AnchorFinding[]> {
  const findings: AnchorFinding[] = [];
  for (const [i, anchor] of anchors.entries()) {
    const { bound = false, reason } = bindings[i] ?? {};
    const { provider, service, tree_head: { tree_size: treeSize } } = anchor;
    const words = reason === undefined ? "no binding was found" : VERIFY_REASONS[reason];
    const verdict = !bound
      ? notChecked(`not bound to this attestation: ${words}`)
      : i >= MAX_VERIFIED
      ? notChecked(`only the first ${MAX_VERIFIED} of a bundle are verified`)
      : await verdictOf(anchor, roots.get(provider) ?? [], providers);
    findings.push({
      ...{ provider, treeSize, bound },
      ...(service !== undefined && { service }),
      ...verdict,
    });
  }
  return findings;
}

async function verdictOf(
  anchor: ExternalAnchor,
  roots: readonly Bytes[],
  providers: readonly AnchorProvider[],
): Promise<AnchorVerdict> {
  const { status, timestamp, proof, digest } = anchor;
  const provider = providerNamed(anchor.provider, providers);
  if (provider === undefined) return notChecked("no provider of this name is known here");
  if (status !== "pending" && status !== "confirmed") {
    return { status: "failed", reason: "its status is neither pending nor confirmed" };
  }
  const claim = { status, timestamp, proof, digest: Uint8Array.fromHex(digest), roots } as const;
  return await provider.verify(claim);
}

function notChecked(reason: string): AnchorVerdict {
  return { status: "not_checked", reason };
}
