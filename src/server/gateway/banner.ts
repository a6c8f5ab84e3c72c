/**
 * The lines that a gateway prints when it is ready. They contain no secrets, and only names of peers
 * and services.
 *
 * @module
 */

import type { OperatorNetwork } from "../../config/operator_network.ts";
import { addressText } from "../../storage/postgres/postgres_address.ts";
import type { OpenedAnchoring } from "./anchoring_parts.ts";
import type { PortUrls } from "./gateway_listeners.ts";

/** The first line has the clients' URL. */
export function bannerLines(
  { url, operatorUrl, eventSocketsUrl }: PortUrls,
  operator: OperatorNetwork,
  { peers }: OpenedAnchoring,
  dataFolder: string,
): string[] {
  const { network, witnesses, anchors, beacon, store } = operator;
  return [
    `Countersign gateway of ${network.id} on ${url}`,
    `  witnesses: ${witnesses.length}, threshold ${network.threshold}, ${network.signature_scheme}`,
    `  data:      ${dataFolder}`,
    ...(store === undefined ? [] : [`  store:     ${addressText(store)}`]),
    `  explorer:  ${new URL("/", url)}`,
    ...(eventSocketsUrl === undefined ? [] : [`  sockets:   ${eventSocketsUrl}`]),
    ...(operatorUrl === undefined ? [] : [`  operators: ${operatorUrl}`]),
    ...(network.federation.peer_networks.length === 0
      ? []
      : [`  peers:     ${peersText(operator)}`]),
    ...(anchors.length === 0
      ? []
      : [`  anchors:   ${anchors.map(({ name, mode }) => `${name} (${mode})`).join(", ")}`]),
    ...(beacon === undefined
      ? []
      : [`  beacon:    drand quicknet, at most ${beacon.maxAgeSeconds} s old`]),
    ...(witnesses.some(({ kind }) => kind === "embedded")
      ? ["  Embedded witnesses are for trials: they run on this machine and add no trust."]
      : []),
    ...(operatorUrl === undefined && peers.some(({ accept }) => accept !== undefined)
      ? [
        "  Peers cannot reach this gateway: configure an operator listener (member operator).",
      ]
      : []),
  ];
}

function peersText({ network, federation }: OperatorNetwork): string {
  const { enabled, cross_anchor_threshold: required } = network.federation;
  const names = federation.peers.map(({ id, configFile, outbound }) =>
    outbound !== undefined ? id : `${id} (${configFile === undefined ? "named" : "not contacted"})`
  );
  const policy = enabled ? `${required} required of a proof` : "federation is off";
  return `${names.join(", ")}; ${policy}`;
}
