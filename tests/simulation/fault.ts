/**
 * The violation that ends a simulation.
 *
 * @module
 */

import { LogFault, type LogPart } from "../gateway/checker.ts";

/** The violated property: a part of the log, or one of these. */
export type FaultKind =
  | LogPart
  /** Signatures of an honest witness, or of two quorums, contradict each other. */
  | "fork"
  /** An answer or request left the gateway before the data that it depends on was durable. */
  | "order"
  /** A client's view went backwards, changed, or does not verify. */
  | "view"
  /** A process's memory differs from its store. */
  | "memory"
  /** An old copy of the store was accepted as the log, or the log was treated as an old copy. */
  | "rollback"
  /** The reported health of a gateway is wrong. */
  | "health"
  /** Accepted digests are unfinished after the faults have ended. */
  | "liveness"
  /** An undocumented error. */
  | "unexpected";

export class SimulationFault extends Error {
  readonly kind: FaultKind;

  constructor(kind: FaultKind, found: string, options?: ErrorOptions) {
    super(`${kind}: ${found}`, options);
    this.kind = kind;
  }
}

/** `error` if it is a fault, otherwise an `unexpected` fault. */
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
