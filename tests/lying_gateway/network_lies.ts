/**
 * Lies about who the gateway is: its configuration, and a whole gateway of another name or other
 * keys.
 *
 * @module
 */

import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import type { GatewayConfig } from "../../src/proof/format/public_network.ts";
import { editing, fromImpostor } from "./changes.ts";
import {
  attested,
  each,
  headed,
  notPinned,
  OTHER_NETWORK,
  UNPINNED,
  unusable,
} from "./expected_reports.ts";
import type { Lie } from "./lie.ts";
import { ROUTES } from "./lying_server.ts";
import type { World } from "./world.ts";

const DIFFERS = "1 pin_differs: its fingerprint HASH differs from the pinned HASH, and no " +
  "succession leads from that one to it";
/** A usable configuration in place of the true one: a pin finds it, first contact cannot. */
const SWAPPED = {
  ...each("0 shown", "network", "network at first", "pin at first"),
  ...each(DIFFERS, "pin", "verify online", "verify-proof online"),
};
/** Another policy with the same trust core: who pinned one keeps its policy. */
const OTHER_POLICY = each("0 shown", "network", "network at first", "pin", "pin at first");

const BOTH = ["ed25519", "bls"] as const;

function networkLie(
  name: string,
  edit: (network: NetworkConfiguration, world: World) => unknown,
  says: Lie["says"],
  schemes: Lie["schemes"] = ["ed25519"],
): Lie {
  const changes = [
    editing<NetworkConfiguration>(["network"], (network, { world }) => edit(network, world)),
  ];
  return { name, changes, says, schemes };
}

function configLie(
  name: string,
  edit: (summary: GatewayConfig) => unknown,
  says: Lie["says"],
): Lie {
  return { name, changes: [editing<GatewayConfig>(["config"], edit)], says };
}

function withoutKeys(network: NetworkConfiguration): unknown {
  const witnesses = network.witnesses.map(({ vkey: _, ...witness }) => ({
    ...witness,
    pubkey: "00".repeat(witness.pubkey.length / 2),
  }));
  return { ...network, witnesses };
}

export const networkLies: readonly Lie[] = [
  networkLie("a lower threshold", (network) => ({ ...network, threshold: 1 }), {
    ...SWAPPED,
    "verify at first": "0 valid",
    "verify-proof at first": "0 federated",
  }, BOTH),
  networkLie(
    "a threshold that nobody can meet",
    (network) => ({ ...network, threshold: 4 }),
    unusable("invalid_configuration", "threshold 4 is not from 1 to 3"),
  ),
  networkLie(
    "a threshold of none",
    (network) => ({ ...network, threshold: 0 }),
    unusable("invalid_configuration", "threshold 0 is not from 1 to 3"),
  ),
  networkLie("another id", (network) => {
    const { log_vkey: _, ...rest } = network;
    return { ...rest, id: "evil.example/log" };
  }, {
    ...each("0 shown", "network", "network at first", "pin at first"),
    ...each(`1 ${OTHER_NETWORK}`, "pin", "verify online", "verify-proof online"),
    ...each(`1 ${notPinned("home.example/log")}`, "verify at first", "verify-proof at first"),
  }),
  networkLie(
    "another log key under another name",
    (network, { peer }) => ({
      ...network,
      log_vkey: peer.configuration.log_vkey,
    }),
    unusable(
      "invalid_configuration",
      "log_vkey is not of type 0x01 or not named home.example/log",
    ),
  ),
  networkLie("other keys", async (network, { twin }) => ({
    ...network,
    witnesses: (await twin.get<NetworkConfiguration>("/v1/network")).witnesses,
  }), {
    ...SWAPPED,
    "verify at first": "0 invalid signature_invalid",
    "verify-proof at first":
      "1 invalid, signature_invalid signed_attestation, cross_anchors_missing, unbound anchor",
  }, BOTH),
  networkLie(
    "one key for two witnesses",
    (network) => ({
      ...network,
      witnesses: network.witnesses.map(({ id }) => {
        const { vkey: _, ...witness } = network.witnesses[0]!;
        return { ...witness, id };
      }),
    }),
    unusable(
      "invalid_configuration",
      "duplicate public key among the witnesses and the log",
    ),
  ),
  networkLie("a witness more", (network, { peer }) => ({
    ...network,
    witnesses: [...network.witnesses, peer.configuration.witnesses[0]],
  }), {
    ...SWAPPED,
    "verify at first": "0 valid",
    "verify-proof at first": "0 batched, peer_key_shared witnessing_network, cross_anchors_missing",
  }),
  networkLie(
    "a key that is none",
    withoutKeys,
    unusable("invalid_key", "the point has small order"),
  ),
  networkLie(
    "a key that is none, of the other kind",
    withoutKeys,
    unusable(
      "invalid_key",
      "not the encoding of a point of G2 of order r",
    ),
    ["bls"],
  ),
  networkLie(
    "the other scheme",
    (network) => ({ ...network, signature_scheme: "bls" }),
    unusable(
      "malformed_configuration",
      "expected 192 lowercase hex digits",
    ),
  ),
  networkLie(
    "no aggregates, but lists",
    (network) => ({ ...network, signature_scheme: "ed25519" }),
    unusable(
      "malformed_configuration",
      "expected 64 lowercase hex digits",
    ),
    ["bls"],
  ),
  networkLie("no federation", ({ federation: _, ...network }) => network, {
    ...OTHER_POLICY,
    "verify-proof at first": "0 batched, peer_not_pinned witnessing_network, federation_disabled",
  }),
  networkLie("a longer merge delay", (network) => ({
    ...network,
    merge_delay_seconds: 1_000_000,
  }), OTHER_POLICY),
  networkLie(
    "ourselves as our peer in the configuration",
    (network) => ({
      ...network,
      federation: { ...network.federation, peer_networks: [{ id: network.id }] },
    }),
    unusable(
      "invalid_configuration",
      "a peer id is malformed, duplicate or the network's own",
    ),
  ),
  configLie("a lower threshold in the short configuration", (config) => ({
    ...config,
    threshold: 1,
  }), {
    "config":
      "0 shown | countersign: WARNING: the pinned configuration of home.example/log differs",
  }),
  configLie("another id in the short configuration", (config) => ({
    ...config,
    id: "evil.example/log",
  }), { "config": "0 shown" }),
  {
    name: "a whole gateway of other keys under the same name",
    changes: fromImpostor("twin", ROUTES),
    says: {
      ...headed("signature_invalid"),
      ...attested("signature_invalid"),
      ...SWAPPED,
      ...each("0 shown", "proof", "anchors"),
      "stamp at first": `0 not verified${UNPINNED}`,
      "verify at first": "0 invalid signature_invalid",
      "verify-proof": "1 invalid, signature_invalid signed_attestation, cross_anchors_missing",
      // Its keys are all that somebody without a pin has to go by.
      "verify-proof at first": "0 batched, cross_anchors_missing",
      ...each("1 invalid signature_invalid sth", "log proof verify", "log proof of a size"),
      "check of the bundle": "invalid, signature_invalid signed_attestation, cross_anchors_missing",
      "check of the inclusion": "invalid signature_invalid sth",
      "check of the proof": "invalid inclusion_invalid inclusion_path",
      "check of the checkpoint": "invalid threshold_not_met",
    },
    schemes: BOTH,
  },
];
