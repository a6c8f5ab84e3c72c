/**
 * Encryption of key files at rest, in the format of age (age-encryption.org/v1), armored.
 *
 * @module
 */

import { type Bytes, textOf } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";

const ARMOR = "-----BEGIN AGE ENCRYPTED FILE-----";
const HEADER = "age-encryption.org/v1\n";
/** The text of a key and of some recipients, with much room. */
const MAX_LENGTH = 64 * 1024;

/** Whom a file is encrypted for: who knows a passphrase, or some recipients, `age1...`. */
export type AgeRecipients =
  | { readonly passphrase: string; readonly scryptWorkFactor?: number }
  | { readonly recipients: readonly string[] };

/** True for the text of an armored age file, or of the beginning of a binary one. */
export function isAgeText(text: string): boolean {
  return text.startsWith(ARMOR) || text.startsWith(HEADER);
}

/** `text` encrypted, armored; `usage` for an invalid recipient. */
export async function sealAge(text: string, recipients: AgeRecipients): Promise<string> {
  const { armor, Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  try {
    if ("passphrase" in recipients) {
      encrypter.setPassphrase(recipients.passphrase);
      const { scryptWorkFactor } = recipients;
      if (scryptWorkFactor !== undefined) encrypter.setScryptWorkFactor(scryptWorkFactor);
    } else for (const recipient of recipients.recipients) encrypter.addRecipient(recipient);
    return armor.encode(await encrypter.encrypt(text));
  } catch (cause) {
    throw new CountersignError(
      "usage",
      "Cannot encrypt the key: a recipient is not an age public key, age1...",
      { cause },
    );
  }
}

/** The text in the age file `bytes` read from `path`; `invalid_key`. */
export async function openAge(
  bytes: Bytes,
  { kind, secret }: { readonly kind: "passphrase" | "identity"; readonly secret: string },
  path: string,
): Promise<string> {
  const { armor, Decrypter } = await import("age-encryption");
  try {
    if (bytes.length > MAX_LENGTH) throw new Error("too long");
    const decrypter = new Decrypter();
    if (kind === "passphrase") decrypter.addPassphrase(secret);
    else decrypter.addIdentity(secret);
    const isArmored = new TextDecoder().decode(bytes.subarray(0, ARMOR.length)) === ARMOR;
    return await decrypter.decrypt(isArmored ? armor.decode(textOf(bytes)) : bytes, "text");
  } catch {
    // No cause: the library's messages may quote the secret.
    throw new CountersignError(
      "invalid_key",
      `Cannot decrypt "${path}": it is damaged, or the ${kind} is not the one that it is encrypted for`,
    );
  }
}
