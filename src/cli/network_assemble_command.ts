/**
 * `network assemble`: creates a network of witnesses whose operators keep their keys, from what
 * `keygen --url` printed for each.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { CountersignError } from "../base/errors.ts";
import { WITNESS_ID } from "../proof/format/names.ts";
import { fingerprintOf } from "../proof/format/trust_core.ts";
import { object, TEXT } from "../proof/format/schema.ts";
import type { KeyedWitness } from "../server/gateway/network_setup.ts";
import { type CommandContext, typedUrl } from "./command_context.ts";
import { defineSubcommand, type ValuesOf } from "./define_command.ts";
import { readDocument } from "./input_file.ts";
import {
  beaconOption,
  count,
  FILE,
  flag,
  FOLDER,
  optional,
  repeatedPositional,
  required,
  textValue,
} from "./options.ts";

const options = {
  id: optional(
    "--id",
    textValue("ID"),
    "Network id; {key_hash} becomes the SHA-256 of the log key (default: a generated id).",
  ),
  threshold: optional(
    "--threshold",
    count("COUNT", 1),
    "Signatures needed (default: the smallest majority).",
  ),
  beacon: beaconOption,
  mlDsa: flag("--ml-dsa", "Also make an ML-DSA-44 key of the log."),
  out: required("--out", FOLDER, "Folder to create."),
  insecure: flag("--insecure", "Allow http: URLs beyond this machine."),
  files: repeatedPositional(FILE, "What `keygen --url URL --output json` printed for a witness."),
};

export const networkAssemble = defineSubcommand("network assemble", {
  brief: "Create a network from the keys of several operators",
  description:
    "Each operator makes a key with `keygen --url URL --output json` and sends what it prints. This creates the log key, the gateway's configuration and one witness.json for each operator.",
  options,
  run: runAssemble,
});

/** Keys are checked with the whole configuration. */
const WITNESS = object({
  id: WITNESS_ID,
  pubkey: TEXT,
  vkey: TEXT.optional(),
  ml_dsa_vkey: TEXT.optional(),
  proof_of_possession: TEXT.optional(),
  url: TEXT.optional(),
}, "ignored");

async function runAssemble(
  { id, threshold, beacon, mlDsa, out, insecure, files }: ValuesOf<typeof options>,
  context: CommandContext,
): Promise<number> {
  const { io, output, crypto } = context;
  const { assembleNetwork } = await import("../server/gateway/network_setup.ts");
  const witnesses: KeyedWitness[] = [];
  for (const file of files) witnesses.push(await readWitness(context, file, insecure));
  const { network, networkFile, publicFile, witnessFiles } = await assembleNetwork({
    witnesses,
    threshold: threshold ?? Math.floor(files.length / 2) + 1,
    out: io.resolvePath(out),
    insecure,
    mlDsa,
    id,
    ...(beacon.length > 0 && { beaconRelays: beacon }),
  }, crypto.bls);
  const fingerprint = fingerprintOf(network);
  output.result({
    id: network.id,
    fingerprint,
    threshold: network.threshold,
    signature_scheme: network.signature_scheme,
    network_file: networkFile,
    log_key_file: join(dirname(networkFile), "log.key"),
    ...(mlDsa && { log_ml_dsa_key_file: join(dirname(networkFile), "log-ml-dsa.key") }),
    public_file: publicFile,
    witness_files: witnesses.map((witness, i) => ({ id: witness.id, file: witnessFiles[i] })),
  }, (made) => [
    `Created network ${made.id}: ${made.witness_files.length} witnesses, threshold ${made.threshold}, ` +
    made.signature_scheme,
    `fingerprint: ${made.fingerprint}`,
    "",
    "Keep secret:",
    `  ${made.network_file}`,
    `  ${made.log_key_file}`,
    ...(made.log_ml_dsa_key_file === undefined ? [] : [`  ${made.log_ml_dsa_key_file}`]),
    "Publish:",
    `  ${made.public_file}`,
    "Send to the operator of each witness, over a channel that both of you trust (each file has a token):",
    ...made.witness_files.map(({ id, file }) => `  ${id}: ${file}`),
    "",
    "Each operator puts witness.json next to witness.key, compares the fingerprint with the others, and runs",
    "  countersign config check witness.json network.public.json",
    "  countersign witness --adopt --size 0 witness.json      (the first time, then without --adopt)",
    "Then start the gateway:",
    `  countersign serve --config ${made.network_file}`,
  ]);
  return 0;
}

async function readWitness(
  context: CommandContext,
  file: string,
  insecure: boolean,
): Promise<KeyedWitness> {
  const code = "malformed_configuration";
  const { url, ...key } = await readDocument(
    context,
    file,
    code,
    (text) => WITNESS.parseText(text, { where: "public key of a witness", code }),
  );
  if (url === undefined) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot use "${file}": it does not say where the gateway reaches ${key.id}. Ask its operator ` +
        "for the URL, and add it as member url",
    );
  }
  typedUrl(url, { insecure });
  return { ...key, url };
}
