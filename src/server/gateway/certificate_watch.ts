/**
 * Watches when the certificates of the time-stamp authority expire. The gateway reads them only at its
 * start.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { momentText } from "../../base/moment_text.ts";
import { Condition, type Report } from "../../base/report.ts";
import type { CertificateChain } from "../../gateway/timestamping/timestamp_signer.ts";
import type { Certificate } from "../../proof/timestamp/certificate.ts";

const WATCH_MS = 3_600_000;
const DAY_SECONDS = 86_400;
/** Days before the end at which the log has a line; `/ready` warns from the first. */
const WARNED_DAYS = [60, 14] as const;

const ADVICE = 'see "Certificates of the time-stamp authority" in docs/operating.md';

/** Of any certificate: verifiers would refuse a new token. */
const EFFECT = "all time-stamp requests are rejected";

interface Finding {
  /** The log has one line for each. */
  readonly stage: string;
  readonly detail: string;
  /** Clients or verifiers notice it. */
  readonly isFault: boolean;
}

export class CertificateWatch {
  readonly #chain: CertificateChain;
  readonly #clock: Clock;
  readonly #expiry: Condition;

  constructor(
    chain: CertificateChain,
    context: { readonly clock: Clock; readonly report: Report },
  ) {
    this.#chain = chain;
    this.#clock = context.clock;
    this.#expiry = new Condition(context);
  }

  /** When the first certificate expires, Unix seconds. */
  get expiresAt(): number {
    return this.#first.notAfter;
  }

  /** Why the operator should renew the certificates; `undefined` while there is time. */
  get warning(): string | undefined {
    return this.#finding()?.detail;
  }

  /** Watches until `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#look();
      await this.#clock.sleep(WATCH_MS, signal);
    }
  }

  get #first(): Certificate {
    return this.#chain.reduce((first, one) => one.notAfter < first.notAfter ? one : first);
  }

  #look(): void {
    const finding = this.#finding();
    // The clock of the machine was wrong.
    if (finding === undefined) return this.#expiry.ended("The certificates are valid");
    const { stage, detail, isFault } = finding;
    this.#expiry.holds(detail, { level: isFault ? "error" : "warning" }, stage);
  }

  #finding(): Finding | undefined {
    const now = unixSeconds(this.#clock);
    const early = this.#chain.find(({ notBefore }) => now < notBefore);
    if (early !== undefined) {
      const detail = `${named(early)} is not valid before ${momentText(early.notBefore)}: ` +
        `${EFFECT}. Check the clock of this machine; ${ADVICE}`;
      return { stage: "early", detail, isFault: true };
    }
    const first = this.#first;
    const when = momentText(first.notAfter);
    if (now > first.notAfter) {
      const detail = `${named(first)} has expired at ${when}: ${EFFECT}. Renew it; ${ADVICE}`;
      return { stage: "expired", detail, isFault: true };
    }
    const days = Math.floor((first.notAfter - now) / DAY_SECONDS);
    const warned = WARNED_DAYS.findLast((limit) => days < limit);
    if (warned === undefined) return undefined;
    const detail = `${named(first)} expires at ${when}, in ${days} day${
      days === 1 ? "" : "s"
    }. Then ${EFFECT}. Renew it; ${ADVICE}`;
    return { stage: `${warned}`, detail, isFault: false };
  }
}

function named({ subjectText }: Certificate): string {
  return `The certificate of ${subjectText} for time stamps`;
}
