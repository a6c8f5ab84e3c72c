/**
 * What a verifier finds, in the form of the vectors (`docs/vectors/README.md`).
 *
 * @module
 */

import { epochText } from "../../../../src/proof/verify/epoch_text.ts";
import type { FollowedNetwork } from "../../../../src/proof/verify/followed_network.ts";
import type { SignedLayer, Verdict } from "../../../../src/proof/verify/mod.ts";

/** The expected result. */
export type Expectation = { readonly result: string } & { readonly [name: string]: unknown };

/** The result of a resource without layers. */
export function outcomeOf(
  { valid, reason, verified }: {
    readonly valid: boolean;
    readonly reason?: string;
    readonly verified?: number;
  },
): Expectation {
  return {
    result: valid ? "valid" : "invalid",
    ...(reason !== undefined && { reason }),
    ...(verified !== undefined && { verified }),
  };
}

/** The result of a bundle; `network` is what its chain has led to. */
export function verdictOf(
  { valid, level, layers, time }: Verdict,
  network: FollowedNetwork,
): Expectation {
  const { attestation, batch, cross_anchors, federation, external_anchors, witnessed } = layers;
  return {
    ...outcomeOf({ ...attestation, valid }),
    level,
    keys: epochText(network),
    attestation: layerOf(attestation),
    batch: layerOf(batch),
    cross_anchors: cross_anchors.map((anchor) => ({
      ...layerOf(anchor),
      counted: anchor.counted,
    })),
    federation: {
      counted: federation.counted,
      ...(federation.reason && { reason: federation.reason }),
    },
    external_anchors: external_anchors.anchors.map(({ bound, reason }) => ({
      bound,
      ...(reason && { reason }),
    })),
    ...(witnessed && { witnessed: layerOf(witnessed) }),
    time: {
      not_before: time.not_before.map((bound) => bound.time),
      not_after: time.not_after.map((bound) => bound.time),
      failed: time.failed.map(({ reason }) => reason),
      contradictions: time.contradictions.length,
    },
  };
}

function layerOf({ status, reason, signatures }: SignedLayer) {
  return {
    status,
    ...(reason && { reason }),
    ...(signatures && { verified: signatures.verified }),
  };
}
