/**
 * What the gateway of a peer network knows of a network's log: the latest head that it saw, and evidence
 * of two histories.
 *
 * @module
 */

import type { GatewayConnection } from "../../client/gateway_connection.ts";
import { encodeCheckpoint } from "../../proof/format/checkpoint.ts";
import {
  type AnyContradiction,
  loggedHeadMembers,
  parseContradictions,
  SEEN_TREE_HEAD,
} from "../../proof/format/federation.ts";
import { list } from "../../proof/format/schema.ts";
import type { LogSource } from "../../logs/publishing/ports.ts";
import { type FollowedNetwork, signersOfHead } from "../../proof/verify/followed_network.ts";

const CODE = "gateway_refused";

/** Methods reject as `connection` does. */
export class PeerView implements Pick<LogSource, "name" | "checkpoint"> {
  readonly name: string;
  readonly #connection: Pick<GatewayConnection, "json" | "url">;
  readonly #network: () => FollowedNetwork;

  constructor(
    connection: Pick<GatewayConnection, "json" | "url">,
    network: () => FollowedNetwork,
  ) {
    this.name = connection.url.href;
    this.#connection = connection;
    this.#network = network;
  }

  /** The latest head as a checkpoint. */
  async checkpoint(signal?: AbortSignal): Promise<string | undefined> {
    const request = { what: "tree heads of peers", path: "v1/federation/tree-heads" };
    const parse = (text: string) =>
      list(SEEN_TREE_HEAD).parseText(text, { where: "tree heads", code: CODE });
    const { value } = await this.#connection.json(request, parse, signal);
    const network = this.#network();
    const seen = value.find(({ sth }) => sth.tree_head.network_id === network.id);
    if (seen === undefined) return undefined;
    const { sth, log_signature } = loggedHeadMembers(seen);
    const signers = signersOfHead(network, sth.tree_head.tree_size) ?? network;
    return encodeCheckpoint(signers, { ...sth, log_signature });
  }

  /** The evidence against the network, not verified. */
  async contradictions(signal?: AbortSignal): Promise<readonly AnyContradiction[]> {
    const request = { what: "contradictions", path: "v1/federation/contradictions" };
    const parse = (text: string) => parseContradictions(text, CODE);
    const { value } = await this.#connection.json(request, parse, signal);
    const { id } = this.#network();
    return value.filter(({ origin }) => origin === id);
  }
}
