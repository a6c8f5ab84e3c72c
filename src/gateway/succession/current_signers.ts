/**
 * Who signs for the log now. Replaced as a whole when an epoch begins; collections that are in progress
 * then end with the pool that they began with.
 *
 * @module
 */

import type { LogSigner } from "../ports.ts";
import type { Cosigner } from "../sequencing/cosigning.ts";
import type { WitnessPool } from "../signing/witness_pool.ts";

export interface Signers {
  readonly epoch: number;
  readonly pool: WitnessPool;
  readonly logSigner: LogSigner;
}

export class CurrentSigners {
  #now: Signers;
  #cosigner: Cosigner;
  readonly #cosignerOf: (signers: Signers) => Cosigner;

  constructor(first: Signers, cosignerOf: (signers: Signers) => Cosigner) {
    this.#now = first;
    this.#cosignerOf = cosignerOf;
    this.#cosigner = cosignerOf(first);
  }

  get epoch(): number {
    return this.#now.epoch;
  }

  get pool(): WitnessPool {
    return this.#now.pool;
  }

  get logSigner(): LogSigner {
    return this.#now.logSigner;
  }

  get cosigner(): Cosigner {
    return this.#cosigner;
  }

  replace(signers: Signers): void {
    this.#now = signers;
    this.#cosigner = this.#cosignerOf(signers);
  }
}
