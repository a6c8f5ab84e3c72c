/**
 * Bundles with cross-anchors and external anchors.
 *
 * @module
 */

import type { CrossAnchor, ProofBundle } from "../../../../src/proof/format/bundle.ts";
import type { ExternalAnchor } from "../../../../src/proof/format/external_anchor.ts";
import { encodeCosignatureMessage } from "../../../../src/proof/format/tree_head.ts";
import { digestOf } from "../test_network.ts";
import {
  batchedBundle,
  bundleCaseOf,
  editsBelow,
  type MakeBundleCase,
  PEER_NAMES,
} from "./bundle_cases.ts";
import { edit, type RawObject, rawOf } from "./raw_json.ts";
import type { Vector } from "./vector.ts";
import { BATCH_SIZE, type Home, LOG_SIZE, PEER_TIME, peers } from "./world.ts";

/** A cosignature of the head of `size` by the peer `name`. */
export function anchorBy(
  { log }: Home,
  name: keyof typeof peers,
  { size = LOG_SIZE, places }: { readonly size?: number; readonly places?: number[] } = {},
): CrossAnchor {
  const at = { from: BATCH_SIZE, size, timestamp: PEER_TIME };
  return log.crossAnchor(peers[name], { ...at, ...(places && { places }) });
}

/** An external anchor of the head of `size`. */
export function externalAnchor({ log }: Home, size = LOG_SIZE): ExternalAnchor {
  return log.externalAnchor({ from: BATCH_SIZE, size, timestamp: PEER_TIME });
}

/** A bundle of level *federated*, by a peer of the same scheme, with one external anchor. */
export function federatedBundle(home: Home): ProofBundle {
  return {
    ...batchedBundle(home),
    cross_anchors: [anchorBy(home, home.scheme === "bls" ? "beta" : "alpha")],
    external_anchors: [externalAnchor(home)],
  };
}

/** Every case of a home network's bundles with anchors. */
export function anchorCases(home: Home): Vector[] {
  const make = bundleCaseOf(home);
  return [
    ...crossAnchorCases(home, make),
    ...peerCases(home, make),
    ...policyCases(home, make),
    ...externalCases(home, make),
    ...editsBelow(
      { ...federatedBundle(home), ...(home.scheme === "bls" && { external_anchors: [] }) },
      home.scheme === "bls"
        ? ["cross_anchors[0].sign"]
        : ["cross_anchors[0]", "external_anchors[0]"],
    ).map(({ name, json }) => make(name, [], json as RawObject)),
  ];
}

function crossAnchorCases(home: Home, make: MakeBundleCase): Vector[] {
  const { log, fork, network } = home;
  const bundle = batchedBundle(home);
  const anchored = (...cross_anchors: readonly CrossAnchor[]) => ({ ...bundle, cross_anchors });
  const alpha = anchorBy(home, "alpha");
  const [first] = alpha.consistency_path;
  const atBatch = anchorBy(home, "alpha", { size: BATCH_SIZE });
  const pathed = (consistency_path: readonly string[]) => ({ ...alpha, consistency_path });
  const early = {
    ...peers.alpha.signHead(log.head(6, PEER_TIME)),
    witnessing_network: peers.alpha.id,
    consistency_path: log.consistencyPath(6, BATCH_SIZE),
  };
  const own = {
    ...alpha,
    ...peers.alpha.signHead({ ...alpha.tree_head, network_id: peers.alpha.id }),
  };
  const forked = {
    ...alpha,
    ...peers.alpha.signHead(fork.head(LOG_SIZE, PEER_TIME)),
    consistency_path: fork.consistencyPath(BATCH_SIZE, LOG_SIZE),
  };
  const message = encodeCosignatureMessage(alpha.tree_head);
  const { signatures: _, ...unsigned } = { signatures: undefined, ...alpha };
  return [
    make("cross-anchored by an ed25519 peer", ["F3"], anchored(alpha)),
    make("cross-anchored by a bls peer", ["F3"], anchored(anchorBy(home, "beta"))),
    make("cross-anchored at the batch's own size", ["F3"], anchored(atBatch)),
    make(
      "cross-anchored at its own size with a path",
      ["X10"],
      anchored({
        ...atBatch,
        consistency_path: [first!],
      }),
    ),
    make("cross-anchored without a verified batch", ["X1", "E1"], {
      ...anchored(alpha),
      batch_inclusion: null,
      external_anchors: [externalAnchor(home)],
    }),
    make(
      "cross-anchored by itself",
      ["X3"],
      anchored({
        ...network.signHead(alpha.tree_head),
        witnessing_network: network.id,
        consistency_path: alpha.consistency_path,
      }),
    ),
    make(
      "cross-anchored by a network that is no peer",
      ["X4"],
      anchored(anchorBy(home, "stranger")),
    ),
    make("cross-anchored with the peer's own head", ["X5"], anchored(own)),
    make(
      "cross-anchored by one witness",
      ["X7", "S7"],
      anchored(
        anchorBy(home, "alpha", { places: [0] }),
      ),
    ),
    make(
      "cross-anchored with a signature over another time",
      ["X7", "S6"],
      anchored({
        ...alpha,
        tree_head: { ...alpha.tree_head, timestamp: PEER_TIME + 1 },
      }),
    ),
    make(
      "cross-anchored with signatures of another scheme",
      ["X7", "S2"],
      anchored({
        ...unsigned,
        ...peers.beta.sign(message),
      } as CrossAnchor),
    ),
    make(
      "cross-anchored with another witness's id",
      ["X7"],
      anchored({
        ...alpha,
        ...peers.strict.signHead(alpha.tree_head),
      }),
    ),
    make("cross-anchored before the batch", ["X9"], anchored(early)),
    make("cross-anchored in a fork", ["X10"], anchored(forked)),
    make("cross-anchored with an empty path", ["X10"], anchored(pathed([]))),
    make(
      "cross-anchored with a path that is too short",
      ["X10"],
      anchored(
        pathed(alpha.consistency_path.slice(1)),
      ),
    ),
    make(
      "cross-anchored with a path that is too long",
      ["X10"],
      anchored(
        pathed([...alpha.consistency_path, first!]),
      ),
    ),
    make(
      "cross-anchored with a path in reverse",
      ["X10"],
      anchored(
        pathed(alpha.consistency_path.toReversed()),
      ),
    ),
  ];
}

function peerCases(home: Home, make: MakeBundleCase): Vector[] {
  const bundle = batchedBundle(home);
  const anchored = (...cross_anchors: readonly CrossAnchor[]) => ({ ...bundle, cross_anchors });
  const alpha = anchorBy(home, "alpha");
  const shared = anchorBy(home, "shared");
  const bad = anchorBy(home, "alpha", { places: [0] });
  const homeKey = home.log.crossAnchor(home.homeKeyPeer, {
    from: BATCH_SIZE,
    size: LOG_SIZE,
    timestamp: PEER_TIME,
  });
  const withHomeKey = { peers: [...PEER_NAMES, `homekey ${home.scheme}`] };
  const eightBad = Array.from({ length: 8 }, () => bad);
  return [
    make("cross-anchored by a peer without a configuration", ["X6"], anchored(alpha), {
      peers: [],
    }),
    make(
      "cross-anchored by fewer witnesses than min_witnesses",
      ["X8"],
      anchored(
        anchorBy(home, "strict"),
      ),
    ),
    make(
      "cross-anchored by min_witnesses",
      ["F3"],
      anchored(
        anchorBy(home, "strict", { places: [0, 1, 2] }),
      ),
    ),
    make("cross-anchored by peers that share a key", ["X11"], anchored(alpha, shared)),
    make("cross-anchored by peers that share a key, in reverse", ["X11"], anchored(shared, alpha)),
    make("cross-anchored by one of two peers that share a key", ["F3"], anchored(shared)),
    make(
      "cross-anchored by a peer with a key of the home network",
      ["X11"],
      anchored(homeKey),
      withHomeKey,
    ),
    make("cross-anchored twice by one peer", ["X12"], anchored(alpha, alpha), {
      network: `${home.scheme} two peers`,
    }),
    make("cross-anchored by one peer, the first anchor bad", ["F3"], anchored(bad, alpha)),
    make("cross-anchored by one peer, the second anchor bad", ["F3"], anchored(alpha, bad)),
    make("with the ninth anchor of one peer", ["X2"], anchored(...eightBad, alpha)),
    make("with the eighth anchor of one peer", ["F3"], anchored(...eightBad.slice(1), alpha)),
  ];
}

function policyCases(home: Home, make: MakeBundleCase): Vector[] {
  const bundle = batchedBundle(home);
  const one = { ...bundle, cross_anchors: [anchorBy(home, "alpha")] };
  const two = { ...bundle, cross_anchors: [anchorBy(home, "beta"), anchorBy(home, "alpha")] };
  const under = (variant: string) => ({ network: `${home.scheme} ${variant}` });
  return [
    make("of two peers, one required", ["F3", "T5"], two),
    make("of two peers, two required", ["F3"], two, under("two peers")),
    make("of one peer, two required", ["F2"], one, under("two peers")),
    make("of no peer, one required", ["F2"], bundle),
    make("of one peer, federation with threshold 0", ["F1"], one, under("federation threshold 0")),
    make(
      "of no peer, federation with threshold 0",
      ["F1"],
      bundle,
      under("federation threshold 0"),
    ),
    make("of one peer, federation off", ["F1"], one, under("federation off")),
  ];
}

function externalCases(home: Home, make: MakeBundleCase): Vector[] {
  const { log, fork } = home;
  const bundle = batchedBundle(home);
  const good = externalAnchor(home);
  const anchored = (...external_anchors: readonly ExternalAnchor[]) => ({
    ...bundle,
    external_anchors,
  });
  const head = good.tree_head;
  const early = log.externalAnchor({ from: 6, size: 6, timestamp: PEER_TIME });
  const forked = fork.externalAnchor({ from: BATCH_SIZE, size: LOG_SIZE, timestamp: PEER_TIME });
  const withProof = (proof: string) =>
    edit(rawOf(anchored(good)), "external_anchors.0.proof", () => proof) as RawObject;
  const serviced = (service: string) => anchored({ ...good, service });
  return [
    make("with an external anchor", ["E6"], anchored(good)),
    make(
      "with an external anchor of the batch's own head",
      ["E6"],
      anchored(
        externalAnchor(home, BATCH_SIZE),
      ),
    ),
    make(
      "with two external anchors, one unbound",
      ["E6", "E3"],
      anchored(
        { ...good, digest: digestOf("another") },
        good,
      ),
    ),
    make(
      "with an external anchor of another network",
      ["E2"],
      anchored({
        ...good,
        tree_head: { ...head, network_id: "other.example/log" },
      }),
    ),
    make(
      "with an external anchor of another digest",
      ["E3"],
      anchored({
        ...good,
        digest: digestOf("another"),
      }),
    ),
    make("with an external anchor before the batch", ["E4"], anchored(early)),
    make("with an external anchor in a fork", ["E5"], anchored(forked)),
    make(
      "with an external anchor without a path",
      ["E5"],
      anchored({ ...good, consistency_path: [] }),
    ),
    make(
      "with an external anchor at another time",
      ["E6"],
      anchored({
        ...good,
        tree_head: { ...head, timestamp: 0 },
      }),
    ),
    make(
      "with an external anchor of an unknown provider",
      ["E6"],
      anchored({
        ...good,
        provider: "",
        status: "whatever",
      }),
    ),
    make("with an external anchor of a service", ["E6"], serviced("tsa-2.example")),
    make("with a service name of 41 characters", ["J9"], serviced("s".repeat(41))),
    make("with a service name that begins with a dot", ["J9"], serviced(".tsa")),
    make("with any numbers in an external proof", ["J4"], withProof("[-0,1.5,1e400,01e]")),
    make("with numbers of any kind in an external proof", ["E6"], withProof("[-0,1.5e3,1e400]")),
    make("with null as an external proof", ["E6"], withProof("null")),
    make("with a member twice in an external proof", ["J2"], withProof('{"a":1,"a":1}')),
    make(
      "with an external proof 30 levels deep",
      ["E6"],
      withProof("[".repeat(30) + "]".repeat(30)),
    ),
    make(
      "with an external proof 31 levels deep",
      ["J6"],
      withProof(`${"[".repeat(31)}${"]".repeat(31)}`),
    ),
  ];
}
