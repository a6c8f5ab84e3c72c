/**
 * The anchor providers, and the verification of a bundle's external anchors with the user's roots,
 * offline and without a clock. `proof/verify/external_anchors.ts` decides whether an anchor is bound to the
 * attestation. External anchors never change the level (protocol.md "Levels").
 *
 * @module
 */

import { type Bytes, fromHex } from "../../base/bytes.ts";
import type { ExternalAnchor } from "../../proof/format/external_anchor.ts";
import { VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import type { ExternalAnchorBinding } from "../../proof/verify/verdict.ts";
import { opentimestamps } from "./opentimestamps/provider.ts";
import type { AnchorProvider, AnchorVerdict } from "./ports.ts";
import { rekor } from "./rekor/provider.ts";
import { rfc3161 } from "./rfc3161/provider.ts";

/** In the order of the help text. */
export const ANCHOR_PROVIDERS: readonly AnchorProvider[] = [
  rfc3161,
  opentimestamps,
  rekor,
];

export function providerNamed(
  name: string,
  providers: readonly AnchorProvider[] = ANCHOR_PROVIDERS,
): AnchorProvider | undefined {
  return providers.find((provider) => provider.name === name);
}

/** Bounds the signatures to verify for one bundle. */
const MAX_VERIFIED = 64;

/** The result for one anchor. */
export type AnchorFinding = AnchorVerdict & {
  readonly provider: string;
  /** As the bundle names it, unsigned. */
  readonly service?: string;
  readonly treeSize: number;
  /** Its digest and path lead to the batch. The proof of an unbound anchor is not checked. */
  readonly bound: boolean;
};

/**
 * @param bindings of `anchors`, in the same order
 * @param roots contents of the user's files, by name of the provider
 * @returns findings in the order of `anchors`
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
      ? notChecked(`only the first ${MAX_VERIFIED} anchors of a bundle are checked`)
      : await verdictOf(anchor, roots.get(provider) ?? [], providers);
    findings.push({
      provider,
      treeSize,
      bound,
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
  if (provider === undefined) return notChecked("unknown provider");
  if (status !== "pending" && status !== "confirmed") {
    return { status: "failed", reason: "its status is neither pending nor confirmed" };
  }
  const claim = { status, timestamp, proof, digest: fromHex(digest), roots } as const;
  return await provider.verify(claim);
}

function notChecked(reason: string): AnchorVerdict {
  return { status: "not_checked", reason };
}
