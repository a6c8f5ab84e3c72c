/**
 * The configurations that `federate` changes.
 *
 * @module
 */

import { parseWitnessNode } from "../config/witness_node.ts";
import { readPrivateFile } from "../config/private_file.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import type { CliIo } from "../server/io.ts";

/** The default listener for peers. */
const OPERATOR_LISTENER = { host: "127.0.0.1", port: 8081 } as const;

/** The members of a configuration. */
export type JsonMembers = Record<string, unknown>;

/** Paths of a peer's files, relative to the configuration. */
export interface PeerFiles {
  readonly configFile: string;
  readonly accept: string;
  readonly previous: { readonly file: string; readonly until: number } | undefined;
  readonly show: string | undefined;
}

/** The members of a peer's entry to set. */
interface PeerChange {
  readonly gatewayUrl?: string | undefined;
  readonly federationUrl?: readonly string[];
  readonly minWitnesses?: number | undefined;
  readonly threshold?: number | undefined;
  readonly rotateToken: boolean;
}

export function entryOf(members: JsonMembers, id: string): JsonMembers | undefined {
  const federation = members.federation as JsonMembers | undefined;
  const peers = (federation?.peer_networks ?? []) as JsonMembers[];
  return peers.find((entry) => entry.id === id);
}

export function presentMinimum(present: JsonMembers | undefined): number | undefined {
  const minimum = present?.min_witnesses;
  return typeof minimum === "number" ? minimum : undefined;
}

/** `members` with the peer's entry added or replaced. */
export function withPeer(
  members: JsonMembers,
  { gatewayUrl, federationUrl = [], minWitnesses, threshold, rotateToken }: PeerChange,
  { peer, present, files }: {
    readonly peer: NetworkConfiguration;
    readonly present: JsonMembers | undefined;
    readonly files: PeerFiles;
  },
): JsonMembers {
  const federation = (members.federation ?? {}) as JsonMembers;
  const peers = (federation.peer_networks ?? []) as JsonMembers[];
  const entry: JsonMembers = {
    ...(rotateToken ? withoutPrevious(present) : present),
    id: peer.id,
    ...(gatewayUrl !== undefined && { gateway_url: gatewayUrl }),
    ...(minWitnesses !== undefined && { min_witnesses: minWitnesses }),
    config_file: files.configFile,
    ...(federationUrl.length > 0 && {
      federation_url: federationUrl.length === 1 ? federationUrl[0] : federationUrl,
    }),
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

/** Only one previous token is accepted. */
function withoutPrevious(entry: JsonMembers = {}): JsonMembers {
  return Object.fromEntries(
    Object.entries(entry).filter(([name]) => !name.startsWith("accept_previous_")),
  );
}

/** The changed configurations of our witnesses, with the peer's log. */
export async function changedWitnesses(
  witnesses: readonly string[],
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
