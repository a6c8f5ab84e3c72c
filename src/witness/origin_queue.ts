/**
 * Runs the decisions about one log's heads one at a time, so that this process never races itself
 * for the compare-and-swap of a row. Requests of gateways go first.
 *
 * @module
 */

/** Who asks for a cosignature: a gateway that showed its token, or anyone with a checkpoint. */
export type Caller = "gateway" | "stranger";

/** See the module. Callers of one kind are served in order of arrival. */
export class OriginQueue {
  readonly #waiting: Readonly<Record<Caller, (() => void)[]>> = { gateway: [], stranger: [] };
  #isBusy = false;

  /** Runs `step` alone. Answers or throws what `step` does. */
  async run<T>(caller: Caller, step: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting[caller].push(resolve));
    this.#isBusy = true;
    try {
      return await step();
    } finally {
      const { gateway, stranger } = this.#waiting;
      const next = gateway.shift() ?? stranger.shift();
      // The queue stays busy when it is handed over, or a newcomer could enter first.
      if (next === undefined) this.#isBusy = false;
      else next();
    }
  }
}
