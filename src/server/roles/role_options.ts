/**
 * The options of the roles: `countersign serve`, `witness` and `issuer`.
 *
 * @module
 */

import process from "node:process";
import type { SignatureScheme } from "../../proof/format/signature_set.ts";
import type { LogChoice } from "../service_log.ts";

export interface ServeOptions extends LogChoice {
  /** 0 for any free port. */
  readonly port: number;
  readonly host: string;
  readonly data?: string | undefined;
  /** The operator's `network.json`. */
  readonly config?: string | undefined;
  /** Allows `http:` witness URLs beyond loopback. */
  readonly insecure: boolean;
  /** Scheme of a new trial network; a configured network must have it. */
  readonly scheme?: SignatureScheme | undefined;
  /** These override the configuration. */
  readonly batchMaxAgeMs?: number | undefined;
  readonly batchMaxLeaves?: number | undefined;
  readonly operatorPort?: number | undefined;
  readonly eventSocketsPort?: number | undefined;
  /** The store was moved or restored, and its original is stopped for good. */
  readonly moved?: boolean;
  /** Accepts digests before the witnesses have confirmed the store. */
  readonly acceptBeforeWitnesses?: boolean;
  /** Waits while another gateway holds the lease of the log. */
  readonly standby?: boolean;
  /** URL of this gateway for clients; standbys name it in their refusals. */
  readonly publicUrl?: string | undefined;
}

export const SERVE_DEFAULTS = { port: 8080, host: "127.0.0.1", scheme: "ed25519" } as const;

export const MAX_FRONTS = 8;

/** After a hand-over, the standbys have this time to take the lease first. */
export const HANDED_OVER_MS = 1_000;

/** Only Linux distributes connections over the listeners that share a port. */
export const SHARES_PORTS = process.platform === "linux";

/**
 * The number of fronts on a machine with `cores` cores: all but the sequencer's. Two cores that also run
 * the system gain nothing from a front (docs/performance.md), so there one thread does both.
 */
export function defaultFronts(cores: number, sharesPorts = SHARES_PORTS): number {
  if (cores < 3) return 0;
  return sharesPorts ? Math.min(cores - 1, MAX_FRONTS) : 1;
}

/** Options of a witness or a signer. */
export interface WitnessRoleOptions extends LogChoice {
  /** Absolute path of its `witness.json` or `signer.json`. */
  readonly config: string;
  /** The witness's state was moved here, and its original is stopped for good. */
  readonly moved?: boolean;
}

/** Options of a monitor. */
export interface MonitorOptions extends LogChoice {
  /** Absolute path of its `monitor.json`. */
  readonly config: string;
  /** Looks once, then ends. */
  readonly once: boolean;
  /** Prints alerts as JSON. */
  readonly json: boolean;
}

export interface IssuerOptions extends LogChoice {
  /** Folder of the issuer. */
  readonly data: string;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Name of a new issuer. */
  readonly name?: string | undefined;
  /** Creates the next keys at once. */
  readonly rotate: boolean;
}

export const ISSUER_DEFAULTS = {
  data: "countersign-issuer",
  host: "127.0.0.1",
  port: 8070,
} as const;
