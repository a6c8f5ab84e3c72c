/**
 * The trust core of a network: what verifiers must know of it to check signatures (protocol.md
 * "Succession").
 *
 *     countersign/trust-core/v1
 *     <network_id>
 *     <epoch>
 *     <signature scheme>
 *     <threshold>
 *     <log_vkey, or none>
 *     <log_ml_dsa_vkey, or none>
 *     <witness id> <public key, hex> <ml_dsa_vkey, or none>
 *     ...
 *
 * Witnesses are ascending by id, and every line ends with a newline. SHA-256 of this text is the
 * fingerprint of the network.
 *
 * @module
 */

import { hexOf, isCount, isHex, utf8 } from "../../base/bytes.ts";
import { TRUST_CORE_DOMAIN } from "../crypto/domains.ts";
import { sha256 } from "../crypto/hashing.ts";
import { errorBuilder, tryParse } from "../../base/errors.ts";
import { PROOF_OF_POSSESSION, THRESHOLD, VKEY } from "./key_members.ts";
import { isNetworkId, isWitnessId, NETWORK_ID, WITNESS_ID } from "./names.ts";
import { NOTE_TYPE, parseVkey } from "./note_key.ts";
import { count, list, object, type Of, oneOf, TEXT } from "./schema.ts";
import { PUBLIC_KEY_LENGTH } from "./signature_set.ts";

const malformed = errorBuilder("malformed_text", "Cannot read trust core");

const MEMBERS = object({
  id: NETWORK_ID,
  epoch: count("Number of the configuration, from 0"),
  signature_scheme: oneOf(["ed25519", "bls"]),
  threshold: THRESHOLD,
  log_vkey: VKEY.optional(),
  log_ml_dsa_vkey: VKEY.optional(),
  witnesses: list(
    object({
      id: WITNESS_ID,
      pubkey: TEXT.with({ description: "Public key, lowercase hex" }),
      ml_dsa_vkey: VKEY.optional(),
      proof_of_possession: PROOF_OF_POSSESSION.optional(),
    }).named("CoreWitness"),
    1,
  ).with({ description: "Strictly ascending by id" }),
});

export const TRUST_CORE = MEMBERS.map(
  (core) => isCanonical(core) ? core : undefined,
  "a trust core with witnesses in ascending order, and proofs of possession exactly if it is bls",
).named("TrustCore", {
  description: "Who signs in an epoch: the part of a configuration that verifiers trust",
});

/** Who signs in one epoch. Its keys are not checked before `proof/verify/succession_link.ts`. */
export type TrustCore = Of<typeof MEMBERS>;

/** What a configuration has of its trust core. */
type CoreMembers = Omit<TrustCore, "epoch"> & Partial<Pick<TrustCore, "epoch">>;

/** The trust core of `network`. */
export function coreOf(network: CoreMembers): TrustCore {
  const { id, epoch = 0, signature_scheme, threshold, log_vkey, log_ml_dsa_vkey } = network;
  return {
    id,
    epoch,
    signature_scheme,
    threshold,
    ...(log_vkey !== undefined && { log_vkey }),
    ...(log_ml_dsa_vkey !== undefined && { log_ml_dsa_vkey }),
    witnesses: network.witnesses.map(({ id, pubkey, ml_dsa_vkey, proof_of_possession: proof }) => ({
      id,
      pubkey,
      ...(ml_dsa_vkey !== undefined && { ml_dsa_vkey }),
      ...(signature_scheme === "bls" && proof !== undefined && { proof_of_possession: proof }),
    })).sort((a, b) => a.id < b.id ? -1 : 1),
  };
}

/** The exact text of `core`; `malformed_text` or `invalid_key` if a member is invalid. */
export function encodeTrustCore(core: TrustCore): string {
  const { id, epoch, signature_scheme: scheme, threshold, log_vkey, log_ml_dsa_vkey } = core;
  if (!isNetworkId(id)) throw malformed("the network id is not a valid C2SP origin");
  if (!isCount(epoch)) throw malformed("the epoch is not an integer in [0, 2^53)");
  if (!isCount(threshold)) throw malformed("the threshold is not an integer in [0, 2^53)");
  if (log_vkey !== undefined) parseVkey(log_vkey);
  const lines = [
    TRUST_CORE_DOMAIN,
    id,
    epoch,
    scheme,
    threshold,
    log_vkey ?? "none",
    mlDsaText(log_ml_dsa_vkey),
    ...core.witnesses.map(({ id, pubkey, ml_dsa_vkey }) => {
      if (!isWitnessId(id)) throw malformed("a witness id is malformed");
      if (!isHex(pubkey, PUBLIC_KEY_LENGTH[scheme])) {
        throw malformed(`the key of ${id} is malformed`);
      }
      return `${id} ${pubkey} ${mlDsaText(ml_dsa_vkey)}`;
    }),
  ];
  return `${lines.join("\n")}\n`;
}

function mlDsaText(vkey: string | undefined): string {
  if (vkey !== undefined) parseVkey(vkey, [NOTE_TYPE.mlDsaCosignature]);
  return vkey ?? "none";
}

/** SHA-256 of the text of `core`, in hex. */
export function coreDigest(core: TrustCore): string {
  return hexOf(sha256(utf8(encodeTrustCore(core))));
}

/** SHA-256 in hex of the trust core: members of policy, such as peers, do not change it. */
export function fingerprintOf(network: CoreMembers): string {
  return coreDigest(coreOf(network));
}

function isCanonical(core: TrustCore): boolean {
  const { signature_scheme: scheme, witnesses } = core;
  return tryParse(() => encodeTrustCore(core)) !== undefined &&
    witnesses.every(({ id, proof_of_possession: proof }, i) =>
      (i === 0 || witnesses[i - 1]!.id < id) && (proof !== undefined) === (scheme === "bls")
    );
}
