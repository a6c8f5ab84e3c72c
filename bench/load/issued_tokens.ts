/**
 * Tokens for a gateway that requires them, issued in this process before anything is measured.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { constants, createPrivateKey, sign } from "node:crypto";
import { base64UrlOf, type Bytes, utf8 } from "../../src/base/bytes.ts";
import { BLIND_RSA_SALT_LENGTH } from "../../src/proof/crypto/blind_rsa.ts";
import {
  challengeDigest,
  encodeTokenChallenge,
  encodeTokenText,
  tokenInputOf,
  tokenKeyIdOf,
} from "../../src/proof/format/privacy_pass.ts";
import { generateIssuerSecret, type IssuerSecret } from "../../src/gateway/tokens/issuer_key.ts";

const ISSUER_NAME = "load.example";
const DAY_SECONDS = 86_400;

/** An issuer with one key. */
export class LoadIssuer {
  readonly #secret: IssuerSecret;

  private constructor(secret: IssuerSecret) {
    this.#secret = secret;
  }

  static async create(): Promise<LoadIssuer> {
    const period = { notBefore: 0, notAfter: Math.floor(Date.now() / 1000) + DAY_SECONDS };
    return new LoadIssuer(await generateIssuerSecret(period));
  }

  /** The member `admission` of a gateway that requires its tokens. */
  admission(): unknown {
    const tokenKeys = [{ token_key: base64UrlOf(this.#secret.tokenKey) }];
    const issuer = { name: ISSUER_NAME, token_keys: tokenKeys };
    return { mode: "token_required", issuers: [issuer] };
  }

  /** `count` tokens for the network of `networkId`. */
  issue(networkId: string, count: number): IssuedTokens {
    const { tokenKey } = this.#secret;
    const authenticate = authenticatorOf(this.#secret);
    const challenge = challengeDigest(encodeTokenChallenge({
      issuerName: ISSUER_NAME,
      redemptionContext: new Uint8Array(),
      originInfo: networkId,
    }));
    const tokens = Array.from({ length: count }, () => {
      const nonce = crypto.getRandomValues(new Uint8Array(32));
      const tokenKeyId = tokenKeyIdOf(tokenKey);
      const input = { nonce, challengeDigest: challenge, tokenKeyId };
      return utf8(encodeTokenText({ ...input, authenticator: authenticate(tokenInputOf(input)) }));
    });
    return new IssuedTokens(tokens);
  }
}

/** Signs token inputs without blinding. */
function authenticatorOf({ privateKey }: IssuerSecret): (input: Bytes) => Bytes {
  const key = createPrivateKey({ key: Buffer.from(privateKey), format: "der", type: "pkcs8" });
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const saltLength = BLIND_RSA_SALT_LENGTH;
  return (input) => new Uint8Array(sign("sha384", input, { key, padding, saltLength }));
}

/** Tokens of one length, each given out once. */
export class IssuedTokens {
  readonly #tokens: readonly Bytes[];
  #next = 0;

  constructor(tokens: readonly Bytes[]) {
    this.#tokens = tokens;
  }

  /** A text of the same length that is not a token. */
  get blank(): string {
    return "A".repeat(this.#tokens[0]!.length);
  }

  /** A new token. */
  take(): string {
    return new TextDecoder().decode(this.#take());
  }

  /** Writes a new token to `target` at `start`. */
  fill(target: Uint8Array, start: number): void {
    target.set(this.#take(), start);
  }

  #take(): Bytes {
    const token = this.#tokens[this.#next++];
    if (token === undefined) {
      throw new Error(`Cannot submit: more than ${this.#tokens.length} tokens required (--issue)`);
    }
    return token;
  }
}
