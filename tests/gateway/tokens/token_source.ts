/**
 * Tokens of issuers whose keys a test holds, without an issuer's server. A finished blind signature
 * is an ordinary signature (RFC 9474 section 4.4), so nothing is blinded here.
 *
 * @module
 */

import { constants, createPrivateKey, sign } from "node:crypto";
import { Buffer } from "node:buffer";
import {
  blindRsaTokenKey,
  type TokenIssuer,
  type TokenKey,
} from "../../../src/gateway/tokens/token_issuers.ts";
import { BlindRsaSigner, generateBlindRsaKey } from "../../../src/proof/crypto/blind_rsa_signer.ts";
import type { Bytes } from "../../../src/base/bytes.ts";
import {
  challengeDigest,
  encodeTokenChallenge,
  encodeTokenText,
  type Token,
  tokenInputOf,
} from "../../../src/proof/format/privacy_pass.ts";

/** One issuer with one key. */
export class TokenSource {
  readonly name: string;
  readonly key: TokenKey;
  readonly #authenticate: (input: Bytes) => Bytes;

  private constructor(
    name: string,
    key: TokenKey,
    authenticate: (input: Bytes) => Bytes,
  ) {
    this.name = name;
    this.key = key;
    this.#authenticate = authenticate;
  }

  static async create(
    validity: Pick<TokenKey, "notBefore" | "notAfter"> = {},
    name = "issuer.example",
  ): Promise<TokenSource> {
    const pkcs8 = await generateBlindRsaKey();
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: "der", type: "pkcs8" });
    return new TokenSource(
      name,
      blindRsaTokenKey(new BlindRsaSigner(pkcs8).publicKey, validity),
      (input) =>
        new Uint8Array(sign("sha384", input, {
          key,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: 48,
        })),
    );
  }

  /** The issuer in the gateway's form. */
  get issuer(): TokenIssuer {
    return { name: this.name, keys: [this.key] };
  }

  /** A new token for the network `networkId`, with `members` replaced. */
  token(networkId: string, members: Partial<Token> = {}): Token {
    const input = {
      nonce: crypto.getRandomValues(new Uint8Array(32)),
      challengeDigest: challengeDigest(encodeTokenChallenge({
        issuerName: this.name,
        redemptionContext: new Uint8Array(),
        originInfo: networkId,
      })),
      tokenKeyId: this.key.id,
      ...members,
    };
    return { authenticator: this.#authenticate(tokenInputOf(input)), ...input };
  }

  /** {@linkcode token} in the encoding of `issuer_token`. */
  text(networkId: string, members: Partial<Token> = {}): string {
    return encodeTokenText(this.token(networkId, members));
  }
}
