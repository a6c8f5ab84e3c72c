/**
 * What the command line says of a gateway.
 *
 * @module
 */

import type { SignatureScheme } from "../format/signature_set.ts";
import type { LogChoice } from "./service_log.ts";

/** What the command line says. */
export interface ServeOptions extends LogChoice {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** As typed. */
  readonly data?: string;
  /** As typed: an operator's `network.json`. */
  readonly config?: string;
  /** Allows `http:` witness URLs beyond loopback. */
  readonly insecure: boolean;
  /** Of the trial network; what a configuration has to be of, where one is there. */
  readonly scheme?: SignatureScheme;
  /** In place of those of the configuration. */
  readonly batchMaxAgeMs?: number;
  readonly batchMaxLeaves?: number;
  /** Of the operator listener, in place of that of the configuration; 0 takes any free port. */
  readonly operatorPort?: number;
  /** Of the listener for event sockets, likewise. */
  readonly eventSocketsPort?: number;
  /** The store was moved or restored, and its original is stopped for good. */
  readonly moved?: boolean;
  /** Accepts digests before the witnesses have agreed with the store. */
  readonly acceptBeforeWitnesses?: boolean;
}

export const SERVE_DEFAULTS = {
  port: 8080,
  host: "127.0.0.1",
  scheme: "ed25519",
} as const;
