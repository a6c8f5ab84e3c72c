/**
 * Tokens of issuers that a test holds the keys of, without an issuer's server. Those of type 2 are
 * signed as they are: a finished blind signature is an ordinary one (RFC 9474 section 4.4).
 *
 * @module
 */

import { constants, createPrivateKey, sign } from "node:crypto";
import { Buffer } from "node:buffer";
import type { TokenIssuer, TokenKey } from "../../src/admission/token_issuers.ts";
import {
  blindRsaTokenKey,
  type KeyValidity,
  voprfTokenKey,
} from "../../src/admission/token_keys.ts";
import { BlindRsaSigner, generateBlindRsaKey } from "../../src/crypto/blind_rsa_signer.ts";
import { loadVoprf } from "../../src/crypto/voprf.ts";
import type { Bytes } from "../../src/bytes.ts";
import {
  challengeDigest,
  encodeTokenChallenge,
  encodeTokenText,
  type Token,
  TOKEN_TYPE,
  tokenInputOf,
  type TokenType,
} from "../../src/format/privacy_pass.ts";

/** One issuer with one key. */
export class TokenSource {
  readonly name: string;
  readonly tokenType: TokenType;
  readonly key: TokenKey;
  readonly #authenticate: (input: Bytes) => Bytes;

  private constructor(
    name: string,
    tokenType: TokenType,
    key: TokenKey,
    authenticate: (input: Bytes) => Bytes,
  ) {
    this.name = name;
    this.tokenType = tokenType;
    this.key = key;
    this.#authenticate = authenticate;
  }

  static async create(
    tokenType: TokenType,
    validity: KeyValidity = {},
    name = "issuer.example",
  ): Promise<TokenSource> {
    if (tokenType === TOKEN_TYPE.voprf) {
      const voprf = await loadVoprf();
      const keys = voprf.generateKeyPair();
      const key = voprfTokenKey(voprf, keys.privateKey, validity);
      const authenticate = (input: Bytes) => {
        const blinding = voprf.blind(input);
        const evaluation = voprf.blindEvaluate(keys, blinding.blinded);
        return voprf.finalize(input, blinding, keys.publicKey, evaluation);
      };
      return new TokenSource(name, tokenType, key, authenticate);
    }
    const pkcs8 = await generateBlindRsaKey();
    const key = createPrivateKey({ key: Buffer.from(pkcs8), format: "der", type: "pkcs8" });
    return new TokenSource(
      name,
      tokenType,
      blindRsaTokenKey(new BlindRsaSigner(pkcs8).publicKey, validity),
      (input) =>
        new Uint8Array(sign("sha384", input, {
          key,
          padding: constants.RSA_PKCS1_PSS_PADDING,
          saltLength: 48,
        })),
    );
  }

  /** The issuer as a gateway has it. */
  get issuer(): TokenIssuer {
    return { name: this.name, tokenType: this.tokenType, keys: [this.key] };
  }

  /** A new token for the network of `networkId`, with `members` in place of its own. */
  token(networkId: string, members: Partial<Token> = {}): Token {
    const { tokenType } = this;
    const input = {
      tokenType,
      nonce: crypto.getRandomValues(new Uint8Array(32)),
      challengeDigest: challengeDigest(encodeTokenChallenge({
        ...{ tokenType, issuerName: this.name },
        ...{ redemptionContext: new Uint8Array(), originInfo: networkId },
      })),
      tokenKeyId: this.key.id,
      ...members,
    };
    return { authenticator: this.#authenticate(tokenInputOf(input)), ...input };
  }

  /** {@linkcode token} as `issuer_token` has it. */
  text(networkId: string, members: Partial<Token> = {}): string {
    return encodeTokenText(this.token(networkId, members));
  }
}
