/**
 * Verdicts on signatures, so that one that stands in many places is verified once, and those of a
 * `bls` network many at a time. What counts them is the verifier's own code, as ever.
 *
 * @module
 */

import type { BlsCheck } from "../crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../crypto/domains.ts";
import type { ThresholdCrypto, VerifierCrypto } from "../verify/verifier_crypto.ts";

/** Verdicts that are kept; then all are let go. */
const MAX_KEPT = 2 ** 14;

/** Verifies signatures, each once. */
export class VerdictCache {
  readonly #crypto: VerifierCrypto;
  readonly #verdicts = new Map<string, boolean>();

  constructor(crypto: VerifierCrypto) {
    this.#crypto = crypto;
  }

  /** Answers what is kept, and verifies and keeps the rest. */
  get crypto(): ThresholdCrypto {
    const { kernels, ed25519, bls } = this.#crypto;
    return {
      kernels,
      ed25519: async (key, message, signature) => {
        const name = nameOf([key], message, signature);
        return this.#verdicts.get(name) ??
          this.#keep(name, await ed25519(key, message, signature));
      },
      bls: {
        fastAggregateVerify: (keys, message, signature, dst) => {
          const name = nameOf(keys, message, signature);
          return this.#verdicts.get(name) ??
            this.#keep(name, bls.fastAggregateVerify(keys, message, signature, dst));
        },
      },
    };
  }

  /**
   * Verifies together what `rehearse` asks of the aggregates that it is given: there every aggregate
   * verifies, so that nothing it answers may be believed. What is asked of {@linkcode crypto} next is
   * kept already.
   */
  async prepare(
    rehearse: (crypto: ThresholdCrypto) => Promise<unknown>,
  ): Promise<void> {
    const asked = new Map<string, BlsCheck>();
    await rehearse({
      ...this.crypto,
      bls: {
        fastAggregateVerify: (publicKeys, message, signature) => {
          const name = nameOf(publicKeys, message, signature);
          if (!this.#verdicts.has(name)) asked.set(name, { publicKeys, message, signature });
          return true;
        },
      },
    });
    const verdicts = this.#crypto.bls.batchVerify([...asked.values()], BLS_SIGNATURE_DST);
    for (const [i, name] of [...asked.keys()].entries()) this.#keep(name, verdicts[i]!);
  }

  #keep(name: string, verdict: boolean): boolean {
    if (this.#verdicts.size >= MAX_KEPT) this.#verdicts.clear();
    this.#verdicts.set(name, verdict);
    return verdict;
  }
}

function nameOf(
  publicKeys: readonly Uint8Array[],
  message: Uint8Array,
  signature: Uint8Array,
): string {
  return [message, signature, ...publicKeys].map((bytes) => bytes.toHex()).join();
}
