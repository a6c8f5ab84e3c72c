/**
 * Key files of time-stamp authorities: PKCS#8 in PEM, or a reference to a file that age has encrypted, or
 * to a signer (`key_reference.ts`).
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import { errorBuilder } from "../base/errors.ts";
import type { TimestampScheme, TimestampSigner } from "../gateway/timestamping/timestamp_signer.ts";
import { type JsonObject, parseStrictJson } from "../proof/format/strict_json.ts";
import { loadToken } from "./bearer_tokens.ts";
import { isAgeText } from "./encrypted_key.ts";
import { type KeyReading, type KeyText, readEncryptedKey } from "./key_file.ts";
import { isKeyReference } from "./key_reference.ts";
import { readPrivateFile } from "./private_file.ts";
import { RemoteSigner } from "./remote_signer.ts";
import {
  isPemText,
  isTimestampSignature,
  TimestampKey,
  timestampSchemeOf,
} from "./timestamp_key.ts";
import {
  parseTimestampKeyReference,
  type TimestampKeyElsewhere,
} from "./timestamp_key_reference.ts";

/**
 * The signer of the authority's key in the file at `path`. `file_failed` if the file cannot be read or
 * others may read it, `invalid_key` if it has no such key, `invalid_configuration`.
 */
export async function readTimestampSigner(
  path: string,
  reading: KeyReading,
): Promise<TimestampSigner & Partial<Disposable>> {
  const text = await readPrivateFile(path);
  if (!isKeyReference(text)) return await signerIn({ text, path });
  const reference = parseTimestampKeyReference(text, path);
  return reference.where === "signer"
    ? await remoteSigner(reference, reading)
    : await signerIn(await readEncryptedKey(reference, reading));
}

/** True if the key file at `path` is that of an authority; errors as {@linkcode readTimestampSigner}. */
export async function isTimestampKeyFile(path: string, reading: KeyReading): Promise<boolean> {
  const text = await readPrivateFile(path);
  if (!isKeyReference(text)) return isPemText(text);
  const { kind, age_file } = parseStrictJson(text, "invalid_key") as JsonObject;
  if (age_file === undefined) return kind === "tsa";
  const reference = parseTimestampKeyReference(text, path);
  return reference.where === "encrypted" &&
    isPemText((await readEncryptedKey(reference, reading)).text);
}

async function signerIn({ text, path }: KeyText): Promise<TimestampKey> {
  const refused = errorBuilder("invalid_key", `Cannot use key file "${path}"`);
  if (isAgeText(text)) {
    throw refused(
      "it is encrypted. Name it in a key file with age_file and the passphrase or identity",
    );
  }
  if (isPemText(text)) return await TimestampKey.of(text, path);
  throw refused(
    "it has no key of a time-stamp authority, which is PKCS#8 in PEM. Make one: " +
      '"countersign tsa init" for a trial, or "countersign tsa request --new"',
  );
}

async function remoteSigner(
  key: TimestampKeyElsewhere,
  reading: KeyReading,
): Promise<RemoteTimestampSigner> {
  const { name, scheme, publicKey } = key;
  if (timestampSchemeOf(publicKey, `key ${name}`) !== scheme) {
    throw errorBuilder("invalid_key", `Cannot use key ${name}`)(
      `its public_key is not of the scheme ${scheme}`,
    );
  }
  return new RemoteTimestampSigner({ ...key, token: await loadToken(key.token, reading) }, reading);
}

/** Requests of one thread to a signer at once: it has a bound for all that it serves. */
const MAX_AT_ONCE = 16;

/** A key with a signer. Messages beyond {@linkcode MAX_AT_ONCE} wait, the oldest first, and fail if one does. */
class RemoteTimestampSigner extends RemoteSigner<TimestampScheme> implements TimestampSigner {
  readonly #waiting: { resolve(): void; reject(error: unknown): void }[] = [];
  #active = 0;

  override async sign(message: Bytes): Promise<Bytes> {
    if (this.#active < MAX_AT_ONCE) this.#active++;
    // The one that ends passes its turn on.
    else {
      // Node 20 has no `Promise.withResolvers`.
      await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    }
    try {
      return await super.sign(message);
    } catch (error) {
      // Each turn would last until a signer that hangs is given up.
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#active--;
      else next.resolve();
    }
  }

  protected override verifies(_: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
    return isTimestampSignature(this, message.slice(), signature);
  }
}
