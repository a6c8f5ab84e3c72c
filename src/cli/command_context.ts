/**
 * The context of a command: process, output, gateway and stored trust.
 *
 * @module
 */

import { join } from "node:path";
import type { Bls } from "../proof/crypto/bls.ts";
import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import { CountersignError, expectedError } from "../base/errors.ts";
import { loadToken } from "../config/bearer_tokens.ts";
import { GatewayClient } from "../client/gateway_client.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import type { CryptoSuite } from "../proof/crypto/crypto_suite.ts";
import type { CliIo } from "../server/io.ts";
import { ALL_PERMISSIONS, type CliProcess, usesColour } from "./cli_process.ts";
import { Output, type OutputFormat } from "./output.ts";
import { shellWord } from "./shell_word.ts";
import { TokenSupply } from "./token_supply.ts";
import type { GatewayRecord } from "./gateway_record.ts";
import { TrustFolder } from "./trust_folder.ts";

/** Permissions that an offline verification drops; it reads files, and stores the last tree head. */
export const ONLINE_PERMISSIONS = ALL_PERMISSIONS.filter((power) =>
  power !== "read" && power !== "write"
);

export const DEFAULT_GATEWAY = "http://127.0.0.1:8080";

export class CommandContext {
  readonly process: CliProcess;
  readonly output: Output;
  readonly crypto: CryptoSuite;
  /** The values of `--gateway`. */
  readonly namedGateways: readonly string[];
  readonly #action: string | undefined;
  #gateway: GatewayClient | undefined;
  #lastRefusal: unknown;
  #limit: AbortSignal | undefined;
  /** Computed at start: a command may drop the permission to read the environment later. */
  readonly #home: string | undefined;
  #trust: TrustFolder | undefined;
  /** Read at start, for the same reason. */
  readonly #apiKeyText: string | undefined;
  readonly #apiKeyFile: string | undefined;

  constructor(
    process: CliProcess,
    { output: format, gateways = [], action }: {
      readonly output: OutputFormat;
      readonly gateways?: readonly string[];
      /** The verb of messages about the gateway. */
      readonly action?: string | undefined;
    },
    bls: Bls,
  ) {
    this.process = process;
    this.crypto = { kernels: portableKernels, ed25519: verifyNative, bls };
    this.namedGateways = gateways;
    this.#action = action;
    this.#home = homeOf(process.io);
    this.#apiKeyText = process.io.env("COUNTERSIGN_API_KEY");
    this.#apiKeyFile = process.io.env("COUNTERSIGN_API_KEY_FILE");
    this.output = new Output(process.io, { format, colour: usesColour(process) });
  }

  get io(): CliIo {
    return this.process.io;
  }

  /** The first value of `--gateway`. */
  get namedGateway(): string | undefined {
    return this.namedGateways[0];
  }

  /** `countersign`, `words` and the gateways that the command line named: a command to paste. */
  commandLine(words: string): string {
    const gateways = this.namedGateways.map((url) => ` --gateway ${shellWord(url)}`);
    return `countersign ${words}${gateways.join("")}`;
  }

  /** The URLs named by `--gateway`, COUNTERSIGN_GATEWAY or the default; `usage`. */
  get gatewayUrls(): { readonly url: URL; readonly others: readonly URL[] } {
    const named = this.namedGateways.length > 0
      ? this.namedGateways
      : (this.io.env("COUNTERSIGN_GATEWAY") ?? DEFAULT_GATEWAY).split(",");
    // `http:` is allowed where requests contain no secret: answers are verified.
    const insecure = this.#apiKeyText === undefined && this.#apiKeyFile === undefined;
    const name = this.namedGateways.length > 0 ? "--gateway" : "COUNTERSIGN_GATEWAY";
    const [url, ...others] = named.map((text) => typedUrl(text, { insecure, name }));
    return { url: url!, others };
  }

  /**
   * The API key for the gateways of this run: COUNTERSIGN_API_KEY, or the text of the file that
   * COUNTERSIGN_API_KEY_FILE names. Errors as `loadToken`.
   */
  readonly apiKey = async (): Promise<string | undefined> => {
    const [text, file] = [this.#apiKeyText, this.#apiKeyFile];
    if (text !== undefined) {
      return await loadToken({ kind: "environment", name: "COUNTERSIGN_API_KEY" }, {
        env: () => text,
      });
    }
    if (file === undefined) return undefined;
    return await loadToken({ kind: "file", path: this.io.resolvePath(file) }, this.io);
  };

  /** The gateway of {@linkcode gatewayUrls}. */
  get gateway(): GatewayClient {
    this.#gateway ??= new GatewayClient({
      ...this.gatewayUrls,
      apiKey: this.apiKey,
      action: this.#action,
      clock: this.process.clock,
      blsFor: () => this.crypto.bls,
      signal: this.#limit,
      onRetry: (error) => this.#lastRefusal = error,
    });
    return this.#gateway;
  }

  /** Why the last request that the gateway refused is made again. */
  get lastRefusal(): unknown {
    return this.#lastRefusal;
  }

  /** Ends all requests to the gateway when `signal` aborts. Called before the first one. */
  endRequestsWith(signal: AbortSignal): void {
    this.#limit = signal;
  }

  /** Pins and remembered heads; `configuration_missing` without a home folder. */
  get trust(): TrustFolder {
    this.#trust ??= new TrustFolder(this.home, this.crypto.bls);
    return this.#trust;
  }

  /** False if nothing can be pinned or remembered. */
  get hasHome(): boolean {
    return this.#home !== undefined;
  }

  /** The folder of all stored data; `configuration_missing`. */
  get home(): string {
    if (this.#home !== undefined) return this.#home;
    throw new CountersignError(
      "configuration_missing",
      "Cannot find pinned networks and remembered tree heads: set COUNTERSIGN_HOME or HOME",
    );
  }

  /** Unspent tokens for the gateway of this run, of network `networkId`; `configuration_missing`. */
  tokens(networkId: string): TokenSupply {
    return this.tokensOf({ gateway: this.gateway.url.href, networkId });
  }

  /** Unspent tokens of `owner`; `configuration_missing` without a home folder. */
  tokensOf(owner: GatewayRecord): TokenSupply {
    return new TokenSupply(this.home, owner, this.process.clock);
  }
}

function homeOf(io: CliIo): string | undefined {
  const named = io.env("COUNTERSIGN_HOME");
  if (named !== undefined) return io.resolvePath(named);
  const configured = io.env("XDG_CONFIG_HOME");
  if (configured !== undefined) return join(io.resolvePath(configured), "countersign");
  const home = io.env("HOME") ?? io.env("USERPROFILE");
  return home === undefined ? undefined : join(io.resolvePath(home), ".config", "countersign");
}

/** A URL of the command line; `usage` for an invalid one. */
export function typedUrl(
  text: string,
  options: { readonly insecure: boolean; readonly name?: string },
): URL {
  return argumentValue(() => parseServiceUrl(text, options));
}

/** The result of `read`, whose errors become `usage`. */
export function argumentValue<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const cause = expectedError(error);
    throw new CountersignError("usage", cause.message, { cause });
  }
}
