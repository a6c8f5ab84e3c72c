/**
 * Schemas of signed attestations and tree heads (protocol.md "Resources"). Unknown members and a
 * mixture of the two signature shapes are invalid.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import type { SignedAttestation as SignedAttestationValue } from "../../format/bundle.ts";
import { MAX_ROUND_SIZE } from "../../format/round.ts";
import type { SignedTreeHead as SignedTreeHeadValue } from "../../format/tree_head.ts";
import { FIRST_STH, SIGNED_ATTESTATION } from "./examples.ts";
import {
  BLS_MEMBERS,
  count,
  ED25519_MEMBERS,
  Hash,
  HashPath,
  hex,
  NetworkId,
  orNull,
  time,
} from "./primitives.ts";

const Attestation = z.strictObject({
  hash: Hash,
  timestamp: time("Timestamp of the round"),
  network_id: NetworkId,
  sequence: count("Order of acceptance, from 0; also the index of the leaf in the log"),
}).openapi("Attestation", { example: SIGNED_ATTESTATION.attestation });

const Beacon = z.strictObject({
  chain_hash: Hash,
  round: count("Round of the beacon"),
  signature: hex(48, "Signature of the beacon over that round"),
}).openapi("Beacon", {
  description: "Public drand randomness: the round was signed after the beacon was published",
});

const Round = z.strictObject({
  index: z.int().min(0).max(MAX_ROUND_SIZE - 1),
  size: z.int().min(1).max(MAX_ROUND_SIZE),
  inclusion_path: HashPath,
  beacon: orNull(Beacon),
}).openapi("RoundInclusion", {
  description:
    "Position of the attestation in its round, and its inclusion path to the round's root",
  example: SIGNED_ATTESTATION.round,
});

const Ed25519SignedAttestation = z.strictObject({
  attestation: Attestation,
  round: Round,
  ...ED25519_MEMBERS,
}).openapi("Ed25519SignedAttestation", { example: SIGNED_ATTESTATION });

const BlsSignedAttestation = z.strictObject({
  attestation: Attestation,
  round: Round,
  ...BLS_MEMBERS,
}).openapi("BlsSignedAttestation");

export const SignedAttestation = z.union([Ed25519SignedAttestation, BlsSignedAttestation])
  .openapi("SignedAttestation", {
    description: "A hash with its timestamp and log index, signed by the threshold",
    example: SIGNED_ATTESTATION,
  }) satisfies z.ZodType<SignedAttestationValue>;

export const TreeHead = z.strictObject({
  network_id: NetworkId,
  tree_size: count("Number of leaves", FIRST_STH.tree_head.tree_size),
  timestamp: time("Timestamp of the head"),
  root_hash: Hash,
}).openapi("TreeHead", { example: FIRST_STH.tree_head });

const Ed25519SignedTreeHead = z.strictObject({ tree_head: TreeHead, ...ED25519_MEMBERS })
  .openapi("Ed25519SignedTreeHead", { example: FIRST_STH });

const BlsSignedTreeHead = z.strictObject({ tree_head: TreeHead, ...BLS_MEMBERS })
  .openapi("BlsSignedTreeHead");

export const SignedTreeHead = z.union([Ed25519SignedTreeHead, BlsSignedTreeHead])
  .openapi("SignedTreeHead", {
    description: "Size and root hash of the log at a time, cosigned by the threshold",
    example: FIRST_STH,
  }) satisfies z.ZodType<SignedTreeHeadValue>;
