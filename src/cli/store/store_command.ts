/**
 * `store copy` moves a log between stores.
 *
 * @module
 */

import { defineSubcommand, namedCommand } from "../define_command.ts";
import { FILE, flag, optional, required, STORE } from "../options.ts";

const connectOptions = {
  ca: optional("--ca-file", FILE, "Certificates (PEM) to trust in PostgreSQL's TLS."),
  insecure: flag("--insecure", "Allow connections in clear text beyond this machine."),
};

const copy = defineSubcommand("store copy", {
  brief: "Move a log to another store",
  description:
    "Copies the log and its anchors into an empty store, compares both, and checks the copy as fsck does. Then the copy is the log: the source is marked, and no gateway starts on it. Stop the gateway first. If it is interrupted, repeat it.",
  options: {
    from: required("--from", STORE, "The data folder or the URL of the store that has the log."),
    to: required("--to", STORE, "The data folder or the URL of an empty store."),
    fromSecret: optional(
      "--from-secret-file",
      FILE,
      "File with the password of the source.",
    ),
    toSecret: optional("--to-secret-file", FILE, "File with the password of the target."),
    ...connectOptions,
    config: optional(
      "--config",
      FILE,
      "The operator's network.json (default: that of the trial network in the data folder).",
    ),
  },
  run: async (options, context) =>
    await (await import("./store_copy_run.ts")).runStoreCopy(options, context),
});

export const store = namedCommand("store", copy);
