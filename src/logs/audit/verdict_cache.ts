/**
 * A cache of signature verdicts: a signature that occurs many times is verified once, and those of a
 * `bls` network are verified in batches. The verifier's own code counts them.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import type { BlsCheck } from "../../proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../proof/crypto/domains.ts";
import type { ThresholdCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";

/** The cache is cleared at this size. */
const MAX_VERDICTS = 2 ** 14;

export class VerdictCache {
  readonly #crypto: CryptoSuite;
  readonly #verdicts = new Map<string, boolean>();

  constructor(crypto: CryptoSuite) {
    this.#crypto = crypto;
  }

  /** Verifies through the cache. */
  get crypto(): ThresholdCrypto {
    const { kernels, ed25519, bls } = this.#crypto;
    return {
      kernels,
      ed25519: async (key, message, signature) => {
        const name = nameOf([key], message, signature);
        return this.#verdicts.get(name) ??
          this.#store(name, await ed25519(key, message, signature));
      },
      bls: {
        fastAggregateVerify: (keys, message, signature, dst) => {
          const name = nameOf(keys, message, signature);
          return this.#verdicts.get(name) ??
            this.#store(name, bls.fastAggregateVerify(keys, message, signature, dst));
        },
      },
    };
  }

  /**
   * Collects the aggregates that `rehearse` verifies, and verifies them as one batch into the cache.
   * During `rehearse` every aggregate counts as valid, so its results must be discarded.
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
    for (const [i, name] of [...asked.keys()].entries()) this.#store(name, verdicts[i]!);
  }

  #store(name: string, verdict: boolean): boolean {
    if (this.#verdicts.size >= MAX_VERDICTS) this.#verdicts.clear();
    this.#verdicts.set(name, verdict);
    return verdict;
  }
}

function nameOf(
  publicKeys: readonly Uint8Array[],
  message: Uint8Array,
  signature: Uint8Array,
): string {
  return [message, signature, ...publicKeys].map((bytes) => hexOf(bytes)).join();
}
