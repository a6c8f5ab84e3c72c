/**
 * `succession next`: from the end of a frozen log to the log that continues it, and back.
 *
 * @module
 */

import { parseBundle } from "../../proof/format/bundle.ts";
import { previousLogDigest } from "../../proof/format/previous_log.ts";
import { followSuccession } from "../../proof/verify/followed_network.ts";
import { checkNextLog, endOfLog, type LogEnd } from "../../proof/verify/log_end.ts";
import type { CommandContext } from "../command_context.ts";
import { defineSubcommand, type ValuesOf } from "../define_command.ts";
import { readDocument } from "../input_file.ts";
import { FILE, networkConfigOption, optional, positional } from "../options.ts";
import { readChain, readNetworkFile, trustedNetwork } from "../trusted_network.ts";
import { reasonText, refused } from "./succession_files.ts";

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
  const lines = [
    `${end.head.network_id} ended at size ${end.head.tree_size} with root ${end.head.root_hash}`,
    end.next === undefined
      ? "It names no log that continues it"
      : `It continues in ${end.next.origin}, fingerprint ${end.next.core}`,
    `First entry of the log that continues it: ${entry}`,
  ];
  if (nextConfig === undefined || first === undefined) {
    output.result(json, lines);
    return 0;
  }
  const network = await readNetworkFile(context, nextConfig);
  const bundle = await readDocument(context, first, "malformed_bundle", parseBundle);
  const failure = await checkNextLog(crypto, end, network, bundle);
  const valid = failure === undefined;
  output.result({ ...json, valid, ...failure }, [
    valid ? `VALID: ${network.id} continues it` : `INVALID: ${reasonText(failure)}`,
    ...lines,
  ]);
  return valid ? 0 : 1;
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
