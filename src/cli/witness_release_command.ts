/**
 * `witness release`: releases sequences that a witness signed beyond its tree head. Needed after two
 * copies of a store had rounds signed for the same sequences, so that neither reaches the threshold.
 *
 * @module
 */

import { defineSubcommand } from "./define_command.ts";
import { count, FILE, flag, positional, required, textValue } from "./options.ts";

export const witnessConfig = positional(FILE, "The witness.json of the witness.");

const options = {
  config: witnessConfig,
  origin: required("--origin", textValue("ORIGIN"), "The network whose sequences are released."),
  from: required("--from", count("SEQUENCE", 0), "The first sequence to release."),
  yes: flag("--yes", "Do not ask for confirmation."),
};

export const witnessRelease = defineSubcommand("witness release", {
  brief: "Release sequences that a stopped witness signed beyond its tree head",
  description:
    "Needed after two copies of a store had rounds signed for the same sequences. The witness may then sign another hash for each of them, so attestations made from its earlier signatures may be contradicted.",
  options,
  run: async (values, { io }) =>
    await (await import("./witness_release_run.ts")).runWitnessRelease(values, io),
});
