/**
 * The user's files with successions (`--chain`), each for the network that its links name: the network
 * of the proof, or a peer.
 *
 * @module
 */

import { reasonClause } from "../../proof/verify/reasons.ts";
import { CountersignError } from "../../base/errors.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import { type FollowedNetwork, followSuccession } from "../../proof/verify/followed_network.ts";
import type { CommandContext } from "../command_context.ts";
import { refuseConflict } from "../succession_evidence.ts";
import { keepChain, readChain, type TrustSource } from "../trusted_network.ts";

interface ChainFile {
  readonly name: string;
  readonly links: readonly SuccessionLink[];
}

export class ChainFiles {
  readonly #context: CommandContext;
  readonly #files: Promise<ReadonlyMap<string, ChainFile>>;

  constructor(context: CommandContext, names: readonly string[]) {
    this.#context = context;
    this.#files = readFiles(context, names);
    // Reported by the first call.
    this.#files.catch(() => {});
  }

  /** `network` followed by its file, if it has one, and kept with its pin. `invalid_configuration`. */
  async follow(network: FollowedNetwork, source: TrustSource["kind"]): Promise<FollowedNetwork> {
    const file = (await this.#files).get(network.id);
    if (file === undefined) return network;
    await refuseConflict(this.#context, network, file.links);
    const followed = await followSuccession(this.#context.crypto, network, file.links);
    if (followed.failure !== undefined) {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot use "${file.name}": it does not lead from the configuration of ${network.id} ` +
          `(${reasonClause(followed.failure.reason)})`,
      );
    }
    if (followed.network !== network && source === "pin") {
      await keepChain(this.#context, followed.network);
    }
    return followed.network;
  }

  /** `usage` if a file is of none of the networks `ids`. */
  async requireUse(ids: readonly string[]): Promise<void> {
    for (const [id, { name }] of await this.#files) {
      if (ids.includes(id)) continue;
      throw new CountersignError(
        "usage",
        `Cannot use "${name}": it is the succession of ${id}, and no configuration of ${id} is used`,
      );
    }
  }
}

async function readFiles(
  context: CommandContext,
  names: readonly string[],
): Promise<ReadonlyMap<string, ChainFile>> {
  const files = new Map<string, ChainFile>();
  for (const name of names) {
    const links = await readChain(context, name);
    const [first] = links;
    if (first === undefined) continue;
    const { id } = first.predecessor;
    const other = files.get(id);
    if (other !== undefined) {
      throw new CountersignError(
        "usage",
        `"${other.name}" and "${name}" are both successions of ${id}: give one`,
      );
    }
    files.set(id, { name, links });
  }
  return files;
}
