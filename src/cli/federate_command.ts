/**
 * `countersign federate`: enters a peer network into a gateway's configuration, and its log into
 * those of our witnesses. Beside the configuration it keeps
 *
 *     peers/<name>/network.json        the pinned public configuration of the peer
 *     peers/<name>/accept-<hex>.token  what the peer's gateway shows us: give it to the peer's operator
 *     peers/<name>/show-<hex>.token    what we show the peer: its operator gave it to us
 *
 * Tokens are never overwritten, and each configuration is replaced whole: killed between any two
 * writes, the gateway starts with the old configuration or with the new one.
 *
 * @module
 */

import { dirname, join, relative, resolve } from "node:path";
import { type Clock, systemClock, unixSeconds } from "../clock.ts";
import { checkMinWitnesses } from "../config/federation_peers.ts";
import { parseOperatorNetwork } from "../config/operator_network.ts";
import { publicNetworkJson } from "../format/public_network.ts";
import { readPrivateFile } from "../config/private_file.ts";
import { readTextFile } from "../config/text_file.ts";
import { parseWitnessNode } from "../config/witness_node.ts";
import { loadBls } from "../crypto/best_bls.ts";
import { randomToken } from "../crypto/secrets.ts";
import { CountersignError } from "../errors.ts";
import { type NetworkConfiguration, parseNetwork, publicKeysOf } from "../format/network.ts";
import type { CliIo } from "../server/io.ts";
import { fileNameOf, makeFolder, replaceFile, writeNewFile } from "../server/files.ts";

/** What the command line says; file names as typed. */
export interface FederateOptions {
  /** The operator's `network.json`. */
  readonly config: string;
  /** The peer's public configuration. */
  readonly peer: string;
  /** Of the peer's client routes; public. */
  readonly gatewayUrl?: string | undefined;
  /** Of the peer's operator listener. */
  readonly federationUrl?: string | undefined;
  /** The token that the peer's operator gave us. */
  readonly tokenFile?: string | undefined;
  readonly minWitnesses?: number | undefined;
  /** Counted peers that verifiers shall require; 1 where the configuration has none yet. */
  readonly threshold?: number | undefined;
  /** Our witnesses' `witness.json` files, which get the peer's log. */
  readonly witnesses: readonly string[];
  /** Makes another token for the peer to show; the present one holds for `overlapHours` more. */
  readonly rotateToken: boolean;
  readonly overlapHours: number;
  /** Allows `http:` URLs beyond loopback. */
  readonly insecure: boolean;
  readonly output: "text" | "json";
}

/** Where a gateway with peers listens for them, unless its configuration says otherwise. */
const OPERATOR_LISTENER = { host: "127.0.0.1", port: 8081 } as const;

const SECONDS_PER_HOUR = 3_600;
const SECRET_MODE = 0o600;
const PUBLIC_MODE = 0o644;

type Members = Record<string, unknown>;

/** Paths of a peer's files; those in the configuration are relative to it. */
interface PeerFiles {
  readonly configFile: string;
  readonly accept: string;
  readonly previous: { readonly file: string; readonly until: number } | undefined;
  readonly show: string | undefined;
}

/** Changes the configurations and says what is left to do. Answers the exit code. */
export async function runFederate(
  options: FederateOptions,
  io: CliIo,
  clock: Clock = systemClock,
): Promise<number> {
  const file = io.resolvePath(options.config);
  const bls = await loadBls();
  const { insecure } = options;
  const text = await readPrivateFile(file);
  const before = parseOperatorNetwork(text, file, { insecure, bls }).network;
  const peer = parseNetwork(await readTextFile(io.resolvePath(options.peer)), bls);
  requirePeer(before, peer);
  const members: Members = JSON.parse(text);
  const present = entryOf(members, peer.id);
  checkMinWitnesses(peer, options.minWitnesses ?? presentMinimum(present) ?? peer.threshold);
  const files = await writePeerFiles(options, { file, peer, present, io, clock });
  const changed = withPeer(members, options, { peer, present, files });
  const after = `${JSON.stringify(changed, undefined, 2)}\n`;
  // Nothing replaces a configuration that the gateway would not start with.
  const { network } = parseOperatorNetwork(after, file, { insecure, bls });
  const witnesses = await changedWitnesses(options, peer, io);
  await replaceFile(file, after, SECRET_MODE);
  for (const { path, text } of witnesses) await replaceFile(path, text, SECRET_MODE);
  const publicFile = join(dirname(file), "network.public.json");
  await replaceFile(publicFile, publicNetworkJson(network), PUBLIC_MODE);
  report(options, io, { file, publicFile, peer, files, network });
  return 0;
}

/**
 * Cross-anchors by a network that shares a key with ours count for nothing (protocol.md
 * "Resources").
 */
function requirePeer(own: NetworkConfiguration, peer: NetworkConfiguration): void {
  if (peer.id === own.id) throw invalid("another network than our own", peer.id);
  if (peer.log_vkey === undefined) throw invalid(`the log_vkey of ${peer.id}`, "none");
  if (publicKeysOf(own).isDisjointFrom(publicKeysOf(peer))) return;
  throw invalid(`keys of ${peer.id} that are none of ours`, "a shared one");
}

function entryOf(members: Members, id: string): Members | undefined {
  const federation = members.federation as Members | undefined;
  const peers = (federation?.peer_networks ?? []) as Members[];
  return peers.find((entry) => entry.id === id);
}

/** What a peer that is entered anew has to have as well. */
function presentMinimum(present: Members | undefined): number | undefined {
  const minimum = present?.min_witnesses;
  return typeof minimum === "number" ? minimum : undefined;
}

async function writePeerFiles(
  { tokenFile, rotateToken, overlapHours }: FederateOptions,
  context: {
    readonly file: string;
    readonly peer: NetworkConfiguration;
    readonly present: Members | undefined;
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
  const show = token === undefined ? undefined : await newToken(folder, "show", token);
  return {
    configFile: relative(home, configFile),
    accept: relative(home, accept),
    previous: typeof accepted === "string" && rotateToken && await isThere(resolve(home, accepted))
      ? { file: accepted, until: unixSeconds(clock) + overlapHours * SECONDS_PER_HOUR }
      : undefined,
    show: show && relative(home, show),
  };
}

/** A token whose file is lost holds for nobody, and its peer needs another one all the more. */
async function isThere(path: string): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function newToken(folder: string, kind: string, token: string): Promise<string> {
  const path = join(folder, `${kind}-${crypto.randomUUID().slice(0, 8)}.token`);
  await writeNewFile(path, `${token}\n`, SECRET_MODE);
  return path;
}

/** `members` with the peer's entry, in place of the present one where there is one. */
function withPeer(
  members: Members,
  options: FederateOptions,
  { peer, present, files }: {
    readonly peer: NetworkConfiguration;
    readonly present: Members | undefined;
    readonly files: PeerFiles;
  },
): Members {
  const { gatewayUrl, federationUrl, minWitnesses, threshold } = options;
  const federation = (members.federation ?? {}) as Members;
  const peers = (federation.peer_networks ?? []) as Members[];
  const entry: Members = {
    ...(options.rotateToken ? withoutPrevious(present) : present),
    id: peer.id,
    ...(gatewayUrl !== undefined && { gateway_url: gatewayUrl }),
    ...(minWitnesses !== undefined && { min_witnesses: minWitnesses }),
    config_file: files.configFile,
    ...(federationUrl !== undefined && { federation_url: federationUrl }),
    ...(files.show !== undefined && { token_file: files.show }),
    accept_token_file: files.accept,
    ...(files.previous !== undefined && {
      accept_previous_token_file: files.previous.file,
      accept_previous_until: files.previous.until,
    }),
  };
  const required = typeof federation.cross_anchor_threshold === "number"
    ? federation.cross_anchor_threshold
    : 0;
  return {
    ...members,
    federation: {
      ...federation,
      enabled: true,
      peer_networks: present === undefined
        ? [...peers, entry]
        : peers.map((other) => other === present ? entry : other),
      cross_anchor_threshold: threshold ?? Math.max(1, required),
    },
    operator: members.operator ?? OPERATOR_LISTENER,
  };
}

/** One token before the present one is accepted, not two. */
function withoutPrevious(entry: Members = {}): Members {
  return Object.fromEntries(
    Object.entries(entry).filter(([name]) => !name.startsWith("accept_previous_")),
  );
}

/** The texts of our witnesses' configurations with the peer's log; none that has it already. */
async function changedWitnesses(
  { witnesses }: FederateOptions,
  peer: NetworkConfiguration,
  io: CliIo,
): Promise<{ readonly path: string; readonly text: string }[]> {
  const changed = [];
  for (const name of witnesses) {
    const path = io.resolvePath(name);
    const text = await readPrivateFile(path);
    parseWitnessNode(text, path);
    const members = JSON.parse(text);
    const others = members.logs.filter(({ origin }: { origin: string }) => origin !== peer.id);
    members.logs = [...others, { origin: peer.id, vkey: peer.log_vkey }];
    const after = `${JSON.stringify(members, undefined, 2)}\n`;
    parseWitnessNode(after, path);
    if (after !== text) changed.push({ path, text: after });
  }
  return changed;
}

function report(
  { output, federationUrl, witnesses }: FederateOptions,
  io: CliIo,
  { file, publicFile, peer, files, network }: {
    readonly file: string;
    readonly publicFile: string;
    readonly peer: NetworkConfiguration;
    readonly files: PeerFiles;
    readonly network: NetworkConfiguration;
  },
): void {
  const acceptFile = resolve(dirname(file), files.accept);
  if (output === "json") {
    const result = { peer: peer.id, accept_token_file: acceptFile, public_file: publicFile };
    io.out(JSON.stringify({ ...result, federation: network.federation }, undefined, 2));
    return;
  }
  io.out(`${peer.id} is a peer of ${network.id}`);
  io.out("");
  io.out("Give its operator, over a channel that both of you trust:");
  io.out(`  ${publicFile}`);
  io.out("      our public configuration, to pin; it changed, so publish it again");
  io.out(`  ${acceptFile}`);
  io.out("      the token that its gateway shows us (--token-file there): secret");
  io.out("      and the URL of our operator listener (--federation-url there)");
  io.out("");
  if (federationUrl === undefined && files.show === undefined) {
    io.out("Our heads are not sent to it yet: run this again with --federation-url and");
    io.out("--token-file, once its operator gave you both.");
  }
  if (witnesses.length === 0) {
    io.out("Witnesses that run as nodes need its log: add to logs in each witness.json");
    io.out(`  ${JSON.stringify({ origin: peer.id, vkey: peer.log_vkey })}`);
  }
  io.out("Then restart the witnesses and the gateway.");
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot federate: ${required} required, found ${found}`,
  );
}
