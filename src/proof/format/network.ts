/**
 * A network's public configuration, which verifiers pin (verification.md "Configuration"). It has no
 * secrets. Unknown members are ignored (C1).
 *
 * @module
 */

import { PROOF_OF_POSSESSION, THRESHOLD, VKEY } from "./key_members.ts";
import { NETWORK_ID, WITNESS_ID } from "./names.ts";
import { PUBLIC_KEY_LENGTH, type SignatureScheme } from "./signature_set.ts";
import { count, flag, hex, list, object, type Of, type OfMembers, TEXT } from "./schema.ts";
import { SUCCESSION_LINK } from "./succession.ts";

/** Submission prefix of a witness. */
export const PUBLIC_URL = TEXT.with({
  format: "uri",
  description: "Where anybody may submit checkpoints to the witness (tlog-witness)",
});

/** Its name is the network id. */
export const LOG_VKEY = VKEY.with({ description: "Public key of the log, of type 0x01" });

const FURTHER_VKEY = VKEY.with({
  description: "A further key, of type 0x06, which cosigns tree heads; ed25519 only",
});

/** Lowercase hex. */
export const PUBLIC_KEY = {
  ed25519: hex(PUBLIC_KEY_LENGTH.ed25519, "Ed25519 public key"),
  bls: hex(PUBLIC_KEY_LENGTH.bls, "BLS12-381 public key in G2, compressed"),
} as const;

/** Members of a witness that do not depend on the signature scheme. */
export const WITNESS_MEMBERS = {
  id: WITNESS_ID,
  vkey: VKEY.with({ description: "The same key for C2SP verifiers; ed25519 only" }).optional(),
  ml_dsa_vkey: FURTHER_VKEY.optional(),
  public_url: PUBLIC_URL.optional(),
  proof_of_possession: PROOF_OF_POSSESSION.optional(),
} as const;

/** Members of a peer network. */
export const PEER_MEMBERS = {
  id: NETWORK_ID,
  gateway_url: TEXT.with({ format: "uri", description: "Its public gateway" }).optional(),
  min_witnesses: count("Number of its witnesses that must cosign; its threshold if absent")
    .optional(),
} as const;

/** Members of a policy, besides the peers. */
export const POLICY_MEMBERS = {
  enabled: flag("Whether proofs can be Federated"),
  cross_anchor_threshold: count("Number of peers that must cosign a tree head"),
} as const;

/** C12. */
export const FEDERATION_POLICY = object({
  ...POLICY_MEMBERS,
  peer_networks: list(object(PEER_MEMBERS, "ignored").named("PeerNetwork")),
}, "ignored").named("FederationPolicy");

/** Members that do not depend on the signature scheme. */
export const NETWORK_MEMBERS = {
  id: NETWORK_ID,
  epoch: count(
    "Number of this configuration; absent in the first, which is 0. Each succession adds 1",
  ).optional(),
  threshold: THRESHOLD,
  log_vkey: LOG_VKEY.optional(),
  /** Its name is the network id. */
  log_ml_dsa_vkey: FURTHER_VKEY.optional(),
  merge_delay_seconds: count("Seconds within which the log includes a confirmed attestation")
    .with({ example: 60 }).optional(),
  /** Not verified here. */
  succession: list(SUCCESSION_LINK, 1).with({
    description: "The links that lead from the first configuration to this one, and from it on",
  }).optional(),
} as const;

/** When a bundle is `federated` (F1 and F2). */
export type FederationPolicy = Of<typeof FEDERATION_POLICY>;

/** A peer network, whose cosignatures of our tree heads count. */
export type PeerNetwork = FederationPolicy["peer_networks"][number];

/** A configured witness. */
export interface WitnessKey {
  readonly id: string;
  /** Lowercase hex: 32 bytes for `ed25519`, 96 for `bls`. */
  readonly pubkey: string;
  /** C2SP verifier key of type 0x04; `ed25519` only. */
  readonly vkey?: string;
  /** C2SP verifier key of type 0x06: a further key, which cosigns tree heads; `ed25519` only. */
  readonly ml_dsa_vkey?: string;
  /** The URL at which anyone may submit checkpoints: the submission prefix of c2sp.org/tlog-witness. */
  readonly public_url?: string;
  /** 96 lowercase hex; `bls` only. */
  readonly proof_of_possession?: string;
}

/** The answer of `GET /v1/network`. */
export type NetworkConfiguration = OfMembers<typeof NETWORK_MEMBERS> & {
  readonly signature_scheme: SignatureScheme;
  readonly witnesses: readonly WitnessKey[];
  readonly federation: FederationPolicy;
};
