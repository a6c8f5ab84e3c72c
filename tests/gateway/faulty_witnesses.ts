/**
 * Wraps honest witnesses in dishonest ones.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, utf8 } from "../../src/base/bytes.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { encodeRoundMessage } from "../../src/proof/format/round.ts";
import { encodeCosignatureMessage } from "../../src/proof/format/tree_head.ts";
import type { CosignAnswer } from "../../src/proof/format/witness_request.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import type { WitnessSigner } from "../../src/witness/ports.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { NO_EPOCHS, wrapped, WrappedWitness } from "./wrapped_witness.ts";

/** Answers with its signatures changed by `change`. */
export function mangling(
  client: WitnessClient,
  change: (signature: Bytes) => Bytes,
): WitnessClient {
  return wrapped(client, {
    sign: async (...args) => change(await client.sign(...args)),
    cosign: async (...args) => {
      const answer = await client.cosign(...args);
      return answer.kind === "cosigned"
        ? { kind: "cosigned", signature: change(answer.signature) }
        : answer;
    },
  });
}

/** Answers every request with one signature, before all others answer. */
export function hasty(client: WitnessClient, signature: Bytes): WitnessClient {
  return wrapped(client, {
    sign: () => Promise.resolve(signature),
    cosign: () => Promise.resolve({ kind: "cosigned", signature }),
  });
}

/** Answers with the signatures of `other` under its own id. */
export function impersonating(client: WitnessClient, other: WitnessClient): WitnessClient {
  return { ...wrapped(other, {}), id: client.id };
}

/**
 * Signs rounds. Reports `size` for every head while `isLying`; does not answer requests for heads
 * while `isSilent`.
 */
export class SizeLiar extends WrappedWitness {
  readonly #size: number;
  isLying = true;
  isSilent = false;
  cosignCalls = 0;

  constructor(client: WitnessClient, size: number) {
    super(client);
    this.#size = size;
  }

  override cosign(...args: Parameters<WitnessClient["cosign"]>): Promise<CosignAnswer> {
    this.cosignCalls++;
    if (this.isSilent) return new Promise(() => {});
    return this.isLying
      ? Promise.resolve({ kind: "size_conflict", size: this.#size })
      : super.cosign(...args);
  }
}

/** Signs any request and remembers nothing. Calls `note` with every head. */
export function obliging(
  id: string,
  signer: WitnessSigner,
  note: (size: number, root: string) => void,
): WitnessClient {
  return {
    id,
    sign: async ({ networkId, timestamp, firstSequence: first, digests, beacon }) => {
      const { root } = buildRoundTree(portableKernels, { networkId, timestamp, first, digests });
      const size = digests.length / HASH_LENGTH;
      const message = { network_id: networkId, timestamp, size, root: root.toHex(), beacon };
      return await signer.sign(utf8(encodeRoundMessage(message)));
    },
    cosign: async ({ treeHead }) => {
      note(treeHead.tree_size, treeHead.root_hash);
      const signature = await signer.sign(utf8(encodeCosignatureMessage(treeHead)));
      return { kind: "cosigned", signature };
    },
    checkHealth: () => Promise.resolve(),
    reach: () => Promise.resolve({ size: 0, signedEnd: 0 }),
    roundsFrom: () => Promise.resolve([]),
    epochs: NO_EPOCHS,
  };
}
