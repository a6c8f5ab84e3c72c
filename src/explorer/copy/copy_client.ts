/**
 * A static copy of a log in place of its gateway: heads and proofs come from the checkpoint and the tiles
 * beside the page. What only a gateway knows, such as jobs and batches, is 404.
 *
 * @module
 */

import type { ConsistencyProof, InclusionProof } from "../../proof/format/bundle.ts";
import type { GatewayAnswer } from "../../client/gateway_connection.ts";
import { GatewayClient, type GatewayClientOptions } from "../../client/gateway_client.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Attestation } from "../../proof/format/attestation.ts";
import { GatewayRefusal } from "../../proof/format/gateway_refusal.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import { parseNetwork } from "../../proof/format/network_reader.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";
import { openSignedMirror, type SignedMirror } from "../../logs/publishing/mirror.ts";
import { RemoteLog } from "../../logs/publishing/remote_log.ts";
import type { CryptoLoader } from "../assets.ts";

/** The public configuration, beside the page. */
export const COPY_NETWORK = "network.public.json";

export interface CopyOptions extends GatewayClientOptions {
  readonly crypto: CryptoLoader;
  /** The configuration that checkpoints are verified under. */
  readonly trust: (client: CopyClient, signal?: AbortSignal) => Promise<NetworkConfiguration>;
  /** The head of a network that this browser remembers: the copy has no other earlier head. */
  readonly remembered: (networkId: string) => SignedTreeHead | undefined;
}

/** An attestation of the copy, with the proof that it is in the tree. */
export interface CopyEntry {
  readonly attestation: Attestation;
  readonly proof: InclusionProof;
}

/** A client of a static copy. Methods also reject with `proof_refused` for data that do not verify. */
export class CopyClient extends GatewayClient {
  readonly #options: CopyOptions;

  constructor(options: CopyOptions) {
    super(options);
    this.#options = options;
  }

  override network(signal?: AbortSignal): Promise<GatewayAnswer<NetworkConfiguration>> {
    const parse = async (text: string) =>
      parseNetwork(text, await this.#options.crypto.blsFor(text));
    return this.json({ what: "network configuration", path: COPY_NETWORK }, parse, signal);
  }

  override async succession(
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<readonly SuccessionLink[]>> {
    return answerOf((await new RemoteLog(this).succession(signal)).value);
  }

  override async sth(
    treeSize?: number,
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<SignedTreeHead>> {
    const { sth } = await this.#open(signal);
    if (treeSize === undefined || treeSize === sth.tree_head.tree_size) return answerOf(sth);
    throw new GatewayRefusal("tree head", { status: 404, reason: "tree_size_not_published" });
  }

  /** From the remembered head, or the copy's, to the copy's. */
  override async consistency(
    first: number,
    second: number,
    signal?: AbortSignal,
  ): Promise<GatewayAnswer<ConsistencyProof>> {
    const { mirror, sth } = await this.#open(signal);
    if (second > mirror.size) {
      throw new CountersignError(
        "not_batched",
        `The copy ends at size ${mirror.size}: it is older than the tree head of size ${second}`,
      );
    }
    const known = this.#options.remembered(sth.tree_head.network_id);
    const from = [known, sth].find((head) => head?.tree_head.tree_size === first);
    if (from === undefined || second !== mirror.size) {
      throw new GatewayRefusal("consistency proof", {
        status: 404,
        reason: "tree_size_not_published",
      });
    }
    return answerOf(await mirror.consistency(from, sth));
  }

  /** The attestation of a hash, or at a position. `hash_unknown`, `not_batched`. */
  async entry(wanted: string | number, signal?: AbortSignal): Promise<CopyEntry> {
    const { mirror, sth } = await this.#open(signal);
    const attestation = typeof wanted === "string"
      ? await mirror.find(wanted)
      : await mirror.at(wanted);
    return { attestation, proof: await mirror.inclusion(attestation, sth) };
  }

  async #open(signal: AbortSignal | undefined): Promise<SignedMirror> {
    const crypto = await this.#options.crypto.crypto();
    const network = await this.#options.trust(this, signal);
    return await openSignedMirror(crypto, network, new RemoteLog(this));
  }
}

function answerOf<T>(value: T): GatewayAnswer<T> {
  return { text: JSON.stringify(value), value };
}
