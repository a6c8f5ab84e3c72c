/**
 * What a simulation ends with when something is as it must never be.
 *
 * @module
 */

import { LogFault, type LogPart } from "../gateway/checker.ts";

/** Which promise is broken: a part of the log, or one of these. */
export type FaultKind =
  | LogPart
  /** A signature of an honest witness, or two quorums, contradict one another. */
  | "fork"
  /** Something left the gateway before what it follows from was durable. */
  | "order"
  /** What a client sees went backwards, changed, or does not verify. */
  | "view"
  /** What a process holds in memory is not what its store holds. */
  | "memory"
  /** An old copy of the store was taken for the log, or the log for an old copy. */
  | "rollback"
  /** The health that a gateway tells is not the health that it has. */
  | "health"
  /** Faults have ended, and what was accepted is not finished. */
  | "liveness"
  /** An error that no caller was promised. */
  | "unexpected";

export class SimulationFault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, found: string, options?: ErrorOptions) {
    super(`${kind}: ${found}`, options);
    this.kind = kind;
  }
}

/** `error` as a fault; what is none is an unexpected one. */
export function faultOf(error: unknown): SimulationFault {
  if (error instanceof SimulationFault) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof LogFault) {
    return new SimulationFault(error.part, text.slice(error.part.length + 2), { cause: error });
  }
  return new SimulationFault("unexpected", text, { cause: error });
}

/** Throws a fault of `kind` unless `holds`. */
export function require(holds: boolean, kind: FaultKind, found: string): asserts holds {
  if (!holds) throw new SimulationFault(kind, found);
}
