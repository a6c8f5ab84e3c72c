/**
 * `store copy` moves a log between stores; `store check` tests an engine.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
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
      "File with the token or password of the source.",
    ),
    toSecret: optional("--to-secret-file", FILE, "File with the token or password of the target."),
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

const check = defineSubcommand("store check", {
  brief: "Test whether a store keeps what a log needs",
  description:
    "Writes and reads scratch records, which it removes, and reports each property that a log needs. Exits 1 if one does not hold.",
  options: {
    store: required("--store", STORE, "A folder, or the URL of a store."),
    secret: optional("--secret-file", FILE, "File with the token or password of the store."),
    ...connectOptions,
  },
  run: async (options, context) =>
    await (await import("./store_check_run.ts")).runStoreCheck(options, context),
});

export const store = namedCommand("store", or(copy, check));
