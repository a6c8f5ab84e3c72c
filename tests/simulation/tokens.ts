/**
 * What clients bring to be spent: most of it fresh, some of it brought for other digests before or at
 * the same moment, twice in one request, or with a repeat that needs none. A stream of chance of its
 * own decides, so that nothing else moves with it.
 *
 * @module
 */

import { concat } from "../../src/bytes.ts";
import type { Admission } from "../../src/gateway/ports.ts";
import type { GatewayProcess } from "./gateway_process.ts";
import type { Random } from "./random.ts";

const LONGEST_ADMISSION_MS = 30;

export class Tokens {
  readonly #random: Random;
  /** Not in every simulation: a gateway that may spend does not have to. */
  readonly #areThere: boolean;
  /** Brought before, hex. */
  readonly #brought: string[] = [];
  /** What each hash was submitted with; `undefined` among it when that was nothing. */
  readonly #offers = new Map<string, Set<string | undefined>>();
  /** For how many digests each token was brought that may have needed one. */
  readonly #uses = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
    this.#areThere = random.chance(0.6);
  }

  /** Whether a client that submits something has a rival with the same tokens. */
  get haveRival(): boolean {
    return this.#random.chance(0.15);
  }

  /** One for each of `count` digests, or none at all. */
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

  /** Notes what is submitted with what; of those that `isKnown` nothing may be spent. */
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

  /** Whether `hash` may be accepted with `token` spent for it, or with nothing. */
  isOffered(hash: string, token: string | undefined): boolean {
    return this.#offers.get(hash)?.has(token) ?? false;
  }

  /** Whether one of `tokens` may have been spent by another: only then may it be called spent. */
  areContested(tokens: readonly string[]): boolean {
    return tokens.some((token) => this.#uses.get(token)! > 1);
  }

  /** Has `tokens` spent, at once or after a while in which `process` may die. */
  admission(tokens: readonly string[], process: GatewayProcess): Admission {
    const waitMs = this.#random.chance(0.3) ? this.#random.below(LONGEST_ADMISSION_MS) : undefined;
    return {
      admit: (places) => {
        const ids = concat(...places.map((place) => Uint8Array.fromHex(tokens[place]!)));
        return waitMs === undefined ? ids : process.answered("admits", waitMs).then(() => ids);
      },
    };
  }
}
