/**
 * Which configuration a verification trusts: a file, a pin, or, when the user says so, whatever the
 * gateway answers (contract A8).
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { type NetworkConfiguration, parseNetwork } from "../format/network.ts";
import { fingerprintOf } from "../format/public_network.ts";
import type { CommandContext } from "./command_context.ts";
import { readDocument } from "./input_file.ts";

/** Where a configuration came from, and so whom the user trusts for it. */
export type TrustSource =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "pin" }
  | { readonly kind: "gateway"; readonly url: string };

/** A configuration to verify against. */
export interface TrustedNetwork {
  readonly network: NetworkConfiguration;
  readonly source: TrustSource;
}

/** What the user said about trust. */
export interface TrustOptions {
  /** A file with the home configuration. */
  readonly networkConfig: string | undefined;
  /** Ask the gateway, for the home configuration as well where no file is named. */
  readonly online: boolean;
}

/**
 * The configuration for something that says it is of network `id`. Nothing in it decides but which
 * of several pins is meant: with one pinned network, that one.
 *
 * @throws CountersignError `configuration_missing`, `pin_differs`, or why it cannot be used
 */
export async function trustedNetwork(
  context: CommandContext,
  options: TrustOptions,
  id: string,
): Promise<TrustedNetwork> {
  const { networkConfig, online } = options;
  if (networkConfig !== undefined) {
    const network = await readNetworkFile(context, networkConfig);
    return { network, source: { kind: "file", name: networkConfig } };
  }
  if (online) return await fetchedNetwork(context);
  const pins = await context.trust.pins();
  const network = pins.length === 1 ? pins[0] : pins.find((pin) => pin.id === id);
  if (network === undefined) {
    throw new CountersignError(
      "configuration_missing",
      `Cannot verify: a pinned configuration of ${id} required (--network-config FILE, or pin one ` +
        `with: countersign network --pin), found ${pins.length === 0 ? "none" : "others only"}`,
    );
  }
  return { network, source: { kind: "pin" } };
}

/** The configuration in the file that the user names, operator's or public. */
export async function readNetworkFile(
  context: CommandContext,
  name: string,
): Promise<NetworkConfiguration> {
  const text = await readDocument(context, name, "malformed_configuration");
  return parseNetwork(text, context.crypto.bls);
}

/** A pin, where there is one, outranks the gateway's answer and must equal it. */
async function fetchedNetwork(
  context: CommandContext,
): Promise<TrustedNetwork> {
  const { value: network } = await context.gateway.network();
  const pin = await context.trust.pin(network.id);
  if (pin === undefined) {
    return { network, source: { kind: "gateway", url: context.gateway.url.href } };
  }
  requireUnchanged(pin, network);
  return { network: pin, source: { kind: "pin" } };
}

/** Requires `network` to be the pinned one; `pin_differs`. */
export function requireUnchanged(pin: NetworkConfiguration, network: NetworkConfiguration): void {
  const [pinned, found] = [fingerprintOf(pin), fingerprintOf(network)];
  if (pinned === found) return;
  throw new CountersignError(
    "pin_differs",
    `Cannot use configuration of ${network.id}: the pinned one with fingerprint ${pinned} ` +
      `required, found ${found}`,
  );
}

/** Who was trusted for the configuration, for a report. */
export function describeSource(source: TrustSource): string {
  switch (source.kind) {
    case "file":
      return `from ${source.name}`;
    case "pin":
      return "pinned";
    case "gateway":
      return `fetched from ${source.url}: the gateway was trusted for it`;
  }
}

/** The same for a JSON report. */
export function sourceJson({ network, source }: TrustedNetwork): Record<string, unknown> {
  return {
    network_id: network.id,
    fingerprint: fingerprintOf(network),
    source: source.kind,
    ...(source.kind === "file" && { file: source.name }),
    ...(source.kind === "gateway" && { gateway: source.url, gateway_trusted: true }),
  };
}
