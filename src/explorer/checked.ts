/**
 * The gateway's answers with the verdict of this browser. They are verified under the pinned
 * configuration, or under the gateway's own where none is pinned.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../base/clock.ts";
import { furtherEpochs } from "../client/further_epochs.ts";
import type { GatewayClient } from "../client/gateway_client.ts";
import type { GatewayAnswer } from "../client/gateway_connection.ts";
import { CountersignError, type ErrorCode, hasCode } from "../base/errors.ts";
import type { Batch, ProofBundle } from "../proof/format/bundle.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { fingerprintOf } from "../proof/format/trust_core.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import { verifyBundle } from "../proof/verify/bundle.ts";
import type { Trust } from "../proof/verify/cross_anchors.ts";
import type { FollowedNetwork } from "../proof/verify/followed_network.ts";
import type { SignedOutcome } from "../proof/verify/signed_outcome.ts";
import { verifySignedTreeHead } from "../proof/verify/tree_head.ts";
import type { Verdict } from "../proof/verify/verdict.ts";
import type { CryptoLoader } from "./assets.ts";
import type { LogTrust } from "./log_watch.ts";
import { type PinnedTrust, verifierTrust } from "./trust.ts";
import type { TrustState, TrustStore } from "./trust_store.ts";

/** Members of `Services`, which imports modules that import this one. */
interface TrustServices {
  readonly api: GatewayClient;
  readonly crypto: CryptoLoader;
  readonly trust: TrustStore;
}

/** The configuration in use, with the pinned ones of peers. */
export interface TrustInUse extends LogTrust {
  readonly peers: readonly FollowedNetwork[];
  /** The reader's pins; absent if the configuration came from the gateway itself. */
  readonly pins?: PinnedTrust;
}

export function pinnedTrust(pins: PinnedTrust): TrustInUse {
  const { network, peers } = verifierTrust(pins);
  return { network, fingerprint: fingerprintOf(network), isPinned: true, peers, pins };
}

/** Rejects if a pin is stored and cannot be read: the gateway's configuration must not replace it. */
export async function trustInUse(
  { api, trust }: Pick<TrustServices, "api" | "trust">,
  signal: AbortSignal,
): Promise<TrustInUse> {
  const pins = await loadedTrust(trust, signal);
  if (pins.state === "broken") throw pins.error;
  if (pins.state === "pinned") return pinnedTrust(pins.trust);
  const { value: network } = await api.network(signal);
  return { network, fingerprint: fingerprintOf(network), isPinned: false, peers: [] };
}

/** The pins, once they are loaded. */
function loadedTrust(keeper: TrustStore, signal: AbortSignal): Promise<TrustState> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      if (keeper.state.state === "loading") return;
      unsubscribe();
      signal.removeEventListener("abort", abort);
      resolve(keeper.state);
    };
    const abort = () => {
      unsubscribe();
      reject(signal.reason);
    };
    const unsubscribe = keeper.subscribe(settle);
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) abort();
    else settle();
  });
}

/** Differs between any two states of the pins, for hooks that load again when they change. */
export function trustKey(state: TrustState): string {
  return state.state === "pinned"
    ? [state.trust.home, ...state.trust.peers].map(pinKey).join("\n")
    : state.state;
}

function pinKey({ network, text }: PinnedTrust["home"]): string {
  return `${network.links?.length ?? 0} ${text}`;
}

/** The verdict on a bundle. The chain that it has shown is kept with the pin. */
export async function judgedBundle(
  { crypto, trust: pins }: Pick<TrustServices, "crypto" | "trust">,
  trust: Trust,
  bundle: ProofBundle,
  expected: { readonly hash?: string } = {},
): Promise<Verdict> {
  const verdict = await verifyBundle(await crypto.crypto(), trust, bundle, expected);
  if (verdict.followed !== undefined) pins.keep(verdict.followed);
  return verdict;
}

/** A tree head and the outcome of its verification. */
export interface CheckedHead {
  readonly sth: SignedTreeHead;
  readonly outcome: SignedOutcome;
  readonly trust: TrustInUse;
}

/** The head of `treeSize`, or the latest one. */
export async function checkedHead(
  services: TrustServices,
  treeSize: number | undefined,
  signal: AbortSignal,
): Promise<CheckedHead> {
  const [trust, { value: sth }, crypto] = await Promise.all([
    trustInUse(services, signal),
    services.api.sth(treeSize, signal),
    services.crypto.crypto(),
  ]);
  const { tree_size: size } = sth.tree_head;
  if (treeSize !== undefined && size !== treeSize) {
    throw new CountersignError(
      "malformed_bundle",
      `The gateway answered a tree head of size ${size} instead of ${treeSize}`,
    );
  }
  const outcome = await verifySignedTreeHead(crypto, trust.network, sth);
  if (outcome.valid) return { sth, outcome, trust };
  const network = await furtherEpochs(crypto, services.api, trust.network, signal);
  if (network === undefined) return { sth, outcome, trust };
  services.trust.keep(network);
  const followed = { ...trust, network };
  return { sth, outcome: await verifySignedTreeHead(crypto, network, sth), trust: followed };
}

/** A batch as the gateway lists it, and the tree head of its size. */
export interface CheckedBatch {
  readonly batch: Batch;
  readonly head: CheckedHead;
}

/** The batch that ends at size `id`; `undefined` if the gateway has none. */
export async function checkedBatch(
  services: TrustServices,
  id: number,
  signal: AbortSignal,
): Promise<CheckedBatch | undefined> {
  const head = checkedHead(services, id, signal);
  // A size without a batch may have no tree head either.
  head.catch(() => {});
  try {
    const { value: batch } = await services.api.batch(id, signal);
    return { batch, head: await head };
  } catch (error) {
    if (isRefusal(error, "batch_not_found")) return undefined;
    throw error;
  }
}

/** The proof of `hash`; `malformed_bundle` if the gateway answers another hash's. */
export async function fetchProof(
  api: Pick<GatewayClient, "bundle">,
  hash: string,
  signal?: AbortSignal,
): Promise<GatewayAnswer<ProofBundle>> {
  const answer = await api.bundle(hash, signal);
  if (answer.value.signed_attestation.attestation.hash === hash) return answer;
  throw new CountersignError("malformed_bundle", "The gateway answered the proof of another hash");
}

/** A bundle as text and parsed, with its verdict. */
export interface CheckedBundle {
  readonly text: string;
  readonly bundle: ProofBundle;
  readonly verdict: Verdict;
  readonly trust: TrustInUse;
  /** Unix seconds. */
  readonly verifiedAt: number;
}

/** Rejects with the gateway's refusal while the hash is not signed. */
export async function checkedBundle(
  services: TrustServices & { readonly clock: Clock },
  hash: string,
  signal: AbortSignal,
): Promise<CheckedBundle> {
  const [trust, { text, value: bundle }] = await Promise.all([
    trustInUse(services, signal),
    fetchProof(services.api, hash, signal),
  ]);
  const verdict = await judgedBundle(services, trust, bundle, { hash });
  return { text, bundle, verdict, trust, verifiedAt: unixSeconds(services.clock) };
}

/** The network's own configuration, and the pinned one if there is one. */
export interface NetworkView {
  readonly shown: NetworkConfiguration;
  readonly fingerprint: string;
  readonly pinned?: { readonly id: string; readonly fingerprint: string };
}

export async function readNetwork(
  services: TrustServices,
  signal: AbortSignal,
): Promise<NetworkView> {
  const [{ value: shown }, { network, fingerprint, isPinned }] = await Promise.all([
    services.api.network(signal),
    trustInUse(services, signal),
  ]);
  return {
    shown,
    fingerprint: fingerprintOf(shown),
    ...(isPinned && { pinned: { id: network.id, fingerprint } }),
  };
}

/** Whether the gateway, or the copy, refused with `code`. */
export function isRefusal(error: unknown, code: ErrorCode): boolean {
  return error instanceof GatewayRefusal ? error.reason === code : hasCode(error, code);
}
