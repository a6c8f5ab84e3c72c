/**
 * `backup` copies a gateway's store while it runs; `restore --check` says whether a copy may be started.
 *
 * @module
 */

import { defineCommand } from "../define_command.ts";
import { FILE, flag, FOLDER, optional, required } from "../options.ts";

const config = optional(
  "--config",
  FILE,
  "The operator's network.json (default: that of the trial network in the data folder).",
);

export const backup = defineCommand("backup", {
  description:
    "Copies the log, its anchors and the public configuration into a new folder, also while the gateway runs, and checks the copy as fsck does. Keys, tokens and the states of witnesses are not copied. Exits 1, without a backup, if the log has a fault.",
  options: {
    to: required("--to", FOLDER, "The new folder of the backup."),
    data: optional("--data", FOLDER, "The gateway's data folder (default: as for serve)."),
    config,
  },
  run: async (options, context) =>
    await (await import("./backup_run.ts")).runBackup(options, context),
});

export const restore = defineCommand("restore", {
  description:
    "Checks a backup as fsck does, and asks all witnesses how far they have signed. Changes nothing. Exits 0 if a gateway may be started on the backup, 4 if never, 3 if too few witnesses answer, 1 if the check fails.",
  options: {
    check: required("--check", FOLDER, "The folder of the backup."),
    config,
    insecure: flag("--insecure", "Allow http: URLs of witnesses beyond this machine."),
  },
  run: async (options, context) =>
    await (await import("./restore_check.ts")).runRestoreCheck(options, context),
});
