/**
 * `network`: shows, pins, lists and unpins public configurations with their keys.
 *
 * @module
 */

import { reasonClause } from "../proof/verify/reasons.ts";
import { longestMatch } from "@optique/core/constructs";
import { chainOf } from "../client/further_epochs.ts";
import { CountersignError } from "../base/errors.ts";
import { publicNetwork, publicNetworkJson } from "../proof/format/public_network.ts";
import type { SuccessionLink } from "../proof/format/succession.ts";
import { coreOf, encodeTrustCore, fingerprintOf } from "../proof/format/trust_core.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { printable } from "../proof/format/printable_text.ts";
import type { CommandContext } from "./command_context.ts";
import { namedCommand, runnable, type ValuesOf } from "./define_command.ts";
import { networkAssemble } from "./network_assemble_command.ts";
import { shellWord } from "./shell_word.ts";
import { FILE, flag, HASH, optional, optionalPositional, textValue } from "./options.ts";
import { PinDiffers, tableLines } from "./output.ts";
import {
  followedPin,
  isEpochOf,
  readChain,
  readNetworkFile,
  requireKnownNetwork,
} from "./trusted_network.ts";
import {
  type FollowedNetwork,
  followSuccession,
  latestOf,
} from "../proof/verify/followed_network.ts";
import { verifySignedTreeHead } from "../proof/verify/tree_head.ts";
import { endOfLog } from "../proof/verify/log_end.ts";

const options = {
  pin: flag("--pin", "Trust this configuration from now on."),
  fingerprint: optional(
    "--fingerprint",
    HASH,
    "The fingerprint that the configuration must have, from its operator.",
  ),
  yes: flag(
    "--yes",
    "Pin the configuration of a gateway without asking: for a gateway of your own.",
  ),
  chain: optional(
    "--chain",
    FILE,
    "With --pin: the network's succession, as GET /v1/succession answers it (default: ask the gateway).",
  ),
  trustCore: flag("--trust-core", "Print the text whose SHA-256 is the fingerprint."),
  force: flag("--force", "Replace a different pin."),
  list: flag("--list", "List the pinned networks."),
  unpin: optional(
    "--unpin",
    textValue("ID"),
    "Stop trusting a network. Forgets its tree head and gateways, and keeps evidence and tokens.",
  ),
  file: optionalPositional(FILE, "A network.public.json (default: ask the gateway)."),
};

export const network = namedCommand(
  "network",
  longestMatch(networkAssemble, runnable(options, runNetwork)),
);

async function runNetwork(
  { pin, fingerprint, chain, trustCore, yes, force, list, unpin, file }: ValuesOf<typeof options>,
  context: CommandContext,
): Promise<number> {
  const named = file !== undefined || fingerprint !== undefined;
  if ((list || unpin !== undefined) && (named || pin || (list && unpin !== undefined))) {
    throw new CountersignError("usage", "--list and --unpin take no other options");
  }
  if (list) return await listPins(context);
  if (unpin !== undefined) return await removePin(context, unpin);
  const network: FollowedNetwork = file === undefined
    ? (await context.gateway.network()).value
    : await readNetworkFile(context, file);
  if (fingerprint !== undefined) requireFingerprint(network, fingerprint);
  if (pin) {
    return await pinNetwork(context, network, {
      force,
      isFromGateway: file === undefined,
      isCompared: fingerprint !== undefined,
      yes,
      links: chain === undefined ? carriedBy(network) : await readChain(context, chain),
    });
  }
  if (trustCore) {
    context.io.out(encodeTrustCore(coreOf(network)).trimEnd());
    return 0;
  }
  // The pin is this client's, and no part of the document.
  const relation = await pinText(context, network, file);
  const shown = publicNetwork(network);
  context.output.document(
    publicNetworkJson(network),
    shown,
    (shown) => [...networkLines(shown), relation],
  );
  return 0;
}

/** The chain in a configuration, from a file or not yet verified. */
function carriedBy({ links, succession }: FollowedNetwork): readonly SuccessionLink[] | undefined {
  return links ?? succession;
}

function requireFingerprint(network: NetworkConfiguration, expected: string): void {
  const found = fingerprintOf(network);
  if (found === expected) return;
  throw new CountersignError(
    "invalid_configuration",
    `Cannot use the configuration of ${network.id}: its fingerprint is ${found}, but you expect ` +
      `${expected}. It may have changed, or this is not the network that you mean: ask its operator`,
  );
}

/**
 * Pins `network`, and remembers it for the gateway that stated it or that the command line names.
 * Replaces a different pin or remembered network only with `force`; `pin_differs`.
 */
async function pinNetwork(
  context: CommandContext,
  network: NetworkConfiguration,
  { force, isFromGateway, isCompared, yes, links }: {
    readonly force: boolean;
    readonly isFromGateway: boolean;
    /** True if the user gave the fingerprint. */
    readonly isCompared: boolean;
    readonly yes: boolean;
    /** A chain of the user. */
    readonly links: readonly SuccessionLink[] | undefined;
  },
): Promise<number> {
  const { trust, output } = context;
  const pinned = await trust.pin(network.id);
  const hasGateway = isFromGateway || context.namedGateway !== undefined;
  if (!force) {
    if (hasGateway) await requireKnownNetwork(context, network.id);
    if (pinned !== undefined) {
      const followed = await followedPin(context, pinned, network, links);
      if (fingerprintOf(followed) !== fingerprintOf(network) || followed.links !== undefined) {
        if (hasGateway) await trust.saveGateway(context.gateway.url.href, network.id);
        return reportFollowed(context, followed);
      }
    }
  }
  const fingerprint = fingerprintOf(network);
  const isNew = pinned === undefined || fingerprintOf(pinned) !== fingerprint;
  const chain = links ??
    (isFromGateway && (network.epoch ?? 0) > 0 ? (await context.gateway.succession()).value : []);
  const followed = await followSuccession(context.crypto, network, chain);
  if (followed.failure !== undefined) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot pin ${network.id}: its succession does not lead to it (${
        reasonClause(followed.failure.reason)
      })`,
    );
  }
  const continued = force ? undefined : await continuedLog(context, followed.network);
  const isFirstUse = isFromGateway && !isCompared && continued === undefined;
  if (isNew && isFirstUse && !yes && !agrees(context, network, pinned)) {
    output.result(
      { id: network.id, fingerprint, pinned: false },
      ({ id }) => [`Not pinned: you did not agree to trust ${id}`],
    );
    return 1;
  }
  const file = await trust.savePin(followed.network);
  if (hasGateway) await trust.saveGateway(context.gateway.url.href, network.id);
  await dropForeignHead(context, followed.network);
  output.result({
    id: network.id,
    fingerprint,
    file,
    pinned: true,
    first_use: isNew && isFirstUse,
    ...(continued !== undefined && { continues: continued }),
    configuration: publicNetwork(network),
  }, ({ file, first_use, continues, configuration }) => [
    ...networkLines(configuration),
    ...(continues === undefined ? [] : [`It continues ${continues}, whose witnesses named it`]),
    isNew ? `Pinned in ${file}` : `Already pinned in ${file}; the fingerprint is unchanged`,
    ...(first_use ? FIRST_USE : []),
  ]);
  return 0;
}

/** The pin is kept, and so is the chain that leads from it. */
function reportFollowed({ output }: CommandContext, network: FollowedNetwork): number {
  const { id, epoch = 0, epochs = [] } = network;
  const last = latestOf(network);
  output.result({
    id,
    fingerprint: fingerprintOf(network),
    pinned: true,
    epoch,
    last_epoch: last.epoch ?? 0,
    last_fingerprint: fingerprintOf(last),
    ends: epochs.map(({ end }) => end ?? null),
    last_configuration: publicNetwork(last),
  }, ({ epoch, last_epoch, ends, last_configuration }) => [
    ...networkLines(last_configuration),
    `Pinned at epoch ${epoch}, and followed to epoch ${last_epoch}:`,
    ...ends.map((end, i) =>
      `  epoch ${i}: ${end === null ? "to the present" : `to tree size ${end}`}`
    ),
  ]);
  return 0;
}

const FIRST_USE = [
  "This is trust on first use: the gateway itself named the witnesses that are trusted from now on.",
  "Compare the fingerprint with the operator's, over another channel, before you rely on it.",
];

/** Asks whether to trust what the gateway states; `usage` where there is no terminal to ask on. */
function agrees(
  context: CommandContext,
  network: NetworkConfiguration,
  pinned: NetworkConfiguration | undefined,
): boolean {
  const { io, gateway } = context;
  if (!io.isTerminal) {
    const fingerprint = fingerprintOf(network);
    const fitting = context.commandLine(`network --pin --fingerprint ${fingerprint}`);
    throw new CountersignError(
      "usage",
      `Cannot pin ${network.id}: there is no terminal to ask on whether to trust it. ` +
        `${gateway.answering.href} states the fingerprint ${fingerprint}. If the operator gives you ` +
        `the same over another channel: ${fitting}. If the gateway is your own, give --yes instead`,
    );
  }
  io.err(`${gateway.answering.href} states this configuration:`);
  for (const line of networkLines(network)) io.err(`  ${printable(line)}`);
  if (pinned !== undefined) io.err(`It replaces the pinned one: ${fingerprintOf(pinned)}`);
  io.err(
    "If you pin it, these witnesses are trusted from now on, because this gateway named them.",
  );
  io.err(
    "If the gateway lies, forged proofs verify. First compare the fingerprint with the operator's.",
  );
  return io.ask("Pin it? [y/N]")?.trim().toLowerCase().startsWith("y") ?? false;
}

/** Forgets a remembered head that no epoch of the new pin verifies. */
async function dropForeignHead(
  { trust, crypto, output }: CommandContext,
  network: FollowedNetwork,
): Promise<void> {
  const head = await trust.head(network.id);
  if (head === undefined) return;
  const { valid } = await verifySignedTreeHead(crypto, network, head);
  if (valid) return;
  await trust.forgetHead(network.id);
  output.note(`Forgot the tree head of size ${head.tree_head.tree_size}: other keys signed it`);
}

function networkLines(network: NetworkConfiguration): string[] {
  const { id, threshold, witnesses, signature_scheme, federation } = network;
  const peers = federation.peer_networks.map((peer) => peer.id).join(", ");
  return [
    `network: ${id}`,
    `scheme: ${signature_scheme}`,
    `threshold: ${threshold} of ${witnesses.length} witnesses`,
    ...(federation.enabled
      ? [`federation: ${federation.cross_anchor_threshold} of peers ${peers}`]
      : []),
    ...(network.log_vkey === undefined ? [] : [`log key: ${network.log_vkey}`]),
    ...tableLines(["witness", "public key"], witnesses.map((w) => [w.id, w.pubkey])),
    ...(network.epoch === undefined ? [] : [`epoch: ${network.epoch}`]),
    `fingerprint: ${fingerprintOf(network)}`,
  ];
}

/** How `network` relates to the pin of this client, of which the configuration says nothing. */
async function pinText(
  context: CommandContext,
  network: FollowedNetwork,
  file: string | undefined,
): Promise<string> {
  const { trust, gateway, crypto } = context;
  const known = file === undefined ? await trust.networkOf(gateway.url.href) : undefined;
  if (known !== undefined && known !== network.id) {
    return `WARNING: this gateway was remembered for network ${known}.`;
  }
  const pinned = await trust.pin(network.id);
  if (pinned === undefined) {
    const words = file === undefined ? "network --pin" : `network --pin ${shellWord(file)}`;
    return `Not pinned. Pin it with: ${context.commandLine(words)}`;
  }
  if (fingerprintOf(pinned) === fingerprintOf(network)) return "This is the pinned configuration.";
  const isKept = isEpochOf(pinned, network);
  const links = carriedBy(network) ?? (isKept || file !== undefined ? [] : await chainOf(gateway));
  const followed = await followSuccession(crypto, pinned, links);
  return followed.failure === undefined && isEpochOf(followed.network, network)
    ? `Pinned at epoch ${pinned.epoch ?? 0}, from which this configuration follows.` +
      (isKept ? "" : ` Keep the succession with: ${context.commandLine("network --pin")}`)
    : "WARNING: another configuration is pinned for this network.";
}

async function listPins({ trust, output }: CommandContext): Promise<number> {
  const pins = await Promise.all((await trust.pins()).map(async (network) => ({
    id: network.id,
    fingerprint: fingerprintOf(network),
    threshold: network.threshold,
    witness_count: network.witnesses.length,
    gateways: await trust.gatewaysOf(network.id),
  })));
  output.result(
    pins,
    (pins) =>
      pins.length === 0
        ? ["No network is pinned. Pin one with: countersign network --pin FILE"]
        : tableLines(
          ["network", "threshold", "fingerprint", "gateways"],
          pins.map(({ id, threshold, witness_count, fingerprint, gateways }) => [
            id,
            `${threshold} of ${witness_count}`,
            fingerprint,
            gateways.join(" "),
          ]),
        ),
  );
  return 0;
}

async function removePin({ trust, output }: CommandContext, id: string): Promise<number> {
  if (!await trust.unpin(id)) {
    throw new CountersignError(
      "configuration_missing",
      `Cannot unpin ${id}: it is not pinned (list the pinned networks with: countersign network --list)`,
    );
  }
  output.result({ id, pinned: false }, ({ id }) => [`${id} is no longer trusted`]);
  return 0;
}

/**
 * The pinned log that has ended and that `network` continues, if any: its witnesses signed the digest of
 * this configuration. `pin_differs` if they signed another one for this name.
 */
async function continuedLog(
  { trust }: CommandContext,
  network: FollowedNetwork,
): Promise<string | undefined> {
  const first = network.epochs?.[0]?.network ?? network;
  // Without a chain, the configuration that was named is unknown.
  if ((first.epoch ?? 0) > 0) return undefined;
  for (const pin of await trust.pins()) {
    const next = endOfLog(pin)?.next;
    if (next?.origin !== network.id) continue;
    const found = fingerprintOf(first);
    if (next.core === found) return pin.id;
    throw new PinDiffers(
      pin.id,
      `Cannot pin ${network.id}: it continues ${pin.id}, whose witnesses named a configuration with ` +
        `fingerprint ${next.core}, and this one has ${found}`,
    );
  }
  return undefined;
}
