/**
 * `witness`: runs a witness with access to the resources in its configuration only.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { namedCommand, runnable } from "./define_command.ts";
import { flag, logOptions, optional, textValue } from "./options.ts";
import { witnessFollow, witnessImport, witnessLogs } from "./witness_logs_command.ts";
import { witnessConfig, witnessRelease } from "./witness_release_command.ts";

const options = {
  config: witnessConfig,
  moved: flag(
    "--moved",
    "The state was moved here whole, and its original is stopped for good.",
  ),
  adopt: flag("--adopt", "Recreate a lost state from the largest known tree head."),
  size: optional("--size", textValue("SIZE"), "Tree size of the head to adopt."),
  root: optional("--root", textValue("HASH"), "Root hash of the head to adopt."),
  ...logOptions,
};

export const witness = namedCommand(
  "witness",
  or(
    witnessRelease,
    witnessFollow,
    witnessImport,
    witnessLogs,
    runnable(
      options,
      async (values, { process }) =>
        await (await import("./witness_run.ts")).runWitness(values, process),
    ),
  ),
);
