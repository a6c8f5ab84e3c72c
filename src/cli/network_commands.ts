/**
 * `network`: shows or pins the public configuration with its keys. `config`: shows its summary.
 *
 * @module
 */

import { fingerprintOf, publicNetworkJson } from "../format/public_network.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand } from "./define_command.ts";
import { flag } from "./options.ts";
import { tableLines } from "./output.ts";
import { requireKnownNetwork, requireUnchanged } from "./trusted_network.ts";
import { verifySignedTreeHead } from "../verify/tree_head.ts";

export const network = defineCommand("network", {
  brief: "Show or pin the network's public configuration",
  options: {
    pin: flag("--pin", "Trust this configuration from now on."),
    force: flag("--force", "Replace a different pin."),
  },
  async run({ pin, force }, context) {
    const { value: network } = await context.gateway.network();
    if (pin) return await pinNetwork(context, network, force);
    const lines = [...networkLines(network), await pinLine(context, network)];
    context.output.document(publicNetworkJson(network), lines);
    return 0;
  },
});

/** Warns if the pinned configuration differs. */
export const config = defineCommand("config", {
  brief: "Show the gateway's short configuration",
  options: {},
  async run(_, { gateway, output, trust }) {
    const { text, value } = await gateway.config();
    output.document(text, [
      `network: ${value.id}`,
      `scheme: ${value.signature_scheme}`,
      `threshold: ${value.threshold} of ${value.witness_count} witnesses`,
    ]);
    const pin = await trust.pin(value.id);
    const differs = pin !== undefined && (
      pin.threshold !== value.threshold || pin.signature_scheme !== value.signature_scheme ||
      pin.witnesses.length !== value.witness_count
    );
    if (differs) output.note(`WARNING: the pinned configuration of ${value.id} differs`);
    return 0;
  },
});

/**
 * Pins `network` and remembers it for the gateway. Replaces a different pin or remembered network only
 * with `force`; `pin_differs`.
 */
async function pinNetwork(
  context: CommandContext,
  network: NetworkConfiguration,
  force: boolean,
): Promise<number> {
  const { trust, gateway, output } = context;
  const pinned = await trust.pin(network.id);
  if (!force) {
    await requireKnownNetwork(context, network.id);
    if (pinned !== undefined) requireUnchanged(pinned, network);
  }
  const file = await trust.savePin(network);
  await trust.saveGateway(gateway.url.href, network.id);
  await dropForeignHead(context, network);
  const adopted = await context.tokens(network.id).adoptOwnerless();
  if (adopted > 0) {
    output.note(`${adopted} tokens of an earlier version now belong to ${gateway.url.href}`);
  }
  const fingerprint = fingerprintOf(network);
  output.result({ id: network.id, fingerprint, file, pinned: true }, [
    ...networkLines(network),
    `Pinned in ${file}`,
    "Compare the fingerprint with the operator's before you rely on it: from now on this",
    "configuration is trusted.",
  ]);
  return 0;
}

/** Forgets a remembered head that the new pin does not verify. */
async function dropForeignHead(
  { trust, crypto, output }: CommandContext,
  network: NetworkConfiguration,
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
    `fingerprint: ${fingerprintOf(network)}`,
  ];
}

async function pinLine(
  { trust, gateway }: CommandContext,
  network: NetworkConfiguration,
): Promise<string> {
  const known = await trust.networkOf(gateway.url.href);
  if (known !== undefined && known !== network.id) {
    return `WARNING: this gateway was remembered for network ${known}.`;
  }
  const pinned = await trust.pin(network.id);
  if (pinned === undefined) return "Not pinned. Pin it with: countersign network --pin";
  return fingerprintOf(pinned) === fingerprintOf(network)
    ? "This is the pinned configuration."
    : "WARNING: another configuration is pinned for this network.";
}
