/**
 * `keygen`: creates a key for a witness or a log.
 *
 * @module
 */

import { choice } from "@optique/core/valueparser";
import { hexOf } from "../base/bytes.ts";
import { loadPassword } from "../config/bearer_tokens.ts";
import { sealAge } from "../config/encrypted_key.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import { isNetworkId, isWitnessId } from "../proof/format/names.ts";
import { encodeVkey } from "../proof/format/note_key.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import {
  defaulted,
  FILE,
  optional,
  positional,
  repeated,
  required,
  SCHEMES,
  SERVICE_URL,
  textValue,
} from "./options.ts";
import { newLogKey, newMlDsaKey, newWitnessKey } from "../server/gateway/new_keys.ts";
import { createWhole } from "../server/files.ts";
import type { CliIo } from "../server/io.ts";

const usage = errorBuilder("usage", "Cannot create key");

const ML_DSA = "ml-dsa-44";

const options = {
  id: positional(textValue("ID"), "A witness id, or a network id for a log."),
  kind: defaulted(
    "--kind",
    choice(["witness", "log"], { metavar: "KIND" }),
    "witness",
    "witness (default) or log.",
  ),
  scheme: defaulted(
    "--scheme",
    choice([...SCHEMES, ML_DSA] as const, { metavar: "SCHEME" }),
    "ed25519",
    "ed25519 (default), bls for a witness, or ml-dsa-44 for a further key of a witness or a log.",
  ),
  out: required("--out", FILE, "Key file to create."),
  url: optional(
    "--url",
    SERVICE_URL,
    "Where gateways will reach the witness, for `network assemble`.",
  ),
  recipients: repeated(
    "--encrypt-to",
    textValue("NAME"),
    "Encrypt the key file for this age public key, age1....",
  ),
  passphraseFile: optional("--encrypt", FILE, "Encrypt the key file by the passphrase in FILE."),
};
export type KeygenOptions = ValuesOf<typeof options>;

export const keygen = defineCommand("keygen", {
  options,
  run: runKeygen,
});

/** Creates the key file and prints the public key. */
export async function runKeygen(
  options: KeygenOptions,
  { io, output, crypto }: CommandContext,
): Promise<number> {
  const { id, kind, url } = options;
  if (!(kind === "log" ? isNetworkId(id) : isWitnessId(id))) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot create key: ${JSON.stringify(id)} is not a ${
        kind === "log" ? "network" : "witness"
      } id, of A-Z a-z 0-9 . _ ~ / - beginning with a letter or digit`,
    );
  }
  const { secretLine, publicMembers } = makeKey(options, crypto.bls);
  const file = io.resolvePath(options.out);
  await createWhole(file, await sealed(secretLine, options, io), 0o600);
  const shown = { ...publicMembers, ...(url !== undefined && { url }) };
  output.result({ id, kind, ...shown, file }, memberLines);
  if (output.format === "text") {
    io.err(`Private key in ${file}: keep it secret, and keep a copy`);
  }
  return 0;
}

/** The members for a configuration. */
function memberLines(key: { readonly kind: string; readonly file: string }): string[] {
  const { kind: _, file: __, ...members } = key;
  const width = Math.max(...Object.keys(members).map((name) => name.length));
  return Object.entries(members).map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}

/** The text of the key file, encrypted if an option asks for that. */
async function sealed(
  secretLine: string,
  { recipients, passphraseFile }: KeygenOptions,
  io: CliIo,
): Promise<string> {
  if (passphraseFile === undefined) {
    return recipients.length === 0 ? secretLine : await sealAge(secretLine, { recipients });
  }
  if (recipients.length > 0) {
    throw usage("use --encrypt or --encrypt-to, not both");
  }
  const source = { kind: "file", path: io.resolvePath(passphraseFile) } as const;
  const passphrase = await loadPassword(source, { env: (name) => io.env(name) });
  return await sealAge(secretLine, { passphrase });
}

/** The text of the key file, and the members for a configuration. */
function makeKey({ id, kind, scheme }: KeygenOptions, bls: Bls) {
  if (scheme === ML_DSA) {
    const { key, secretLine } = newMlDsaKey(id);
    return { secretLine, publicMembers: { ml_dsa_vkey: encodeVkey(key) } };
  }
  if (kind === "witness") {
    const { secretLine, configured } = newWitnessKey(id, scheme, bls);
    const { id: _, ...publicMembers } = configured;
    return { secretLine, publicMembers };
  }
  if (scheme !== "ed25519") {
    throw usage(`log keys are always ed25519, not ${scheme}`);
  }
  const { key, secretLine } = newLogKey(() => id);
  return { secretLine, publicMembers: { pubkey: hexOf(key.publicKey), vkey: encodeVkey(key) } };
}
