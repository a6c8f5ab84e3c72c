/**
 * Verifies records that were read from the store, by the rule that clients verify answers by, so that
 * a damaged record is refused and never served.
 *
 * @module
 */

import { type Bytes, utf8 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { encodeRoundMessage } from "../format/round.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../format/tree_head.ts";
import { treeRoot } from "../merkle/tree.ts";
import { verifyThreshold } from "../verify/threshold.ts";
import type { ThresholdCrypto } from "../verify/verifier_crypto.ts";
import { namedSignatures } from "./named_signatures.ts";
import type { PlacedSignatureSet, RoundRecord, SthRecord } from "./ports.ts";

/** What records are verified with. */
export interface RecordCheckContext {
  readonly network: NetworkConfiguration;
  /** Ids by the places that stored signatures name. */
  readonly witnessIds: readonly string[];
  readonly logPublicKey: Bytes;
  readonly crypto: ThresholdCrypto;
}

/** Every method rejects with `store_corrupt` unless the record verifies. */
export class RecordCheck {
  readonly #context: RecordCheckContext;

  constructor(context: RecordCheckContext) {
    this.#context = context;
  }

  /** The threshold signed the round, whose root follows from its upper nodes. */
  async round(record: RoundRecord): Promise<void> {
    const { network, crypto: { kernels } } = this.#context;
    const { first, size, timestamp, beacon, upperNodes, signatures } = record;
    const root = treeRoot(kernels, upperNodes).toHex();
    const message = encodeRoundMessage({ network_id: network.id, timestamp, size, root, beacon });
    if (await this.#isSigned(message, signatures)) return;
    throw damaged(`round ${first}`, "the threshold's signatures over it");
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
    throw damaged(`tree head ${size}`, "the threshold's signatures over it");
  }

  /** {@linkcode head}, and the log key signed the checkpoint. */
  async checkpoint(record: SthRecord): Promise<void> {
    await this.head(record);
    const { network, logPublicKey, crypto } = this.#context;
    const { size, root, logSignature } = record;
    const body = encodeCheckpointBody({
      network_id: network.id,
      tree_size: size,
      root_hash: root.toHex(),
    });
    if (await crypto.ed25519(logPublicKey, utf8(body), logSignature)) return;
    throw damaged(`tree head ${size}`, "the log key's signature over it");
  }

  async #isSigned(message: string, signatures: PlacedSignatureSet): Promise<boolean> {
    const { network, witnessIds, crypto } = this.#context;
    const set = namedSignatures(signatures, witnessIds);
    const { met, unknown } = await verifyThreshold(crypto, network, utf8(message), set);
    // A place beyond the configured witnesses has no id, and cannot stand in an answer.
    return met && unknown.length === 0;
  }
}

function damaged(record: string, required: string): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot use ${record} of the store: ${required} required, but they do not verify`,
  );
}
