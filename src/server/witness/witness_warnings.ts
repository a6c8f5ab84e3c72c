/**
 * Log lines of a witness.
 *
 * @module
 */

import type { Report } from "../../base/report.ts";
import type { Release, WitnessWarning } from "../../witness/ports.ts";

/** Reports the warnings of witness `id`. */
export function witnessWarnings(report: Report, id: string): (warning: WitnessWarning) => void {
  return (warning) => {
    switch (warning.kind) {
      case "stored_time_ahead": {
        const { origin, storedTimestamp, now } = warning;
        return report(
          `Warning: the last head of ${origin} was cosigned at ${storedTimestamp}, ahead of this ` +
            `machine's clock, ${now}. Set the clock if it is behind`,
          { witness: id },
        );
      }
      case "storage_failed": {
        const { failures, reason } = warning;
        const count = failures === 1 ? "" : ` (failed ${failures} times since the last report)`;
        return report(
          `The witness cannot use its state${count}: ${reason}. It refuses all requests that it ` +
            "would have to store. Free space or make the disk writable; no restart is needed",
          { level: "error", code: "storage_failed", witness: id },
        );
      }
      case "storage_recovered":
        return report(`The witness can use its state again, after ${warning.seconds} s`, {
          level: "info",
          witness: id,
        });
    }
  };
}

/** The log line for `release`. */
export function releaseLine({ from, count, timestamp }: Release): string {
  const time = new Date(timestamp * 1000).toISOString();
  return `Warning: the operator released ${count} signed sequences from ${from} on at ${time}; ` +
    "attestations of them may be contradicted";
}
