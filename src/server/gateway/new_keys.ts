/**
 * Generates keys of witnesses and logs. Secrets are returned only as the text of a key file; their
 * bytes are wiped.
 *
 * @module
 */

import { type Bytes, hexOf } from "../../base/bytes.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import { BlsSigner } from "../../proof/crypto/bls_signer.ts";
import { generateBlsSecret } from "../../proof/crypto/bls_key_gen.ts";
import { Ed25519Signer, generateSeed } from "../../proof/crypto/ed25519_native.ts";
import { mlDsaPublicKey } from "../../proof/crypto/ml_dsa_signer.ts";
import type { WitnessKey } from "../../proof/format/network.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../proof/format/note_key.ts";
import { blsWitnessKey, encodeNoteSecret } from "../../proof/format/note_secret.ts";
import type { SignatureScheme } from "../../proof/format/signature_set.ts";

/** A key and the text of its file. */
export interface NewKey {
  readonly key: NoteKey;
  readonly secretLine: string;
}

/** A witness key and its entry in the network's configuration. */
export interface NewWitnessKey extends NewKey {
  readonly configured: WitnessKey;
}

/** A log key; `nameOf` may derive its name from the public key. */
export function newLogKey(nameOf: (publicKey: Bytes) => string): NewKey {
  return newEd25519Key(nameOf, NOTE_TYPE.ed25519);
}

/** A further key of the witness or log `name`. */
export function newMlDsaKey(name: string): NewKey {
  return newKey(() => name, NOTE_TYPE.mlDsaCosignature, mlDsaPublicKey);
}

export function newWitnessKey(name: string, scheme: SignatureScheme, bls: Bls): NewWitnessKey {
  if (scheme === "bls") return newBlsKey(name, bls);
  const made = newEd25519Key(() => name, NOTE_TYPE.cosignature);
  const pubkey = hexOf(made.key.publicKey);
  return { ...made, configured: { id: name, pubkey, vkey: encodeVkey(made.key) } };
}

function newBlsKey(name: string, bls: Bls): NewWitnessKey {
  const seed = generateBlsSecret();
  using signer = new BlsSigner(bls, seed);
  const { publicKey, proofOfPossession } = signer;
  const secretLine = `${encodeNoteSecret({ name, type: NOTE_TYPE.private, seed }, publicKey)}\n`;
  seed.fill(0);
  return {
    key: blsWitnessKey(name, publicKey),
    secretLine,
    configured: {
      id: name,
      pubkey: hexOf(publicKey),
      proof_of_possession: hexOf(proofOfPossession),
    },
  };
}

function newEd25519Key(nameOf: (publicKey: Bytes) => string, type: number): NewKey {
  return newKey(nameOf, type, (seed) => new Ed25519Signer(seed).publicKey);
}

function newKey(
  nameOf: (publicKey: Bytes) => string,
  type: number,
  publicKeyOf: (seed: Bytes) => Bytes,
): NewKey {
  const seed = generateSeed();
  const publicKey = publicKeyOf(seed);
  const name = nameOf(publicKey);
  const secretLine = `${encodeNoteSecret({ name, type, seed }, publicKey)}\n`;
  seed.fill(0);
  return { key: { name, type, publicKey }, secretLine };
}
