/**
 * The context of a command: process, output, gateway and stored trust.
 *
 * @module
 */

import { join } from "node:path";
import type { Clock } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { CountersignError } from "../errors.ts";
import { GatewayClient } from "../client/gateway_client.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import type { CliIo } from "../server/io.ts";
import { Output, type OutputFormat } from "./output.ts";
import { TokenSupply } from "./token_supply.ts";
import type { SupplyOwner } from "./token_supply_file.ts";
import { TrustFolder } from "./trust_folder.ts";

/** Kinds of permissions of a Deno process. */
export const ALL_PERMISSIONS = [
  "run",
  "ffi",
  "import",
  "net",
  "sys",
  "env",
  "write",
  "read",
] as const;

export type PermissionKind = typeof ALL_PERMISSIONS[number];

/** Permissions that an offline verification drops; it reads files, and stores the last tree head. */
export const ONLINE_PERMISSIONS = ALL_PERMISSIONS.filter((power) =>
  power !== "read" && power !== "write"
);

/** The process, injected for tests. */
export interface CliProcess {
  readonly io: CliIo;
  readonly clock: Clock;
  /** Opens standard input. */
  stdin(): ReadableStream<Uint8Array>;
  /** Drops permissions for the rest of the process. */
  dropPermissions(kinds: readonly PermissionKind[]): void;
  /** Columns of the terminal at standard output; `undefined` if it is not a terminal. */
  readonly columns: number | undefined;
  readonly rows?: number | undefined;
  /** True if standard error is a terminal, which can show progress. */
  readonly showsProgress: boolean;
}

export const DEFAULT_GATEWAY = "http://127.0.0.1:8080";

/** True for a terminal, unless NO_COLOR is set (no-color.org). */
export function usesColour({ io, columns }: CliProcess): boolean {
  return columns !== undefined && io.env("NO_COLOR") === undefined;
}

export class CommandContext {
  readonly process: CliProcess;
  readonly output: Output;
  readonly crypto: CryptoSuite;
  /** The value of `--gateway`. */
  readonly namedGateway: string | undefined;
  #gateway: GatewayClient | undefined;
  /** Computed at start: a command may drop the permission to read the environment later. */
  readonly #home: string | undefined;
  #trust: TrustFolder | undefined;

  constructor(
    process: CliProcess,
    { output: format, gateway }: {
      readonly output: OutputFormat;
      readonly gateway?: string | undefined;
    },
    bls: Bls,
  ) {
    this.process = process;
    this.crypto = { kernels: portableKernels, ed25519: verifyNative, bls };
    this.namedGateway = gateway;
    this.#home = homeOf(process.io);
    this.output = new Output(process.io, { format, colour: usesColour(process) });
  }

  get io(): CliIo {
    return this.process.io;
  }

  /** The gateway named by `--gateway`, COUNTERSIGN_GATEWAY or the default; `usage`. */
  get gateway(): GatewayClient {
    this.#gateway ??= new GatewayClient({
      // `http:` is allowed: requests contain no secrets, and answers are verified.
      url: typedUrl(
        this.namedGateway ?? this.io.env("COUNTERSIGN_GATEWAY") ?? DEFAULT_GATEWAY,
        { insecure: true },
      ),
      clock: this.process.clock,
      blsFor: () => this.crypto.bls,
    });
    return this.#gateway;
  }

  /** Pins and remembered heads; `configuration_missing` without a home folder. */
  get trust(): TrustFolder {
    this.#trust ??= new TrustFolder(this.home, this.crypto.bls);
    return this.#trust;
  }

  /** The folder of all stored data; `configuration_missing`. */
  get home(): string {
    if (this.#home !== undefined) return this.#home;
    throw new CountersignError(
      "configuration_missing",
      "Cannot find pinned networks: set COUNTERSIGN_HOME or HOME",
    );
  }

  /** Unspent tokens for the gateway of this run, of network `networkId`; `configuration_missing`. */
  tokens(networkId: string): TokenSupply {
    return this.tokensOf({ gateway: this.gateway.url.href, networkId });
  }

  /** Unspent tokens of `owner`; `configuration_missing` without a home folder. */
  tokensOf(owner: SupplyOwner): TokenSupply {
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
export function typedUrl(text: string, options: { readonly insecure: boolean }): URL {
  try {
    return parseServiceUrl(text, options);
  } catch (cause) {
    if (!(cause instanceof CountersignError)) throw cause;
    throw new CountersignError("usage", cause.message, { cause });
  }
}
