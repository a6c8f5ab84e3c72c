/**
 * `publish`: follows a gateway's log, and publishes it to a folder or bucket.
 *
 * @module
 */

import { openCopyTarget } from "../../server/publishing/copy_target.ts";
import { openLog } from "../../server/service_log.ts";
import { defineCommand } from "../define_command.ts";
import { flag, logOptions, networkConfigOption, PLACE, required, SERVICE_URL } from "../options.ts";
import { bucketOptions, intervalOption, publishingPlace } from "./copy_options.ts";
import { copyOnce, copySource, keepCopying, reportStep } from "./copy_run.ts";
import { pageOption, writePage } from "./page_files.ts";

/** Five requests a second, of the 200 that a gateway allows a client by default. */
const DEFAULT_INTERVAL_MS = 200;

/** With `--once`, exits 1 if the log does not verify, or contradicts the copy. */
export const publish = defineCommand("publish", {
  description:
    "Follows the log until stopped: entries and tiles first, then the checkpoint that covers them. Verifies every byte. Several publishers may write to one place.",
  options: {
    from: required("--from", SERVICE_URL, "URL of the gateway."),
    to: required("--to", PLACE, "Folder, or s3://bucket/prefix."),
    networkConfig: networkConfigOption,
    page: pageOption,
    once: flag("--once", "Publish what there is, then exit."),
    intervalMs: intervalOption(DEFAULT_INTERVAL_MS),
    ...bucketOptions,
    ...logOptions,
  },
  async run({ from, to, page, once, intervalMs, ...options }, context) {
    const { process, io } = context;
    const place = publishingPlace(to, options, context);
    const source = await copySource(context, from, options);
    const report = openLog(options, io).report("publishing");
    const env = (name: string) => io.env(name);
    const target = await openCopyTarget(place, { insecure: false, report, env });
    if (page) await writePage(target, source);
    process.dropPermissions(["run", "ffi", "import", "sys", "env"]);
    if (once) return reportStep(context, source, target, await copyOnce(context, source, target));
    return await keepCopying(context, source, target, { intervalMs, report });
  },
});
