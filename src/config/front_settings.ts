/**
 * What a gateway sends to a front in another process before it joins: its public configuration, and its
 * members `limits` and `admission`, and which routes need an API key. Nothing in it is secret.
 *
 * @module
 */

import type { AnchorMode } from "../anchors/ports.ts";
import { KEYED_ROUTES, type KeyedRoutes } from "./api_keys.ts";
import { ANCHOR_MODES } from "./anchor_services.ts";
import type { Bls } from "../crypto/bls.ts";
import { Fields } from "../format/fields.ts";
import { type NetworkConfiguration, readNetwork } from "../format/network.ts";
import { parseStrictJson } from "../format/strict_json.ts";
import { type AdmissionConfiguration, readAdmission } from "./admission.ts";
import { type ClientLimits, type NO_LIMITS, readClientLimits } from "./gateway_limits.ts";
import { deepFreeze, invalid } from "./validation.ts";

/** An anchored log: whose anchors bundles show. */
export interface ShownAnchors {
  readonly peers: readonly {
    readonly network: NetworkConfiguration;
    readonly minWitnesses: number;
    readonly isAsked: boolean;
  }[];
  readonly services: readonly {
    readonly name: string;
    readonly mode: AnchorMode;
    readonly provider: string;
  }[];
}

export interface FrontSettings {
  readonly network: NetworkConfiguration & { readonly log_vkey: string };
  readonly limits?: ClientLimits | typeof NO_LIMITS;
  readonly admission: AdmissionConfiguration;
  readonly anchors?: ShownAnchors;
  /** Absent if no route needs an API key. */
  readonly keyedRoutes?: KeyedRoutes;
}

const CODE = "malformed_configuration";
const WHERE = "the settings of the gateway";

/** `networkText` is the text of the `network.json` that `network` was read from. */
export function frontSettingsText(
  network: NetworkConfiguration,
  networkText: string,
  { anchors, keyedRoutes }: Pick<Partial<FrontSettings>, "anchors" | "keyedRoutes">,
): string {
  const file = JSON.parse(networkText) as Readonly<Record<string, unknown>>;
  return JSON.stringify({
    network,
    ...(file.limits !== undefined && { limits: file.limits }),
    ...(file.admission !== undefined && { admission: file.admission }),
    ...(keyedRoutes !== undefined && { keyed_routes: keyedRoutes }),
    ...(anchors !== undefined && {
      anchors: {
        peers: anchors.peers.map(({ network, minWitnesses, isAsked }) => ({
          network,
          min_witnesses: minWitnesses,
          is_asked: isAsked,
        })),
        services: anchors.services.map(({ name, mode, provider }) => ({ name, mode, provider })),
      },
    }),
  });
}

/** `malformed_configuration`, `invalid_configuration`, `invalid_key`. */
export function parseFrontSettings(text: string, bls: Bls): FrontSettings {
  const value = parseStrictJson(text, CODE, Infinity, WHERE);
  const fields = new Fields(value, { where: WHERE, code: CODE }, ["network"], {
    optional: ["limits", "admission", "anchors", "keyed_routes"],
  });
  const limits = readClientLimits(fields);
  return deepFreeze({
    network: readLoggedNetwork(fields.value("network")!, bls),
    // The gateway has refused unsafe URLs, if it was not told to allow them.
    admission: readAdmission(fields, { insecure: true }),
    ...(limits !== undefined && { limits }),
    ...(fields.has("keyed_routes") && { keyedRoutes: keyedRoutesOf(fields) }),
    ...(fields.has("anchors") && { anchors: readAnchors(fields, bls) }),
  });
}

/** Whether a front may go on with the settings `after`: it learns the epochs of the network over the link. */
export function areSameSettings(before: string, after: string): boolean {
  return before === after || withoutEpoch(before) === withoutEpoch(after);
}

function withoutEpoch(settings: string): string {
  const { network: { id, signature_scheme }, ...others } = JSON.parse(settings);
  return JSON.stringify([id, signature_scheme, others]);
}

function readAnchors(settings: Fields, bls: Bls): ShownAnchors {
  const fields = settings.object("anchors", ["peers", "services"]);
  return {
    peers: fields.objects("peers", ["network", "min_witnesses", "is_asked"]).map((peer) => ({
      network: readLoggedNetwork(peer.value("network")!, bls),
      minWitnesses: peer.integer("min_witnesses"),
      isAsked: peer.flag("is_asked"),
    })),
    services: fields.objects("services", ["name", "mode", "provider"]).map((service) => ({
      name: service.text("name"),
      mode: modeOf(service),
      provider: service.text("provider"),
    })),
  };
}

function keyedRoutesOf(fields: Fields): KeyedRoutes {
  const text = fields.text("keyed_routes");
  const routes = KEYED_ROUTES.find((known) => known === text);
  if (routes === undefined) throw invalid(WHERE, "unknown keyed_routes");
  return routes;
}

function modeOf(service: Fields): AnchorMode {
  const text = service.text("mode");
  const mode = ANCHOR_MODES.find((known) => known === text);
  if (mode === undefined) throw invalid(service.where, "unknown mode");
  return mode;
}

function readLoggedNetwork(value: Parameters<typeof readNetwork>[0], bls: Bls) {
  const network = readNetwork(value, bls);
  const { log_vkey } = network;
  if (log_vkey === undefined) throw invalid(WHERE, "a network has no log_vkey");
  return { ...network, log_vkey };
}
