/**
 * One run of `fsck`: faults and progress on standard error, the result on standard output.
 *
 * @module
 */

import { type Fault, FaultLog, LISTED_FAULTS } from "../../logs/audit/faults.ts";
import type { CommandContext } from "../command_context.ts";
import { Progress } from "../progress.ts";
import { sourceJson, sourceText, type TrustedNetwork } from "../trusted_network.ts";

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
export interface FsckFindings<C> {
  /** What was checked: its kind, a member of the report, and its name. */
  readonly subject: readonly ["data" | "gateway" | "mirror", string];
  readonly trusted: TrustedNetwork;
  readonly counts: C;
  readonly lines: (counts: C) => readonly string[];
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
  report<C extends object>(
    { subject: [kind, name], trusted, counts, lines, notCompared }: FsckFindings<C>,
  ): number {
    const { total, listed, counts: byPart } = this.faults;
    // Typed, so that the text cannot name a member that is not there.
    const subject: { readonly [K in typeof kind]?: string } = { [kind]: name };
    this.#context.output.result({
      clean: total === 0,
      ...subject,
      configuration: sourceJson(trusted),
      ...counts,
      not_compared: notCompared,
      fault_count: total,
      fault_counts: Object.fromEntries(byPart),
      faults: listed,
    }, (shown) => [
      shown.clean ? { text: "CLEAN", accent: "green" } : {
        text: `${shown.fault_count} FAULT${shown.fault_count === 1 ? "" : "S"}`,
        accent: "red",
      },
      `checked: ${shown[kind]}`,
      `network: ${shown.configuration.network_id}`,
      `configuration: ${sourceText(shown.configuration)}`,
      ...lines(shown),
      ...shown.not_compared.map((what) => `not compared: ${what}`),
      ...Object.entries(shown.fault_counts).map(([part, count]) =>
        `faults of ${part}: ${count}` +
        (count > LISTED_FAULTS ? `, the first ${LISTED_FAULTS} named` : "")
      ),
    ]);
    return total === 0 ? 0 : 1;
  }
}

function faultText({ part, place, problem }: Fault): string {
  return `fault in ${part} ${place}: ${problem}`;
}
