/**
 * Records every digest that an honest witness signed in a round, even if its signature was lost. A
 * witness may sign one digest per sequence, unless its operator released the sequence.
 *
 * @module
 */

import { HASH_LENGTH } from "../../src/bytes.ts";
import type { RoundRequest } from "../../src/witness/ports.ts";
import { SimulationFault } from "./fault.ts";
import type { LedgerWitness } from "./signature_ledger.ts";

export class RoundLedger {
  readonly #report: (fault: unknown) => void;
  /** By witness: hex digests by sequence. */
  readonly #signed = new Map<string, Map<number, string>>();

  /** `report` takes the first contradiction. */
  constructor(report: (fault: unknown) => void) {
    this.#report = report;
  }

  /** Records a round that the witness signed. */
  sign({ id, isHonest }: LedgerWitness, { firstSequence, digests }: RoundRequest): void {
    const signed = this.#of(id);
    for (let i = 0; i < digests.length / HASH_LENGTH; i++) {
      const digest = digests.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
      const known = signed.get(firstSequence + i) ?? digest;
      signed.set(firstSequence + i, digest);
      if (!isHonest || known === digest) continue;
      this.#report(new SimulationFault("fork", `${id} signed two hashes at ${firstSequence + i}`));
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
