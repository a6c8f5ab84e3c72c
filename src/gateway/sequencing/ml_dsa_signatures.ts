/**
 * The ML-DSA-44 cosignatures of proposed heads (c2sp.org/tlog-cosignature). They do not count towards the
 * threshold: one that is missing or invalid is left out and reported.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import { verifyMlDsa } from "../../proof/crypto/ml_dsa.ts";
import type { IndexedSignature, MlDsaSignatures } from "../../proof/format/records.ts";
import { encodeSubtreeMessage } from "../../proof/format/subtree_cosignature.ts";
import type { TreeHead } from "../../proof/format/tree_head.ts";
import { Condition, type Report } from "../../base/report.ts";
import type { LogSigner } from "../ports.ts";
import type { IndexedWitness } from "../signing/indexed_witnesses.ts";

export interface MlDsaContext {
  readonly witnesses: readonly IndexedWitness[];
  readonly logSigner: LogSigner;
  readonly clock: Clock;
  readonly report: Report;
}

/** Collects the ML-DSA-44 signatures of the witnesses and the log of one epoch. */
export class MlDsaCollector {
  readonly #context: MlDsaContext;
  /** By witness index: its last answer lacked a valid signature. */
  readonly #missing: readonly Condition[];

  constructor(context: MlDsaContext) {
    this.#context = context;
    this.#missing = context.witnesses.map(() => new Condition(context));
  }

  /** The signatures of `head`: the log's, and those that are added. */
  propose(head: TreeHead): ProposedMlDsa {
    return new ProposedMlDsa(head, this.#context, this.#missing);
  }
}

/** The signatures of one head. */
export class ProposedMlDsa {
  readonly #head: TreeHead;
  readonly #context: MlDsaContext;
  readonly #missing: readonly Condition[];
  readonly #log: Promise<Bytes | undefined>;
  readonly #signatures: IndexedSignature[] = [];

  constructor(head: TreeHead, context: MlDsaContext, missing: readonly Condition[]) {
    this.#head = head;
    this.#context = context;
    this.#missing = missing;
    const { mlDsa } = context.logSigner;
    // The head is valid without it.
    this.#log = mlDsa === undefined
      ? Promise.resolve(undefined)
      : mlDsa.sign(this.#messageOf(head.network_id)).catch(() => undefined);
  }

  /** Takes the `signature` in an answer of a witness, if the configuration has its key. Never rejects. */
  async add(witness: number, signature: Bytes | undefined): Promise<void> {
    const { id, mlDsaKey } = this.#context.witnesses[witness]!;
    if (mlDsaKey === undefined) return;
    const isValid = signature !== undefined &&
      await verifyMlDsa(mlDsaKey.publicKey, this.#messageOf(id), signature);
    if (isValid) {
      this.#signatures.push({ witness, signature });
      this.#missing[witness]!.ended(`Witness ${id} cosigns with its ML-DSA-44 key again`);
      return;
    }
    const fault = signature === undefined
      ? "does not cosign with its ML-DSA-44 key: set ml_dsa_key_file in its witness.json, or see its log"
      : "cosigns with another ML-DSA-44 key than the configured one";
    this.#missing[witness]!.holds(`Witness ${id} ${fault}`, { witness: id }, fault);
  }

  /** The signatures of the log and of the witnesses so far; `undefined` if there are none. */
  async signatures(): Promise<MlDsaSignatures | undefined> {
    const log = await this.#log;
    if (log === undefined && this.#signatures.length === 0) return undefined;
    const witnesses = this.#signatures.toSorted((a, b) => a.witness - b.witness);
    return { ...(log !== undefined && { log }), witnesses };
  }

  #messageOf(cosigner: string): Bytes {
    const { network_id: origin, tree_size: end, timestamp, root_hash } = this.#head;
    const root = Uint8Array.fromHex(root_hash);
    return encodeSubtreeMessage({ cosigner, timestamp, origin, start: 0, end, root });
  }
}
