/**
 * Records every text that an honest witness signed for a round, even if its signature was lost. A
 * witness may sign one text per sequence, unless its operator released the sequence.
 *
 * @module
 */

import { HASH_LENGTH } from "../../src/base/bytes.ts";
import type { RoundRequest } from "../../src/proof/format/witness_request.ts";
import { SimulationFault } from "./fault.ts";
import type { LedgerWitness } from "./signature_ledger.ts";

export class RoundLedger {
  readonly #report: (fault: unknown) => void;
  /** By witness: the digest and the rest of the text, by sequence. */
  readonly #signed = new Map<string, Map<number, string>>();

  /** `report` takes the first contradiction. */
  constructor(report: (fault: unknown) => void) {
    this.#report = report;
  }

  /** Records a round that the witness signed. */
  sign({ id, isHonest }: LedgerWitness, request: RoundRequest): void {
    const { firstSequence, digests, timestamp, beacon } = request;
    const signed = this.#of(id);
    const size = digests.length / HASH_LENGTH;
    const rest = `${firstSequence}+${size} ${timestamp} ${beacon?.signature}`;
    for (let i = 0; i < size; i++) {
      const text = `${digests.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex()} ${rest}`;
      const known = signed.get(firstSequence + i) ?? text;
      signed.set(firstSequence + i, text);
      if (!isHonest || known === text) continue;
      this.#report(new SimulationFault("fork", `${id} signed two texts at ${firstSequence + i}`));
    }
  }

  /** Records that the operator of the witness released the sequences from `from` on. */
  release({ id }: LedgerWitness, from: number): void {
    const signed = this.#of(id);
    for (const sequence of signed.keys()) if (sequence >= from) signed.delete(sequence);
  }

  #of(id: string): Map<number, string> {
    const signed = this.#signed.get(id) ?? new Map<number, string>();
    this.#signed.set(id, signed);
    return signed;
  }
}
