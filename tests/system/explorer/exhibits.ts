/**
 * Bundles and configurations of networks that run nowhere, as files for the page to verify.
 *
 * @module
 */

import { join } from "node:path";
import type { ProofBundle } from "../../../src/proof/format/bundle.ts";
import { batchedBundle, makeLog, SEQUENCE, TestNetwork } from "../../proof/verify/fixture.ts";

/** Unix seconds of the peers' cosignatures. */
const ANCHORED_AT = 1_766_275_400;

/** Paths of files. */
export interface Exhibits {
  /** A bundle that two peers and an external service anchored; the policy asks for both peers. */
  readonly federated: string;
  /** What its attestation is of, and the same with another word in it. */
  readonly content: string;
  readonly changed: string;
  /** The configurations of its network and of both peers. */
  readonly home: string;
  readonly peers: readonly string[];
  /** A configuration of the same name with other keys. */
  readonly twin: string;
  /** The bundle with the signatures of something else. */
  readonly forged: string;
  /** The bundle with a wrong Merkle path. */
  readonly misplaced: string;
  /** A bundle of a `bls` network, and the network's configuration. */
  readonly aggregated: string;
  readonly aggregating: string;
  /** A file that is no bundle, and one that is no JSON. */
  readonly otherJson: string;
  readonly noJson: string;
}

/** Writes all of them into `folder`. */
export async function writeExhibits(folder: string): Promise<Exhibits> {
  const peers = ["peer.example/alpha", "peer.example/beta"].map((id) => new TestNetwork(id));
  const home = new TestNetwork("net.example/home", {
    federation: {
      enabled: true,
      peer_networks: peers.map(({ id }) => ({ id })),
      cross_anchor_threshold: 2,
    },
  });
  const log = makeLog(home);
  const place = { from: 12, size: 16, timestamp: ANCHORED_AT };
  const federated: ProofBundle = {
    ...batchedBundle(log),
    cross_anchors: peers.map((peer) => log.crossAnchor(peer, place)),
    external_anchors: [log.externalAnchor(place)],
  };
  const { batch_inclusion, signed_attestation } = federated;
  const { merkle_proof } = batch_inclusion!;
  const twin = new TestNetwork(home.id, { seeds: ["twin 1", "twin 2", "twin 3"] });
  const aggregating = new TestNetwork("net.example/bls", { scheme: "bls" });
  const texts = {
    "report.txt.countersign.json": federated,
    "report.txt": `content ${SEQUENCE}`,
    "changed.txt": `content ${SEQUENCE}!`,
    "home.public.json": home.configuration,
    "alpha.public.json": peers[0]!.configuration,
    "beta.public.json": peers[1]!.configuration,
    "twin.public.json": twin.configuration,
    "forged.countersign.json": {
      ...federated,
      signed_attestation: { ...signed_attestation, ...home.sign("something else\n") },
    },
    "misplaced.countersign.json": {
      ...federated,
      batch_inclusion: {
        ...batch_inclusion!,
        merkle_proof: {
          ...merkle_proof,
          inclusion_path: merkle_proof.inclusion_path.toReversed(),
        },
      },
    },
    "aggregated.countersign.json": batchedBundle(makeLog(aggregating)),
    "bls.public.json": aggregating.configuration,
    "other.json": { some: "thing" },
    "no.json": "%PDF-1.7",
  };
  for (const [name, content] of Object.entries(texts)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(join(folder, name), text);
  }
  const at = (name: keyof typeof texts) => join(folder, name);
  return {
    federated: at("report.txt.countersign.json"),
    content: at("report.txt"),
    changed: at("changed.txt"),
    home: at("home.public.json"),
    peers: [at("alpha.public.json"), at("beta.public.json")],
    twin: at("twin.public.json"),
    forged: at("forged.countersign.json"),
    misplaced: at("misplaced.countersign.json"),
    aggregated: at("aggregated.countersign.json"),
    aggregating: at("bls.public.json"),
    otherJson: at("other.json"),
    noJson: at("no.json"),
  };
}
