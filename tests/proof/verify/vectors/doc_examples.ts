/**
 * The examples of `docs/verification.md`, each by its name, made from the vectors' own networks.
 *
 *     deno run --config tests/deno.json -A tests/proof/verify/vectors/doc_examples.ts
 *
 * writes them into the page.
 *
 * @module
 */

import { beaconTime, QUICKNET } from "../../../../src/proof/crypto/drand.ts";
import { contradictionMembers } from "../../../../src/proof/format/federation.ts";
import { QUICKNET_BEACONS } from "../../../beacons.ts";
import { federatedBundle } from "./anchor_cases.ts";
import { contradictionOf } from "./history_cases.ts";
import { BATCH_SIZE, HEAD_TIME, homes, LOG_SIZE, NETWORKS, SEQUENCE } from "./world.ts";

/** The page with the examples. */
export const PAGE = new URL("../../../../docs/verification.md", import.meta.url);

const BLOCK = /^<!-- example: (.+) -->\n(?:\n```\w+\n([\s\S]*?)^```\n)?/gm;

/** The examples in the text of a page, by name. */
export function examplesIn(page: string): Map<string, string> {
  return new Map([...page.matchAll(BLOCK)].map(([, name, text = ""]) => [name!, text]));
}

/** Every example by its name. */
export function docExamples(): Map<string, string> {
  const { network, log, fork } = homes.ed25519;
  const bundle = federatedBundle(homes.ed25519);
  const { batch, merkle_proof, sth } = bundle.batch_inclusion!;
  const [beacon] = QUICKNET_BEACONS;
  const values: Record<string, unknown> = {
    "configuration": NETWORKS.get("ed25519"),
    "signed attestation": log.attestations[SEQUENCE],
    "signed attestation of a bls network": homes.bls.log.attestations[0],
    "tree head": sth,
    "batch": batch,
    "merkle proof": merkle_proof,
    "inclusion proof": log.inclusionProof(SEQUENCE, sth),
    "consistency proof": log.consistencyProof(sth, log.sth(LOG_SIZE, HEAD_TIME + 5)),
    "cross-anchor": bundle.cross_anchors[0],
    "external anchor": bundle.external_anchors[0],
    "bundle": bundle,
    "contradiction": contradictionMembers(contradictionOf(network, [log, 6], [fork, LOG_SIZE])),
    "quicknet": {
      chain_hash: QUICKNET.hash,
      public_key: QUICKNET.publicKey.toHex(),
      genesis_time: QUICKNET.genesisTime,
      period_seconds: QUICKNET.periodSeconds,
    },
    "beacon": { ...beacon, time: beaconTime(QUICKNET, beacon.round) },
  };
  const head = log.head(BATCH_SIZE, HEAD_TIME);
  return new Map([
    ...Object.entries(values).map(([name, value]) =>
      [name, `${JSON.stringify(value, undefined, 2)}\n`] as const
    ),
    ["checkpoint", network.checkpoint(head, { 0: HEAD_TIME, 1: HEAD_TIME })],
  ]);
}

if (import.meta.main) {
  const examples = docExamples();
  const page = await Deno.readTextFile(PAGE);
  const written = page.replaceAll(BLOCK, (_, name: string) => {
    const language = name === "checkpoint" ? "text" : "json";
    return `<!-- example: ${name} -->\n\n\`\`\`${language}\n${examples.get(name)}\`\`\`\n`;
  });
  await Deno.writeTextFile(PAGE, written);
}
