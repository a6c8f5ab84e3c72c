/**
 * `succession sign`: adds the signatures of one key. The only step that reads a private key.
 *
 * @module
 */

import { hexOf, utf8 } from "../../base/bytes.ts";
import { readSigner } from "../../config/key_file.ts";
import { CountersignError } from "../../base/errors.ts";
import { encodeSuccession, type Succession } from "../../proof/format/succession.ts";
import type { TrustCore } from "../../proof/format/trust_core.ts";
import { replaceFile } from "../../server/replaced_file.ts";
import type { CommandContext } from "../command_context.ts";
import { defineSubcommand, type ValuesOf } from "../define_command.ts";
import { FILE, flag, networkConfigOption, positional, required } from "../options.ts";
import {
  DOCUMENT_MODE,
  readSound,
  requireSound,
  textOf,
  withSignature,
} from "./succession_files.ts";
import { successionJson, successionLines } from "./succession_report.ts";

const signOptions = {
  file: positional(FILE, "The succession document."),
  key: required("--key", FILE, "Key file of a witness or of the log."),
  networkConfig: networkConfigOption,
  yes: flag("--yes", "Sign without asking."),
};

export const sign = defineSubcommand("succession sign", {
  brief: "Add the signatures of one key to the document",
  options: signOptions,
  run: runSign,
});

async function runSign(
  { file, key, networkConfig, yes }: ValuesOf<typeof signOptions>,
  context: CommandContext,
): Promise<number> {
  const { io, output } = context;
  const read = await readSound(context, file, networkConfig);
  const { kind, name, vkey, signer } = await readSigner(io.resolvePath(key), {
    bls: context.crypto.bls,
    env: (variable) => io.env(variable),
    report: () => {},
  });
  const pubkey = hexOf(signer.publicKey);
  const holds = (core: TrustCore | null) =>
    kind === "witness" &&
    core?.witnesses.some((witness) => witness.id === name && witness.pubkey === pubkey) === true;
  const ofLog = (core: TrustCore | null) =>
    kind === "log" && core?.log_vkey !== undefined && core.log_vkey === vkey;
  const { predecessor, successor, signatures } = read;
  const inLater = ofLog(successor) && successor?.log_vkey !== predecessor.log_vkey;
  const roles = [
    ...(holds(predecessor) ? ["a present witness"] : []),
    ...(holds(successor) ? ["a next witness"] : []),
    ...(ofLog(predecessor) ? ["the log"] : []),
    ...(inLater ? ["the next log"] : []),
  ];
  if (roles.length === 0) {
    throw new CountersignError(
      "invalid_key",
      `Cannot sign "${file}": the key of ${name} is in neither configuration`,
    );
  }
  if (!yes) {
    if (!io.isTerminal) {
      throw new CountersignError(
        "usage",
        "Cannot sign: there is no terminal to ask on. To sign without being asked, add --yes",
      );
    }
    for (const line of successionLines(read)) io.err(line);
    const answer = io.ask(`Sign as ${name}, ${roles.join(" and ")}? [y/N]`);
    if (!answer?.trim().toLowerCase().startsWith("y")) {
      output.result({ file, signed_as: [] }, () => ["Not signed: you did not agree"]);
      return 1;
    }
  }
  const signature = hexOf(await signer.sign(utf8(encodeSuccession(read))));
  const signed: Succession = {
    ...read,
    signatures: {
      predecessor: holds(predecessor)
        ? withSignature(signatures.predecessor, { witness_id: name, signature })
        : signatures.predecessor,
      successor: holds(successor)
        ? withSignature(signatures.successor, { witness_id: name, signature })
        : signatures.successor,
      ...(signatures.log !== undefined && { log: signatures.log }),
      ...(ofLog(predecessor) && { log: signature }),
      ...(signatures.successor_log !== undefined && { successor_log: signatures.successor_log }),
      ...(inLater && { successor_log: signature }),
    },
  };
  await requireSound(context, signed);
  await replaceFile(io.resolvePath(file), textOf(signed), DOCUMENT_MODE);
  output.result({ ...successionJson(signed), file, signer: name, signed_as: roles }, (shown) => [
    ...successionLines(shown.document),
    `Signed as ${shown.signer}, ${shown.signed_as.join(" and ")}, in ${shown.file}`,
  ]);
  return 0;
}
