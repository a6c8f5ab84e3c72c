/**
 * All verification vectors, as the files of `docs/vectors/`.
 *
 *     deno run --config tests/deno.json -A tests/proof/verify/vectors/corpus.ts
 *
 * writes them.
 *
 * @module
 */

import { publicNetwork } from "../../../../src/proof/format/public_network.ts";
import type { VerifierCrypto } from "../../../../src/proof/verify/mod.ts";
import { anchorCases } from "./anchor_cases.ts";
import { bundleCases } from "./bundle_cases.ts";
import { carriedChainCases } from "./carried_chain_cases.ts";
import { checkpointCases } from "./checkpoint_cases.ts";
import { configurationCases } from "./configuration_cases.ts";
import { distrustCases } from "./distrust_cases.ts";
import { headCases } from "./head_cases.ts";
import { anchoredHomes, keptChainCases } from "./kept_chain_cases.ts";
import { mlDsaCases, mlDsaNetwork } from "./ml_dsa_cases.ts";
import { edgeCases, orderCases } from "./order_cases.ts";
import { proofCases } from "./proof_cases.ts";
import { receiptCases } from "./receipt_cases.ts";
import { type Configurations, judge, type Vector, type VectorKind } from "./vector.ts";
import { epochLogs, successionCases, witnessedEpochCases } from "./succession_cases.ts";
import { timestampCases } from "./timestamp_cases.ts";
import { witnessedCases } from "./witnessed_cases.ts";
import { homes, NETWORKS as HOME_NETWORKS } from "./world.ts";
import { nativeCrypto } from "../test_network.ts";

/** The folder of the committed vectors. */
export const VECTORS = new URL("../../../../docs/vectors/", import.meta.url);

/** The file of each kind of case. */
export const FILES: Readonly<Record<VectorKind, string>> = {
  bundle: "bundles.jsonl",
  checkpoint: "checkpoints.jsonl",
  configuration: "configurations.jsonl",
  consistency_proof: "log_proofs.jsonl",
  contradiction: "contradictions.jsonl",
  cose_receipt: "cose_receipts.jsonl",
  growth: "log_proofs.jsonl",
  inclusion_proof: "log_proofs.jsonl",
  merkle_proof: "log_proofs.jsonl",
  signed_attestation: "signed_attestations.jsonl",
  timestamp: "timestamps.jsonl",
  tree_head: "tree_heads.jsonl",
};

const NETWORKS: Configurations = new Map([
  ...HOME_NETWORKS,
  ...Object.entries(epochLogs).flatMap(([scheme, { epochs }]) =>
    epochs.map(({ configuration }, i) =>
      [`${scheme} epoch ${i}`, publicNetwork(configuration)] as const
    )
  ),
  ...Object.entries(epochLogs).flatMap(([scheme, { epochs, links }]) =>
    epochs.map(({ configuration }, i) =>
      [`${scheme} epoch ${i} with its chain`, publicNetwork({ ...configuration, links })] as const
    )
  ),
  ["ml-dsa", publicNetwork(mlDsaNetwork.configuration)],
  ...Object.entries(anchoredHomes).map(([scheme, { configuration }]) =>
    [`${scheme} anchored home`, publicNetwork(configuration)] as const
  ),
]);

/** Every case but those of time-stamp tokens, without expectations. */
function allVectors(): Vector[] {
  const cases = Object.values(homes).flatMap((home) => [
    ...bundleCases(home),
    ...anchorCases(home),
    ...headCases(home),
    ...checkpointCases(home),
    ...proofCases(home),
    ...configurationCases(home),
  ]);
  return [
    ...cases,
    ...successionCases("ed25519"),
    ...successionCases("bls"),
    ...keptChainCases("ed25519"),
    ...keptChainCases("bls"),
    ...Object.values(homes).flatMap(witnessedCases),
    ...witnessedEpochCases("ed25519"),
    ...witnessedEpochCases("bls"),
    ...carriedChainCases("ed25519"),
    ...carriedChainCases("bls"),
    ...distrustCases("ed25519"),
    ...distrustCases("bls"),
    ...receiptCases(),
    ...mlDsaCases(),
    ...orderCases("ed25519"),
    ...orderCases("bls"),
    ...Object.values(homes).flatMap(edgeCases),
  ];
}

/** The files of the corpus by name, with the results of `crypto`. */
export async function corpusFiles(crypto: VerifierCrypto): Promise<Map<string, string>> {
  const files = new Map<string, string>([[
    "networks.json",
    `${JSON.stringify(Object.fromEntries(NETWORKS), undefined, 2)}\n`,
  ]]);
  for (const { input, ...vector } of [...allVectors(), ...await timestampCases()]) {
    const expect = await judge(crypto, NETWORKS, { ...vector, input });
    const line = `${JSON.stringify({ ...vector, expect, input })}\n`;
    const file = FILES[vector.kind];
    files.set(file, (files.get(file) ?? "") + line);
  }
  return files;
}

if (import.meta.main) {
  await Deno.mkdir(VECTORS, { recursive: true });
  for (const [name, text] of await corpusFiles(nativeCrypto)) {
    await Deno.writeTextFile(new URL(name, VECTORS), text);
  }
}
