/**
 * Checkpoints with further lines of ML-DSA-44 keys, also in bundles. A verifier that ignores such lines and
 * keys has the same results: none of a configured key is damaged.
 *
 * @module
 */

import { ml_dsa44 } from "@noble/post-quantum/ml-dsa.js";
import { ML_DSA_SIGNATURE_LENGTH } from "../../../../src/proof/crypto/ml_dsa_lengths.ts";
import { cosignatureLine, encodeSignatureLine } from "../../../../src/proof/format/note_writer.ts";
import { mlDsaLogKey, mlDsaWitnessKey } from "../../../../src/proof/format/network_check.ts";
import { publicNetwork } from "../../../../src/proof/format/public_network.ts";
import type { NoteKey } from "../../../../src/proof/format/note_key.ts";
import { encodeSubtreeMessage } from "../../../../src/proof/format/subtree_cosignature.ts";
import { TestLog } from "../test_log.ts";
import { digestOf, mlDsaSeedOf, TestNetwork } from "../test_network.ts";
import type { Vector } from "./vector.ts";

const TIME = 1_766_275_300;

/** Its log and its first witness have such keys. */
export const mlDsaNetwork = new TestNetwork("further.example/log", { mlDsa: true });

/** Every case of {@linkcode mlDsaNetwork}. */
export function mlDsaCases(): Vector[] {
  const log = new TestLog(mlDsaNetwork);
  log.addRound(["one", "two", "three"].map(digestOf), { timestamp: TIME - 10 });
  const head = log.head(3, TIME);
  const line = (key: NoteKey, timestamp: number) => {
    const message = encodeSubtreeMessage({
      cosigner: key.name,
      timestamp,
      origin: mlDsaNetwork.id,
      start: 0,
      end: head.tree_size,
      root: Uint8Array.fromHex(head.root_hash),
    });
    const { secretKey } = ml_dsa44.keygen(mlDsaSeedOf(key.name));
    const signature = ml_dsa44.sign(message, secretKey, { extraEntropy: false });
    return encodeSignatureLine(cosignatureLine(key, timestamp, signature));
  };
  const { configuration } = mlDsaNetwork;
  const [logKey, witnessKey] = [
    mlDsaLogKey(configuration)!,
    mlDsaWitnessKey(configuration.witnesses[0]!)!,
  ];
  const make = (name: string, rules: readonly string[], input: string): Vector => ({
    name: `ml-dsa: checkpoint ${name}`,
    kind: "checkpoint",
    rules,
    network: "ml-dsa",
    input,
  });
  const good = mlDsaNetwork.checkpoint(head, { 0: TIME, 1: TIME });
  const few = mlDsaNetwork.checkpoint(head, { 0: TIME });
  const further = line(logKey, TIME) + line(witnessKey, TIME);
  // Keys that the configuration does not have, and no signatures.
  const strange = [logKey.name, configuration.witnesses[1]!.id].map((name) =>
    encodeSignatureLine(
      cosignatureLine({ ...witnessKey, name }, TIME, new Uint8Array(ML_DSA_SIGNATURE_LENGTH)),
    )
  ).join("");
  const makeBundle = (name: string, rules: readonly string[], checkpoint: string): Vector => ({
    name: `ml-dsa: bundle with a checkpoint ${name}`,
    kind: "bundle",
    rules,
    network: "ml-dsa",
    input: JSON.stringify({
      ...log.bundle(1, log.batchInclusion(1, log.sth(3, TIME))),
      witnessed: { checkpoint, inclusion_path: log.inclusionPath(1, 3) },
    }),
  });
  return [
    {
      name: "ml-dsa: configuration with further keys",
      kind: "configuration",
      rules: ["C14", "C15"],
      input: JSON.stringify(publicNetwork(configuration)),
    },
    make("without further lines", ["K10"], good),
    make("with further lines", ["K10"], good + further),
    make(
      "with further lines of other times",
      ["K10"],
      good + line(logKey, 0) + line(witnessKey, 5),
    ),
    make("of one witness with both lines", ["K9"], few + further),
    makeBundle("with further lines", ["W5"], good + further),
    makeBundle("with lines of unknown ML-DSA-44 keys", ["K5", "W5"], good + strange),
    makeBundle("of one witness with both lines", ["W2", "K9"], few + further),
  ];
}
