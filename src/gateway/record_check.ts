/**
 * Verifies records by the rules that clients apply to answers: the latest head at a start, a head that another
 * process stored or that gets further signatures, and rounds before the tree takes them. All other reads rely on
 * the store's checksums. They show damage; clients refuse what somebody forged in the database.
 *
 * @module
 */

import { utf8 } from "../base/bytes.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import type { Ed25519Verify } from "../proof/crypto/ed25519_rule.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import { CountersignError } from "../base/errors.ts";
import { headReceiptMessage } from "../proof/format/receipt_message.ts";
import {
  type IndexedSignatureSet,
  namedSignatures,
  type RoundRecord,
  type SthRecord,
} from "../proof/format/records.ts";
import { encodeRoundMessage } from "../proof/format/round.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../proof/format/tree_head.ts";
import { treeRoot } from "../proof/merkle/tree.ts";
import { verifyThreshold } from "../proof/verify/threshold.ts";
import type { ThresholdCrypto } from "../proof/verify/verifier_crypto.ts";
import type { Epochs, LogEpoch } from "./succession/epochs.ts";

export interface RecordCheckContext {
  readonly epochs: Epochs;
  readonly kernels: Kernels;
  readonly verify: Ed25519Verify;
  readonly bls: Bls;
}

/** Every method rejects with `store_corrupt` unless the record verifies. */
export class RecordCheck {
  readonly #context: RecordCheckContext;
  readonly #crypto: ThresholdCrypto;

  constructor(context: RecordCheckContext) {
    this.#context = context;
    const { kernels, verify, bls } = context;
    this.#crypto = { kernels, ed25519: verify, bls };
  }

  /** The threshold signed the round, whose root follows from its upper nodes. */
  async round(record: RoundRecord): Promise<void> {
    const { epochs, kernels } = this.#context;
    const { first, size, timestamp, beacon, upperNodes, signatures } = record;
    const root = treeRoot(kernels, upperNodes).toHex();
    const epoch = epochs.ofLeaf(first);
    const network_id = epoch.network.id;
    const message = encodeRoundMessage({ network_id, timestamp, size, root, beacon });
    if (await this.#isSigned(epoch, message, signatures)) return;
    throw damaged(`round ${first}`, "the threshold did not sign it");
  }

  /** The threshold cosigned the tree head. */
  async head({ size, root, timestamp, signatures }: SthRecord): Promise<void> {
    const epoch = this.#context.epochs.ofHead(size);
    const message = encodeCosignatureMessage({
      network_id: epoch.network.id,
      tree_size: size,
      timestamp,
      root_hash: root.toHex(),
    });
    if (await this.#isSigned(epoch, message, signatures)) return;
    throw damaged(`tree head ${size}`, "the threshold did not sign it");
  }

  /** {@linkcode head}, and the log key signed the checkpoint. */
  async checkpoint(record: SthRecord): Promise<void> {
    await this.head(record);
    const { epochs, verify } = this.#context;
    const { size, root, logSignature, receiptSignature } = record;
    const { network, logPublicKey } = epochs.ofHead(size);
    const head = { network_id: network.id, tree_size: size, root_hash: root.toHex() };
    const isSigned = logPublicKey !== undefined &&
      await verify(logPublicKey, utf8(encodeCheckpointBody(head)), logSignature) &&
      await verify(logPublicKey, headReceiptMessage(logPublicKey, head), receiptSignature);
    if (isSigned) return;
    throw damaged(`tree head ${size}`, "the log key did not sign it");
  }

  async #isSigned(
    { network, witnessIds }: LogEpoch,
    message: string,
    signatures: IndexedSignatureSet,
  ): Promise<boolean> {
    const set = namedSignatures(signatures, witnessIds);
    const { met, unknown } = await verifyThreshold(this.#crypto, network, utf8(message), set);
    // An index beyond the configured witnesses has no id for an answer.
    return met && unknown.length === 0;
  }
}

function damaged(record: string, reason: string): CountersignError {
  return new CountersignError("store_corrupt", `Cannot use ${record} of the store: ${reason}`);
}
