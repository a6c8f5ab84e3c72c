/**
 * The options of `countersign issuer`.
 *
 * @module
 */

import type { LogChoice } from "./service_log.ts";

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
