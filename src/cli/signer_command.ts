/**
 * `signer`: runs a process that holds keys and signs with them for witnesses and gateways.
 *
 * @module
 */

import { defineCommand } from "./define_command.ts";
import { FILE, logOptions, positional } from "./options.ts";

export const signer = defineCommand("signer", {
  description: "Signs with keys in files, by the protocol of docs/signer.md.",
  options: { config: positional(FILE, "The signer's signer.json."), ...logOptions },
  run: async (options, { process }) =>
    await (await import("./signer_run.ts")).runSigner(options, process),
});
