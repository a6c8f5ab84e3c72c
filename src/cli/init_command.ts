/**
 * `init`: creates a network with remote witnesses.
 *
 * @module
 */

import { port } from "@optique/core/valueparser";
import { dirname, join } from "node:path";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import {
  beaconOption,
  count,
  defaulted,
  FOLDER,
  mlDsaOption,
  optional,
  SCHEME,
  textValue,
} from "./options.ts";
import { createNetwork } from "../server/gateway/network_setup.ts";
import { shellWord } from "./shell_word.ts";

const options = {
  witnesses: defaulted("--witnesses", count("COUNT", 1), 3, "Number of witnesses (default: 3)."),
  threshold: optional(
    "--threshold",
    count("COUNT", 1),
    "Signatures needed (default: the smallest majority).",
  ),
  scheme: defaulted(
    "--scheme",
    SCHEME,
    "ed25519",
    "Signature scheme of the witnesses: ed25519 (default) or bls.",
  ),
  id: optional(
    "--id",
    textValue("ID"),
    "Network id; {key_hash} becomes the SHA-256 of the log key (default: a generated id).",
  ),
  basePort: defaulted("--base-port", port(), 8091, "Port of the first witness (default: 8091)."),
  beacon: beaconOption,
  mlDsa: mlDsaOption,
  out: defaulted(
    "--out",
    FOLDER,
    "countersign-network",
    "Folder to create (default: countersign-network).",
  ),
};
export type InitOptions = ValuesOf<typeof options>;

export const init = defineCommand("init", {
  options,
  run: runInit,
});

/** Creates the network and prints the next steps. */
export async function runInit(
  {
    witnesses,
    threshold = Math.floor(witnesses / 2) + 1,
    scheme,
    id,
    basePort,
    beacon,
    mlDsa,
    out,
  }: InitOptions,
  { io, output, crypto }: CommandContext,
): Promise<number> {
  const folder = io.resolvePath(out);
  const { network, networkFile, publicFile, witnessFiles } = await createNetwork({
    witnesses,
    threshold,
    scheme,
    kind: "remote",
    basePort,
    mlDsa,
    out: folder,
    id,
    ...(beacon.length > 0 && { beaconRelays: beacon }),
  }, crypto.bls);
  output.result({
    id: network.id,
    threshold,
    signature_scheme: network.signature_scheme,
    network_file: networkFile,
    log_key_file: join(folder, "log.key"),
    ...(mlDsa && { log_ml_dsa_key_file: join(folder, "log-ml-dsa.key") }),
    public_file: publicFile,
    witness_files: witnessFiles,
  }, (made) => [
    `Created network ${made.id}: ${made.witness_files.length} witnesses, threshold ${made.threshold}, ` +
    made.signature_scheme,
    "",
    `  ${made.network_file}`,
    "      the gateway's configuration: keep it secret, since it contains tokens",
    `  ${made.log_key_file}`,
    "      the log's private key: keep it secret and backed up; it signs every tree head",
    ...(made.log_ml_dsa_key_file === undefined ? [] : [
      `  ${made.log_ml_dsa_key_file}`,
      "      its ML-DSA-44 key: keep it secret and backed up, too",
    ]),
    `  ${made.public_file}`,
    "      the public configuration, which verifiers pin: publish it",
    ...made.witness_files.map((file) => `  ${dirname(file)}`),
    "      one folder per witness: move each to a machine of another operator, and set its",
    `      URL in ${made.network_file}`,
    "",
    "Start each witness, then the gateway:",
    ...made.witness_files.map((file) => `  countersign witness ${shellWord(file)}`),
    `  countersign serve --config ${shellWord(made.network_file)} --data ${
      shellWord(join(dirname(made.network_file), "data"))
    }`,
  ]);
  return 0;
}
