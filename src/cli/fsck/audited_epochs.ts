/**
 * The epochs of a log that is audited, from the trusted configuration and the chain that the log shows.
 *
 * @module
 */

import type { ChainSource } from "../../client/further_epochs.ts";
import { logNetwork } from "../../server/gateway/log_network.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import type { CommandContext } from "../command_context.ts";
import { followedFurther, type TrustedNetwork } from "../trusted_network.ts";

export class AuditedEpochs {
  readonly #context: CommandContext;
  readonly #source: ChainSource;
  #trusted: TrustedNetwork;

  constructor(context: CommandContext, trusted: TrustedNetwork, source: ChainSource) {
    this.#context = context;
    this.#source = source;
    this.#trusted = trusted;
  }

  /** With the epochs that were followed. */
  get trusted(): TrustedNetwork {
    return this.#trusted;
  }

  /** `proof_refused` if the log has two successions of one epoch. */
  async follow(): Promise<FollowedNetwork> {
    logNetwork(this.#trusted.network);
    const further = await followedFurther(this.#context, this.#trusted, this.#source);
    this.#trusted = further ?? this.#trusted;
    return this.#trusted.network;
  }
}
