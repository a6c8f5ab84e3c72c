/**
 * `succession`: prepares the next configuration of a network in files that its operators exchange.
 * `propose` writes the document, each operator adds signatures to a copy with `sign`, and `finish`
 * puts the copies together. Only `sign` reads a private key.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { hexOf } from "../../base/bytes.ts";
import { unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import type { NextLog, Succession } from "../../proof/format/succession.ts";
import { coreOf, fingerprintOf, type TrustCore } from "../../proof/format/trust_core.ts";
import { createWhole } from "../../server/files.ts";
import { verifySuccession } from "../../proof/verify/succession_link.ts";
import { reasonText } from "../../proof/verify/verdict_words.ts";
import type { CommandContext } from "../command_context.ts";
import { defineSubcommand, namedCommand, type ValuesOf } from "../define_command.ts";
import {
  count,
  FILE,
  flag,
  networkConfigOption,
  optional,
  positional,
  repeatedPositional,
  required,
} from "../options.ts";
import { readNetworkFile } from "../trusted_network.ts";
import {
  DOCUMENT_MODE,
  mergedWith,
  readCopy,
  readSound,
  refused,
  requireSound,
  termsOf,
  textOf,
} from "./succession_files.ts";
import { isComplete, missingText, successionJson, successionLines } from "./succession_report.ts";
import { next } from "./next_log.ts";
import { sign } from "./succession_sign.ts";

const NONCE_LENGTH = 32;

const document = positional(FILE, "The succession document.");

const proposeOptions = {
  from: required("--from", FILE, "The present network.public.json."),
  to: optional("--to", FILE, "The next network.public.json, with the next epoch."),
  freeze: flag("--freeze", "End the log instead."),
  nextLog: optional(
    "--next-log",
    FILE,
    "network.public.json of the log that continues a frozen one.",
  ),
  treeSize: required("--size", count("SIZE", 0), "Size of a published tree head."),
  out: required("--out", FILE, "Document to create."),
};

const propose = defineSubcommand("succession propose", {
  brief: "Write the document that leads to the next configuration",
  options: proposeOptions,
  run: runPropose,
});

const finishOptions = {
  files: repeatedPositional(FILE, "Copies of the document, each with some signatures."),
  networkConfig: networkConfigOption,
  out: required("--out", FILE, "Finished document to create."),
};

const finish = defineSubcommand("succession finish", {
  brief: "Put signed copies together, and verify the whole",
  options: finishOptions,
  run: runFinish,
});

const showOptions = { file: document, networkConfig: networkConfigOption };

const show = defineSubcommand("succession show", {
  brief: "Show what a document changes, and who has signed it",
  options: showOptions,
  run: runShow,
});

export const succession = namedCommand("succession", or(propose, sign, finish, show, next));

async function runPropose(
  { from, to, freeze, nextLog, treeSize, out }: ValuesOf<typeof proposeOptions>,
  context: CommandContext,
): Promise<number> {
  if (freeze === (to !== undefined) || (nextLog !== undefined && !freeze)) {
    throw new CountersignError(
      "usage",
      "Name the next configuration with --to FILE, or end the log with --freeze [--next-log FILE]",
    );
  }
  const predecessor = coreOf(await readNetworkFile(context, from));
  const successor = to === undefined ? null : coreOf(await readNetworkFile(context, to));
  const next = nextLog === undefined ? undefined : await readNetworkFile(context, nextLog);
  const { io, output, process } = context;
  const proposed: Succession = {
    predecessor,
    successor,
    ...(next !== undefined && { next_log: nextLogOf(next) }),
    tree_size: treeSize,
    timestamp: unixSeconds(process.clock),
    nonce: hexOf(crypto.getRandomValues(new Uint8Array(NONCE_LENGTH))),
    signatures: { predecessor: [], successor: [] },
  };
  requireEpoch(predecessor, successor);
  await requireSound(context, proposed);
  await createWhole(io.resolvePath(out), textOf(proposed), DOCUMENT_MODE);
  output.result({ ...successionJson(proposed), file: out }, ({ document, file }) => [
    ...successionLines(document),
    `Written to ${file}. Each operator compares this table with the others' and runs:`,
    `  countersign succession sign ${file} --key KEYFILE`,
  ]);
  return 0;
}

function nextLogOf({ id, log_vkey, ...rest }: NetworkConfiguration): NextLog {
  if (log_vkey === undefined) throw refused(`the next log ${id} has no log_vkey`);
  return { origin: id, log_vkey, core: fingerprintOf({ id, log_vkey, ...rest }) };
}

function requireEpoch(predecessor: TrustCore, successor: TrustCore | null): void {
  if (successor === null || successor.epoch === predecessor.epoch + 1) return;
  throw refused(
    `the next configuration has epoch ${successor.epoch}: add the member "epoch": ${
      predecessor.epoch + 1
    } to it`,
  );
}

async function runFinish(
  { files, networkConfig, out }: ValuesOf<typeof finishOptions>,
  context: CommandContext,
): Promise<number> {
  const { io, output } = context;
  const [first, ...further] = files;
  let merged = await readSound(context, first!, networkConfig);
  const others = await Promise.all(further.map((file) => readCopy(context, file)));
  for (const [i, other] of others.entries()) {
    if (termsOf(other) !== termsOf(merged)) {
      throw refused(`"${files[i + 1]}" is another succession than "${files[0]}"`);
    }
    merged = mergedWith(merged, other);
  }
  if (!isComplete(merged)) {
    output.result({ ...successionJson(merged), finished: false }, ({ document, missing }) => [
      ...successionLines(document),
      `Not finished. To sign: ${missingText(missing)}`,
    ]);
    return 1;
  }
  const failure = await verifySuccession(context.crypto, merged);
  if (failure !== undefined) throw refused(reasonText(failure));
  await createWhole(io.resolvePath(out), textOf(merged), DOCUMENT_MODE);
  output.result({ ...successionJson(merged), finished: true, file: out }, ({ document, file }) => [
    ...successionLines(document),
    `Finished in ${file}: give it to the gateway and to every witness, of both configurations`,
  ]);
  return 0;
}

async function runShow(
  { file, networkConfig }: ValuesOf<typeof showOptions>,
  context: CommandContext,
): Promise<number> {
  const read = await readSound(context, file, networkConfig);
  context.output.result(successionJson(read), ({ document }) => successionLines(document));
  return 0;
}
