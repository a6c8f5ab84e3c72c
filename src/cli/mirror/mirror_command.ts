/**
 * `mirror`: makes a verified copy of any log that has the layout of c2sp.org/tlog-tiles.
 *
 * @module
 */

import { openLog } from "../../server/service_log.ts";
import { DirectoryCopy } from "../../storage/published/directory_copy.ts";
import { defineCommand } from "../define_command.ts";
import {
  flag,
  FOLDER,
  logOptions,
  networkConfigOption,
  optional,
  required,
  SERVICE_URL,
  textValue,
} from "../options.ts";
import { intervalOption } from "./copy_options.ts";
import { copyOnce, copySource, keepCopying, reportStep } from "./copy_run.ts";
import { pageOption, writePage } from "./page_files.ts";

/** Longer than that of `publish`, because the log may be another operator's. */
const DEFAULT_INTERVAL_MS = 10_000;

/** Exits 1 if the log does not verify, or contradicts the copy. */
export const mirror = defineCommand("mirror", {
  description:
    "Copies entries, tiles and checkpoint. Verifies every byte, and that the log extends the copy. Run it again to continue. If the log contradicts the copy, keeps evidence and changes nothing else.",
  options: {
    from: required("--from", SERVICE_URL, "URL of the log, its checkpoint at /checkpoint."),
    to: required("--to", FOLDER, "Folder of the copy."),
    vkey: optional(
      "--vkey",
      textValue("VKEY"),
      "Key of a log of another implementation; cosignatures are not checked.",
    ),
    networkConfig: networkConfigOption,
    follow: flag("--follow", "Keep copying until stopped."),
    page: pageOption,
    intervalMs: intervalOption(DEFAULT_INTERVAL_MS),
    ...logOptions,
  },
  async run({ from, to, follow, page, intervalMs, ...options }, context) {
    const { process, io } = context;
    const source = await copySource(context, from, options);
    const target = await DirectoryCopy.open(io.resolvePath(to), process.clock);
    if (page) await writePage(target, source);
    process.dropPermissions(["run", "ffi", "import", "sys", "env"]);
    if (!follow) {
      return reportStep(context, source, target, await copyOnce(context, source, target));
    }
    const report = openLog(options, io).report("publishing");
    return await keepCopying(context, source, target, { intervalMs, report });
  },
});
