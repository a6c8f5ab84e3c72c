/**
 * The configurations that the reader pinned in this browser. Everything is verified under them.
 * Each is stored as its original text, and parsed and checked again at every visit.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import type { Bls } from "../crypto/bls.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { type NetworkConfiguration, parseNetwork } from "../format/network.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import type { Trust } from "../verify/mod.ts";
import type { CryptoLoader } from "./assets.ts";
import type { PageStorage } from "./browser_storage.ts";

/** Where a configuration came from: a file of the reader, or this gateway. */
export type PinSource = "file" | "gateway";

/** A pinned configuration. */
export interface Pin {
  readonly network: NetworkConfiguration;
  /** The original text. */
  readonly text: string;
  readonly source: PinSource;
  /** Name of the file, or address of the gateway. */
  readonly name: string;
  /** Unix seconds. */
  readonly pinnedAt: number;
}

/** The pinned configurations of the network and of its peers. */
export interface PinnedTrust {
  readonly home: Pin;
  readonly peers: readonly Pin[];
}

/** Name of the storage entry. */
export const TRUST_ENTRY = "trust";

const CODE = "malformed_configuration";
const PIN_MEMBERS = ["text", "source", "name", "pinned_at"] as const;

/** The pin of `text`, a network's configuration; `malformed_configuration` and others. */
export function makePin(
  text: string,
  origin: Pick<Pin, "source" | "name" | "pinnedAt">,
  bls: Bls,
): Pin {
  return { network: parseNetwork(text, bls), text, ...origin };
}

/** The stored pins, if any. Throws if they cannot be read. */
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

/** No configuration comes near this size. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** The pin of `file`; `file_failed`, or why it is not a usable configuration. */
export async function pinOfFile(
  { crypto, clock }: { readonly crypto: CryptoLoader; readonly clock: Clock },
  file: File,
): Promise<Pin> {
  const { name, size } = file;
  if (size > MAX_FILE_BYTES) {
    throw new CountersignError(CODE, `Cannot read ${name}: ${size} bytes is too large`);
  }
  const text = await file.text().catch((cause) => {
    throw new CountersignError("file_failed", `Cannot read ${name}`, { cause });
  });
  const origin = { source: "file", name, pinnedAt: unixSeconds(clock) } as const;
  return makePin(text, origin, await crypto.blsFor(text));
}

function readPin(fields: Fields, bls: Bls): Pin {
  const source = fields.text("source");
  if (source !== "file" && source !== "gateway") {
    throw new CountersignError(CODE, "Cannot read the pin: unknown source");
  }
  const origin = {
    source,
    name: fields.text("name"),
    pinnedAt: fields.integer("pinned_at"),
  } as const;
  return makePin(fields.text("text"), origin, bls);
}

/** Stores `trust`; false if the browser refuses. */
export function storePins(storage: PageStorage, trust: PinnedTrust): boolean {
  const entry = ({ text, source, name, pinnedAt }: Pin) => ({
    text,
    source,
    name,
    pinned_at: pinnedAt,
  });
  const kept = { home: entry(trust.home), peers: trust.peers.map(entry) };
  return storage.write(TRUST_ENTRY, JSON.stringify(kept));
}

/** Adds the configuration of a peer, or replaces the one of the same network. */
export function withPeer(trust: PinnedTrust, peer: Pin): PinnedTrust {
  if (peer.network.id === trust.home.network.id) {
    throw new CountersignError(
      "invalid_configuration",
      "Cannot pin a peer: this is the configuration of the pinned network itself",
    );
  }
  return { ...trust, peers: [...withoutPeer(trust, peer.network.id).peers, peer] };
}

export function withoutPeer(trust: PinnedTrust, id: string): PinnedTrust {
  return { ...trust, peers: trust.peers.filter(({ network }) => network.id !== id) };
}

/** The same as the verifier's type. */
export function verifierTrust({ home, peers }: PinnedTrust): Trust {
  return { network: home.network, peers: peers.map(({ network }) => network) };
}
