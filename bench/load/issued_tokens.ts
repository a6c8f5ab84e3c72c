/**
 * Tokens for a gateway that requires them, issued in this process before anything is measured.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { constants, createPrivateKey, sign } from "node:crypto";
import { base64UrlOf, type Bytes, utf8 } from "../../src/bytes.ts";
import { encodeIssuerSecret } from "../../src/config/issuer_key_file.ts";
import { BLIND_RSA_SALT_LENGTH } from "../../src/crypto/blind_rsa.ts";
import { loadVoprf } from "../../src/crypto/voprf.ts";
import {
  challengeDigest,
  encodeTokenChallenge,
  encodeTokenText,
  TOKEN_TYPE,
  tokenInputOf,
  tokenKeyIdOf,
  type TokenType,
} from "../../src/format/privacy_pass.ts";
import { generateIssuerSecret, type IssuerSecret } from "../../src/issuer/issuer_secret.ts";

const ISSUER_NAME = "load.example";
const DAY_SECONDS = 86_400;

/** An issuer with one key. */
export class LoadIssuer {
  readonly tokenType: TokenType;
  readonly #secret: IssuerSecret;

  private constructor(secret: IssuerSecret) {
    this.tokenType = secret.tokenType;
    this.#secret = secret;
  }

  static async create(tokenType: TokenType): Promise<LoadIssuer> {
    const period = { notBefore: 0, notAfter: Math.floor(Date.now() / 1000) + DAY_SECONDS };
    return new LoadIssuer(await generateIssuerSecret(tokenType, period));
  }

  /** The member `admission` of a gateway that takes nothing else; `keyFile` is written for type 1. */
  async admission(keyFile: string): Promise<unknown> {
    const { tokenType, tokenKey } = this.#secret;
    const named = { name: ISSUER_NAME, token_type: tokenType };
    if (tokenType === TOKEN_TYPE.blindRsa) {
      const issuer = { ...named, token_keys: [{ token_key: base64UrlOf(tokenKey) }] };
      return { mode: "token_required", issuers: [issuer] };
    }
    await Deno.writeTextFile(keyFile, encodeIssuerSecret(this.#secret), { mode: 0o600 });
    return { mode: "token_required", issuers: [{ ...named, key_files: [keyFile] }] };
  }

  /** `count` tokens for the network of `networkId`. */
  async issue(networkId: string, count: number): Promise<IssuedTokens> {
    const { tokenType, tokenKey } = this.#secret;
    const authenticate = await authenticatorOf(this.#secret);
    const challenge = challengeDigest(encodeTokenChallenge({
      ...{ tokenType, issuerName: ISSUER_NAME },
      ...{ redemptionContext: new Uint8Array(), originInfo: networkId },
    }));
    const tokens = Array.from({ length: count }, () => {
      const nonce = crypto.getRandomValues(new Uint8Array(32));
      const tokenKeyId = tokenKeyIdOf(tokenKey);
      const input = { tokenType, nonce, challengeDigest: challenge, tokenKeyId };
      return utf8(encodeTokenText({ ...input, authenticator: authenticate(tokenInputOf(input)) }));
    });
    return new IssuedTokens(tokens);
  }
}

/** What the key makes of a token input, without a client: nobody is to be kept from linking it. */
async function authenticatorOf(secret: IssuerSecret): Promise<(input: Bytes) => Bytes> {
  const { tokenType, tokenKey: publicKey, privateKey } = secret;
  if (tokenType === TOKEN_TYPE.voprf) {
    const voprf = await loadVoprf();
    return (input) => {
      const blinding = voprf.blind(input);
      const evaluation = voprf.blindEvaluate({ privateKey, publicKey }, blinding.blinded);
      return voprf.finalize(input, blinding, publicKey, evaluation);
    };
  }
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

  /** A text as long as each of them, and none of them. */
  get blank(): string {
    return "A".repeat(this.#tokens[0]!.length);
  }

  /** One that was never given out. */
  take(): string {
    return new TextDecoder().decode(this.#take());
  }

  /** Writes one that was never given out to `target` at `start`. */
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
