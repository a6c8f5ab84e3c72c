/**
 * `succession next`: from the end of a frozen log to the log that continues it, and back.
 *
 * @module
 */

import { parseBundle } from "../../proof/format/bundle.ts";
import type { NextLog } from "../../proof/format/succession.ts";
import type { TreeHead } from "../../proof/format/tree_head.ts";
import { previousLogDigest } from "../../proof/format/previous_log.ts";
import { followSuccession } from "../../proof/verify/followed_network.ts";
import { checkNextLog, endOfLog, type LogEnd } from "../../proof/verify/log_end.ts";
import type { CommandContext } from "../command_context.ts";
import { defineSubcommand, type ValuesOf } from "../define_command.ts";
import { readDocument } from "../input_file.ts";
import { FILE, networkConfigOption, optional, positional } from "../options.ts";
import { readChain, readNetworkFile, trustedNetwork } from "../trusted_network.ts";
import { describeFailure } from "../verdict_report.ts";
import { reasonText } from "../../proof/verify/verdict_words.ts";
import { refused } from "./succession_files.ts";

const options = {
  chain: positional(FILE, "Chain of the frozen log, as its `GET /v1/succession` answers it."),
  networkConfig: networkConfigOption,
  nextConfig: optional("--next-config", FILE, "network.public.json of the log that continues it."),
  first: optional("--first", FILE, "Proof bundle of that log's first entry."),
};

export const next = defineSubcommand("succession next", {
  brief: "Show how a log ended, and verify the log that continues it",
  options,
  run: runNext,
});

async function runNext(
  { chain, networkConfig, nextConfig, first }: ValuesOf<typeof options>,
  context: CommandContext,
): Promise<number> {
  const { crypto, output } = context;
  if ((nextConfig === undefined) !== (first === undefined)) {
    throw refused("give both --next-config and --first, or neither");
  }
  const end = await readEnd(context, chain, networkConfig);
  const entry = previousLogDigest(end.head);
  const json = { ...end.head, next_log: end.next ?? null, first_entry: entry };
  if (nextConfig === undefined || first === undefined) {
    output.result(json, endLines);
    return 0;
  }
  const network = await readNetworkFile(context, nextConfig);
  const bundle = await readDocument(context, first, "malformed_bundle", parseBundle);
  const failure = await checkNextLog(crypto, end, network, bundle);
  const valid = failure === undefined;
  output.result({ ...json, next_id: network.id, valid, ...failure }, (shown) => [
    shown.valid ? `VALID: ${shown.next_id} continues it` : describeFailure(shown, "INVALID"),
    ...endLines(shown),
  ]);
  return valid ? 0 : 1;
}

/** The end of a log, as JSON. */
interface ShownEnd extends Pick<TreeHead, "network_id" | "tree_size" | "root_hash"> {
  readonly next_log: NextLog | null;
  readonly first_entry: string;
}

function endLines({ network_id, tree_size, root_hash, next_log, first_entry }: ShownEnd): string[] {
  return [
    `${network_id} ended at size ${tree_size} with root ${root_hash}`,
    next_log === null
      ? "It names no log that continues it"
      : `It continues in ${next_log.origin}, fingerprint ${next_log.core}`,
    `First entry of the log that continues it: ${first_entry}`,
  ];
}

/** The end that the trusted configuration leads to. */
async function readEnd(
  context: CommandContext,
  file: string,
  networkConfig: string | undefined,
): Promise<LogEnd> {
  const links = await readChain(context, file);
  const id = links.at(-1)?.predecessor.id;
  if (id === undefined) throw refused(`"${file}" is an empty succession: the log has not ended`);
  const pinned = await trustedNetwork(context, { networkConfig, online: false }, id);
  const { network, failure } = await followSuccession(context.crypto, pinned.network, links);
  if (failure !== undefined) throw refused(reasonText(failure));
  const end = endOfLog(network);
  if (end === undefined) {
    throw refused(`${id} has not ended: the last link of "${file}" names a next configuration`);
  }
  return end;
}
