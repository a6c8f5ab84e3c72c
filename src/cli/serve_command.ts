/**
 * `serve`: runs a gateway with access to the resources in its configuration only.
 *
 * @module
 */

import { defineCommand } from "./define_command.ts";
import {
  count,
  FILE,
  flag,
  FOLDER,
  LISTEN_PORT,
  listenOptions,
  logOptions,
  optional,
  SCHEME,
  SERVICE_URL,
} from "./options.ts";
import { MAX_FRONTS, SERVE_DEFAULTS } from "../server/roles/role_options.ts";

export const serve = defineCommand("serve", {
  options: {
    config: optional(
      "--config",
      FILE,
      "The operator's network.json. Without it, a trial network is created.",
    ),
    data: optional(
      "--data",
      FOLDER,
      "Folder of the store (default: countersign-data, or data next to the configuration).",
    ),
    ...listenOptions(SERVE_DEFAULTS),
    operatorPort: optional(
      "--operator-port",
      LISTEN_PORT,
      "Port for operators and peers, 0 for any (default: the configured one, or none).",
    ),
    eventSocketsPort: optional(
      "--event-sockets-port",
      LISTEN_PORT,
      "Port for WebSockets at /ws/events, 0 for any (default: the configured one, or none).",
    ),
    scheme: optional(
      "--scheme",
      SCHEME,
      "Signature scheme of the trial network: ed25519 (default) or bls.",
    ),
    insecure: flag("--insecure", "Allow http: to witnesses beyond this machine."),
    moved: flag(
      "--moved",
      "The store was moved or restored here, and its original is stopped for good.",
    ),
    acceptBeforeWitnesses: flag(
      "--accept-before-witnesses",
      "Accept hashes before the witnesses have confirmed the store. An old copy loses these hashes.",
    ),
    standby: flag(
      "--standby",
      "Wait while another gateway takes the hashes of this log, and take over when it ends.",
    ),
    publicUrl: optional(
      "--public-url",
      SERVICE_URL,
      "Where clients reach this gateway. A standby that refuses a hash names it.",
    ),
    batchMaxAgeMs: optional(
      "--batch-max-age-ms",
      count("MS", 1),
      "Longest wait of an attestation for its batch (default: 1000).",
    ),
    batchMaxLeaves: optional(
      "--batch-max-leaves",
      count("COUNT", 1, 16_384),
      "Number of attestations that closes a batch at once (default: 16384).",
    ),
    fronts: optional(
      "--fronts",
      count("COUNT", 0, MAX_FRONTS),
      "Threads that answer clients, beside one that writes; 0: one thread does both " +
        "(default: one for each core but one, at most 8; 0 on up to two cores).",
    ),
    ...logOptions,
  },
  run: async (options, { process }) => {
    const { runServe } = await import("./serve_run.ts");
    return await runServe(options, process);
  },
});
