/**
 * The gateway under load: a running one, or one that this tool starts.
 *
 * @module
 */

import { systemIo } from "../../src/server/io.ts";
import { Asker } from "./asker.ts";
import type { LoadIssuer } from "./issued_tokens.ts";
import type { LoadOptions } from "./load_options.ts";
import { type MeasuredProcess, measuredProcess } from "./process_usage.ts";
import { type Endpoint, resolveEndpoint } from "./sockets.ts";
import { TrialDeployment } from "./trial_deployment.ts";

/** Of a gateway that is started to measure the time until a head. */
const STH_BATCH_MS = 100;

/** The gateway under load and its processes. */
export interface Target {
  readonly url: URL;
  readonly endpoint: Endpoint;
  readonly asker: Asker;
  /** Absent if it is not on this machine. */
  readonly gateway?: MeasuredProcess;
  readonly witnesses: readonly MeasuredProcess[];
  /** True if this tool is the only client, so that sequences count its submissions. */
  readonly isOurs: boolean;
}

/** Where a started gateway keeps its data, and where disk syncs are measured. */
export async function dataFolderOf(
  options: LoadOptions,
  opened: AsyncDisposableStack,
): Promise<string> {
  if (options.data !== undefined) {
    const folder = systemIo.resolvePath(options.data);
    await Deno.mkdir(folder, { recursive: true });
    return folder;
  }
  const folder = await Deno.makeTempDir({ prefix: "countersign-load-" });
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  return folder;
}

/** The gateway of `options`; `opened` stops a started one. */
export async function openTarget(
  options: LoadOptions & {
    readonly dataFolder: string;
    readonly issuer?: LoadIssuer;
    readonly signal: AbortSignal;
  },
  opened: AsyncDisposableStack,
): Promise<Target> {
  if (options.url !== undefined) {
    return {
      url: options.url,
      endpoint: await resolveEndpoint(options.url),
      asker: new Asker(options.url),
      ...(options.pid !== undefined && { gateway: measuredProcess(options.pid) }),
      witnesses: [],
      isOurs: false,
    };
  }
  const deployment = await TrialDeployment.start({
    ...options,
    ...(options.sth && { batchMaxAgeMs: options.batchMaxAgeMs ?? STH_BATCH_MS }),
  });
  opened.defer(() => deployment.stop());
  const { gateway, witnesses } = deployment;
  return {
    url: gateway.url,
    endpoint: await resolveEndpoint(gateway.url),
    asker: new Asker(gateway.url),
    gateway,
    witnesses,
    isOurs: true,
  };
}
