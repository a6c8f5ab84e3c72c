/**
 * A key file that does not hold the key itself, but says where it is: encrypted in another file, or with
 * a signer (docs/signer.md). Key files that hold the key are read by `key_file.ts`.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { type Bytes, fromHex } from "../base/bytes.ts";
import type { KeyScheme } from "../proof/crypto/key_signer.ts";
import { ML_DSA_KEY_LENGTH } from "../proof/crypto/ml_dsa_lengths.ts";
import { Fields } from "../proof/format/fields.ts";
import { isNetworkId, isWitnessId } from "../proof/format/names.ts";
import { PUBLIC_KEY_LENGTH } from "../proof/format/signature_set.ts";
import type { KeyKind } from "../proof/format/signed_text.ts";
import { socketPath } from "./remote_signer.ts";
import {
  readSecretSource,
  requireSecretSource,
  secretMembers,
  type SecretSource,
} from "./bearer_tokens.ts";
import { type Members, namesOf, required } from "./members.ts";
import { invalid, namingFile } from "./validation.ts";

/** A key in an age file. */
export interface EncryptedKey {
  readonly where: "encrypted";
  /** Absolute path. */
  readonly path: string;
  readonly secret:
    | { readonly kind: "passphrase"; readonly source: SecretSource }
    | { readonly kind: "identity"; readonly source: SecretSource };
}

/** A key with a signer. */
export interface KeyElsewhere {
  readonly where: "signer";
  readonly kind: Exclude<KeyKind, "cosigner">;
  readonly name: string;
  readonly scheme: KeyScheme;
  readonly publicKey: Bytes;
  readonly url: string;
  readonly token: SecretSource;
}

export type KeyReference = EncryptedKey | KeyElsewhere;

const CODE = "invalid_key";
/** Bytes of a public key. */
export const KEY_LENGTH = { ...PUBLIC_KEY_LENGTH, "ml-dsa-44": ML_DSA_KEY_LENGTH };

/** Members of a key file that names an encrypted one. */
export const ENCRYPTED_KEY_MEMBERS: Members = {
  age_file: required("path", "The key file, encrypted by `keygen --encrypt` or by age."),
  ...secretMembers("passphrase", "the passphrase"),
  ...secretMembers("identity", "the age identity, AGE-SECRET-KEY-1..."),
};

/** Members of a key file that names a signer. */
export const REMOTE_KEY_MEMBERS: Members = {
  signer: required("URL", "https, http on loopback, or unix: and the absolute path of a socket."),
  kind: required("witness or log", "Owner of the key."),
  name: required(
    "text",
    "The witness's id, or the log's name; also its name at the signer, with `+ml-dsa-44` for such a key.",
  ),
  scheme: required("ed25519, bls or ml-dsa-44", "Scheme of the key."),
  public_key: required("hex", "The public key. Each signature is verified under it."),
  ...secretMembers("token", "the bearer token of the signer"),
};

/** True if the text of a key file is a reference and not a key. */
export function isKeyReference(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** The reference in the text of the key file at absolute path `file`; `invalid_key`, `invalid_configuration`. */
export function parseKeyReference(text: string, file: string): KeyReference {
  return namingFile(file, () => {
    const pathOf = (path: string) => resolve(dirname(file), path);
    const where = { where: file, code: CODE } as const;
    return text.includes('"age_file"')
      ? readEncrypted(Fields.parse(text, where, ...namesOf(ENCRYPTED_KEY_MEMBERS)), pathOf)
      : readRemote(Fields.parse(text, where, ...namesOf(REMOTE_KEY_MEMBERS)), pathOf);
  });
}

function readEncrypted(fields: Fields, pathOf: (path: string) => string): EncryptedKey {
  const passphrase = readSecretSource(fields, "passphrase", pathOf);
  const identity = readSecretSource(fields, "identity", pathOf);
  if ((passphrase === undefined) === (identity === undefined)) {
    throw invalid(
      fields.where,
      "it needs either a passphrase or an identity, in a file or variable",
    );
  }
  const secret = passphrase !== undefined
    ? { kind: "passphrase", source: passphrase } as const
    : { kind: "identity", source: identity! } as const;
  return { where: "encrypted", path: pathOf(fields.text("age_file")), secret };
}

function readRemote(fields: Fields, pathOf: (path: string) => string): KeyElsewhere {
  const [kind, scheme] = [fields.text("kind"), fields.text("scheme")];
  const name = fields.text("name");
  if (kind !== "witness" && kind !== "log") {
    throw invalid(fields.where, "kind is not witness or log");
  }
  if (scheme !== "ed25519" && scheme !== "ml-dsa-44" && (scheme !== "bls" || kind === "log")) {
    throw invalid(fields.where, "scheme must be ed25519 or ml-dsa-44, or bls for a witness");
  }
  if (!(kind === "log" ? isNetworkId(name) : isWitnessId(name))) {
    throw invalid(fields.where, "name is not a network id or witness id");
  }
  const url = fields.text("signer");
  socketPath(url);
  const token = requireSecretSource(fields, "token", pathOf);
  const publicKey = fromHex(fields.hex("public_key", KEY_LENGTH[scheme]));
  return { where: "signer", kind, name, scheme, publicKey, url, token };
}
