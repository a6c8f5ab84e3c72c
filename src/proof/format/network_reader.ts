/**
 * Reads a network's public configuration from JSON.
 *
 * @module
 */

import type { BlsVerifier } from "../crypto/bls_verifier.ts";
import { portableBlsVerifier } from "../crypto/portable_bls_verifier.ts";
import {
  FEDERATION_POLICY,
  NETWORK_MEMBERS,
  type NetworkConfiguration,
  PUBLIC_KEY,
  WITNESS_MEMBERS,
} from "./network.ts";
import { checkNetwork, invalidNetwork, NO_FEDERATION } from "./network_check.ts";
import { list, object, TEXT } from "./schema.ts";
import type { SignatureScheme } from "./signature_set.ts";
import { type JsonValue, parseStrictJson } from "./strict_json.ts";

const CODE = "malformed_configuration";
const CONTEXT = { where: "network", code: CODE } as const;

const SCHEME = object({ signature_scheme: TEXT }, "ignored");
const CONFIGURATION = { ed25519: configuration("ed25519"), bls: configuration("bls") } as const;

function configuration(scheme: SignatureScheme) {
  const witness = object({ ...WITNESS_MEMBERS, pubkey: PUBLIC_KEY[scheme] }, "ignored");
  return object({
    ...NETWORK_MEMBERS,
    witnesses: list(witness),
    federation: FEDERATION_POLICY.optional(),
  }, "ignored");
}

/** The configuration of JSON `text`, checked: {@linkcode checkNetwork}. */
export function parseNetwork(
  text: string,
  bls: BlsVerifier = portableBlsVerifier,
): NetworkConfiguration {
  return readNetwork(parseStrictJson(text, CODE), bls);
}

/** Reads and checks a configuration from a JSON value. */
export function readNetwork(
  value: JsonValue,
  bls: BlsVerifier = portableBlsVerifier,
): NetworkConfiguration {
  const { signature_scheme: scheme } = SCHEME.parse(value, CONTEXT);
  if (scheme !== "ed25519" && scheme !== "bls") { // C3
    throw invalidNetwork("unknown signature_scheme");
  }
  const members = CONFIGURATION[scheme].parse(value, CONTEXT);
  const network: NetworkConfiguration = {
    federation: NO_FEDERATION,
    ...members,
    signature_scheme: scheme,
  };
  checkNetwork(network, bls);
  return network;
}
