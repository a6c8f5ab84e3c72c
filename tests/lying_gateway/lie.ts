/**
 * A lie as data: the change, and the expected reports.
 *
 * @module
 */

import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { CommandName } from "./client_commands.ts";
import type { Change } from "./lying_server.ts";
import type { CheckName } from "./offline_checks.ts";

/** A command or check that receives a lie. */
export type Listener = CommandName | CheckName;

/** One way to lie. */
export interface Lie {
  readonly name: string;
  readonly changes: readonly Change[];
  /** The changed reports; all others stay as for honest answers. */
  readonly says: Readonly<Partial<Record<Listener, string>>>;
  /** Seconds that the users' clock is ahead during the lie. */
  readonly aheadSeconds?: number;
  /** The listeners; by default all that request a changed answer. */
  readonly to?: readonly Listener[];
  /** The variations of commands that receive it. */
  readonly also?: readonly CommandName[];
  /** Ends in a time-out. */
  readonly isSlow?: boolean;
  /** Schemes to run it with; default: `ed25519`. */
  readonly schemes?: readonly SignatureScheme[];
}
