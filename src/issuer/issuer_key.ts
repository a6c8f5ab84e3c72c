/**
 * Issuing tokens under one key (RFC 9578 sections 5.2 and 6.2).
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { BlindRsaSigner } from "../crypto/blind_rsa_signer.ts";
import { loadVoprf } from "../crypto/voprf.ts";
import { TOKEN_TYPE, tokenKeyIdOf } from "../format/privacy_pass.ts";
import { encodeEvaluation } from "../format/token_issuance.ts";
import type { IssuerSecret } from "./issuer_secret.ts";
import type { ScheduledKey } from "./key_schedule.ts";

/** A key that issues, and which nothing can be read out of but what is public. */
export interface IssuerKey extends ScheduledKey {
  readonly tokenKey: Bytes;
  readonly tokenKeyId: Bytes;
  /** The last byte of the token key ID, by which a request names its key. */
  readonly truncatedId: number;
  /** Refuses an invalid blinded message with `token_request_refused`: cheap, unlike `issue`. */
  check(blindedMessage: Uint8Array): void;
  /** The TokenResponse for a blinded message; `token_request_refused` for what is none. */
  issue(blindedMessage: Uint8Array): Bytes;
}

/** The last byte of the ID of a token key: what {@linkcode IssuerKey.truncatedId} is. */
export function truncatedIdOf(tokenKey: Uint8Array): number {
  return tokenKeyIdOf(tokenKey).at(-1)!;
}

/** The key of `secret`. */
export async function issuerKeyOf(secret: IssuerSecret): Promise<IssuerKey> {
  const { tokenType, tokenKey, notBefore, notAfter } = secret;
  return {
    tokenType,
    tokenKey,
    notBefore,
    notAfter,
    tokenKeyId: tokenKeyIdOf(tokenKey),
    truncatedId: truncatedIdOf(tokenKey),
    ...await issuingUnder(secret),
  };
}

async function issuingUnder(
  { tokenType, tokenKey, privateKey }: IssuerSecret,
): Promise<Pick<IssuerKey, "check" | "issue">> {
  if (tokenType === TOKEN_TYPE.blindRsa) {
    const signer = new BlindRsaSigner(privateKey);
    return {
      check: (blindedMessage) => signer.checkBlinded(blindedMessage),
      issue: (blindedMessage) => signer.sign(blindedMessage),
    };
  }
  const voprf = await loadVoprf();
  const keys = { privateKey, publicKey: tokenKey };
  return {
    check: (blindedMessage) => voprf.checkBlinded(blindedMessage),
    issue: (blindedMessage) => encodeEvaluation(voprf.blindEvaluate(keys, blindedMessage)),
  };
}
