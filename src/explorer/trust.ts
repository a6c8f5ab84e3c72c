/**
 * The configurations that the reader pinned in this browser. Everything is verified under them.
 * Each is stored as its original text, with the chain that was followed from it; both are parsed and
 * checked again at every visit.
 *
 * @module
 */

import { withCarriedChain } from "../client/further_epochs.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import { CountersignError } from "../base/errors.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import { COUNT, list, object, type Of, oneOf, TEXT } from "../proof/format/schema.ts";
import { parseSuccessionChain, type SuccessionLink } from "../proof/format/succession.ts";
import { fingerprintOf } from "../proof/format/trust_core.ts";
import { type FollowedNetwork, followSuccession } from "../proof/verify/followed_network.ts";
import type { Trust, VerifierCrypto } from "../proof/verify/mod.ts";
import type { CryptoLoader } from "./assets.ts";
import type { PageStorage } from "./browser_storage.ts";
import { twoSuccessions } from "./two_successions.ts";

/** Where a configuration came from: a file of the reader, or this gateway. */
export type PinSource = "file" | "gateway";

/** A pinned configuration. */
export interface Pin {
  /** With the epochs that were followed from it. */
  readonly network: FollowedNetwork;
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

/** A pin as it is stored, whose chain is not followed yet. */
export interface StoredPin extends Pin {
  readonly chain: readonly SuccessionLink[];
}

/** Pins as they are stored. */
export interface StoredTrust {
  readonly home: StoredPin;
  readonly peers: readonly StoredPin[];
}

/** Name of the storage entry. */
export const TRUST_ENTRY = "trust";

const CODE = "malformed_configuration";

const PIN = object({
  text: TEXT,
  source: oneOf(["file", "gateway"]),
  name: TEXT,
  pinned_at: COUNT,
  chain: TEXT,
});

const PINS = object({ home: PIN, peers: list(PIN) });

/** The pin of `text`, a network's configuration; `malformed_configuration` and others. */
export function makePin(
  text: string,
  origin: Pick<Pin, "source" | "name" | "pinnedAt">,
  bls: Bls,
): Pin {
  return { network: parseNetwork(text, bls), text, ...origin };
}

/** The stored pins, if any. Throws if they cannot be read. */
export function readPins(storage: PageStorage, bls: Bls): StoredTrust | undefined {
  const kept = storage.read(TRUST_ENTRY);
  if (kept === undefined) return undefined;
  const { home, peers } = PINS.parseText(kept, { where: "pinned trust", code: CODE });
  return { home: readPin(home, bls), peers: peers.map((pin) => readPin(pin, bls)) };
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

/** The pins, followed by their chains; `malformed_configuration` if one does not lead from its pin. */
export async function followPins(
  crypto: VerifierCrypto,
  { home, peers }: StoredTrust,
): Promise<PinnedTrust> {
  const follow = async ({ chain, ...pin }: StoredPin): Promise<Pin> => {
    const { network, failure } = await followSuccession(crypto, pin.network, chain);
    if (failure === undefined) return { ...pin, network };
    const { id } = pin.network;
    throw new CountersignError(
      CODE,
      `Cannot use the succession kept for ${id}: it does not lead from the pin (${failure.reason})`,
    );
  };
  return { home: await follow(home), peers: await Promise.all(peers.map(follow)) };
}

/**
 * `next` in place of `last`, with the chain that was followed, if it leads from or to `next`. Rejects
 * with {@linkcode TwoSuccessions} if `next` carries a chain that is proved to contradict that one.
 */
export async function replacedPin(
  crypto: VerifierCrypto,
  last: Pin | undefined,
  next: Pin,
): Promise<Pin> {
  const carried = await withCarriedChain(crypto, next.network);
  if (last?.network.id !== next.network.id) return { ...next, network: carried };
  const rival = await twoSuccessions(crypto, last.network, {
    links: carried.links ?? [],
    source: next.name,
    foundAt: next.pinnedAt,
  });
  if (rival !== undefined) throw rival;
  const { links = [] } = last.network;
  const { network } = await followSuccession(crypto, carried, links);
  return { ...next, network };
}

function readPin(pin: Of<typeof PIN>, bls: Bls): StoredPin {
  const { text, source, name, pinned_at: pinnedAt, chain } = pin;
  const links = parseSuccessionChain(chain, CODE);
  return { ...makePin(text, { source, name, pinnedAt }, bls), chain: links };
}

/** Stores `trust`; false if the browser refuses. */
export function storePins(storage: PageStorage, trust: PinnedTrust): boolean {
  const entry = ({ network, text, source, name, pinnedAt }: Pin) => ({
    text,
    source,
    name,
    pinned_at: pinnedAt,
    chain: JSON.stringify(network.links ?? []),
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

/**
 * `trust` with `followed` in place of the pin that it was followed from; `undefined` if no pin is, or a
 * pin was followed as far already.
 */
export function withFollowed(
  trust: PinnedTrust,
  followed: FollowedNetwork,
): PinnedTrust | undefined {
  const core = fingerprintOf(followed);
  const pins = [trust.home, ...trust.peers];
  const place = pins.findIndex(({ network }) => fingerprintOf(network) === core);
  const kept = pins[place]?.network.links ?? [];
  if (place < 0 || (followed.links?.length ?? 0) <= kept.length) return undefined;
  const [home, ...peers] = pins.with(place, { ...pins[place]!, network: followed });
  return { home: home!, peers };
}

/** The same as the verifier's type. */
export function verifierTrust({ home, peers }: PinnedTrust): Trust {
  return { network: home.network, peers: peers.map(({ network }) => network) };
}
