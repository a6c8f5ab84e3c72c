/**
 * Runs the command that a parsed command line names. Each command is loaded when it runs.
 *
 * @module
 */

import type { InferValue } from "@optique/core/parser";
import type { CommandContext } from "./command_context.ts";
import type { commandTree } from "./command_tree.ts";

/** A parsed command line. */
export type Invocation = InferValue<typeof commandTree>;

/** Runs the command of `invocation` and returns the exit code. */
export async function runCommand(
  invocation: Invocation,
  context: CommandContext,
): Promise<number> {
  const { process, io } = context;
  switch (invocation.command) {
    case "stamp":
      return await (await import("./stamp/stamp_command.ts")).runStamp(invocation, context);
    case "status":
      return await (await import("./lookup_commands.ts")).runStatus(invocation, context);
    case "bundle":
      return await (await import("./lookup_commands.ts")).runBundle(invocation, context);
    case "proof":
      return await (await import("./lookup_commands.ts")).runProof(invocation, context);
    case "config":
      return await (await import("./lookup_commands.ts")).runConfig(context);
    case "verify":
      return await (await import("./verify_command.ts")).runVerify(invocation, context);
    case "verify-proof":
      return await (await import("./verify_proof_command.ts")).runVerifyProof(invocation, context);
    case "anchors":
      return await (await import("./anchors_command.ts")).runAnchors(invocation, context);
    case "network":
      return await (await import("./network_command.ts")).runNetwork(invocation, context);
    case "log sth":
      return await (await import("./log_commands.ts")).runLogSth(invocation, context);
    case "log consistency":
      return await (await import("./log_commands.ts")).runLogConsistency(invocation, context);
    case "log proof":
      return await (await import("./log_commands.ts")).runLogProof(invocation, context);
    case "log contradictions":
      return await (await import("./log_contradictions_command.ts"))
        .runLogContradictions(invocation, context);
    case "watch":
      return await (await import("./watch_command.ts")).runWatch(invocation, context);
    case "token":
      return await (await import("./token_command.ts")).runToken(invocation, context);
    case "top":
      return await (await import("./top/top_command.ts")).runTop(invocation, context);
    case "fsck":
      return await (await import("./fsck/fsck_command.ts")).runFsck(invocation, context);
    case "serve":
      return await (await import("./serve_command.ts")).runServe(invocation, process);
    case "witness":
      return await (await import("./witness_command.ts")).runWitness(invocation, process);
    case "witness release":
      return await (await import("./witness_release_command.ts")).runWitnessRelease(invocation, io);
    case "issuer":
      return await (await import("./issuer_command.ts")).runIssuer(invocation, process);
    case "init":
      return await (await import("./init_command.ts")).runInit(invocation, io);
    case "federate":
      return await (await import("./federate_command.ts")).runFederate(invocation, io);
    case "keygen":
      return await (await import("./keygen_command.ts")).runKeygen(invocation, io);
  }
}
