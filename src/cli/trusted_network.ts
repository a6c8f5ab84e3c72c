/**
 * Which configuration a verification trusts: a file, a pin, or, when the user says so, whatever the
 * gateway answers (protocol.md "Command line").
 *
 * @module
 */

import { CountersignError, hasCode } from "../errors.ts";
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
  /** True where the gateway's answer says the network's id: it must not choose among pins. */
  readonly isAnswer?: boolean;
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
  const { networkConfig, online, isAnswer = false } = options;
  if (networkConfig !== undefined) {
    const network = await readNetworkFile(context, networkConfig);
    return { network, source: { kind: "file", name: networkConfig } };
  }
  if (online) return await fetchedNetwork(context, id);
  if (isAnswer) await requireKnownNetwork(context, id);
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

/**
 * The configuration that the gateway states, for verifying an object of network `id`. It must equal
 * the pin, if there is one. The gateway's URL and `id` choose the pin, not the answer alone.
 */
async function fetchedNetwork(context: CommandContext, id: string): Promise<TrustedNetwork> {
  const { gateway, trust } = context;
  const { value: network } = await gateway.network();
  const isRemembered = await requireKnownNetwork(context, network.id);
  if (id !== network.id && await trust.pin(id) !== undefined) {
    throw pinDiffers(
      gateway.url,
      `it states network ${network.id}, and the proof is of the pinned network ${id} (ask a gateway ` +
        `of ${id}: --gateway URL)`,
    );
  }
  const pin = await trust.pin(network.id);
  if (pin === undefined) {
    return { network, source: { kind: "gateway", url: gateway.url.href } };
  }
  requireUnchanged(pin, network);
  if (!isRemembered) await rememberGateway(context, network.id);
  return { network: pin, source: { kind: "pin" } };
}

/**
 * Requires that no other network than `id`, which the gateway states, is remembered for it;
 * `pin_differs`. Returns whether it is remembered for `id`.
 */
export async function requireKnownNetwork(context: CommandContext, id: string): Promise<boolean> {
  const { url } = context.gateway;
  const known = await context.trust.networkOf(url.href);
  if (known === undefined || known === id) return known === id;
  throw pinDiffers(url, `it was remembered as a gateway of ${known} and now states ${id}`);
}

/** A verification needs no folder that can be written. */
async function rememberGateway(context: CommandContext, id: string): Promise<void> {
  try {
    await context.trust.saveGateway(context.gateway.url.href, id);
  } catch (error) {
    if (!hasCode(error, "file_failed")) throw error;
    context.output.note(`Gateway not remembered: ${error.message}`);
  }
}

function pinDiffers(gateway: URL, reason: string): CountersignError {
  return new CountersignError("pin_differs", `Cannot trust ${gateway.href}: ${reason}`);
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
