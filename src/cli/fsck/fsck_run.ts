/**
 * One run of `fsck`: faults and progress on standard error, the result on standard output.
 *
 * @module
 */

import { type Fault, FaultLog, LISTED_FAULTS } from "../../logs/audit/faults.ts";
import type { CommandContext } from "../command_context.ts";
import { Progress } from "../progress.ts";
import { describeSource, sourceJson, type TrustedNetwork } from "../trusted_network.ts";

export interface FsckOptions {
  /** The data folder of `serve`. */
  readonly data?: string | undefined;
  /** The operator's `network.json`. */
  readonly config?: string | undefined;
  /** A configuration that replaces the operator's or the pinned one. */
  readonly networkConfig?: string | undefined;
  /** The gateway to check; without it, a store is checked. */
  readonly gateway: string | undefined;
  /** The copy to check: a folder or URL. */
  readonly mirror?: string | undefined;
  /** Trust the gateway for the configuration if none is given or pinned. */
  readonly online: boolean;
}

/** The results of a run other than faults. */
export interface FsckFindings {
  /** What was checked, a store or a gateway, for the text report. */
  readonly subject: string;
  /** What was checked, as a member of the JSON report. */
  readonly member: Readonly<Record<string, unknown>>;
  readonly trusted: TrustedNetwork;
  readonly counts: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
  readonly notCompared: readonly string[];
}

/** The faults, the progress and the result of one run. */
export class FsckRun {
  readonly faults: FaultLog;
  readonly #context: CommandContext;
  readonly #progress: Progress;

  private constructor(context: CommandContext, progress: Progress) {
    this.#context = context;
    this.#progress = progress;
    this.faults = new FaultLog((fault) => progress.note(faultText(fault)));
  }

  static async start(context: CommandContext): Promise<FsckRun> {
    return new FsckRun(context, await Progress.start(context, "attestations checked"));
  }

  /** Runs `audit` with progress. */
  async over<T>(audit: (onProgress: (done: number, total: number) => void) => Promise<T>) {
    try {
      return await audit((done, total) =>
        this.#progress.update(done, total, `, ${this.faults.total} faults`)
      );
    } finally {
      this.#progress.stop();
    }
  }

  /** Prints the result; returns 1 if there is a fault. */
  report({ subject, member, trusted, counts, lines, notCompared }: FsckFindings): number {
    const { total, listed, counts: byPart } = this.faults;
    const parts = [...byPart].map(([part, count]) => {
      const note = count > LISTED_FAULTS ? `, the first ${LISTED_FAULTS} named` : "";
      return `faults of ${part}: ${count}${note}`;
    });
    this.#context.output.result({
      clean: total === 0,
      ...member,
      configuration: sourceJson(trusted),
      ...counts,
      not_compared: notCompared,
      fault_count: total,
      fault_counts: Object.fromEntries(byPart),
      faults: listed,
    }, [
      total === 0
        ? { text: "CLEAN", accent: "green" }
        : { text: `${total} FAULT${total === 1 ? "" : "S"}`, accent: "red" },
      `checked: ${subject}`,
      `network: ${trusted.network.id}`,
      `configuration: ${describeSource(trusted)}`,
      ...lines,
      ...notCompared.map((what) => `not compared: ${what}`),
      ...parts,
    ]);
    return total === 0 ? 0 : 1;
  }
}

function faultText({ part, place, problem }: Fault): string {
  return `fault in ${part} ${place}: ${problem}`;
}
