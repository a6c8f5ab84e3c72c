/**
 * A lie as data: what is changed, and what everyone who is told it has to say.
 *
 * @module
 */

import type { SignatureScheme } from "../../src/format/signature_set.ts";
import type { CommandName } from "./client_commands.ts";
import type { Change } from "./lying_server.ts";
import type { CheckName } from "./offline_checks.ts";

/** Whoever is told a lie. */
export type Listener = CommandName | CheckName;

/** One way to lie. */
export interface Lie {
  readonly name: string;
  readonly changes: readonly Change[];
  /** What each says in place of what it says to the truth; of everyone else it is the same. */
  readonly says: Readonly<Partial<Record<Listener, string>>>;
  /** Seconds that the users' clock is ahead when they are told it. */
  readonly aheadSeconds?: number;
  /** Who is told it; everyone whom it concerns when absent. */
  readonly to?: readonly Listener[];
  /** Of the commands that are variations of others, those that are told it. */
  readonly also?: readonly CommandName[];
  /** Ends in a time-out. */
  readonly isSlow?: boolean;
  /** Schemes in which it is told; of `ed25519` when absent. */
  readonly schemes?: readonly SignatureScheme[];
}
