/**
 * All commands, and the options that every command has.
 *
 * @module
 */

import { group, object, or } from "@optique/core/constructs";
import type { InferValue } from "@optique/core/parser";
import { command } from "@optique/core/primitives";
import { choice } from "@optique/core/valueparser";
import { anchors } from "./anchors_command.ts";
import { federate } from "./federate_command.ts";
import { fsck } from "./fsck/fsck_command.ts";
import { init } from "./init_command.ts";
import { issuer } from "./issuer_command.ts";
import { keygen } from "./keygen_command.ts";
import { logConsistency, logProof, logSth } from "./log_commands.ts";
import { logContradictions } from "./log_contradictions_command.ts";
import { config, network } from "./network_commands.ts";
import { defaulted, optional, plain, SERVICE_URL } from "./options.ts";
import { bundle, proof } from "./proof_commands.ts";
import { serve } from "./serve_command.ts";
import { stamp } from "./stamp/stamp_command.ts";
import { status } from "./status_command.ts";
import { token } from "./token_command.ts";
import { top } from "./top/top_command.ts";
import { verify } from "./verify_command.ts";
import { verifyProof } from "./verify_proof_command.ts";
import { watch } from "./watch_command.ts";
import { witness } from "./witness_command.ts";

const log = command("log", or(logSth, logConsistency, logProof, logContradictions), {
  brief: plain("Read and verify the transparency log"),
});

const globalOptions = object({
  output: defaulted(
    "--output",
    choice(["text", "json"], { metavar: "FORMAT" }),
    "text",
    "text (default) or json.",
  ),
  gateway: optional(
    "--gateway",
    SERVICE_URL,
    "Default: COUNTERSIGN_GATEWAY, or http://127.0.0.1:8080.",
  ),
});

/** Every command line. Global options may precede or follow the command. */
export const commandTree = object({
  run: or(
    or(stamp, status, verify, verifyProof, bundle, proof, anchors, config, network),
    or(log, watch, token, serve, witness, issuer, top, init, keygen, federate, fsck),
  ),
  global: group("Global options", globalOptions),
});

/** A parsed command line. */
export type Invocation = InferValue<typeof commandTree>;
