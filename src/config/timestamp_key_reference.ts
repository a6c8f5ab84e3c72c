/**
 * A key file of a time-stamp authority that does not hold the key itself, but says where it is
 * (`key_reference.ts`).
 *
 * @module
 */

import { fromHex, isHex } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { TIMESTAMP_SCHEMES } from "../gateway/timestamping/timestamp_signer.ts";
import { isWitnessId } from "../proof/format/names.ts";
import { type Of, TEXT } from "../proof/format/schema.ts";
import { ENCRYPTED_KEY, SIGNER_URL } from "./key_reference.ts";
import { choice, parseFile, secret, settings, withMember } from "./settings.ts";
import { invalid } from "./validation.ts";

const CODE = "invalid_key";
/** A SubjectPublicKeyInfo of RSA with 4096 bits has 550 bytes. */
const MAX_KEY_LENGTH = 1_024;

/** The name of an authority's key at its signer. */
export const TSA_NAME = TEXT.convert((name, where) => {
  if (isWitnessId(name)) return name;
  throw invalid(where, "it must be of A-Z a-z 0-9 . _ ~ / - and begin with a letter or digit");
});

/** A key file that names a signer. */
export const TIMESTAMP_REMOTE_KEY = settings({
  signer: SIGNER_URL,
  kind: choice(["tsa"], "Owner of the key."),
  name: TSA_NAME.with({ description: "Its name at the signer." }),
  scheme: choice(TIMESTAMP_SCHEMES, "Scheme of the key."),
  public_key: TEXT.with({
    title: "hex",
    description: "Its SubjectPublicKeyInfo in DER. Each signature is verified under it.",
  }),
  token: secret("the bearer token of the signer"),
}).convert(({ signer: url, publicKey, ...key }, where) => {
  const length = Math.floor(publicKey.length / 2);
  if (length > MAX_KEY_LENGTH || !isHex(publicKey, length)) {
    throw new CountersignError(
      CODE,
      `Cannot read ${where}: public_key must be a SubjectPublicKeyInfo (DER) in lowercase hex digits`,
    );
  }
  return { where: "signer", url, publicKey: fromHex(publicKey), ...key } as const;
});

const REFERENCE = withMember("age_file", ENCRYPTED_KEY, TIMESTAMP_REMOTE_KEY);

/** A key with a signer. */
export type TimestampKeyElsewhere = Of<typeof TIMESTAMP_REMOTE_KEY>;

export type TimestampKeyReference = Of<typeof REFERENCE>;

/** The reference in the text of the key file at absolute path `file`; `invalid_key`, `invalid_configuration`. */
export function parseTimestampKeyReference(text: string, file: string): TimestampKeyReference {
  return parseFile(REFERENCE, text, file, { code: CODE });
}
