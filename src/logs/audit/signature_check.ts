/**
 * Verifies stored sets of signatures, which name witnesses by index.
 *
 * @module
 */

import { hexOf, utf8 } from "../../base/bytes.ts";
import {
  type FollowedNetwork,
  latestOf,
  signersOfHead,
  signersOfLeaf,
} from "../../proof/verify/followed_network.ts";
import type { IndexedSignatureSet } from "../../proof/format/records.ts";
import type { SignatureSet } from "../../proof/format/signature_set.ts";
import { VERIFY_REASONS } from "../../proof/verify/reasons.ts";
import { type ThresholdResult, verifyThreshold } from "../../proof/verify/threshold.ts";
import type { SignatureCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import type { VerdictCache } from "./verdict_cache.ts";

/** A set of signatures and the text that it signs. */
export interface SignedText {
  readonly part: Extract<FaultPart, "round_signatures" | "sth_signatures">;
  readonly place: number;
  readonly message: string;
  readonly signatures: IndexedSignatureSet;
}

/** Verifies sets of signatures of one network. */
export class SignatureCheck {
  readonly #network: FollowedNetwork;
  readonly #verdicts: VerdictCache;
  readonly #faults: FaultLog;

  constructor(network: FollowedNetwork, verdicts: VerdictCache, faults: FaultLog) {
    this.#network = network;
    this.#verdicts = verdicts;
    this.#faults = faults;
  }

  /** Whether the threshold signed each of `texts`; reports those it did not sign. */
  async verify(texts: readonly SignedText[]): Promise<boolean[]> {
    if (this.#network.signature_scheme === "bls") {
      await this.#verdicts.prepare((crypto) => this.#countAll(crypto, texts));
    }
    const counts = await this.#countAll(this.#verdicts.crypto, texts);
    return texts.map((text, i) => this.#judge(text, counts[i]!));
  }

  async #countAll(
    crypto: SignatureCrypto,
    texts: readonly SignedText[],
  ): Promise<ThresholdResult[]> {
    const results: ThresholdResult[] = [];
    for (const { part, place, message, signatures } of texts) {
      const signers = part === "sth_signatures"
        ? signersOfHead(this.#network, place)
        : signersOfLeaf(this.#network, place);
      // After the end of the log, nobody signs: the set is judged by the last epoch, without signatures.
      const network = signers ?? { ...latestOf(this.#network), witnesses: [] };
      const set = setOf(signatures, network.witnesses.map(({ id }) => id).sort());
      results.push(await verifyThreshold(crypto, network, utf8(message), set));
    }
    return results;
  }

  #judge({ part, place }: SignedText, count: ThresholdResult): boolean {
    if (!count.met) {
      const { reason = "threshold_not_met", witness } = count;
      const name = witness === undefined ? "" : ` (${witness})`;
      const counts = `${count.verified} of ${count.required} required signatures are valid`;
      this.#faults.add(part, place, `${counts}: ${VERIFY_REASONS[reason]}${name}`);
      return false;
    }
    // The gateway stores only signatures of configured witnesses, so an unknown one is a fault.
    if (count.unknown.length > 0) {
      this.#faults.add(part, place, `unknown witnesses have signed: ${count.unknown.join(", ")}`);
      return false;
    }
    return true;
  }
}

function setOf(signatures: IndexedSignatureSet, witnessIds: readonly string[]): SignatureSet {
  const idOf = (index: number) => witnessIds[index] ?? `witness ${index}`;
  if ("witnesses" in signatures) {
    return {
      signature: hexOf(signatures.signature),
      signers: signatures.witnesses.map(idOf),
    };
  }
  return {
    signatures: signatures.map(({ witness, signature }) => ({
      witness_id: idOf(witness),
      signature: hexOf(signature),
    })),
  };
}
