/**
 * What a client command works with, beside its own options.
 *
 * @module
 */

import { join } from "node:path";
import type { Clock } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { CountersignError } from "../errors.ts";
import { GatewayClient } from "../transport/gateway_client.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import type { CliIo } from "../server/io.ts";
import { Output, type OutputFormat } from "./output.ts";
import { TokenSupply } from "./token_supply.ts";
import type { SupplyOwner } from "./token_supply_file.ts";
import { TrustFolder } from "./trust_folder.ts";
import { typedUrl } from "./typed_url.ts";

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

/** The process that a run happens in, injected so that commands run in tests. */
export interface CliProcess {
  readonly io: CliIo;
  readonly clock: Clock;
  /** Standard input, opened by the one command that reads it. */
  stdin(): ReadableStream<Uint8Array>;
  /** Drops permissions for the rest of the process. */
  dropPermissions(kinds: readonly PermissionKind[]): void;
  /** Columns of the terminal behind standard output; `undefined` when it is none. */
  readonly columns: number | undefined;
  /** Rows of the same; unknown where nothing is drawn. */
  readonly rows?: number | undefined;
  /** True when standard error is a terminal, where progress can be drawn. */
  readonly showsProgress: boolean;
}

/** Options that every client command takes. */
export interface GlobalOptions {
  readonly output: OutputFormat;
  readonly gateway: string | undefined;
}

export const DEFAULT_GATEWAY = "http://127.0.0.1:8080";

/** Colours are for people at a terminal who did not say otherwise (no-color.org). */
export function usesColour({ io, columns }: CliProcess): boolean {
  return columns !== undefined && io.env("NO_COLOR") === undefined;
}

/** One run of a client command. */
export class CommandContext {
  readonly process: CliProcess;
  readonly output: Output;
  /** Servers' crypto for the client's verifier: the same rule on the fastest path. */
  readonly crypto: CryptoSuite;
  readonly #options: GlobalOptions;
  #gateway: GatewayClient | undefined;
  /** Found at once: a command may give up the environment before it needs the folder. */
  readonly #home: string | undefined;
  #trust: TrustFolder | undefined;

  constructor(process: CliProcess, options: GlobalOptions, bls: Bls) {
    this.process = process;
    this.crypto = { kernels: portableKernels, ed25519: verifyNative, bls };
    this.#options = options;
    this.#home = homeOf(process.io);
    this.output = new Output(process.io, {
      format: options.output,
      colour: usesColour(process),
    });
  }

  get io(): CliIo {
    return this.process.io;
  }

  /** The gateway named by `--gateway`, COUNTERSIGN_GATEWAY or the default; `usage`. */
  get gateway(): GatewayClient {
    this.#gateway ??= new GatewayClient({
      // Nothing secret travels, and what matters in an answer is verified: `http:` will do.
      url: typedUrl(
        this.#options.gateway ?? this.io.env("COUNTERSIGN_GATEWAY") ?? DEFAULT_GATEWAY,
        { insecure: true },
      ),
      clock: this.process.clock,
      bls: this.crypto.bls,
    });
    return this.#gateway;
  }

  /** Pins and remembered heads; `configuration_missing` when no folder can be named. */
  get trust(): TrustFolder {
    this.#trust ??= new TrustFolder(this.home, this.crypto.bls);
    return this.#trust;
  }

  /** The folder of what is remembered between runs; `configuration_missing`. */
  get home(): string {
    if (this.#home !== undefined) return this.#home;
    throw new CountersignError(
      "configuration_missing",
      "Cannot find pinned networks: COUNTERSIGN_HOME or HOME required, found neither",
    );
  }

  /** Unspent tokens for the gateway of this run, of network `networkId`; `configuration_missing`. */
  tokens(networkId: string): TokenSupply {
    return this.tokensOf({ gateway: this.gateway.url.href, networkId });
  }

  /** Unspent tokens of `owner`; `configuration_missing` when no folder can be named. */
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
