/**
 * The configurations that the reader pinned in this browser: what everything is verified against.
 * Each is kept as the text that it came in, and read anew, with all its checks, at every visit.
 *
 * @module
 */

import type { Bls } from "../crypto/bls.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { type NetworkConfiguration, parseNetwork } from "../format/network.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import type { Trust } from "../verify/mod.ts";
import type { PageStorage } from "./browser_storage.ts";

/** Whom the reader trusted for a configuration: a file of theirs, or this gateway. */
export type PinSource = "file" | "gateway";

/** A configuration and where it came from. */
export interface Pin {
  readonly network: NetworkConfiguration;
  /** As it came. */
  readonly text: string;
  readonly source: PinSource;
  /** Of the file; of the gateway its address. */
  readonly name: string;
  /** Unix seconds. */
  readonly pinnedAt: number;
}

/** What the page verifies against. */
export interface PinnedTrust {
  readonly home: Pin;
  readonly peers: readonly Pin[];
}

/** Under what name the pins are kept. */
export const TRUST_ENTRY = "trust";

const CODE = "malformed_configuration";
const PIN_MEMBERS = ["text", "source", "name", "pinned_at"] as const;

/** The pin that `text`, a network's configuration, makes; `malformed_configuration` and others. */
export function makePin(
  text: string,
  origin: Pick<Pin, "source" | "name" | "pinnedAt">,
  bls: Bls,
): Pin {
  return { network: parseNetwork(text, bls), text, ...origin };
}

/** What is pinned; `undefined` when nothing is. Rejects what was kept and cannot be read. */
export function readPins(storage: PageStorage, bls: Bls): PinnedTrust | undefined {
  const kept = storage.read(TRUST_ENTRY);
  if (kept === undefined) return undefined;
  const fields = new Fields(
    parseStrictJson(kept, CODE),
    { where: "pinned trust", code: CODE },
    ["home", "peers"],
  );
  return {
    home: readPin(fields.object("home", PIN_MEMBERS), bls),
    peers: fields.list("peers").map((value, i) =>
      readPin(fields.within(value, `peers[${i}]`, PIN_MEMBERS), bls)
    ),
  };
}

function readPin(fields: Fields, bls: Bls): Pin {
  const source = fields.text("source");
  if (source !== "file" && source !== "gateway") {
    throw new CountersignError(CODE, "Cannot read pin: a known source required, found another");
  }
  const origin = {
    source,
    name: fields.text("name"),
    pinnedAt: fields.integer("pinned_at"),
  } as const;
  return makePin(fields.text("text"), origin, bls);
}

/** Keeps `trust`; false when the browser does not let us. */
export function storePins(storage: PageStorage, trust: PinnedTrust): boolean {
  const entry = ({ text, source, name, pinnedAt }: Pin) => ({
    ...{ text, source, name },
    pinned_at: pinnedAt,
  });
  const kept = { home: entry(trust.home), peers: trust.peers.map(entry) };
  return storage.write(TRUST_ENTRY, JSON.stringify(kept));
}

/** `trust` with the configuration of a peer, in place of an older one of the same network. */
export function withPeer(trust: PinnedTrust, peer: Pin): PinnedTrust {
  if (peer.network.id === trust.home.network.id) {
    throw new CountersignError(
      "invalid_configuration",
      "Cannot pin peer: another network than the pinned one required, found the same",
    );
  }
  return { ...trust, peers: [...withoutPeer(trust, peer.network.id).peers, peer] };
}

export function withoutPeer(trust: PinnedTrust, id: string): PinnedTrust {
  return { ...trust, peers: trust.peers.filter(({ network }) => network.id !== id) };
}

/** What the verifier takes. */
export function verifierTrust({ home, peers }: PinnedTrust): Trust {
  return { network: home.network, peers: peers.map(({ network }) => network) };
}
