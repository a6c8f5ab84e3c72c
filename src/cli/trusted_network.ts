/**
 * Chooses the trusted configuration: a file, a pin, or with `--online` the gateway's (protocol.md
 * "Command line").
 *
 * @module
 */

import { reasonClause } from "../proof/verify/reasons.ts";
import { CountersignError, expectedError, hasCode } from "../base/errors.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import { parseStrictJson } from "../proof/format/strict_json.ts";
import { parseSuccessionChain, type SuccessionLink } from "../proof/format/succession.ts";
import { fingerprintOf } from "../proof/format/trust_core.ts";
import { chainOf, type ChainSource, withCarriedChain } from "../client/further_epochs.ts";
import { epochsText } from "../proof/verify/epoch_text.ts";
import {
  type FollowedNetwork,
  followSuccession,
  latestOf,
} from "../proof/verify/followed_network.ts";
import { endOfLog } from "../proof/verify/log_end.ts";
import type { CommandContext } from "./command_context.ts";
import { readDocument } from "./input_file.ts";
import { PinDiffers } from "./output.ts";
import { refuseConflict } from "./succession_evidence.ts";

/** The source of a configuration, which the user trusts. */
export type TrustSource =
  | { readonly kind: "file"; readonly name: string }
  | { readonly kind: "pin" }
  | { readonly kind: "gateway"; readonly url: string };

export interface TrustedNetwork {
  readonly network: FollowedNetwork;
  readonly source: TrustSource;
}

export interface TrustOptions {
  /** A file with the configuration. */
  readonly networkConfig?: string | undefined;
  /** Fetch the configuration from the gateway if no file is named. */
  readonly online: boolean;
  /** True if the gateway stated the network id, which must not choose among pins. */
  readonly isAnswer?: boolean;
}

/**
 * The configuration for a resource that names network `id`, which chooses among the pins. Without an
 * id, as for a log that is still empty, there must be only one pin.
 *
 * @throws CountersignError `configuration_missing`, `pin_differs`, or why it cannot be used
 */
export async function trustedNetwork(
  context: CommandContext,
  options: TrustOptions,
  id: string | undefined,
): Promise<TrustedNetwork> {
  const { networkConfig, online, isAnswer = false } = options;
  if (networkConfig !== undefined) {
    const network = await readNetworkFile(context, networkConfig);
    return { network, source: { kind: "file", name: networkConfig } };
  }
  if (online) return await fetchedNetwork(context, id);
  if (isAnswer && id !== undefined) await requireKnownNetwork(context, id);
  const pins = await context.trust.pins();
  const network = id === undefined && pins.length === 1
    ? pins[0]
    : pins.find((pin) => pin.id === id);
  if (network === undefined) throw notPinned(context, id, pins);
  return { network, source: { kind: "pin" } };
}

/** Names the pinned log that network `id` continues, if any. */
function notPinned(
  context: CommandContext,
  id: string | undefined,
  pins: readonly FollowedNetwork[],
): CountersignError {
  const before = pins.find((pin) => id !== undefined && endOfLog(pin)?.next?.origin === id);
  const continues = before === undefined ? "" : `, which continues ${before.id},`;
  return new CountersignError(
    "configuration_missing",
    `Cannot verify: ${
      id === undefined ? "the network" : `network ${id}`
    }${continues} is not pinned ` +
      `(use --network-config FILE, or pin it with: ${context.commandLine("network --pin")})`,
  );
}

/** The configuration in file `name`, operator's or public, with the chain that it carries. */
export async function readNetworkFile(
  context: CommandContext,
  name: string,
): Promise<FollowedNetwork> {
  const parse = (text: string) => {
    try {
      parseStrictJson(text, "malformed_configuration");
    } catch (cause) {
      throw new CountersignError(
        "malformed_configuration",
        `Cannot use "${name}": it is not a network's configuration (${
          expectedError(cause).message
        }). ` +
          "Name its network.public.json",
        { cause },
      );
    }
    return parseNetwork(text, context.crypto.bls);
  };
  const network = await readDocument(context, name, "malformed_configuration", parse);
  return await withCarriedChain(context.crypto, network);
}

/** The succession in file `name`, as `GET /v1/succession` answers it. */
export async function readChain(
  context: CommandContext,
  name: string,
): Promise<readonly SuccessionLink[]> {
  const code = "malformed_configuration";
  return await readDocument(context, name, code, (text) => parseSuccessionChain(text, code));
}

/**
 * The gateway's configuration, to verify a resource of network `id`. It must equal the pin, if any. The
 * gateway's URL and `id` choose the pin, not the answer alone.
 */
async function fetchedNetwork(
  context: CommandContext,
  id: string | undefined,
): Promise<TrustedNetwork> {
  const { gateway, trust } = context;
  const { value: network } = await gateway.network();
  const isRemembered = await requireKnownNetwork(context, network.id);
  if (id !== undefined && id !== network.id) {
    const pins = await trust.pins();
    if (!pins.some((pin) => pin.id === id)) throw notPinned(context, id, pins);
    throw pinDiffers(
      id,
      gateway.url,
      `its network is ${network.id}, but the proof is of the pinned network ${id} (name a gateway of ` +
        `${id} with --gateway URL)`,
    );
  }
  const pin = await trust.pin(network.id);
  if (pin === undefined) {
    const source = { kind: "gateway", url: gateway.answering.href } as const;
    return { network: await withCarriedChain(context.crypto, network), source };
  }
  const followed = await followedPin(context, pin, network);
  if (!isRemembered) await rememberGateway(context, network.id);
  return { network: followed, source: { kind: "pin" } };
}

/**
 * Requires that the gateway, which states network `id`, is not remembered for another network;
 * `pin_differs`. Returns whether it is remembered for `id`.
 */
export async function requireKnownNetwork(context: CommandContext, id: string): Promise<boolean> {
  const { url } = context.gateway;
  const known = await context.trust.networkOf(url.href);
  if (known === undefined || known === id) return known === id;
  throw pinDiffers(known, url, `it was a gateway of ${known} and now states ${id}`);
}

/** Verification works without a writable folder. */
async function rememberGateway(context: CommandContext, id: string): Promise<void> {
  try {
    await context.trust.saveGateway(context.gateway.url.href, id);
  } catch (error) {
    if (!hasCode(error, "file_failed")) throw error;
    context.output.note(`Gateway not remembered: ${error.message}`);
  }
}

function pinDiffers(pinned: string, gateway: URL, reason: string): PinDiffers {
  return new PinDiffers(pinned, `Cannot trust ${gateway.href}: ${reason}`);
}

/**
 * The pinned network, followed to `network`, which the gateway states, and kept so; `pin_differs` if
 * its succession does not lead there, `proof_refused` if it proves that there are two.
 */
export async function followedPin(
  context: CommandContext,
  pin: FollowedNetwork,
  network: NetworkConfiguration,
  links?: readonly SuccessionLink[],
): Promise<FollowedNetwork> {
  if (isEpochOf(pin, network)) return pin;
  const chain = links ?? await chainOf(context.gateway);
  await refuseConflict(context, pin, chain);
  const followed = await followSuccession(context.crypto, pin, chain);
  if (followed.failure === undefined && isEpochOf(followed.network, network)) {
    await keepChain(context, followed.network);
    return followed.network;
  }
  const { failure } = followed;
  const reason = failure === undefined ? "" : ` (${reasonClause(failure.reason)})`;
  throw new PinDiffers(
    network.id,
    `Cannot use the configuration of ${network.id}: its fingerprint ${fingerprintOf(network)} ` +
      `differs from the pinned ${
        fingerprintOf(pin)
      }, and no succession leads from that one to it${reason}`,
  );
}

/**
 * `trusted`, followed further by `chain`; `undefined` if that leads no further.
 * For a resource that does not verify and may be of a later epoch. `proof_refused` if the chain proves
 * that the network has two successions of one epoch.
 */
export async function followedFurther(
  context: CommandContext,
  trusted: TrustedNetwork,
  chain: ChainSource,
): Promise<TrustedNetwork | undefined> {
  const { network: before, source } = trusted;
  const links = await chainOf(chain);
  await refuseConflict(context, before, links);
  const { network } = await followSuccession(context.crypto, before, links);
  if (network === before) return undefined;
  if (source.kind === "pin") await keepChain(context, network);
  return { network, source };
}

/** Keeps the chain beside the pin. Verification works without a writable folder. */
export async function keepChain(context: CommandContext, network: FollowedNetwork): Promise<void> {
  try {
    await context.trust.saveChain(network);
  } catch (error) {
    if (!hasCode(error, "file_failed")) throw error;
    context.output.note(`Succession not kept: ${error.message}`);
  }
}

/** True if `network` is the configuration of an epoch that was followed. */
export function isEpochOf(followed: FollowedNetwork, network: NetworkConfiguration): boolean {
  const found = fingerprintOf(network);
  const epochs = followed.epochs ?? [{ network: followed }];
  return epochs.some((epoch) => fingerprintOf(epoch.network) === found);
}

/** The source and the epoch, for a report. */
/** The configuration of a report, as JSON. */
export interface ShownSource {
  readonly network_id: string;
  readonly fingerprint: string;
  readonly epoch: number;
  readonly last_epoch: number;
  readonly source: TrustSource["kind"];
  readonly file?: string | undefined;
  readonly gateway?: string | undefined;
  readonly gateway_trusted?: boolean | undefined;
}

export function sourceText(shown: ShownSource): string {
  return `${originText(shown)}; ${epochsText(shown.epoch, shown.last_epoch)}`;
}

function originText({ source, file, gateway }: ShownSource): string {
  switch (source) {
    case "file":
      return `from ${file}`;
    case "pin":
      return "pinned";
    case "gateway":
      return `fetched from ${gateway}: the gateway was trusted for it`;
  }
}

export function sourceJson({ network, source }: TrustedNetwork): ShownSource {
  return {
    network_id: network.id,
    fingerprint: fingerprintOf(network),
    epoch: network.epoch ?? 0,
    last_epoch: latestOf(network).epoch ?? 0,
    source: source.kind,
    ...(source.kind === "file" && { file: source.name }),
    ...(source.kind === "gateway" && { gateway: source.url, gateway_trusted: true }),
  };
}
