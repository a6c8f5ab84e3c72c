/**
 * The rules by which a gateway accepts new hashes, from its configuration. The thread that reaches the
 * issuers follows their directories; fronts receive each one that it accepts.
 *
 * @module
 */

import {
  type DirectorySource,
  followedKeys,
  IssuerFollower,
} from "../../gateway/tokens/issuer_follower.ts";
import { TokenCheck } from "../../gateway/tokens/token_check.ts";
import { TokenIssuers } from "../../gateway/tokens/token_issuers.ts";
import { systemClock } from "../../base/clock.ts";
import {
  type AdmissionConfiguration,
  type FollowedIssuer,
  followedIssuers,
  loadIssuers,
} from "../../config/admission.ts";
import {
  encodeIssuerDirectory,
  type IssuerDirectory,
  parseIssuerDirectory,
} from "../../proof/format/issuer_directory.ts";
import { parseServiceUrl, urlOf } from "../../proof/format/service_url.ts";
import type { RateLimits } from "../../http/rate_limits.ts";
import type { AdmissionRules } from "../../http/gateway/request_admission.ts";
import { DirectoryFeed, type SentDirectory } from "./directory_feed.ts";
import { directoryFile } from "../data_paths.ts";
import type { GatewayRun } from "./gateway_run.ts";
import { runInBackground } from "../background.ts";
import { IssuerClient } from "../../client/issuer_client.ts";
import { replaceFile, textIfExists } from "../replaced_file.ts";

/** On stop, how long a request for a directory may take. */
const STOP_FOLLOWING_MS = 1_000;

/** The issuers of a gateway, whose directories it follows. */
export interface FollowedIssuers {
  readonly issuers: TokenIssuers;
  readonly directories: DirectoryFeed;
}

interface AdmittingNetwork {
  readonly network: { readonly id: string };
  readonly admission: AdmissionConfiguration;
}

export interface FrontIssuers {
  readonly issuers: TokenIssuers;
  /** Call with each directory that the sequencer accepts; `issuer_refused`, `invalid_key`. */
  useDirectory(directory: SentDirectory): void;
}

/**
 * The issuers of the configuration; `undefined` in mode `open`. Follows their directories in the
 * background until the gateway stops.
 */
export async function followIssuers(run: GatewayRun): Promise<FollowedIssuers | undefined> {
  const { admission, network } = run.operator;
  if (admission.mode === "open") return undefined;
  const issuers = new TokenIssuers(network.id, loadIssuers(admission), systemClock);
  const directories = new DirectoryFeed();
  for (const followed of followedIssuers(admission)) {
    await follow(followed, { issuers, directories }, run);
  }
  return { issuers, directories };
}

/**
 * The issuers of a front, with the same checks of each directory as the sequencer's. `directories` are those
 * that the sequencer has accepted.
 */
export function openFrontIssuers(
  { network, admission }: AdmittingNetwork,
  directories: readonly SentDirectory[],
): FrontIssuers {
  const issuers = new TokenIssuers(network.id, loadIssuers(admission), systemClock);
  const useDirectory = ({ issuer, text }: SentDirectory) =>
    issuers.useKeys(issuer, followedKeys(parseIssuerDirectory(text)));
  directories.forEach(useDirectory);
  return { issuers, useDirectory };
}

/** The rules for new hashes; `undefined` if every one is accepted. `issuers` is absent in mode `open`. */
export function admissionRules(
  { mode }: AdmissionConfiguration,
  issuers: TokenIssuers | undefined,
  limits: Pick<RateLimits, "newAttestations"> | undefined,
): AdmissionRules | undefined {
  const budget = limits && { budget: limits.newAttestations };
  if (mode === "open" || issuers === undefined) return budget && { mode: "open", ...budget };
  return { mode, tokens: new TokenCheck(issuers, systemClock), ...budget };
}

async function follow(
  { name, url }: FollowedIssuer,
  { issuers, directories }: FollowedIssuers,
  { options: { insecure }, paths, report, opened }: GatewayRun,
): Promise<void> {
  const follower = new IssuerFollower({
    name,
    issuers,
    report,
    clock: systemClock,
    random: Math.random,
    source: new FollowedDirectory({
      url: parseServiceUrl(url, { insecure }),
      path: directoryFile(paths.dataFolder, name),
    }),
    accepted: (directory) => directories.accept(name, directory),
  });
  await follower.restore();
  runInBackground(opened, STOP_FOLLOWING_MS, (signal) => follower.run(signal));
}

const FILE_MODE = 0o600;

/**
 * The directory of a followed issuer: fetched over HTTP, and stored in the data folder with an
 * absolute request URI.
 */
export class FollowedDirectory implements DirectorySource {
  readonly #url: URL;
  readonly #path: string;
  readonly #client: IssuerClient;

  /** `url` is the issuer's; `path` is the file of the stored directory. */
  constructor(
    { url, path, timeoutMs }: {
      readonly url: URL;
      readonly path: string;
      readonly timeoutMs?: number;
    },
  ) {
    this.#url = url;
    this.#path = path;
    this.#client = new IssuerClient({ url, ...(timeoutMs !== undefined && { timeoutMs }) });
  }

  ask(signal: AbortSignal): Promise<IssuerDirectory> {
    return this.#client.directory(signal);
  }

  /** `file_failed`, `issuer_refused`. */
  async kept(): Promise<IssuerDirectory | undefined> {
    const text = await textIfExists(this.#path);
    if (text === undefined) return undefined;
    const directory = parseIssuerDirectory(text);
    // Ignored if the operator has configured another URL since.
    const isOfIssuer = urlOf(directory.requestUri)?.origin === this.#url.origin;
    return isOfIssuer ? directory : undefined;
  }

  async keep(directory: IssuerDirectory): Promise<void> {
    await replaceFile(this.#path, `${encodeIssuerDirectory(directory)}\n`, FILE_MODE);
  }
}
