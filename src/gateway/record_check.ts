/**
 * Verifies records of the store by the rules that clients apply to answers, so that a damaged record is
 * never served.
 *
 * @module
 */

import { utf8 } from "../bytes.ts";
import type { Bls } from "../crypto/bls.ts";
import type { Ed25519Verify } from "../crypto/ed25519_rule.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import {
  type IndexedSignatureSet,
  namedSignatures,
  type RoundRecord,
  type SthRecord,
} from "../format/records.ts";
import { encodeRoundMessage } from "../format/round.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../format/tree_head.ts";
import { treeRoot } from "../merkle/tree.ts";
import { verifyThreshold } from "../verify/threshold.ts";
import type { ThresholdCrypto } from "../verify/verifier_crypto.ts";
import type { LogSigner } from "./ports.ts";
import { VerifiedMessages } from "./verified_messages.ts";

export interface RecordCheckContext {
  readonly network: NetworkConfiguration;
  readonly logSigner: Pick<LogSigner, "publicKey">;
  readonly kernels: Kernels;
  readonly verify: Ed25519Verify;
  readonly bls: Bls;
}

/** Every method rejects with `store_corrupt` unless the record verifies. */
export class RecordCheck {
  readonly #context: RecordCheckContext;
  readonly #crypto: ThresholdCrypto;
  /** Ascending, because stored signatures refer to witnesses by index. */
  readonly #witnessIds: readonly string[];
  readonly #verified = new VerifiedMessages();

  constructor(context: RecordCheckContext) {
    this.#context = context;
    const { network, kernels, verify, bls } = context;
    this.#crypto = { kernels, ed25519: verify, bls };
    this.#witnessIds = network.witnesses.map(({ id }) => id).sort();
  }

  /** The threshold signed the round, whose root follows from its upper nodes. */
  async round(record: RoundRecord): Promise<void> {
    const { network, kernels } = this.#context;
    const { first, size, timestamp, beacon, upperNodes, signatures } = record;
    const root = treeRoot(kernels, upperNodes).toHex();
    const message = encodeRoundMessage({ network_id: network.id, timestamp, size, root, beacon });
    if (await this.#isSigned(message, signatures)) return;
    throw damaged(`round ${first}`, "the threshold did not sign it");
  }

  /** The threshold cosigned the tree head. */
  async head({ size, root, timestamp, signatures }: SthRecord): Promise<void> {
    const message = encodeCosignatureMessage({
      network_id: this.#context.network.id,
      tree_size: size,
      timestamp,
      root_hash: root.toHex(),
    });
    if (await this.#isSigned(message, signatures)) return;
    throw damaged(`tree head ${size}`, "the threshold did not sign it");
  }

  /** {@linkcode head}, and the log key signed the checkpoint. */
  async checkpoint(record: SthRecord): Promise<void> {
    await this.head(record);
    const { network, logSigner, verify } = this.#context;
    const { size, root, logSignature } = record;
    const body = encodeCheckpointBody({
      network_id: network.id,
      tree_size: size,
      root_hash: root.toHex(),
    });
    if (await verify(logSigner.publicKey, utf8(body), logSignature)) return;
    throw damaged(`tree head ${size}`, "the log key did not sign it");
  }

  async #isSigned(message: string, signatures: IndexedSignatureSet): Promise<boolean> {
    const { network, kernels } = this.#context;
    const set = namedSignatures(signatures, this.#witnessIds);
    // The set is the only line of JSON, and the last: no two pairs have the same text.
    const digest = kernels.sha256(utf8(`${message}\n${JSON.stringify(set)}`));
    if (this.#verified.has(digest)) return true;
    const { met, unknown } = await verifyThreshold(this.#crypto, network, utf8(message), set);
    // An index beyond the configured witnesses has no id for an answer.
    const isSigned = met && unknown.length === 0;
    if (isSigned) this.#verified.add(digest);
    return isSigned;
  }
}

function damaged(record: string, reason: string): CountersignError {
  return new CountersignError("store_corrupt", `Cannot use ${record} of the store: ${reason}`);
}
