/**
 * `countersign keygen`: a key for a witness or a log, for operators who make their own.
 *
 * @module
 */

import { hexOf } from "../bytes.ts";
import { generateSeed } from "../crypto/ed25519_native.ts";
import { CountersignError } from "../errors.ts";
import { isNetworkId, isWitnessId } from "../format/names.ts";
import { encodeVkey, NOTE_TYPE } from "../format/note_key.ts";
import type { CliIo } from "./io.ts";
import { newKey } from "./network_plan.ts";
import { writeNewFile } from "./new_files.ts";

/** What the command line says. */
export interface KeygenOptions {
  /** Whose key: a witness id, or a network id for a log. */
  readonly id: string;
  readonly kind: "witness" | "log";
  /** As typed: the file to make. */
  readonly out: string;
  readonly output: "text" | "json";
}

/** Makes the key file and prints the public key. Answers the exit code. */
export async function runKeygen(options: KeygenOptions, io: CliIo): Promise<number> {
  const { id, kind } = options;
  if (!(kind === "log" ? isNetworkId(id) : isWitnessId(id))) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot create key: a ${kind === "log" ? "network" : "witness"} id of A-Z a-z 0-9 . _ ~ / -` +
        `, the first alphanumeric, required, found ${JSON.stringify(id)}`,
    );
  }
  const type = kind === "log" ? NOTE_TYPE.ed25519 : NOTE_TYPE.cosignature;
  const { key, secretLine } = newKey(id, type, generateSeed());
  const file = io.resolvePath(options.out);
  await writeNewFile(file, secretLine, 0o600);
  const pubkey = hexOf(key.publicKey);
  const vkey = encodeVkey(key);
  if (options.output === "json") {
    io.out(JSON.stringify({ id, kind, pubkey, vkey, file }, undefined, 2));
    return 0;
  }
  io.out(`id      ${id}`);
  io.out(`pubkey  ${pubkey}`);
  io.out(`vkey    ${vkey}`);
  io.err(`Private key in ${file}: keep it secret, and keep a copy`);
  return 0;
}
