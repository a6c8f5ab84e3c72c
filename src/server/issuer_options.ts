/**
 * What the command line says of an issuer.
 *
 * @module
 */

import type { LogChoice } from "./service_log.ts";

/** What the command line says. */
export interface IssuerOptions extends LogChoice {
  /** Folder, as typed. */
  readonly data: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Of an issuer that is made. */
  readonly name?: string;
  /** Makes the next keys at once. */
  readonly rotate: boolean;
}

export const ISSUER_DEFAULTS = {
  data: "countersign-issuer",
  host: "127.0.0.1",
  port: 8070,
} as const;
