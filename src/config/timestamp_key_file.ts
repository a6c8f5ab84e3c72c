/**
 * Key files of time-stamp authorities: PKCS#8 in PEM, or a reference to a file that age has encrypted, or
 * to a signer (`key_reference.ts`).
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import type { TimestampScheme, TimestampSigner } from "../gateway/timestamping/timestamp_signer.ts";
import { loadToken } from "./bearer_tokens.ts";
import {
  type KeyReading,
  type KeyText,
  type NamedCosigner,
  type NamedSigner,
  readKeyText,
  requireDecrypted,
  signerIn,
} from "./key_file.ts";
import type { KeyElsewhere } from "./key_reference.ts";
import { RemoteSigner } from "./remote_signer.ts";
import {
  isPemText,
  isTimestampSignature,
  TimestampKey,
  timestampSchemeOf,
} from "./timestamp_key.ts";

/** The key of a time-stamp authority. A key in PEM has no name. */
export interface NamedTimestampSigner {
  readonly kind: "tsa";
  readonly name?: string;
  readonly signer: TimestampSigner & Partial<Disposable>;
}

/**
 * The signer of the authority's key in the file at `path`. `file_failed` if the file cannot be read or
 * others may read it, `invalid_key` if it has no such key, `invalid_configuration`.
 */
export async function readTimestampSigner(
  path: string,
  reading: KeyReading,
): Promise<NamedTimestampSigner["signer"]> {
  const found = await readKeyText(path, reading);
  if (isTimestampKey(found)) return (await timestampSignerIn(found, reading)).signer;
  throw new CountersignError(
    "invalid_key",
    `Cannot use key file "${path}": it has no key of a time-stamp authority, which is PKCS#8 in PEM. ` +
      'Make one: "countersign tsa init" for a trial, or "countersign tsa request --new"',
  );
}

/** The signer of a key of any kind; errors as {@linkcode readTimestampSigner}. */
export async function readAnyKey(
  path: string,
  reading: KeyReading,
): Promise<NamedSigner | NamedCosigner | NamedTimestampSigner> {
  const found = await readKeyText(path, reading);
  return isTimestampKey(found)
    ? await timestampSignerIn(found, reading)
    : await signerIn(found, reading);
}

type AuthorityKey = KeyText | Extract<KeyElsewhere, { readonly kind: "tsa" }>;

function isTimestampKey(found: KeyText | KeyElsewhere): found is AuthorityKey {
  return "where" in found ? found.kind === "tsa" : isPemText(found.text);
}

async function timestampSignerIn(
  found: AuthorityKey,
  reading: KeyReading,
): Promise<NamedTimestampSigner> {
  if (!("where" in found)) {
    requireDecrypted(found);
    return { kind: "tsa", signer: await TimestampKey.of(found.text, found.path) };
  }
  const { kind, name, scheme, publicKey } = found;
  if (timestampSchemeOf(publicKey, `key ${name}`) !== scheme) {
    throw new CountersignError(
      "invalid_key",
      `Cannot use key ${name}: its public_key is not of the scheme ${scheme}`,
    );
  }
  const remote = new RemoteSigner({ ...found, token: await loadToken(found.token, reading) }, {
    ...reading,
    verify: (message, signature) => isTimestampSignature({ scheme, publicKey }, message, signature),
  });
  return { kind, name, signer: new RemoteTimestampSigner(remote) };
}

/** Requests of one thread to a signer at once: it has a bound for all that it serves. */
const MAX_AT_ONCE = 16;

/** A key with a signer. Messages beyond {@linkcode MAX_AT_ONCE} wait, the oldest first. */
class RemoteTimestampSigner implements TimestampSigner, Disposable {
  readonly scheme: TimestampScheme;
  readonly publicKey: Bytes;
  readonly #remote: RemoteSigner<TimestampScheme>;
  readonly #waiting: (() => void)[] = [];
  #active = 0;

  constructor(remote: RemoteSigner<TimestampScheme>) {
    this.scheme = remote.scheme;
    this.publicKey = remote.publicKey;
    this.#remote = remote;
  }

  async sign(message: Bytes): Promise<Bytes> {
    if (this.#active < MAX_AT_ONCE) this.#active++;
    // The one that ends passes its turn on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#remote.sign(message);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#active--;
      else next();
    }
  }

  [Symbol.dispose](): void {
    this.#remote[Symbol.dispose]();
  }
}
