/**
 * The text that a gateway proposes for a round. A witness signs one text for a sequence, so the gateway
 * keeps its text until the threshold has signed it, through failures and restarts of witnesses. It takes
 * another only when so many witnesses have refused this one's time or beacon that the threshold is free to
 * sign another: a witness checks first what it has signed.
 *
 * @module
 */

import type { Beacon } from "../../proof/format/round.ts";
import type { WitnessSignature } from "../../proof/format/signature_set.ts";
import { MAX_SECONDS_AHEAD, MAX_SECONDS_BEHIND } from "../../proof/format/witness_request.ts";

/** What the gateway chooses for a round. */
export interface ProposedText {
  /** Unix seconds. */
  readonly timestamp: number;
  readonly beacon: Beacon | null;
}

/** A text, and who vouches for its time. */
export interface NextProposal extends ProposedText {
  /** Absent while the time is new. */
  readonly vouchers?: readonly WitnessSignature[];
}

export class Proposal {
  #text: ProposedText | undefined;
  /** Signatures of the text, by witness id. Only witnesses verify them. */
  readonly #vouchers = new Map<string, string>();
  #isVouched = false;
  /** Indexes of witnesses that refused time or beacon, and so have signed no text. */
  readonly #free = new Set<number>();
  #isBeaconRefused = false;
  /** Indexes of witnesses that signed another text of the same digests, and those that signed other digests. */
  readonly #conflicting = new Set<number>();
  readonly #contradicting = new Set<number>();

  /** `adopted` is a text that witnesses have signed. */
  constructor(adopted?: ProposedText) {
    this.#text = adopted;
  }

  /** The text to propose at `now` (Unix seconds): the last one, or what `make` returns. */
  next(now: number, threshold: number, make: () => ProposedText): NextProposal {
    this.#conflicting.clear();
    this.#contradicting.clear();
    if (this.#canVouch(now)) {
      this.#isVouched = true;
      this.#free.clear();
    }
    const isOff = this.#isOff(now) || this.#isBeaconRefused;
    if (this.#text === undefined || isOff && this.#free.size >= threshold) {
      this.#vouchers.clear();
      this.#free.clear();
      this.#isBeaconRefused = this.#isVouched = false;
      this.#text = make();
    }
    if (!this.#isVouched) return this.#text;
    const vouchers = Array.from(
      this.#vouchers,
      ([witness_id, signature]) => ({ witness_id, signature }),
    );
    return { ...this.#text, vouchers };
  }

  /** Whether witnesses that refused the time of the last attempt may sign at once what is proposed next. */
  hasNews(now: number, threshold: number): boolean {
    return this.#canVouch(now) || this.#isOff(now) && this.#free.size >= threshold;
  }

  #canVouch(now: number): boolean {
    return this.#age(now) > MAX_SECONDS_BEHIND && this.#vouchers.size > 0 && !this.#isVouched;
  }

  /** A new time is accepted a little later where a clock is wrong, so only other times are given up. */
  #isOff(now: number): boolean {
    return this.#age(now) > MAX_SECONDS_BEHIND || this.#age(now) < -MAX_SECONDS_AHEAD;
  }

  #age(now: number): number {
    return this.#text === undefined ? 0 : now - this.#text.timestamp;
  }

  /** A witness signed the text; the signature is not verified yet. */
  signed(witnessId: string, signature: string): void {
    if (this.#vouchers.get(witnessId) === signature) return;
    this.#vouchers.set(witnessId, signature);
    // What was refused without this signature is asked again with it.
    this.#free.clear();
  }

  /** A witness refused the time. */
  timeRefused(witnessIndex: number): void {
    this.#free.add(witnessIndex);
  }

  /** A witness refused the beacon, or that there is none. */
  beaconRefused(witnessIndex: number): void {
    this.#free.add(witnessIndex);
    this.#isBeaconRefused = true;
  }

  /** A witness has signed another text for the digests of the round. */
  conflicts(witnessIndex: number): void {
    this.#conflicting.add(witnessIndex);
  }

  /** A witness has signed another digest for one of the sequences. */
  contradicts(witnessIndex: number): void {
    this.#contradicting.add(witnessIndex);
  }

  /**
   * Whether the last attempt showed that too few of `count` witnesses are free for the text, and some of the
   * others hold another text of its digests.
   */
  isBlocked(count: number, threshold: number): boolean {
    const held = this.#conflicting.size;
    return held > 0 && held + this.#contradicting.size > count - threshold;
  }

  /**
   * Whether the last attempt showed that the round has to wait for witnesses that are away. So it is if a witness
   * signed another text of its digests. It is also so if a witness refuses the text's old time: others may have
   * signed this text. Rounds with a new time can be signed meanwhile.
   */
  isStuck(now: number): boolean {
    return this.#conflicting.size > 0 || this.#free.size > 0 && this.#isOff(now);
  }
}
