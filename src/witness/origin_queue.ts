/**
 * The order of requests about the heads of one log.
 *
 * @module
 */

/** Who asks for a cosignature: a gateway with its token, or anyone with a checkpoint. */
export type Caller = "gateway" | "stranger";

/**
 * Runs the decisions about one log's heads one at a time, so that this process does not compete with
 * itself for the compare-and-swap of a row. Gateways go first; callers of one kind go in order.
 */
export class OriginQueue {
  readonly #waiting: Readonly<Record<Caller, (() => void)[]>> = { gateway: [], stranger: [] };
  #isBusy = false;

  async run<T>(caller: Caller, step: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting[caller].push(resolve));
    this.#isBusy = true;
    try {
      return await step();
    } finally {
      const { gateway, stranger } = this.#waiting;
      const next = gateway.shift() ?? stranger.shift();
      // The queue stays busy while it is handed over, or a new caller could overtake the next one.
      if (next === undefined) this.#isBusy = false;
      else next();
    }
  }
}
