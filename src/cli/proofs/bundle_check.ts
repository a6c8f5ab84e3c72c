/**
 * Checks proof bundles against the trusted network, a mirror, the peers and the remembered tree head.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import type { ProofBundle } from "../../format/bundle.ts";
import type { LogPolicy } from "../../format/log_policy.ts";
import type { NetworkConfiguration } from "../../format/network.ts";
import type { SuccessionLink } from "../../format/succession.ts";
import {
  type Distrust,
  type FollowedNetwork,
  followSuccession,
} from "../../verify/followed_network.ts";
import { verifyBundle } from "../../verify/bundle.ts";
import type { Verdict } from "../../verify/verdict.ts";
import { countWitnessed, type PolicyVerdict } from "../../verify/witnessed_policy.ts";
import {
  type AnchorReport,
  anchorReport,
  type AnchorVerification,
  withVerifiedAnchors,
} from "../anchor_report.ts";
import type { CommandContext } from "../command_context.ts";
import { type HeadMemory, rememberHead } from "../head_memory.ts";
import { extendsHead, type OpenedMirror, openMirror } from "../mirror/opened_mirror.ts";
import {
  keepChain,
  readNetworkFile,
  type TrustedNetwork,
  trustedNetwork,
} from "../trusted_network.ts";
import { refuseConflict } from "../succession_evidence.ts";
import { overdueSince } from "../verdict_report.ts";
import { remembered } from "./saved_proofs.ts";

export interface CheckOptions {
  readonly networkConfig?: string | undefined;
  /** A file with the succession that leads from it. */
  readonly chain?: string | undefined;
  readonly online: boolean;
  /** Files with configurations of peers. */
  readonly peerConfigs?: readonly string[];
  /** Folder or URL of a mirror. */
  readonly mirror?: string | undefined;
  /** Absent if anchors are not verified. */
  readonly anchors?: AnchorVerification | undefined;
  /** Witnesses whose signatures do not count. */
  readonly distrust?: readonly Distrust[] | undefined;
  /** Counts cosignatures of witnesses outside the network. */
  readonly policy?: LogPolicy | undefined;
  /** Whether to ask the gateway for the growth of the log since the remembered head. */
  readonly mayAsk: boolean;
}

/** A bundle and its required hashes. */
export interface BundleToCheck {
  readonly bundle: ProofBundle;
  /** Hashes that the bundle must be about. */
  readonly hashes: readonly string[];
  /** True for an answer of the gateway, which must not choose among pins and is not outdated. */
  readonly isAnswer?: boolean;
}

/** Facts that a mirror adds to a bundle. */
export interface MirrorFinding {
  readonly name: string;
  readonly size: number;
  /** `inclusion`: the batch layer; `extends` the bundle's head; `smaller`: not compared. */
  readonly relation: "inclusion" | "extends" | "smaller";
}

export interface BundleFindings {
  readonly bundle: ProofBundle;
  readonly trusted: TrustedNetwork;
  readonly verdict: Verdict;
  /** Absent if anchors are not verified. */
  readonly anchors: AnchorReport | undefined;
  readonly memory: HeadMemory | undefined;
  /** Unix seconds at which the missing batch was due. */
  readonly due: number | undefined;
  readonly mirror: MirrorFinding | undefined;
  /** Absent without a policy. */
  readonly witnesses: PolicyVerdict | undefined;
  /** Witnesses whose signatures were not counted. */
  readonly distrust: readonly Distrust[];
}

/** Checks bundles by one set of options, and reads each configuration once. */
export class BundleChecker {
  readonly #context: CommandContext;
  readonly #options: CheckOptions;
  readonly #trusted = new Map<string, Promise<TrustedNetwork>>();
  readonly #peers = new Map<string, Promise<readonly NetworkConfiguration[]>>();
  /** By network, size and root. */
  readonly #memories = new Map<string, Promise<HeadMemory | undefined>>();

  constructor(context: CommandContext, options: CheckOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** The configuration for resources of network `id`; rejects like `trustedNetwork`. */
  trustedFor(id: string, isAnswer = false): Promise<TrustedNetwork> {
    return remembered(
      this.#trusted,
      id,
      () => trustedNetwork(this.#context, { ...this.#options, isAnswer }, id),
    );
  }

  async check({ bundle: given, hashes, isAnswer = false }: BundleToCheck): Promise<BundleFindings> {
    const context = this.#context;
    const { mirror: place } = this.#options;
    const { attestation } = given.signed_attestation;
    const pinned = await this.trustedFor(attestation.network_id, isAnswer);
    const { distrust = [] } = this.#options;
    const chain = given.succession ?? [];
    if (distrust.length === 0) await refuseConflict(context, pinned.network, chain);
    const network = distrust.length === 0
      ? pinned.network
      : await standing(context, pinned.network, chain, distrust);
    const opened = place === undefined ? undefined : await openMirror(context, place, network);
    const whole = opened === undefined ? given : await completed(given, opened);
    const { succession: _, ...unchained } = whole;
    const bundle = distrust.length === 0 ? whole : unchained;
    const pins = await remembered(this.#peers, network.id, () => this.#peersOf(network));
    const peers = distrust.length === 0 ? pins : pins.map((peer) => ({ ...peer, distrust }));
    requireWitnesses(distrust, [pinned.network, ...pins], chain);
    const hash = hashes.find((expected) => expected !== attestation.hash) ?? attestation.hash;
    const found = await verifyBundle(context.crypto, { network, peers }, bundle, { hash });
    const anchors = await anchorReport(this.#options.anchors, bundle, found);
    const verdict = withVerifiedAnchors(found, anchors);
    const trusted = distrust.length === 0
      ? await this.#followed(pinned, found)
      : { ...pinned, network };
    const memory = distrust.length > 0
      ? undefined
      : await this.#compareWithMemory(trusted, bundle, { verdict, opened });
    const mirror = opened && await mirrorFinding(context, network, opened, { given, verdict });
    const isLate = isAnswer && verdict.valid && bundle.batch_inclusion === null;
    const due = isLate ? overdueSince(network, attestation, context.process.clock) : undefined;
    const witnesses = await this.#witnesses(trusted, bundle, verdict);
    return { bundle, trusted, verdict, anchors, memory, due, mirror, witnesses, distrust };
  }

  /** By the policy of the options, if there is one. */
  async #witnesses(
    { network }: TrustedNetwork,
    { witnessed }: ProofBundle,
    { layers }: Verdict,
  ): Promise<PolicyVerdict | undefined> {
    const { policy } = this.#options;
    if (policy === undefined) return undefined;
    const size = layers.witnessed?.tree_size;
    if (witnessed === undefined || size === undefined) return { met: false, cosigners: [] };
    const shown = { checkpoint: witnessed.checkpoint, size };
    return await countWitnessed(this.#context.crypto, network, policy, shown);
  }

  /** The network followed along the chain of a valid bundle, which is stored with the pin. */
  async #followed(pinned: TrustedNetwork, { valid, followed }: Verdict): Promise<TrustedNetwork> {
    if (!valid || followed === undefined) return pinned;
    if (pinned.source.kind === "pin") await keepChain(this.#context, followed);
    return { ...pinned, network: followed };
  }

  /** The named configurations, and the pins of the peers in the home configuration. */
  async #peersOf(home: NetworkConfiguration): Promise<readonly NetworkConfiguration[]> {
    const names = this.#options.peerConfigs ?? [];
    const peers = await Promise.all(names.map((name) => readNetworkFile(this.#context, name)));
    for (const { id } of home.federation.peer_networks) {
      if (peers.some((peer) => peer.id === id)) continue;
      const pin = await this.#context.trust.pin(id);
      if (pin !== undefined) peers.push(pin);
    }
    return peers;
  }

  #compareWithMemory(
    trusted: TrustedNetwork,
    { batch_inclusion: inclusion }: ProofBundle,
    { verdict, opened }: { readonly verdict: Verdict; readonly opened: OpenedMirror | undefined },
  ): Promise<HeadMemory | undefined> | undefined {
    if (inclusion === null || verdict.layers.batch.status !== "verified") return undefined;
    const { network_id, tree_size, root_hash } = inclusion.sth.tree_head;
    const proofs = { mayAsk: this.#options.mayAsk, mirror: opened?.mirror };
    return remembered(
      this.#memories,
      `${network_id} ${tree_size} ${root_hash}`,
      () => rememberHead(this.#context, trusted, inclusion.sth, proofs),
    );
  }
}

/** An unknown name is `usage`: otherwise a mistyped one would remove no witness, and the proof would stand. */
function requireWitnesses(
  distrust: readonly Distrust[],
  networks: readonly FollowedNetwork[],
  chain: readonly SuccessionLink[],
): void {
  const links = [...chain, ...networks.flatMap((network) => network.links ?? [])];
  const cores = [...networks, ...links.flatMap((link) => [link.predecessor, link.successor])];
  const ids = new Set(cores.flatMap((core) => core?.witnesses ?? []).map(({ id }) => id));
  for (const { witness } of distrust) {
    if (ids.has(witness)) continue;
    throw new CountersignError(
      "usage",
      `Cannot distrust ${witness}: no configuration here has this witness, but ${
        [...ids].join(", ")
      }`,
    );
  }
}

/**
 * The pinned network with as much of its longest chain as stands without the distrusted witnesses. A
 * chain that has been damaged is followed to the damage.
 */
async function standing(
  { crypto }: CommandContext,
  { epochs: _, links: known = [], ...pinned }: FollowedNetwork,
  given: readonly SuccessionLink[],
  distrust: readonly Distrust[],
): Promise<FollowedNetwork> {
  const links = given.length > known.length ? given : known;
  for (let count = links.length; count > 0; count--) {
    const chain = links.slice(0, count);
    const { network, failure } = await followSuccession(crypto, { ...pinned, distrust }, chain);
    if (failure === undefined) return network;
  }
  return { ...pinned, distrust };
}

/** `bundle` with its inclusion in the mirror's tree, unless it has one. */
async function completed(bundle: ProofBundle, { mirror, sth }: OpenedMirror): Promise<ProofBundle> {
  if (bundle.batch_inclusion !== null) return bundle;
  const { attestation } = bundle.signed_attestation;
  return { ...bundle, batch_inclusion: await mirror.batchInclusion(attestation, sth) };
}

async function mirrorFinding(
  context: CommandContext,
  network: NetworkConfiguration,
  opened: OpenedMirror,
  { given, verdict }: { readonly given: ProofBundle; readonly verdict: Verdict },
): Promise<MirrorFinding | undefined> {
  const { name, mirror: { size } } = opened;
  if (given.batch_inclusion === null) return { name, size, relation: "inclusion" };
  if (verdict.layers.batch.status !== "verified") return undefined;
  const isExtended = await extendsHead(context, network, opened, given.batch_inclusion.sth);
  return { name, size, relation: isExtended ? "extends" : "smaller" };
}
