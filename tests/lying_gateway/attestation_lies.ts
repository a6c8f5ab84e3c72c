/**
 * Lies about attestations and their signers.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { SignedAttestation } from "../../src/proof/format/bundle.ts";
import { isEd25519Set, type WitnessSignature } from "../../src/proof/format/signature_set.ts";
import { encodeCosignatureMessage } from "../../src/proof/format/tree_head.ts";
import { attestations, otherHex } from "./changes.ts";
import { attested, each, notPinned, OTHER_NETWORK, UNPINNED } from "./expected_reports.ts";
import type { Lie } from "./lie.ts";
import { roundMessage, type World } from "./world.ts";

const EVIL_UNPINNED = UNPINNED.replace("home", "evil");

const BOTH = ["ed25519", "bls"] as const;

/** Applies a lie to every signed attestation. */
function lieOf(
  name: string,
  edit: (signed: SignedAttestation, world: World) => unknown,
  says: Lie["says"],
  schemes: Lie["schemes"] = ["ed25519"],
): Lie {
  return { name, changes: attestations(edit), says, schemes };
}

/** `signed` with members of its attestation replaced. */
function withAttestation(
  change: (attestation: SignedAttestation["attestation"]) => object,
): (signed: SignedAttestation) => unknown {
  return (signed) => ({
    ...signed,
    attestation: { ...signed.attestation, ...change(signed.attestation) },
  });
}

function withRound(
  change: (round: SignedAttestation["round"]) => object,
): (signed: SignedAttestation) => unknown {
  return (signed) => ({ ...signed, round: { ...signed.round, ...change(signed.round) } });
}

/** `signed` with another list of signatures. */
function withSignatures(
  change: (signatures: readonly WitnessSignature[]) => unknown,
): (signed: SignedAttestation) => unknown {
  return (signed) => {
    assert.ok(isEd25519Set(signed));
    return { ...signed, signatures: change(signed.signatures) };
  };
}

/** `signed` with the signatures that `keys` make of its round's message, or of another text. */
function signedBy(
  which: "keys" | "twinKeys",
  places?: readonly number[],
  message: (signed: SignedAttestation, world: World) => string = roundMessage,
) {
  return (signed: SignedAttestation, world: World): unknown => {
    const { attestation, round } = signed;
    return { attestation, round, ...world[which].sign(message(signed, world), places) };
  };
}

function otherScheme({ attestation, round }: SignedAttestation, { keys }: World): unknown {
  return keys.configuration.signature_scheme === "bls"
    ? { attestation, round, signatures: [] }
    : { attestation, round, signature: "00".repeat(48), signers: [`${keys.id}/w1`] };
}

const contents: readonly Lie[] = [
  lieOf(
    "an attestation whose hash was changed",
    withAttestation(({ hash }) => ({
      hash: otherHex(hash),
    })),
    {
      ...attested("signature_invalid"),
      ...each("1 proof_refused hash_mismatch", "stamp", "stamp save", "stamp at first"),
      "stamp several": "1 proof_refused hash_mismatch, proof_refused hash_mismatch",
      ...each("1 proof_refused: it is about hash HASH instead of HASH", "status", "bundle"),
    },
  ),
  lieOf(
    "the attestation of another hash, given this one",
    (signed) => ({
      ...signed,
      round: { ...signed.round, index: (signed.round.index + 1) % signed.round.size },
    }),
    attested("signature_invalid"),
    BOTH,
  ),
  lieOf("another sequence", withAttestation(({ sequence }) => ({ sequence: sequence + 1 })), {
    ...attested("signature_invalid"),
    "stamp at first": `0 not verified${UNPINNED}`,
  }),
  lieOf("another time", withAttestation(({ timestamp }) => ({ timestamp: timestamp - 60 })), {
    ...attested("signature_invalid"),
    "stamp at first": `0 not verified${UNPINNED}`,
  }, BOTH),
  lieOf("another network", withAttestation(() => ({ network_id: "evil.example/log" })), {
    ...attested("network_mismatch", ".attestation.network_id"),
    ...each(`1 ${OTHER_NETWORK}`, "stamp", "stamp save", "verify-proof"),
    "stamp several": `1 ${OTHER_NETWORK}, ${OTHER_NETWORK}`,
    "stamp at first": `0 not verified${EVIL_UNPINNED}`,
    "verify-proof at first": `1 ${notPinned("evil.example/log")}`,
  }),
  lieOf(
    "a round index beyond the round",
    withRound(({ size }) => ({ index: size })),
    attested("round_index_invalid", ".round.index"),
  ),
  lieOf(
    "a round of another size",
    withRound(({ size }) => ({ size: size + 3 })),
    attested("round_path_invalid", ".round.inclusion_path"),
  ),
  lieOf(
    "a round of too many",
    withRound(() => ({ size: 513 })),
    attested("round_size_invalid", ".round.size"),
  ),
  lieOf(
    "a round of none",
    withRound(() => ({ size: 0 })),
    attested("round_size_invalid", ".round.size"),
  ),
  lieOf(
    "another path in the round",
    withRound(({ inclusion_path }) => ({
      inclusion_path: inclusion_path.map(otherHex),
    })),
    attested("signature_invalid"),
  ),
  lieOf(
    "no path in the round",
    withRound(() => ({ inclusion_path: [] })),
    attested("round_path_invalid", ".round.inclusion_path"),
  ),
  lieOf(
    "a beacon that was not signed",
    withRound(() => ({
      beacon: { chain_hash: "ab".repeat(32), round: 7, signature: "cd".repeat(48) },
    })),
    attested("signature_invalid"),
  ),
];

const signatures: readonly Lie[] = [
  lieOf(
    "two witnesses' signatures swapped",
    withSignatures(([first, second]) => [
      { ...first, signature: second!.signature },
      { ...second, signature: first!.signature },
    ]),
    attested("signature_invalid"),
  ),
  lieOf(
    "one witness twice",
    withSignatures(([first]) => [first, first]),
    attested("signer_duplicate"),
  ),
  lieOf(
    "one witness's signature under two names",
    withSignatures(([first, second]) => [
      first,
      { ...second, signature: first!.signature },
    ]),
    attested("signature_invalid"),
  ),
  lieOf(
    "witnesses out of order",
    withSignatures((list) => list.toReversed()),
    attested("signers_unordered"),
  ),
  lieOf(
    "a stranger in place of a witness",
    withSignatures(([first, second]) => [
      first,
      { ...second, witness_id: "stranger.example/w9" },
    ]),
    attested("threshold_not_met"),
  ),
  lieOf("nobody's signature", withSignatures(() => []), attested("threshold_not_met")),
  lieOf(
    "fewer witnesses than required",
    signedBy("keys", [1]),
    attested("threshold_not_met"),
    BOTH,
  ),
  lieOf(
    "other keys under the witnesses' names",
    signedBy("twinKeys"),
    attested("signature_invalid"),
    BOTH,
  ),
  lieOf(
    "a signature of something else",
    signedBy("keys", undefined, (signed, { keys }) => {
      const { timestamp, hash } = signed.attestation;
      const head = { network_id: keys.id, tree_size: 1, timestamp, root_hash: hash };
      return encodeCosignatureMessage(head);
    }),
    attested("signature_invalid"),
    BOTH,
  ),
  lieOf("the other scheme's shape", otherScheme, attested("scheme_mismatch"), BOTH),
];

export const attestationLies: readonly Lie[] = [...contents, ...signatures];
