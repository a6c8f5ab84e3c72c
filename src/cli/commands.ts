/**
 * From a parsed command line to the command that it names. Each command is loaded when it runs: a
 * verification has no use for a server.
 *
 * @module
 */

import type { InferValue } from "@optique/core/parser";
import type { CommandContext } from "./command_context.ts";
import type { commandTree } from "./command_tree.ts";
import type { LogChoice } from "../server/service_log.ts";

/** A parsed command line. */
export type Invocation = InferValue<typeof commandTree>;

/** The invocation of one command. */
type Of<Name extends Invocation["command"]> = Extract<Invocation, { readonly command: Name }>;

/** Runs the command of `invocation` and answers the exit code. */
export async function runCommand(
  invocation: Invocation,
  context: CommandContext,
): Promise<number> {
  switch (invocation.command) {
    case "stamp":
      return await (await import("./stamp_command.ts")).runStamp(invocation, context);
    case "status":
      return await (await import("./status.ts")).runStatus(invocation, context);
    case "verify":
      return await (await import("./verify_command.ts")).runVerify(invocation, context);
    case "verify-proof":
      return await (await import("./verify_proof_command.ts")).runVerifyProof(invocation, context);
    case "bundle":
      return await (await import("./bundle.ts")).runBundle(invocation, context);
    case "proof":
      return await (await import("./proof.ts")).runProof(invocation, context);
    case "anchors":
      return await (await import("./anchors_command.ts")).runAnchors(invocation, context);
    case "config":
      return await (await import("./config.ts")).runConfig(context);
    case "network":
      return await (await import("./network_command.ts")).runNetwork(invocation, context);
    case "log sth":
      return await (await import("./log_sth_command.ts")).runLogSth(invocation, context);
    case "log consistency":
      return await (await import("./log_consistency_command.ts")).runLogConsistency(
        invocation,
        context,
      );
    case "log proof":
      return await (await import("./log_proof_command.ts")).runLogProof(invocation, context);
    case "log contradictions":
      return await (await import("./log_contradictions_command.ts"))
        .runLogContradictions(invocation, context);
    case "watch":
      return await (await import("./watch_command.ts")).runWatch(invocation, context);
    case "top":
      return await (await import("./top_command.ts")).runTop(invocation, context);
    case "serve":
      return await serve(invocation, context);
    case "witness":
      return await witness(invocation, context);
    case "witness release":
      return await (await import("./witness_release_command.ts")).runWitnessRelease(
        invocation,
        context.io,
      );
    case "init":
      return await init(invocation, context);
    case "fsck":
      return await (await import("./fsck_command.ts")).runFsck(invocation, context);
    case "federate":
      return await federate(invocation, context);
    case "token":
      return await (await import("./token_command.ts")).runToken(invocation, context);
    case "issuer":
      return await issuer(invocation, context);
    case "keygen":
      return await (await import("./keygen_command.ts")).runKeygen(invocation, context.io);
  }
}

async function serve(invocation: Of<"serve">, { process }: CommandContext): Promise<number> {
  const { runServe } = await import("./serve_command.ts");
  const { SERVE_DEFAULTS } = await import("../server/gateway_options.ts");
  const { port, host, data, config, scheme, insecure, batchMaxAgeMs, batchMaxLeaves } = invocation;
  const { operatorPort, eventSocketsPort, moved, acceptBeforeWitnesses } = invocation;
  return await runServe({
    port: port ?? SERVE_DEFAULTS.port,
    host: host ?? SERVE_DEFAULTS.host,
    insecure,
    ...(data !== undefined && { data }),
    ...(config !== undefined && { config }),
    ...(scheme !== undefined && { scheme }),
    ...(batchMaxAgeMs !== undefined && { batchMaxAgeMs }),
    ...(batchMaxLeaves !== undefined && { batchMaxLeaves }),
    ...(operatorPort !== undefined && { operatorPort }),
    ...(eventSocketsPort !== undefined && { eventSocketsPort }),
    ...{ moved, acceptBeforeWitnesses },
    ...logChoice(invocation),
  }, process);
}

async function witness(invocation: Of<"witness">, { process }: CommandContext): Promise<number> {
  const { runWitness } = await import("./witness_command.ts");
  const { config, adopt, size, root } = invocation;
  return await runWitness({
    config,
    adopt,
    ...(size !== undefined && { size }),
    ...(root !== undefined && { root }),
    ...logChoice(invocation),
  }, process);
}

function logChoice({ logFormat, logLevel }: Of<"serve" | "witness" | "issuer">): LogChoice {
  return {
    ...(logFormat !== undefined && { logFormat }),
    ...(logLevel !== undefined && { logLevel }),
  };
}

async function init(invocation: Of<"init">, { io }: CommandContext): Promise<number> {
  const { INIT_DEFAULTS, runInit } = await import("./init_command.ts");
  const { witnesses, threshold, scheme, id, basePort, beacon, out, output } = invocation;
  return await runInit({
    witnesses: witnesses ?? INIT_DEFAULTS.witnesses,
    scheme: scheme ?? INIT_DEFAULTS.scheme,
    basePort: basePort ?? INIT_DEFAULTS.basePort,
    beacon,
    out: out ?? INIT_DEFAULTS.out,
    output,
    ...(threshold !== undefined && { threshold }),
    ...(id !== undefined && { id }),
  }, io);
}

async function issuer(invocation: Of<"issuer">, { process }: CommandContext): Promise<number> {
  const { io } = process;
  const { ISSUER_DEFAULTS } = await import("../server/issuer_options.ts");
  const { data = ISSUER_DEFAULTS.data, newApiKey, perDay, name, host, port, rotate } = invocation;
  if (invocation.printAdmission) {
    return await (await import("./issuer_command.ts")).printAdmission(data, io);
  }
  if (newApiKey !== undefined) {
    const key = { data, name: newApiKey, ...(perDay !== undefined && { perDay }) };
    return await (await import("./issuer_command.ts")).newApiKey(key, io);
  }
  return await (await import("./issuer_command.ts")).runIssuer({
    ...{ data, rotate },
    host: host ?? ISSUER_DEFAULTS.host,
    port: port ?? ISSUER_DEFAULTS.port,
    ...(name !== undefined && { name }),
    ...logChoice(invocation),
  }, process);
}

async function federate(invocation: Of<"federate">, { io }: CommandContext): Promise<number> {
  const { FEDERATE_DEFAULTS, runFederate } = await import("./federate_command.ts");
  const { command: _, gatewayUrl, federationUrl, tokenFile, minWitnesses, threshold, ...rest } =
    invocation;
  return await runFederate({
    ...rest,
    overlapHours: invocation.overlapHours ?? FEDERATE_DEFAULTS.overlapHours,
    ...(gatewayUrl !== undefined && { gatewayUrl }),
    ...(federationUrl !== undefined && { federationUrl }),
    ...(tokenFile !== undefined && { tokenFile }),
    ...(minWitnesses !== undefined && { minWitnesses }),
    ...(threshold !== undefined && { threshold }),
  }, io);
}
