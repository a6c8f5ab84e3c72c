/**
 * Records every witness signature over a tree head, even if it was lost.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";
import { COSIGNATURE_DOMAIN } from "../../src/proof/crypto/domains.ts";
import type { WitnessedHead, WitnessSigner } from "../../src/witness/ports.ts";
import { require, SimulationFault } from "./fault.ts";

/** A witness by id, and whether it has been honest so far. */
export interface LedgerWitness {
  readonly id: string;
  readonly isHonest: boolean;
}

export class SignatureLedger {
  readonly #threshold: number;
  readonly #report: (fault: unknown) => void;
  /** By size: the signers of each root in base64. */
  readonly #signers = new Map<number, Map<string, Set<string>>>();
  /** By witness: every head that its state held, as `size root`. */
  readonly #stored = new Map<string, Set<string>>();
  readonly #sizes = new Map<string, number>();

  /** `report` receives the first contradiction. */
  constructor(threshold: number, report: (fault: unknown) => void) {
    this.#threshold = threshold;
    this.#report = report;
  }

  /** Records that an honest witness's state holds `head`. Its heads must only grow. */
  store({ id, isHonest }: LedgerWitness, { size, root }: WitnessedHead): void {
    const known = this.#stored.get(id) ?? new Set();
    this.#stored.set(id, known.add(nameOf(size, root.toBase64())));
    const before = this.#sizes.get(id) ?? 0;
    this.#sizes.set(id, size);
    if (isHonest && size < before) {
      this.#report(new SimulationFault("fork", `${id} went from ${before} to ${size}`));
    }
  }

  /** Records the tree heads that `signer` signs for `witness`; ignores rounds. */
  watched(witness: LedgerWitness, signer: WitnessSigner): WitnessSigner {
    return {
      scheme: signer.scheme,
      publicKey: signer.publicKey,
      ...(signer.proofOfPossession && { proofOfPossession: signer.proofOfPossession }),
      sign: (message: Uint8Array): Bytes | Promise<Bytes> => {
        const lines = new TextDecoder().decode(message).split("\n");
        try {
          if (lines[0] === COSIGNATURE_DOMAIN) this.#sign(witness, Number(lines[3]), lines[4]!);
        } catch (fault) {
          this.#report(fault);
        }
        return signer.sign(message);
      },
    };
  }

  #sign({ id, isHonest }: LedgerWitness, size: number, root: string): void {
    const roots = this.#signers.get(size) ?? new Map<string, Set<string>>();
    this.#signers.set(size, roots);
    const signers = roots.get(root) ?? new Set();
    roots.set(root, signers.add(id));
    const others = [...roots].filter(([other]) => other !== root);
    if (isHonest) {
      const isStored = this.#stored.get(id)?.has(nameOf(size, root)) ?? false;
      require(isStored, "fork", `${id} signed ${size} before its state held it`);
      const isOnly = others.every(([, ids]) => !ids.has(id));
      require(isOnly, "fork", `${id} signed two roots for ${size}`);
    }
    const isQuorum = (ids: ReadonlySet<string>) => ids.size >= this.#threshold;
    const isFork = isQuorum(signers) && others.some(([, ids]) => isQuorum(ids));
    require(!isFork, "fork", `two quorums signed two roots for ${size}`);
  }
}

function nameOf(size: number, root: string): string {
  return `${size} ${root}`;
}
