/**
 * `issuer`: runs an issuer with access to its folder and port only, prints its entry for a gateway's
 * configuration, or creates an API key.
 *
 * @module
 */

import { defineCommand } from "./define_command.ts";
import {
  count,
  defaulted,
  flag,
  FOLDER,
  listenOptions,
  logOptions,
  optional,
  textValue,
} from "./options.ts";
import { ISSUER_DEFAULTS } from "../server/roles/role_options.ts";

const options = {
  ...logOptions,
  data: defaulted(
    "--data",
    FOLDER,
    ISSUER_DEFAULTS.data,
    "Folder of configuration and keys (default: countersign-issuer).",
  ),
  ...listenOptions(ISSUER_DEFAULTS),
  name: optional("--name", textValue("NAME"), "Name of a new issuer (default: a generated one)."),
  rotate: flag("--rotate", "Publish the next keys now. They sign once the overlap has passed."),
  printAdmission: flag(
    "--print-admission",
    "Print the list admission.issuers for a gateway's network.json.",
  ),
  newApiKey: optional(
    "--new-api-key",
    textValue("NAME"),
    "Create an API key, print it once and store its hash.",
  ),
  perDay: optional(
    "--per-day",
    count("COUNT", 1),
    "Tokens per day for the new key (default: unlimited).",
  ),
};

export const issuer = defineCommand("issuer", {
  description:
    "Issues Privacy Pass tokens for API keys or proofs of work. Creates its configuration and keys if there are none.",
  options,
  run: async (options, context) =>
    await (await import("./issuer_run.ts")).runIssuer(options, context),
});
