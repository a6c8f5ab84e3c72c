/**
 * Issuance and redemption with `@cloudflare/privacypass-ts` on the other side, both ways and in both
 * types, over HTTP.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as cloudflare from "@cloudflare/privacypass-ts";
import { unixSeconds } from "../../src/clock.ts";
import { readBlindRsaKey, verifyBlindRsa } from "../../src/crypto/blind_rsa.ts";
import { loadVoprf } from "../../src/crypto/voprf.ts";
import { encodeIssuerDirectory, ISSUER_DIRECTORY_PATH } from "../../src/format/issuer_directory.ts";
import {
  encodeToken,
  parseToken,
  parseTokenChallenge,
  type Token,
  tokenInputOf,
} from "../../src/format/privacy_pass.ts";
import { orderToken } from "../../src/issuer/token_order.ts";
import { IssuerClient } from "../../src/transport/issuer_client.ts";
import { API_KEY, challengeOf, NAME, serveTokens, workFor } from "./fixture.ts";
import { PRIVATE_KEY, TYPE_1_VECTORS, TYPE_2_VECTORS } from "./published_vectors.ts";

const TYPES = [1, 2] as const;
const { BLIND_RSA, VOPRF } = cloudflare.TOKEN_TYPES;
const PSS = cloudflare.publicVerif.BlindRSAMode.PSS;
const TOKEN_KEY = {
  1: Uint8Array.fromHex(TYPE_1_VECTORS[0]!.pkS),
  2: Uint8Array.fromHex(TYPE_2_VECTORS.pkS),
} as const;

/** Serves `handler` on loopback while `use` runs. */
async function served(
  handler: (request: Request) => Promise<Response>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  await use(`http://127.0.0.1:${server.addr.port}`);
}

const RSA_PSS = { name: "RSA-PSS", hash: "SHA-384" } as const;

async function rsaKeys() {
  const spki = cloudflare.util.convertRSASSAPSSToEnc(TOKEN_KEY[2]);
  return {
    publicKey: await crypto.subtle.importKey("spki", spki.slice(), RSA_PSS, true, ["verify"]),
    privateKey: await crypto.subtle.importKey("pkcs8", PRIVATE_KEY[2], RSA_PSS, true, ["sign"]),
  };
}

/** Whether the other side's origin takes the token of the bytes. */
async function theirsTakes(tokenType: 1 | 2, bytes: Uint8Array): Promise<boolean> {
  if (tokenType === 1) {
    const token = cloudflare.Token.deserialize(VOPRF, bytes);
    return await new cloudflare.privateVerif.Origin().verify(token, PRIVATE_KEY[1]);
  }
  const token = cloudflare.Token.deserialize(BLIND_RSA, bytes);
  return await new cloudflare.publicVerif.Origin(PSS).verify(token, (await rsaKeys()).publicKey);
}

/** Whether this side takes it. */
async function oursTakes(token: Token): Promise<boolean> {
  const input = tokenInputOf(token);
  return token.tokenType === 1
    ? (await loadVoprf()).isOutput(PRIVATE_KEY[1], input, token.authenticator)
    : verifyBlindRsa(readBlindRsaKey(TOKEN_KEY[2]), input, token.authenticator);
}

function theirClient(tokenType: 1 | 2): cloudflare.PrivacyPassClient {
  return tokenType === 1
    ? new cloudflare.privateVerif.Client()
    : new cloudflare.publicVerif.Client(PSS);
}

/** The other side's answer to the bytes of a TokenRequest. */
async function theirIssuer(tokenType: 1 | 2, request: Uint8Array): Promise<Uint8Array> {
  if (tokenType === 1) {
    const issuer = new cloudflare.privateVerif.Issuer(NAME, PRIVATE_KEY[1], TOKEN_KEY[1]);
    const parsed = cloudflare.privateVerif.TokenRequest.deserialize(request);
    return (await issuer.issue(parsed)).serialize();
  }
  const { privateKey, publicKey } = await rsaKeys();
  const issuer = new cloudflare.publicVerif.Issuer(PSS, NAME, privateKey, publicKey);
  const parsed = cloudflare.publicVerif.TokenRequest.deserialize(BLIND_RSA, request);
  return (await issuer.issue(parsed)).serialize();
}

for (const tokenType of TYPES) {
  Deno.test(`their client fetches a token of type ${tokenType} from our issuer`, async () => {
    const { app, clock } = await serveTokens();
    await served(app, async (url) => {
      const directory = await (await fetch(url + ISSUER_DIRECTORY_PATH)).json();
      const listed = directory["token-keys"].find((key: cloudflare.TokenKey) =>
        key["token-type"] === tokenType
      );
      const tokenKey = Uint8Array.fromBase64(listed["token-key"], { alphabet: "base64url" });
      const challenge = cloudflare.TokenChallenge.deserialize(challengeOf(tokenType));
      const requestUrl = new URL(directory["issuer-request-uri"], url);
      for (const kind of ["key", "work"]) {
        const client = theirClient(tokenType);
        const request = (await client.createTokenRequest(challenge, tokenKey)).serialize();
        const authorization = kind === "key"
          ? `Bearer ${API_KEY}`
          : workFor(request.slice(), unixSeconds(clock));
        const answer = await cloudflare.sendTokenRequest(
          request,
          requestUrl,
          new Headers({ Authorization: authorization }),
        );
        const token = await client.finalize(client.deserializeTokenResponse(answer));
        const bytes = token.serialize();
        assert.ok(await theirsTakes(tokenType, bytes));
        const ours = parseToken(bytes);
        assert.deepEqual(encodeToken(ours), new Uint8Array(bytes));
        assert.ok(await oursTakes(ours));
      }
    });
  });

  Deno.test(`our client fetches a token of type ${tokenType} from their issuer`, async () => {
    const tokenKey = TOKEN_KEY[tokenType];
    const handler = async (request: Request) => {
      if (request.method === "GET") {
        const requestUri = "/their/requests";
        const keys = [{ tokenType, tokenKey }];
        return new Response(encodeIssuerDirectory({ requestUri, tokenKeys: keys }), {
          headers: { "Content-Type": cloudflare.MediaType.PRIVATE_TOKEN_ISSUER_DIRECTORY },
        });
      }
      assert.equal(new URL(request.url).pathname, "/their/requests");
      assert.equal(
        request.headers.get("Content-Type"),
        cloudflare.MediaType.PRIVATE_TOKEN_REQUEST,
      );
      const answer = await theirIssuer(tokenType, new Uint8Array(await request.arrayBuffer()));
      return new Response(answer.slice(), {
        headers: { "Content-Type": cloudflare.MediaType.PRIVATE_TOKEN_RESPONSE },
      });
    };
    await served(handler, async (url) => {
      const client = new IssuerClient({ url: new URL(`${url}/`) });
      const { requestUri, tokenKeys } = await client.directory();
      const origin = tokenType === 1
        ? new cloudflare.privateVerif.Origin(["log.example"])
        : new cloudflare.publicVerif.Origin(PSS, ["log.example"]);
      const challenge = origin.createTokenChallenge(NAME, new Uint8Array()).serialize().slice();
      assert.deepEqual(challenge, challengeOf(tokenType));
      assert.equal(parseTokenChallenge(challenge).originInfo, "log.example");
      const order = await orderToken({ ...tokenKeys[0]!, challenge });
      const answer = await client.request(requestUri, order.request);
      assert.ok(answer.kind === "response");
      const token = order.finish(answer.response);
      assert.ok(await theirsTakes(tokenType, encodeToken(token)));
      assert.ok(await oursTakes(token));
      // The other side tells a wrong token from a right one.
      const wrong = encodeToken(token);
      wrong[40]! ^= 1;
      assert.ok(!await theirsTakes(tokenType, wrong));
      assert.ok(!await oursTakes(parseToken(wrong)));
    });
  });
}
