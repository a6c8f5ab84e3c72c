/**
 * Lies about anchors of either kind.
 *
 * @module
 */

import type { CrossAnchor } from "../../src/proof/format/bundle.ts";
import type { ExternalAnchor } from "../../src/proof/format/external_anchor.ts";
import { firstLog as rekor, TestRekorLog } from "../gateway/anchors/rekor/test_log.ts";
import { bundles, editing, otherHex } from "./changes.ts";
import type { Lie } from "./lie.ts";
import { anchored, each } from "./expected_reports.ts";
import { anchorIn, SIZES, type World } from "./world.ts";

const BOTH = ["ed25519", "bls"] as const;
/** External anchors are no part of the level; one that is not bound is not reported as present. */
const UNBOUND = {
  "bundle": "0 shown",
  ...each("0 federated, unbound anchor", "verify-proof", "verify-proof at first"),
  "check of the bundle": "federated, unbound anchor",
  "verify-proof anchors": "1 federated, unbound anchor, rekor not_checked",
};

/** A log that users do not trust, under the name of the one that they do. */
const otherRekor = new TestRekorLog({ version: "0.0.1", algorithm: "p256", seed: 12 });

function crossAnchorLie(
  name: string,
  edit: (anchor: CrossAnchor, world: World) => unknown,
  says: Lie["says"],
  schemes: Lie["schemes"] = ["ed25519"],
): Lie {
  const changes = bundles(async (bundle, world) => ({
    ...bundle,
    cross_anchors: await Promise.all(bundle.cross_anchors.map((anchor) => edit(anchor, world))),
  }));
  return { name, changes, says, schemes };
}

/** A lie about the service's proof: the level stays, and its verification fails. */
function externalAnchorLie(
  name: string,
  edit: (anchor: ExternalAnchor, world: World) => unknown,
  reason: string,
): Lie {
  return {
    name,
    changes: [
      ...bundles(async (bundle, world) => ({
        ...bundle,
        external_anchors: await Promise.all(
          bundle.external_anchors.map((anchor) => edit(anchor, world)),
        ),
      })),
      editing<ExternalAnchor[]>(
        ["anchors"],
        (anchors, { world }) => Promise.all(anchors.map((anchor) => edit(anchor, world))),
      ),
    ],
    also: ["verify-proof anchors", "anchors save"],
    says: {
      ...each("0 shown", "bundle", "anchors"),
      "verify-proof anchors": "1 federated, rekor failed",
      "anchors save": `1 proof_refused: its proof is invalid (${reason})`,
    },
  };
}

function signedAtHome(
  { consistency_path, witnessing_network, tree_head }: CrossAnchor,
  { keys }: World,
): unknown {
  return { consistency_path, witnessing_network, ...keys.signHead(tree_head) };
}

export const anchorLies: readonly Lie[] = [
  crossAnchorLie("a cross-anchor of a network that is no peer", (anchor) => ({
    ...anchor,
    witnessing_network: "evil.example/log",
  }), anchored("peer_not_pinned witnessing_network")),
  crossAnchorLie("ourselves as our peer", (anchor, { keys }) => ({
    consistency_path: anchor.consistency_path,
    witnessing_network: keys.id,
    ...keys.signHead(anchor.tree_head),
  }), anchored("peer_is_home witnessing_network")),
  crossAnchorLie("our own signatures as the peer's", signedAtHome, anchored("threshold_not_met")),
  // In an aggregate a stranger is not passed over: without its key nothing can be verified.
  crossAnchorLie("our own aggregate as the peer's", signedAtHome, anchored("signer_unknown"), [
    "bls",
  ]),
  crossAnchorLie(
    "a cross-anchor that one of the peer's witnesses signed",
    (anchor, { peer }) => ({
      consistency_path: anchor.consistency_path,
      witnessing_network: peer.id,
      ...peer.signHead(anchor.tree_head, [0]),
    }),
    anchored("threshold_not_met"),
    BOTH,
  ),
  crossAnchorLie("a cross-anchor of the peer's own log", (anchor, { peer }) => ({
    consistency_path: anchor.consistency_path,
    witnessing_network: peer.id,
    ...peer.signHead({ ...anchor.tree_head, network_id: peer.id }),
  }), anchored("network_mismatch tree_head.network_id")),
  crossAnchorLie("a cross-anchor of a head before the batch", async (_, world) => ({
    witnessing_network: world.peer.id,
    consistency_path: [],
    ...world.peer.signHead((await world.sth(SIZES[0])).tree_head),
  }), anchored("anchor_precedes_batch tree_head.tree_size")),
  crossAnchorLie(
    "a cross-anchor of a fork",
    async ({ consistency_path }, world) => ({
      witnessing_network: world.peer.id,
      consistency_path,
      ...world.peer.signHead((await world.fork.sth(SIZES[2])).tree_head),
    }),
    anchored("consistency_invalid consistency_path"),
    BOTH,
  ),
  crossAnchorLie("a cross-anchor that no path leads to", (anchor) => ({
    ...anchor,
    consistency_path: [],
  }), anchored("consistency_invalid consistency_path")),
  {
    name: "no cross-anchor",
    changes: bundles((bundle) => ({ ...bundle, cross_anchors: [] })),
    says: {
      "bundle": "0 shown",
      ...each("0 batched, cross_anchors_missing", "verify-proof", "verify-proof at first"),
      "check of the bundle": "batched, cross_anchors_missing",
    },
  },
  {
    name: "an external anchor of something else",
    changes: bundles((bundle) => ({
      ...bundle,
      external_anchors: bundle.external_anchors.map((anchor) => ({
        ...anchor,
        digest: otherHex(anchor.digest),
      })),
    })),
    also: ["verify-proof anchors"],
    says: UNBOUND,
  },
  {
    name: "an external anchor of a fork",
    changes: bundles(async (bundle, world) => ({
      ...bundle,
      external_anchors: await Promise.all(bundle.external_anchors.map(async (anchor) => ({
        ...anchor,
        tree_head: (await world.fork.sth(SIZES[2])).tree_head,
      }))),
    })),
    also: ["verify-proof anchors"],
    says: UNBOUND,
  },
  externalAnchorLie("an external anchor's proof of a fork", async (anchor, { fork }) => ({
    ...anchor,
    proof: anchorIn(rekor, (await fork.sth(SIZES[2])).tree_head).proof,
  }), "Cannot verify Rekor entry: it is for another digest"),
  externalAnchorLie(
    "an external anchor at another time",
    (anchor) => ({ ...anchor, timestamp: anchor.timestamp - 1 }),
    "its timestamp is not the time of the entry",
  ),
  externalAnchorLie(
    "an external anchor with a proof that is none",
    (anchor) => ({ ...anchor, proof: {} }),
    "Cannot read Rekor bundle: member verificationMaterial is missing",
  ),
  {
    name: "an external anchor in a log that only looks like the trusted one",
    changes: bundles((bundle) => ({
      ...bundle,
      external_anchors: bundle.external_anchors.map(({ tree_head, consistency_path }) => ({
        ...anchorIn(otherRekor, tree_head),
        consistency_path,
      })),
    })),
    also: ["verify-proof anchors"],
    says: { "bundle": "0 shown", "verify-proof anchors": "1 federated, rekor failed" },
  },
  {
    name: "an external anchor of a service that nobody knows",
    changes: bundles((bundle) => ({
      ...bundle,
      external_anchors: bundle.external_anchors.map((anchor) => ({ ...anchor, provider: "me" })),
    })),
    also: ["verify-proof anchors"],
    says: {
      "bundle": "0 shown",
      ...each("0 federated", "verify-proof", "verify-proof at first"),
      "verify-proof anchors": "1 federated, me not_checked",
    },
  },
  {
    name: "no external anchor",
    changes: bundles((bundle) => ({ ...bundle, external_anchors: [] })),
    also: ["verify-proof anchors"],
    says: {
      "bundle": "0 shown",
      ...each("0 federated", "verify-proof", "verify-proof at first"),
      "verify-proof anchors": "1 federated",
    },
  },
  {
    name: "an external anchor of something else in the list",
    changes: [
      editing<ExternalAnchor[]>(
        ["anchors"],
        (anchors) => anchors.map((anchor) => ({ ...anchor, digest: otherHex(anchor.digest) })),
      ),
    ],
    also: ["anchors save"],
    says: {
      "anchors": "0 shown",
      "anchors save": "1 proof_refused: its digest is not the SHA-256 of its checkpoint body",
    },
  },
  {
    name: "external anchors that are none",
    changes: [
      editing<ExternalAnchor[]>(
        ["anchors"],
        (anchors) => anchors.map(({ provider }) => ({ provider })),
      ),
    ],
    says: { "anchors": "1 gateway_refused: member status is missing" },
  },
  {
    name: "external anchors that nobody made",
    changes: [
      editing<ExternalAnchor[]>(["anchors"], ([anchor]) => [
        anchor,
        { ...anchor, provider: "\u001b[31m\u009b31m\u202eeverybody" },
      ]),
    ],
    says: { "anchors": "0 shown" },
  },
];
