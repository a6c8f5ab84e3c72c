/**
 * `config`: shows a gateway's short configuration. `config check`: checks operators' files.
 *
 * @module
 */

import { longestMatch } from "@optique/core/constructs";
import { furtherEpochs } from "../client/further_epochs.ts";
import { type FollowedNetwork, latestOf } from "../proof/verify/followed_network.ts";
import type { CommandContext } from "./command_context.ts";
import { defineSubcommand, namedCommand, runnable, type ValuesOf } from "./define_command.ts";
import { FILE, flag, repeatedPositional } from "./options.ts";
import { errorJson } from "./output.ts";

const checkOptions = {
  insecure: flag("--insecure", "Allow http: URLs beyond this machine, as serve --insecure does."),
  files: repeatedPositional(
    FILE,
    "network.json, network.public.json, witness.json, issuer.json, monitor.json, signer.json, api-keys.json, or a key file that names a key.",
  ),
};

const check = defineSubcommand("config check", {
  brief: "Check configuration files",
  description:
    "Checks each file, the keys, tokens and other files that it names, and files of one network against one another. Uses no network. Exits 1 if something is wrong. docs/configuration.md lists all members.",
  options: checkOptions,
  run: runCheck,
});

async function runCheck(
  { insecure, files }: ValuesOf<typeof checkOptions>,
  context: CommandContext,
): Promise<number> {
  const { checkFile, contradictions } = await import("./config_check.ts");
  const { io, output } = context;
  const checked = await Promise.all(
    files.map((file) => checkFile(io.resolvePath(file), context, { insecure })),
  );
  const between = contradictions(checked);
  const valid = between.length === 0 && checked.every(({ problems }) => problems.length === 0);
  output.result({
    valid,
    files: checked.map(({ file, what, problems, notes }) => ({
      file,
      what,
      problems: problems.map(errorJson),
      notes,
    })),
    contradictions: between.map(errorJson),
  }, ({ files, contradictions }) => [
    ...files.flatMap(({ file, what, problems, notes }) => [
      `${file}: ${what === "" ? "" : `${what}: `}${problems.length === 0 ? "OK" : "WRONG"}`,
      ...problems.map(({ message }) => `  ${message}`),
      ...notes.map((note) => `  ${note}`),
    ]),
    ...contradictions.map(({ message }) => message),
  ]);
  return valid ? 0 : 1;
}

/** Warns if the pinned configuration differs. */
async function showSummary({ crypto, gateway, output, trust }: CommandContext): Promise<number> {
  const { text, value } = await gateway.config();
  output.document(text, value, ({ id, signature_scheme, threshold, witness_count }) => [
    `network: ${id}`,
    `scheme: ${signature_scheme}`,
    `threshold: ${threshold} of ${witness_count} witnesses`,
  ]);
  const pin = await trust.pin(value.id);
  const isLike = (network: FollowedNetwork) => {
    const { threshold, signature_scheme: scheme, witnesses } = latestOf(network);
    return threshold === value.threshold && scheme === value.signature_scheme &&
      witnesses.length === value.witness_count;
  };
  const differs = pin !== undefined && !isLike(pin) &&
    !isLike(await furtherEpochs(crypto, gateway, pin) ?? pin);
  if (differs) output.note(`WARNING: the pinned configuration of ${value.id} differs`);
  return 0;
}

export const config = namedCommand(
  "config",
  longestMatch(check, runnable({}, (_, context) => showSummary(context))),
);
