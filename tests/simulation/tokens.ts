/**
 * The tokens of clients: most are new; some are also sent for other digests, twice in one request,
 * or with a repeated digest that needs none. Uses a separate random stream, so that tokens do not
 * change the rest of a simulation.
 *
 * @module
 */

import { concat } from "../../src/base/bytes.ts";
import type { Admission } from "../../src/gateway/ports.ts";
import type { Random } from "../random.ts";
import type { ServingThread } from "./serving_thread.ts";

const LONGEST_ADMISSION_MS = 30;

export class Tokens {
  readonly #random: Random;
  /** False in some simulations: a gateway that accepts tokens need not receive any. */
  readonly #areThere: boolean;
  /** Tokens sent before, in hex. */
  readonly #brought: string[] = [];
  /**
   * The tokens that each hash was submitted with; contains `undefined` if it was also submitted
   * without one.
   */
  readonly #offers = new Map<string, Set<string | undefined>>();
  /** For each token, the number of digests that it was sent for and that may have needed one. */
  readonly #uses = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
    this.#areThere = random.chance(0.6);
  }

  /** True if a second client submits the same tokens. */
  get haveRival(): boolean {
    return this.#random.chance(0.15);
  }

  /** One token for each of `count` digests, or no tokens. */
  draw(count: number): string[] | undefined {
    if (!this.#areThere || this.#random.chance(0.3)) return undefined;
    const tokens: string[] = [];
    for (let i = 0; i < count; i++) {
      const isOld = this.#brought.length > 0 && this.#random.chance(0.08);
      tokens.push(isOld ? this.#random.pick(this.#brought) : this.#random.bytes(32).toHex());
    }
    if (this.#random.chance(0.05)) tokens[count - 1] = tokens[0]!;
    this.#brought.push(...tokens);
    return tokens;
  }

  /** Records submitted digests and tokens. A digest that `isKnown` must not redeem a token. */
  offer(
    hashes: readonly string[],
    tokens: readonly string[] | undefined,
    isKnown: (hash: string) => boolean,
  ): void {
    hashes.forEach((hash, i) => {
      const token = tokens?.[i];
      this.#offers.set(hash, (this.#offers.get(hash) ?? new Set()).add(token));
      if (token === undefined || isKnown(hash)) return;
      this.#uses.set(token, (this.#uses.get(token) ?? 0) + 1);
    });
  }

  /** True if `hash` may be accepted with `token` redeemed for it, or without one. */
  isOffered(hash: string, token: string | undefined): boolean {
    return this.#offers.get(hash)?.has(token) ?? false;
  }

  /**
   * True if one of `tokens` may be redeemed already. Only then may the gateway refuse it as
   * redeemed.
   */
  areContested(tokens: readonly string[]): boolean {
    return tokens.some((token) => this.#uses.get(token)! > 1);
  }

  /** Redeems `tokens`, at once or after a pause in which `thread` may end. */
  admission(tokens: readonly string[], thread: ServingThread): Admission {
    const waitMs = this.#random.chance(0.3) ? this.#random.below(LONGEST_ADMISSION_MS) : undefined;
    return {
      admit: (places) => {
        const ids = concat(...places.map((place) => Uint8Array.fromHex(tokens[place]!)));
        return waitMs === undefined ? ids : thread.answered("admits", waitMs).then(() => ids);
      },
    };
  }
}
