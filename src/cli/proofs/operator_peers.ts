/**
 * The configurations of peers that an operator's `network.json` pins (`config_file`).
 *
 * @module
 */

import { dirname, isAbsolute, join } from "node:path";
import { CountersignError } from "../../base/errors.ts";
import { list, object, TEXT } from "../../proof/format/schema.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import type { CommandContext } from "../command_context.ts";
import { kindOf, readDocument } from "../input_file.ts";
import { readNetworkFile } from "../trusted_network.ts";
import { ChainFiles } from "./chain_files.ts";

const PEER = object({
  id: TEXT,
  config_file: TEXT.optional(),
  succession_file: TEXT.optional(),
}, "ignored");
const FEDERATION = object({ peer_networks: list(PEER) }, "ignored");
/** Other members are for the gateway, which checks them. */
const PINNING = object({ federation: FEDERATION.optional() }, "ignored");

/**
 * The pinned peers of file `name`, followed by their chains. A peer whose files are not there is left
 * out: a copy of `network.json` need not have them beside it. `invalid_configuration` if a file is of
 * another network.
 */
export async function operatorPeers(
  context: CommandContext,
  name: string,
): Promise<readonly FollowedNetwork[]> {
  const code = "malformed_configuration";
  const { federation } = await readDocument(
    context,
    name,
    code,
    (text) => PINNING.parseText(text, { where: name, code }),
  );
  const pathOf = (path: string) => isAbsolute(path) ? path : join(dirname(name), path);
  const isThere = async (path: string) => await kindOf(context, path) !== undefined;
  const peers: FollowedNetwork[] = [];
  for (const { id, config_file, succession_file } of federation?.peer_networks ?? []) {
    if (config_file === undefined || !await isThere(pathOf(config_file))) continue;
    const peer = await readNetworkFile(context, pathOf(config_file));
    if (peer.id !== id) {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot use "${pathOf(config_file)}": it is the configuration of ${peer.id}, not of ${id}`,
      );
    }
    const chain = succession_file === undefined ? undefined : pathOf(succession_file);
    const chains = chain !== undefined && await isThere(chain) ? [chain] : [];
    peers.push(await new ChainFiles(context, chains).follow(peer, "file"));
  }
  return peers;
}
