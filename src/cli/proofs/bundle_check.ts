/**
 * Checks proof bundles against the trusted network, a mirror, the peers and the remembered tree head.
 *
 * @module
 */

import { dirname, isAbsolute, join } from "node:path";
import { CountersignError } from "../../base/errors.ts";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { LogPolicy } from "../../proof/format/log_policy.ts";
import type { NetworkConfiguration } from "../../proof/format/network.ts";
import {
  type Distrust,
  type FollowedNetwork,
  followSuccession,
} from "../../proof/verify/followed_network.ts";
import { verifyBundle } from "../../proof/verify/bundle.ts";
import type { Verdict } from "../../proof/verify/verdict.ts";
import { countWitnessed, type PolicyVerdict } from "../../proof/verify/witnessed_policy.ts";
import {
  type AnchorReport,
  anchorReport,
  type AnchorVerification,
  withVerifiedAnchors,
} from "../anchor_report.ts";
import type { CommandContext } from "../command_context.ts";
import { type HeadMemory, rememberHead } from "../head_memory.ts";
import { kindOf, readDocument, STDIN } from "../input_file.ts";
import {
  extendsHead,
  type OpenedMirror,
  openMirror,
  withDistrust,
} from "../mirror/opened_mirror.ts";
import {
  followedFurther,
  keepChain,
  readNetworkFile,
  type TrustedNetwork,
  trustedNetwork,
} from "../trusted_network.ts";
import { refuseConflict } from "../succession_evidence.ts";
import { ChainFiles } from "./chain_files.ts";
import { overdueSince } from "../verdict_report.ts";
import { remembered } from "./saved_proofs.ts";
import { list, object, TEXT } from "../../proof/format/schema.ts";

export interface CheckOptions {
  readonly networkConfig?: string | undefined;
  /** Files with successions, of the network or of peers. */
  readonly chains?: readonly string[];
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
  /** Name of the file with the bundle, for messages. */
  readonly file?: string | undefined;
  /** True for an answer of the gateway, which must not choose among pins and is not outdated. */
  readonly isAnswer?: boolean;
}

/** Facts that a mirror adds to a bundle. */
export interface MirrorFinding {
  readonly name: string;
  readonly size: number;
  /** `inclusion`: it verified the batch layer; `extends` the bundle's head; `smaller`: not compared. */
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
  readonly #chains: ChainFiles;
  readonly #trusted = new Map<string, Promise<TrustedNetwork>>();
  /** Those of {@linkcode #trusted} that were followed since. */
  readonly #further = new Map<string, TrustedNetwork>();
  readonly #peers = new Map<string, Promise<readonly FollowedNetwork[]>>();
  /** By network, size and root. */
  readonly #memories = new Map<string, Promise<HeadMemory | undefined>>();

  constructor(context: CommandContext, options: CheckOptions) {
    this.#context = context;
    this.#options = options;
    this.#chains = new ChainFiles(context, options.chains ?? []);
  }

  /** The configuration for resources of network `id`; rejects like `trustedNetwork`. */
  trustedFor(id: string, isAnswer = false): Promise<TrustedNetwork> {
    return remembered(this.#trusted, id, async () => {
      const trusted = await trustedNetwork(this.#context, { ...this.#options, isAnswer }, id);
      const { network, source } = trusted;
      return { ...trusted, network: await this.#chains.follow(network, source.kind) };
    });
  }

  /** `trusted`, followed further along the gateway's chain; `undefined` if that leads no further. */
  async followFurther(trusted: TrustedNetwork): Promise<TrustedNetwork | undefined> {
    const further = await followedFurther(this.#context, trusted, this.#context.gateway);
    if (further !== undefined) this.#use(further);
    return further;
  }

  async check(
    { bundle: given, hashes, file, isAnswer = false }: BundleToCheck,
  ): Promise<BundleFindings> {
    const context = this.#context;
    const { mirror: place } = this.#options;
    const { attestation } = given.signed_attestation;
    const pinned = await this.trustedFor(attestation.network_id, isAnswer);
    const shown = { ...pinned, network: await this.#followed(pinned, given) };
    const { distrust = [] } = this.#options;
    const opened = place === undefined
      ? undefined
      : await openMirror(context, place, shown, distrust);
    const { trusted } = opened ?? { trusted: shown };
    if (trusted.network !== pinned.network) this.#use(trusted);
    const network = withDistrust(trusted.network, distrust);
    const bundle = opened === undefined ? given : await completed(given, opened);
    const pins = await remembered(this.#peers, network.id, () => this.#peersOf(network));
    const peers = pins.map((peer) => withDistrust(peer, distrust));
    await this.#chains.requireUse([network, ...pins].map(({ id }) => id));
    requireWitnesses(distrust, [network, ...pins]);
    const hash = hashes.find((expected) => expected !== attestation.hash) ?? attestation.hash;
    const found = await verifyBundle(context.crypto, { network, peers }, bundle, { hash });
    const anchors = await anchorReport(this.#options.anchors, bundle, found);
    const verdict = withVerifiedAnchors(found, anchors);
    const memory = distrust.length > 0
      ? undefined
      : await this.#compareWithMemory(trusted, bundle, { verdict, opened, file });
    const mirror = opened && await mirrorFinding(context, opened, { given, verdict });
    const isLate = isAnswer && verdict.valid && bundle.batch_inclusion === null;
    const due = isLate ? overdueSince(network, attestation, context.process.clock) : undefined;
    const witnesses = await this.#witnesses(network, bundle, verdict);
    return { bundle, trusted, verdict, anchors, memory, due, mirror, witnesses, distrust };
  }

  /** False if a later bundle has shown further epochs. */
  async isCurrent({ bundle, trusted }: BundleFindings): Promise<boolean> {
    const { network } = await this.trustedFor(bundle.signed_attestation.attestation.network_id);
    return network.links?.length === trusted.network.links?.length;
  }

  /** Later resources are checked with what this one has shown, and never with a shorter chain. */
  #use(trusted: TrustedNetwork): void {
    const { id } = trusted.network;
    const lengthOf = (known: TrustedNetwork | undefined) => known?.network.links?.length ?? 0;
    if (lengthOf(trusted) <= lengthOf(this.#further.get(id))) return;
    this.#further.set(id, trusted);
    this.#trusted.set(id, Promise.resolve(trusted));
  }

  /** By the policy of the options, if there is one. */
  async #witnesses(
    network: FollowedNetwork,
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

  /**
   * The network followed along the chain of a bundle, which is kept with the pin. A chain that does not
   * verify changes nothing here: the bundle is refused for it.
   */
  async #followed(
    { network: before, source }: TrustedNetwork,
    { succession = [] }: ProofBundle,
  ): Promise<FollowedNetwork> {
    await refuseConflict(this.#context, before, succession);
    const { network } = await followSuccession(this.#context.crypto, before, succession);
    if (network !== before && source.kind === "pin") await keepChain(this.#context, network);
    return network;
  }

  /**
   * The named configurations, then those that a named `network.json` pins, then the pins of the peers in
   * the home configuration.
   */
  async #peersOf(home: NetworkConfiguration): Promise<readonly FollowedNetwork[]> {
    const context = this.#context;
    const { peerConfigs = [], networkConfig } = this.#options;
    const peers: FollowedNetwork[] = [];
    for (const name of peerConfigs) {
      const peer = await readNetworkFile(context, name);
      peers.push(await this.#chains.follow(peer, "file"));
    }
    const isMissing = (id: string) => !peers.some((peer) => peer.id === id);
    if (networkConfig !== undefined && networkConfig !== STDIN) {
      for (const peer of await operatorPeers(context, networkConfig)) {
        if (isMissing(peer.id)) peers.push(await this.#chains.follow(peer, "file"));
      }
    }
    for (const { id } of home.federation.peer_networks) {
      if (!isMissing(id) || !context.hasHome) continue;
      const pin = await context.trust.pin(id);
      if (pin !== undefined) peers.push(await this.#chains.follow(pin, "pin"));
    }
    return peers;
  }

  #compareWithMemory(
    trusted: TrustedNetwork,
    { batch_inclusion: inclusion }: ProofBundle,
    { verdict, opened, file: shownBy }: {
      readonly verdict: Verdict;
      readonly opened: OpenedMirror | undefined;
      readonly file: string | undefined;
    },
  ): Promise<HeadMemory | undefined> | undefined {
    if (inclusion === null || verdict.layers.batch.status !== "verified") return undefined;
    const { network_id, tree_size, root_hash } = inclusion.sth.tree_head;
    const proofs = { mayAsk: this.#options.mayAsk, mirror: opened?.mirror, shownBy };
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
): void {
  const epochs = networks.flatMap((network) => network.epochs ?? [{ network }]);
  const ids = new Set(epochs.flatMap(({ network }) => network.witnesses).map(({ id }) => id));
  for (const { witness } of distrust) {
    if (ids.has(witness)) continue;
    throw new CountersignError(
      "usage",
      `Cannot distrust ${witness}: no witness has this name. The witnesses are ${
        [...ids].join(", ")
      }`,
    );
  }
}

/** `bundle` with its inclusion in the mirror's tree, unless it has one. */
async function completed(bundle: ProofBundle, { mirror, sth }: OpenedMirror): Promise<ProofBundle> {
  if (bundle.batch_inclusion !== null) return bundle;
  const { attestation } = bundle.signed_attestation;
  return { ...bundle, batch_inclusion: await mirror.batchInclusion(attestation, sth) };
}

async function mirrorFinding(
  context: CommandContext,
  opened: OpenedMirror,
  { given, verdict }: { readonly given: ProofBundle; readonly verdict: Verdict },
): Promise<MirrorFinding | undefined> {
  const { name, mirror: { size } } = opened;
  if (verdict.layers.batch.status !== "verified") return undefined;
  if (given.batch_inclusion === null) return { name, size, relation: "inclusion" };
  const isExtended = await extendsHead(context, opened, given.batch_inclusion.sth);
  return { name, size, relation: isExtended ? "extends" : "smaller" };
}

const PEER = object({
  id: TEXT,
  config_file: TEXT.optional(),
  succession_file: TEXT.optional(),
}, "ignored");
const FEDERATION = object({ peer_networks: list(PEER) }, "ignored");
/** Other members are for the gateway, which checks them. */
const PINNING = object({ federation: FEDERATION.optional() }, "ignored");

/**
 * The pinned peers of file `name`, followed by their chains. A peer whose files are not there is left
 * out: a copy of `network.json` need not have them beside it. `invalid_configuration` if a file is of
 * another network.
 */
async function operatorPeers(
  context: CommandContext,
  name: string,
): Promise<readonly FollowedNetwork[]> {
  const code = "malformed_configuration";
  const { federation } = await readDocument(
    context,
    name,
    code,
    (text) => PINNING.parseText(text, { where: name, code }),
  );
  const pathOf = (path: string) => isAbsolute(path) ? path : join(dirname(name), path);
  const isThere = async (path: string) => await kindOf(context, path) !== undefined;
  const peers: FollowedNetwork[] = [];
  for (const { id, config_file, succession_file } of federation?.peer_networks ?? []) {
    if (config_file === undefined || !await isThere(pathOf(config_file))) continue;
    const peer = await readNetworkFile(context, pathOf(config_file));
    if (peer.id !== id) {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot use "${pathOf(config_file)}": it is the configuration of ${peer.id}, not of ${id}`,
      );
    }
    const chain = succession_file === undefined ? undefined : pathOf(succession_file);
    const chains = chain !== undefined && await isThere(chain) ? [chain] : [];
    peers.push(await new ChainFiles(context, chains).follow(peer, "file"));
  }
  return peers;
}
