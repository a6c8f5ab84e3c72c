/**
 * `federate`: adds a peer network to a gateway's configuration, and its log to our witnesses'. Next to
 * the configuration it stores
 *
 *     peers/<name>/network.json        the pinned public configuration of the peer
 *     peers/<name>/accept-<hex>.token  the token that the peer sends us: give it to the peer's operator
 *     peers/<name>/show-<hex>.token    the token that we send, from the peer's operator
 *
 * Tokens are never overwritten, and each configuration is replaced by rename: after a crash, the
 * gateway starts with the old or the new configuration.
 *
 * @module
 */

import { stat } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { type Clock, unixSeconds } from "../base/clock.ts";
import { checkMinWitnesses } from "../config/federation_peers.ts";
import { parseOperatorNetwork, readOperatorFile } from "../config/operator_network.ts";
import { publicNetworkJson } from "../proof/format/public_network.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { readTextFile } from "../config/text_file.ts";
import { namingFile } from "../config/validation.ts";
import { randomToken } from "../proof/crypto/secrets.ts";
import { errorBuilder, tryParse } from "../base/errors.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import { fingerprintOf } from "../proof/format/trust_core.ts";
import { systemCode } from "../base/system_error.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { publicKeysOf } from "../proof/format/network_check.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import {
  changedWitnesses,
  entryOf,
  type JsonMembers,
  type PeerFiles,
  presentMinimum,
  withPeer,
} from "./federated_members.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import {
  count,
  defaulted,
  FILE,
  flag,
  optional,
  repeated,
  required,
  SERVICE_URL,
} from "./options.ts";
import type { Output } from "./output.ts";
import type { CliIo } from "../server/io.ts";
import { fileNameOf, makeFolder, writeNewFile } from "../server/files.ts";
import { replaceFile, textIfExists } from "../server/replaced_file.ts";

const invalid = errorBuilder("invalid_configuration", "Cannot federate");

const options = {
  config: required("--config", FILE, "The operator's network.json."),
  peer: required("--peer", FILE, "The peer's network.public.json, from its operator."),
  gatewayUrl: optional("--gateway-url", SERVICE_URL, "The peer's public gateway."),
  federationUrl: repeated(
    "--federation-url",
    SERVICE_URL,
    "The peer's operator listener, which receives our tree heads.",
  ),
  tokenFile: optional(
    "--token-file",
    FILE,
    "The token for that listener, from the peer's operator.",
  ),
  minWitnesses: optional(
    "--min-witnesses",
    count("COUNT", 1),
    "Signatures that a cross-anchor needs (default: the peer's threshold).",
  ),
  threshold: optional(
    "--cross-anchor-threshold",
    count("COUNT", 1),
    "Peers needed for level Federated (default: unchanged, at least 1).",
  ),
  witnesses: repeated(
    "--witness",
    FILE,
    "One of our witness.json files, to add the peer's log to.",
  ),
  rotateToken: flag("--rotate-token", "Create a new token for the peer."),
  overlapHours: defaulted(
    "--overlap-hours",
    count("HOURS", 0),
    24,
    "How long the old token stays valid (default: 24).",
  ),
  insecure: flag("--insecure", "Allow http: URLs beyond this machine."),
};
export type FederateOptions = ValuesOf<typeof options>;

export const federate = defineCommand("federate", {
  description:
    "Pins the peer's configuration, creates the token for its gateway, and enters both into network.json. Run it again to change an entry.",
  options,
  run: runFederate,
});

const SECONDS_PER_HOUR = 3_600;
const SECRET_MODE = 0o600;
const PUBLIC_MODE = 0o644;

/** Changes the configurations and prints the next steps. Returns the exit code. */
export async function runFederate(
  options: FederateOptions,
  { io, output, crypto: { bls }, process: { clock } }: CommandContext,
): Promise<number> {
  const file = io.resolvePath(options.config);
  const { insecure } = options;
  const text = await readOperatorFile(file);
  const before = parseOperatorNetwork(text, file, { insecure, bls });
  const peerFile = io.resolvePath(options.peer);
  const peerText = await readTextFile(peerFile);
  const peer = namingFile(peerFile, () => parseNetwork(peerText, bls));
  requirePeer(before.network, peer);
  const members: JsonMembers = JSON.parse(text);
  const present = entryOf(members, peer.id);
  checkMinWitnesses(peer, options.minWitnesses ?? presentMinimum(present) ?? peer.threshold);
  const files = await writePeerFiles(options, { file, peer, present, io, clock });
  const changed = withPeer(members, options, { peer, present, files });
  const after = `${JSON.stringify(changed, undefined, 2)}\n`;
  // Checks the new configuration before it replaces the old one.
  const { network } = parseOperatorNetwork(after, file, { insecure, bls });
  const witnesses = await changedWitnesses(options.witnesses, peer, io);
  const publicFile = join(dirname(file), "network.public.json");
  const published = await textIfExists(publicFile);
  const publicText = publicNetworkJson({ ...network, links: chainIn(published, network, bls) });
  await replaceFile(file, after, SECRET_MODE);
  for (const { path, text } of witnesses) await replaceFile(path, text, SECRET_MODE);
  if (published !== publicText) await replaceFile(publicFile, publicText, PUBLIC_MODE);
  report(output, {
    file,
    publicFile,
    peer,
    files,
    network,
    isPublished: published === publicText,
    isNewToken: present?.accept_token_file !== files.accept,
    isSent: entryOf(changed, peer.id)?.federation_url !== undefined,
    // A run that only changes an entry need not name the witnesses again.
    needsWitnesses: present === undefined && options.witnesses.length === 0 &&
      before.witnesses.some(({ kind }) => kind === "remote"),
    isChanged: after !== text || witnesses.length > 0,
  });
  return 0;
}

/**
 * The chain in the `published` configuration of `network`, which is published again with another policy;
 * without it, proofs of earlier epochs would not verify with the file.
 */
function chainIn(
  published: string | undefined,
  network: NetworkConfiguration,
  bls: Bls,
): readonly SuccessionLink[] {
  if ((network.epoch ?? 0) === 0) return [];
  const known = published === undefined ? undefined : tryParse(() => parseNetwork(published, bls));
  if (known?.succession !== undefined && fingerprintOf(known) === fingerprintOf(network)) {
    return known.succession;
  }
  throw invalid(
    `network.public.json is not the published configuration of epoch ${network.epoch}: save the ` +
      "gateway's GET /v1/network there first",
  );
}

/** Verifiers do not count a peer that shares a key with our network (protocol.md "Federation"). */
function requirePeer(own: NetworkConfiguration, peer: NetworkConfiguration): void {
  if (peer.id === own.id) throw invalid(`${peer.id} is our own network`);
  if (peer.log_vkey === undefined) throw invalid(`the configuration of ${peer.id} has no log_vkey`);
  const keys = publicKeysOf(own);
  if ([...publicKeysOf(peer)].some((key) => keys.has(key))) {
    throw invalid(`${peer.id} shares a key with our network`);
  }
}

async function writePeerFiles(
  { tokenFile, rotateToken, overlapHours }: FederateOptions,
  context: {
    readonly file: string;
    readonly peer: NetworkConfiguration;
    readonly present: JsonMembers | undefined;
    readonly io: CliIo;
    readonly clock: Clock;
  },
): Promise<PeerFiles> {
  const { file, peer, present, io, clock } = context;
  const home = dirname(file);
  const folder = join(home, "peers", fileNameOf(peer.id));
  await makeFolder(folder);
  const configFile = join(folder, "network.json");
  await replaceFile(configFile, publicNetworkJson(peer), PUBLIC_MODE);
  const accepted = present?.accept_token_file;
  const isKept = typeof accepted === "string" && !rotateToken;
  const accept = isKept ? resolve(home, accepted) : await newToken(folder, "accept", randomToken());
  const token = tokenFile === undefined
    ? undefined
    : (await readPrivateFile(io.resolvePath(tokenFile))).replace(/\r?\n$/, "");
  const shown = present?.token_file;
  const isShown = typeof shown === "string" && token !== undefined &&
    (await textIfExists(resolve(home, shown)))?.trimEnd() === token;
  const show = token === undefined
    ? undefined
    : isShown
    ? resolve(home, shown)
    : await newToken(folder, "show", token);
  return {
    configFile: relative(home, configFile),
    accept: relative(home, accept),
    previous: typeof accepted === "string" && rotateToken && await isThere(resolve(home, accepted))
      ? { file: accepted, until: unixSeconds(clock) + overlapHours * SECONDS_PER_HOUR }
      : undefined,
    show: show && relative(home, show),
  };
}

/** A lost token cannot stay valid. */
async function isThere(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function newToken(folder: string, kind: string, token: string): Promise<string> {
  const path = join(folder, `${kind}-${crypto.randomUUID().slice(0, 8)}.token`);
  await writeNewFile(path, `${token}\n`, SECRET_MODE);
  return path;
}

function report(
  output: Output,
  { file, publicFile, peer, files, network, ...todo }: {
    readonly file: string;
    readonly publicFile: string;
    readonly peer: NetworkConfiguration;
    readonly files: PeerFiles;
    readonly network: NetworkConfiguration;
    /** The public configuration is as before. */
    readonly isPublished: boolean;
    readonly isNewToken: boolean;
    /** Our heads go to the peer. */
    readonly isSent: boolean;
    /** The peer's log is missing in the files of our witnesses. */
    readonly needsWitnesses: boolean;
    readonly isChanged: boolean;
  },
): void {
  output.result({
    network_id: network.id,
    peer: peer.id,
    accept_token_file: resolve(dirname(file), files.accept),
    public_file: publicFile,
    federation: network.federation,
    changed: todo.isChanged,
    // What the operators still have to do.
    publish: !todo.isPublished,
    give_token: todo.isNewToken,
    sends_heads: todo.isSent,
    ...(todo.needsWitnesses && { add_to_witnesses: { origin: peer.id, vkey: peer.log_vkey } }),
  }, peerLines);
}

interface ShownPeer {
  readonly network_id: string;
  readonly peer: string;
  readonly accept_token_file: string;
  readonly public_file: string;
  readonly changed: boolean;
  readonly publish: boolean;
  readonly give_token: boolean;
  readonly sends_heads: boolean;
  readonly add_to_witnesses?: { readonly origin: string; readonly vkey: string | undefined };
}

function peerLines(shown: ShownPeer): string[] {
  const { peer, add_to_witnesses: log } = shown;
  const given = [
    ...(shown.publish
      ? [
        `  ${shown.public_file}`,
        "      our public configuration, to pin; it changed, so publish it again",
      ]
      : []),
    ...(shown.give_token
      ? [
        `  ${shown.accept_token_file}`,
        "      the token that the peer's gateway sends us (--token-file there): secret",
        "      and the URL of our operator listener (--federation-url there)",
      ]
      : []),
  ];
  return [
    `${peer} is a peer of ${shown.network_id}${shown.changed ? "" : "; nothing has changed"}`,
    ...(given.length === 0
      ? []
      : ["", "Give the peer's operator, over a channel that both of you trust:", ...given]),
    ...(shown.sends_heads ? [] : [
      "",
      "Our heads are not sent to the peer yet: run this again with --federation-url and",
      "--token-file, once you have both from its operator.",
    ]),
    ...(log === undefined ? [] : [
      "",
      "Add the peer's log to the witness.json of each witness: run this again with --witness FILE",
      "for each, or let its operator add to logs:",
      `  ${JSON.stringify(log)}`,
    ]),
    ...(shown.changed ? ["", "Then restart the witnesses and the gateway."] : []),
  ];
}
