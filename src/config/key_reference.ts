/**
 * A key file that does not hold the key itself, but says where it is: encrypted in another file, or with
 * a signer (docs/signer.md). Key files that hold the key are read by `key_file.ts`.
 *
 * @module
 */

import { fromHex, isHex } from "../base/bytes.ts";
import { ML_DSA_KEY_LENGTH } from "../proof/crypto/ml_dsa_lengths.ts";
import { CountersignError } from "../base/errors.ts";
import { isNetworkId, isWitnessId } from "../proof/format/names.ts";
import { type Of, TEXT } from "../proof/format/schema.ts";
import { PUBLIC_KEY_LENGTH } from "../proof/format/signature_set.ts";
import { socketPath } from "./remote_signer.ts";
import {
  choice,
  optionalSecret,
  parseFile,
  path,
  secret,
  settings,
  withMember,
} from "./settings.ts";
import { invalid } from "./validation.ts";

const CODE = "invalid_key";
/** Bytes of a public key. */
export const KEY_LENGTH = { ...PUBLIC_KEY_LENGTH, "ml-dsa-44": ML_DSA_KEY_LENGTH };

/** A key file that names an encrypted one, an age file. */
export const ENCRYPTED_KEY = settings({
  age_file: path("The key file, encrypted by `keygen --encrypt` or by age."),
  passphrase: optionalSecret("the passphrase"),
  identity: optionalSecret("the age identity, `AGE-SECRET-KEY-1...`"),
}).convert(({ ageFile: path, passphrase, identity }, where) => {
  if (passphrase !== undefined && identity === undefined) {
    return {
      where: "encrypted",
      path,
      secret: { kind: "passphrase", source: passphrase },
    } as const;
  }
  if (identity !== undefined && passphrase === undefined) {
    return { where: "encrypted", path, secret: { kind: "identity", source: identity } } as const;
  }
  throw invalid(where, "it needs either a passphrase or an identity, in a file or variable");
});

export const SIGNER_URL = TEXT.convert((url) => {
  socketPath(url);
  return url;
}).with({
  format: "uri",
  description: "https, http on loopback, or unix: and the absolute path of a socket.",
});

/** A key file that names a signer. */
export const REMOTE_KEY = settings({
  signer: SIGNER_URL,
  kind: choice(["witness", "log"], "Owner of the key."),
  name: TEXT.with({
    description:
      "The witness's id, or the log's name; also its name at the signer, with `+ml-dsa-44` for such a key.",
  }),
  scheme: choice(["ed25519", "bls", "ml-dsa-44"], "Scheme of the key."),
  public_key: TEXT.with({
    title: "hex",
    description: "The public key. Each signature is verified under it.",
  }),
  token: secret("the bearer token of the signer"),
}).convert(({ signer: url, publicKey, ...key }, where) => {
  const { kind, name, scheme } = key;
  if (scheme === "bls" && kind === "log") {
    throw invalid(where, "scheme must be ed25519 or ml-dsa-44, or bls for a witness");
  }
  if (!(kind === "log" ? isNetworkId(name) : isWitnessId(name))) {
    throw invalid(where, "name is not a network id or witness id");
  }
  const length = KEY_LENGTH[scheme];
  if (!isHex(publicKey, length)) {
    throw new CountersignError(
      CODE,
      `Cannot read ${where}: public_key must be ${2 * length} lowercase hex digits`,
    );
  }
  return { where: "signer", url, publicKey: fromHex(publicKey), ...key } as const;
});

const KEY_REFERENCE = withMember("age_file", ENCRYPTED_KEY, REMOTE_KEY);

/** A key in an age file. */
export type EncryptedKey = Of<typeof ENCRYPTED_KEY>;

/** A key with a signer. */
export type KeyElsewhere = Of<typeof REMOTE_KEY>;

export type KeyReference = Of<typeof KEY_REFERENCE>;

/** True if the text of a key file is a reference and not a key. */
export function isKeyReference(text: string): boolean {
  return text.trimStart().startsWith("{");
}

/** The reference in the text of the key file at absolute path `file`; `invalid_key`, `invalid_configuration`. */
export function parseKeyReference(text: string, file: string): KeyReference {
  return parseFile(KEY_REFERENCE, text, file, { code: CODE });
}
