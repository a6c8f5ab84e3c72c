/**
 * The parser of a command line: the named command, or the list of all commands.
 *
 * @module
 */

import { group as titled, object, or } from "@optique/core/constructs";
import type { Parser } from "@optique/core/parser";
import { choice } from "@optique/core/valueparser";
import {
  COMMAND_GROUPS,
  type CommandName,
  COMMANDS,
  isCommandName,
  listedCommand,
} from "./command_list.ts";
import { type CommandParser, namedCommand, type Run, runnable } from "./define_command.ts";
import { defaulted, repeated, SERVICE_URL } from "./options.ts";
import type { OutputFormat } from "./output.ts";

/** Only the code of the command that runs is loaded. */
const LOADERS: Readonly<Record<CommandName, () => Promise<CommandParser>>> = {
  stamp: async () => (await import("./stamp/stamp_command.ts")).stamp,
  verify: async () => (await import("./verify_command.ts")).verify,
  "verify-proof": async () => (await import("./verify_proof_command.ts")).verifyProof,
  upgrade: async () => (await import("./upgrade_command.ts")).upgrade,
  network: async () => (await import("./network_command.ts")).network,
  token: async () => (await import("./token_command.ts")).token,
  status: async () => (await import("./status_command.ts")).status,
  bundle: async () => (await import("./proof_commands.ts")).bundle,
  proof: async () => (await import("./proof_commands.ts")).proof,
  anchors: async () => (await import("./anchors_command.ts")).anchors,
  watch: async () => (await import("./watch_command.ts")).watch,
  openapi: async () => (await import("./openapi_command.ts")).openapi,
  log: async () => (await import("./log_commands.ts")).log,
  mirror: async () => (await import("./mirror/mirror_command.ts")).mirror,
  monitor: async () => (await import("./monitor_command.ts")).monitor,
  fsck: async () => (await import("./fsck/fsck_command.ts")).fsck,
  conformance: async () => (await import("./conformance/conformance_command.ts")).conformance,
  init: async () => (await import("./init_command.ts")).init,
  keygen: async () => (await import("./keygen_command.ts")).keygen,
  config: async () => (await import("./config_command.ts")).config,
  federate: async () => (await import("./federate_command.ts")).federate,
  succession: async () => (await import("./succession/succession_command.ts")).succession,
  serve: async () => (await import("./serve_command.ts")).serve,
  witness: async () => (await import("./witness_command.ts")).witness,
  "witness-network": async () => (await import("./witness_network_command.ts")).witnessNetwork,
  signer: async () => (await import("./signer_command.ts")).signer,
  issuer: async () => (await import("./issuer_command.ts")).issuer,
  "api-key": async () => (await import("./api_key_command.ts")).apiKey,
  tsa: async () => (await import("./tsa/tsa_command.ts")).tsa,
  publish: async () => (await import("./mirror/publish_command.ts")).publish,
  backup: async () => (await import("./backup/backup_command.ts")).backup,
  restore: async () => (await import("./backup/backup_command.ts")).restore,
  store: async () => (await import("./store/store_command.ts")).store,
};

const globalOptions = object({
  output: defaulted(
    "--output",
    choice(["text", "json"], { metavar: "FORMAT" }),
    "text",
    "text (default) or json.",
  ),
  gateways: repeated(
    "--gateway",
    SERVICE_URL,
    "The gateway (default: COUNTERSIGN_GATEWAY, or http://127.0.0.1:8080). Several gateways of one " +
      "log, also separated by commas, are tried in order.",
  ),
});

/** A parsed command line. */
export interface Invocation {
  readonly run: Run;
  readonly global: { readonly output: OutputFormat; readonly gateways: readonly string[] };
}

export type CommandTree = Parser<"sync", Invocation, unknown>;

/**
 * The parser for a command line that names command `name`: of that command, or of a list that only
 * helps. Global options may precede or follow the command.
 */
export async function commandTree(name: CommandName | undefined): Promise<CommandTree> {
  const run = name === undefined ? listOfCommands() : await LOADERS[name]();
  return object({ run, global: titled("Global options", globalOptions) });
}

function listOfCommands(): CommandParser {
  const names = Object.keys(COMMANDS).filter(isCommandName);
  return or(
    ...Object.entries(COMMAND_GROUPS).map(([group, title]) => {
      const members = names.filter((name) => listedCommand(name).group === group);
      return titled(title, or(...members.map(unloaded)));
    }),
  );
}

/** Never run: the line does not name it. */
function unloaded(name: CommandName): CommandParser {
  return namedCommand(name, runnable({}, () => Promise.resolve(0)));
}

const OPTIONS_WITH_VALUE = ["--output", "--gateway"];

/** The words of `args` up to the first option of a command: a command and perhaps its subcommand. */
export function commandWords(args: readonly string[]): string[] {
  const words = args.filter((arg, i) =>
    !arg.startsWith("-") && !OPTIONS_WITH_VALUE.includes(args[i - 1] ?? "")
  );
  if (words[0] === "help") return words.slice(1);
  // "completion SHELL" precedes the words to complete.
  return words[0] === "completion" ? words.slice(2) : words;
}

export function commandIn(args: readonly string[]): CommandName | undefined {
  const [name] = commandWords(args);
  return name !== undefined && isCommandName(name) ? name : undefined;
}
