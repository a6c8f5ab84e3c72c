/**
 * A peer network of which only the witnesses' keys exist.
 *
 * @module
 */

import { hexOf, utf8 } from "../../src/base/bytes.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import type { SignatureScheme, SignatureSet } from "../../src/proof/format/signature_set.ts";
import { encodeCosignatureMessage, type TreeHead } from "../../src/proof/format/tree_head.ts";
import { bls, configuredWitness, schemeSigner } from "../schemes.ts";

export const PEER = "peer.example/log";

export class PeerKeys {
  readonly network: NetworkConfiguration;
  readonly #scheme: SignatureScheme;

  constructor(scheme: SignatureScheme) {
    this.#scheme = scheme;
    this.network = {
      id: PEER,
      threshold: 2,
      signature_scheme: scheme,
      witnesses: this.#ids.map((id) => configuredWitness(id, schemeSigner(scheme, id))),
      federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
    };
  }

  get #ids(): string[] {
    return [1, 2].map((i) => `${PEER}/w${i}`);
  }

  cosign(treeHead: TreeHead, count = 2): SignatureSet {
    const message = utf8(encodeCosignatureMessage(treeHead));
    const ids = this.#ids.slice(0, count);
    const signatures = ids.map((id) => schemeSigner(this.#scheme, id).sign(message));
    return this.#scheme === "bls"
      ? { signature: hexOf(bls.aggregate(signatures)!), signers: ids }
      : {
        signatures: ids.map((witness_id, i) => ({
          witness_id,
          signature: hexOf(signatures[i]!),
        })),
      };
  }
}
