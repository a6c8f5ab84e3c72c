/**
 * Checks of the key files that a gateway's configuration names.
 *
 * @module
 */

import { fromHex } from "../bytes.ts";
import {
  type KeyReading,
  readLogSigner,
  readMlDsaSigner,
  readWitnessSigner,
} from "../config/key_file.ts";
import type { OperatorNetwork } from "../config/operator_network.ts";
import type { WitnessNode } from "../config/witness_node.ts";
import { mlDsaLogKey, mlDsaWitnessKey } from "../format/network.ts";
import { parseVkey } from "../format/note_key.ts";

/** Each reads one key, and rejects if it cannot be used or is not the configured one. */
export function keyChecks(
  { network, logKeyFile, logMlDsaKeyFile, witnesses }: OperatorNetwork,
  reading: KeyReading,
): (() => unknown)[] {
  return [
    () => readLogSigner(logKeyFile, parseVkey(network.log_vkey), reading),
    () => logMlDsaKeyFile && readMlDsaSigner(logMlDsaKeyFile, mlDsaLogKey(network)!, reading),
    ...witnesses.flatMap((witness, i) => {
      if (witness.kind === "remote") return [];
      const { keyFile, mlDsaKeyFile } = witness;
      const key = network.witnesses[i]!;
      const expected = { name: key.id, publicKey: fromHex(key.pubkey) };
      return [
        () => readWitnessSigner(keyFile, expected, reading),
        () => mlDsaKeyFile && readMlDsaSigner(mlDsaKeyFile, mlDsaWitnessKey(key)!, reading),
      ];
    }),
  ];
}

/** The public keys that the files of a witness hold, as far as they can be read. */
export interface FoundKeys {
  publicKey?: Uint8Array;
  mlDsaPublicKey?: Uint8Array;
}

/** Each reads one key of a witness into `found`, or rejects as {@linkcode keyChecks}. */
export function witnessKeyChecks(
  { id: name, keyFile, mlDsaKeyFile }: WitnessNode,
  reading: KeyReading,
  found: FoundKeys,
): (() => Promise<void>)[] {
  return [async () => {
    found.publicKey = (await readWitnessSigner(keyFile, { name }, reading)).publicKey;
  }, async () => {
    if (mlDsaKeyFile === undefined) return;
    found.mlDsaPublicKey = (await readMlDsaSigner(mlDsaKeyFile, { name }, reading)).publicKey;
  }];
}
