/**
 * `keygen`: creates a key for a witness or a log.
 *
 * @module
 */

import { hexOf } from "../bytes.ts";
import { loadBls } from "../crypto/best_bls.ts";
import { CountersignError } from "../errors.ts";
import { isNetworkId, isWitnessId } from "../format/names.ts";
import { encodeVkey } from "../format/note_key.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import type { CliIo } from "../server/io.ts";
import { newLogKey, newWitnessKey } from "../server/new_keys.ts";
import { writeNewFile } from "../server/files.ts";

export interface KeygenOptions {
  /** A witness id, or a network id for a log. */
  readonly id: string;
  readonly kind: "witness" | "log";
  readonly scheme: SignatureScheme;
  /** The file to create. */
  readonly out: string;
  readonly output: "text" | "json";
}

/** Creates the key file and prints the public key. Returns the exit code. */
export async function runKeygen(options: KeygenOptions, io: CliIo): Promise<number> {
  const { id, kind } = options;
  if (!(kind === "log" ? isNetworkId(id) : isWitnessId(id))) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot create key: ${JSON.stringify(id)} is not a ${
        kind === "log" ? "network" : "witness"
      } ` +
        "id, of A-Z a-z 0-9 . _ ~ / - beginning with a letter or digit",
    );
  }
  const made = await makeKey(options);
  const file = io.resolvePath(options.out);
  await writeNewFile(file, made.secretLine, 0o600);
  if (options.output === "json") {
    io.out(JSON.stringify({ id, kind, ...made.publicMembers, file }, undefined, 2));
    return 0;
  }
  const members = Object.entries({ id, ...made.publicMembers });
  const width = Math.max(...members.map(([name]) => name.length));
  for (const [name, value] of members) io.out(`${name.padEnd(width)}  ${value}`);
  io.err(`Private key in ${file}: keep it secret, and keep a copy`);
  return 0;
}

/** The text of the key file, and the members for a configuration. */
async function makeKey({ id, kind, scheme }: KeygenOptions) {
  if (kind === "witness") {
    const { secretLine, configured } = newWitnessKey(id, scheme, await loadBls());
    const { id: _, ...publicMembers } = configured;
    return { secretLine, publicMembers };
  }
  if (scheme !== "ed25519") {
    throw new CountersignError(
      "usage",
      `Cannot create key: log keys are always ed25519, not ${scheme}`,
    );
  }
  const { key, secretLine } = newLogKey(() => id);
  return { secretLine, publicMembers: { pubkey: hexOf(key.publicKey), vkey: encodeVkey(key) } };
}
