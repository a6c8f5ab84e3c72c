/**
 * The health of a gateway as its jobs use it, in the sequencer and in a front that follows it.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../base/errors.ts";
import type { Health } from "./fronts/ports.ts";
import { StoreOutage } from "../base/store_outage.ts";

/** Applies the rules of one {@linkcode Health} after another. */
export class HealthView {
  /** Throws if another process may take the digests of the log by now. */
  checkActive: () => void = () => {};
  #value: Health;
  /** Created once: under load, a stack trace for each refusal would cost too much. */
  #refusal: CountersignError | undefined;

  constructor(value: Health) {
    this.#value = value;
    this.#refusal = refusalOf(value);
  }

  get value(): Health {
    return this.#value;
  }

  set value(value: Health) {
    this.#value = value;
    this.#refusal = refusalOf(value);
  }

  /** Whether digests that wait may be signed, and their rounds stored. */
  get isSigning(): boolean {
    return this.#value.isSigning;
  }

  /** Throws unless digests are accepted. */
  checkAccepting(): void {
    if (this.#refusal !== undefined) throw this.#refusal;
    this.checkActive();
  }

  /** As for `confirmingAbsence`: rejects if another process may have continued the log. */
  confirmAbsence(): Promise<void> | undefined {
    try {
      // What is missing in an old copy may have been signed.
      this.checkStillStored(false);
      return undefined;
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Throws if the store was lost, or turned out to be an old copy, while a request waited. A digest in a
   * lost file must not be acknowledged, nor an unsigned digest in an old copy.
   */
  checkStillStored(isSigned: boolean): void {
    this.checkActive();
    const { unacknowledged } = this.#value;
    if (unacknowledged === "all" || unacknowledged === "unsigned" && !isSigned) {
      this.checkAccepting();
    }
  }
}

function refusalOf({ refusal }: Health): CountersignError | undefined {
  return refusal && refusalError(refusal.code, refusal.message);
}

/** The error by which a sequencer refuses digests, as a front has it. The sequencer reports outages. */
export function refusalError(code: ErrorCode, message: string): CountersignError {
  return code === "storage_failed" ? new StoreOutage(message) : new CountersignError(code, message);
}
