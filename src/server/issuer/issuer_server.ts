/**
 * Composes and runs an issuer of tokens.
 *
 * @module
 */

import { aborted, systemClock } from "../../base/clock.ts";
import type { IssuerNode } from "../../config/issuer_node.ts";
import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import { isLoopbackName } from "../../proof/format/service_url.ts";
import { AccessLog } from "../../http/access_log.ts";
import { type HttpListener, listen } from "../../http/listen.ts";
import { IssuanceAdmission } from "../../http/issuer/issuer_admission.ts";
import { issuerApp, TOKEN_REQUEST_PATH } from "../../http/issuer/issuer_app.ts";
import type { RequestHandler } from "../../http/request_context.ts";
import { ApiKeys } from "../../gateway/tokens/api_keys.ts";
import { Issuer } from "../../gateway/tokens/issuer.ts";
import { type Report, reportError } from "../../base/report.ts";
import { acquireLock } from "../../storage/lock_file.ts";
import type { Log } from "../log/log.ts";
import type { CliIo } from "../io.ts";
import {
  createIssuer,
  issuerFile,
  IssuerKeys,
  issuerLockFile,
  readIssuer,
} from "./issuer_folder.ts";
import type { IssuerOptions } from "../roles/role_options.ts";
import { exists, makeFolder } from "../files.ts";
import { openLog } from "../service_log.ts";
import { runInBackground } from "../background.ts";

/** On stop, how long requests in flight may take, */
const STOP_GRACE_MS = 3_000;
/** then the creation of a key. */
const STOP_ROTATION_MS = 2_000;

const ROTATION_TICK_MS = 60_000;

/** Random bytes in a generated name. */
const NAME_BYTES = 4;

/** Serves until `signal` aborts. Closes its port and unlocks its folder. */
export async function serveIssuer(
  options: IssuerOptions,
  io: CliIo,
  signal: AbortSignal,
): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const folder = io.resolvePath(options.data);
  await makeFolder(folder);
  const lock = await acquireLock(issuerLockFile(folder));
  opened.defer(() => lock.release());
  const node = await issuerOf(folder, options);
  const log = openLog(options, io);
  const report = log.report("issuer");
  const keys = await IssuerKeys.open({ folder, node, clock: systemClock });
  await keys.rotate({ early: options.rotate });
  const { name } = node;
  const issuer = new Issuer({ name, requestUri: TOKEN_REQUEST_PATH, clock: systemClock });
  issuer.useKeys(keys.ready());
  const { host: hostname, port } = options;
  const handler = handlerOf(issuer, await admissionOf(node), log);
  const listener = listen({ hostname, port, handler, report: log.report("http") });
  opened.defer(() => listener.stop(STOP_GRACE_MS));
  runInBackground(
    opened,
    STOP_ROTATION_MS,
    (stopped) => rotateUntil(stopped, { keys, issuer, report }),
  );
  io.out(bannerLines(node, listener, folder).join("\n"));
  await aborted(signal);
  report("Stopping", { level: "info" });
}

/** The configuration in `folder`, created if missing. */
async function issuerOf(folder: string, options: IssuerOptions): Promise<IssuerNode> {
  const { name, host, port } = options;
  if (!await exists(issuerFile(folder))) {
    const hostname = host.includes(":") ? `[${host}]` : host;
    // Only the operator knows the public URL of an issuer, which must be https.
    const isKnown = port !== 0 && isLoopbackName(hostname);
    await createIssuer(folder, {
      name: name ?? `${randomName()}.issuer.countersign.local`,
      ...(isKnown && { url: `http://${hostname}:${port}` }),
    });
  }
  const node = await readIssuer(folder);
  if (name === undefined || name === node.name) return node;
  throw new CountersignError(
    "usage",
    `Cannot serve issuer: --name differs from the name in "${issuerFile(folder)}"`,
  );
}

function randomName(): string {
  return crypto.getRandomValues(new Uint8Array(NAME_BYTES)).toHex();
}

function handlerOf(issuer: Issuer, admission: IssuanceAdmission, log: Log): RequestHandler {
  const report = log.report("http");
  return issuerApp({
    issuer,
    admission,
    observer: log.isVerbose ? new AccessLog(report) : undefined,
    report: (error, requestId) => reportError(report, error, { request_id: requestId }),
  });
}

async function admissionOf(
  { name, apiKeys, work }: IssuerNode,
): Promise<IssuanceAdmission> {
  const rules = {
    issuerName: name,
    apiKeys: new ApiKeys(apiKeys, systemClock.nowMs()),
    workBits: work?.bits,
  };
  const kernels = await loadCompiledKernels();
  return new IssuanceAdmission(rules, { clock: systemClock, kernels });
}

/** Creates and removes keys on schedule. Retries after an error. */
async function rotateUntil(
  signal: AbortSignal,
  { keys, issuer, report }: {
    readonly keys: IssuerKeys;
    readonly issuer: Issuer;
    readonly report: Report;
  },
): Promise<void> {
  while (!signal.aborted) {
    await systemClock.sleep(ROTATION_TICK_MS, signal);
    if (signal.aborted) return;
    try {
      await keys.rotate();
      issuer.useKeys(keys.ready());
    } catch (error) {
      reportError(report, error);
    }
  }
}

function bannerLines(node: IssuerNode, { url }: HttpListener, folder: string): string[] {
  const { name, apiKeys, work } = node;
  return [
    `Countersign issuer ${name} on ${url}`,
    "  token type:  2 (blind RSA)",
    `  accepts:     ${
      [
        ...(apiKeys.length === 0 ? [] : [`API keys (${apiKeys.length})`]),
        ...(work === undefined ? [] : [`work of ${work.bits} bits`]),
      ].join(", ")
    }`,
    `  data:        ${folder}`,
    "  For gateways: issuer --print-admission prints the list admission.issuers of network.json.",
  ];
}
