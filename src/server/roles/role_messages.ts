/**
 * Messages between a worker and the thread that started it.
 *
 * @module
 */

import type { ErrorCode } from "../../base/errors.ts";
import type {
  IssuerOptions,
  MonitorOptions,
  ServeOptions,
  WitnessRoleOptions,
} from "./role_options.ts";
import type { ThreadPermissions } from "./thread_permissions.ts";

/** A role and its options. Paths are absolute. */
export type RoleStart =
  | { readonly role: "serve"; readonly options: ServeOptions }
  | { readonly role: "witness"; readonly options: WitnessRoleOptions }
  | { readonly role: "signer"; readonly options: WitnessRoleOptions }
  | { readonly role: "monitor"; readonly options: MonitorOptions }
  | { readonly role: "issuer"; readonly options: IssuerOptions }
  | SupervisorStart
  | SequencerStart
  | FrontStart;

/** A gateway with fronts. */
export interface SupervisorStart {
  readonly role: "supervisor";
  readonly options: ServeOptions;
  /** At least 1. */
  readonly fronts: number;
  readonly permissions: ThreadPermissions;
}

export interface SequencerStart {
  readonly role: "sequencer";
  readonly options: ServeOptions;
  /** How many fronts there will be. */
  readonly fronts: number;
  /** For calls by the supervisor. */
  readonly control: MessagePort;
  /** The thread beats in it. */
  readonly heartbeat: SharedArrayBuffer;
}

export interface FrontStart {
  readonly role: "front";
  readonly options: ServeOptions;
  /** For calls by the supervisor. */
  readonly control: MessagePort;
  /** The thread beats in it. */
  readonly heartbeat: SharedArrayBuffer;
}

/** Messages to the worker: a start, then at most one stop. A gateway also hands over. */
export type RoleOrder = RoleStart | "stop" | "hand_over";

/** Messages from the worker: all modules are loaded, then the result. */
export type RoleReport =
  | "loaded"
  | { readonly exitCode: number }
  | { readonly code: ErrorCode; readonly message: string };
