/**
 * Issuance and redemption over HTTP with `@cloudflare/privacypass-ts` on the other side, both ways.
 *
 * @module
 */

import assert from "node:assert/strict";
import * as cloudflare from "@cloudflare/privacypass-ts";
import { unixSeconds } from "../../../src/base/clock.ts";
import { readBlindRsaKey } from "../../../src/proof/crypto/blind_rsa.ts";
import { verifyBlindRsa } from "../../../src/proof/crypto/blind_rsa_native.ts";
import {
  encodeIssuerDirectory,
  ISSUER_DIRECTORY_PATH,
} from "../../../src/proof/format/issuer_directory.ts";
import {
  encodeToken,
  parseToken,
  parseTokenChallenge,
  type Token,
  tokenInputOf,
} from "../../../src/proof/format/privacy_pass.ts";
import { orderToken } from "../../../src/client/token_fetch.ts";
import { IssuerClient } from "../../../src/client/issuer_client.ts";
import { API_KEY, challengeOf, NAME, serveTokens, workFor } from "./fixture.ts";
import { PRIVATE_KEY, TYPE_2_VECTORS } from "./published_vectors.ts";

const { BLIND_RSA } = cloudflare.TOKEN_TYPES;
const PSS = cloudflare.publicVerif.BlindRSAMode.PSS;
const TOKEN_KEY = Uint8Array.fromHex(TYPE_2_VECTORS.pkS);

/** Serves `handler` on loopback while `use` runs. */
async function served(
  handler: (request: Request) => Response | Promise<Response>,
  use: (url: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  await use(`http://127.0.0.1:${server.addr.port}`);
}

const RSA_PSS = { name: "RSA-PSS", hash: "SHA-384" } as const;

async function rsaKeys() {
  const spki = cloudflare.util.convertRSASSAPSSToEnc(TOKEN_KEY);
  return {
    publicKey: await crypto.subtle.importKey("spki", spki.slice(), RSA_PSS, true, ["verify"]),
    privateKey: await crypto.subtle.importKey("pkcs8", PRIVATE_KEY, RSA_PSS, true, ["sign"]),
  };
}

/** True if the other side's origin accepts the token in `bytes`. */
async function theyAccept(bytes: Uint8Array): Promise<boolean> {
  const token = cloudflare.Token.deserialize(BLIND_RSA, bytes);
  return await new cloudflare.publicVerif.Origin(PSS).verify(token, (await rsaKeys()).publicKey);
}

function weAccept(token: Token): boolean {
  return verifyBlindRsa(readBlindRsaKey(TOKEN_KEY), tokenInputOf(token), token.authenticator);
}

/** The other side's answer to a TokenRequest. */
async function theirIssuer(request: Uint8Array): Promise<Uint8Array> {
  const { privateKey, publicKey } = await rsaKeys();
  const issuer = new cloudflare.publicVerif.Issuer(PSS, NAME, privateKey, publicKey);
  const parsed = cloudflare.publicVerif.TokenRequest.deserialize(BLIND_RSA, request);
  return (await issuer.issue(parsed)).serialize();
}

Deno.test("their client fetches a token from our issuer", async () => {
  const { app, clock } = serveTokens();
  await served(app, async (url) => {
    const directory = await (await fetch(url + ISSUER_DIRECTORY_PATH)).json();
    const [listed] = directory["token-keys"];
    assert.equal(listed["token-type"], 2);
    const tokenKey = Uint8Array.fromBase64(listed["token-key"], { alphabet: "base64url" });
    const challenge = cloudflare.TokenChallenge.deserialize(challengeOf());
    const requestUrl = new URL(directory["issuer-request-uri"], url);
    for (const kind of ["key", "work"]) {
      const client = new cloudflare.publicVerif.Client(PSS);
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
      assert.ok(await theyAccept(bytes));
      const ours = parseToken(bytes);
      assert.deepEqual(encodeToken(ours), new Uint8Array(bytes));
      assert.ok(weAccept(ours));
    }
  });
});

Deno.test("our client fetches a token from their issuer", async () => {
  const handler = async (request: Request) => {
    if (request.method === "GET") {
      const tokenKeys = [{ tokenKey: TOKEN_KEY }];
      return new Response(encodeIssuerDirectory({ requestUri: "/their/requests", tokenKeys }), {
        headers: { "Content-Type": cloudflare.MediaType.PRIVATE_TOKEN_ISSUER_DIRECTORY },
      });
    }
    assert.equal(new URL(request.url).pathname, "/their/requests");
    assert.equal(
      request.headers.get("Content-Type"),
      cloudflare.MediaType.PRIVATE_TOKEN_REQUEST,
    );
    const answer = await theirIssuer(new Uint8Array(await request.arrayBuffer()));
    return new Response(answer.slice(), {
      headers: { "Content-Type": cloudflare.MediaType.PRIVATE_TOKEN_RESPONSE },
    });
  };
  await served(handler, async (url) => {
    const client = new IssuerClient({ url: new URL(`${url}/`) });
    const { requestUri, tokenKeys } = await client.directory();
    const origin = new cloudflare.publicVerif.Origin(PSS, ["log.example"]);
    const challenge = origin.createTokenChallenge(NAME, new Uint8Array()).serialize().slice();
    assert.deepEqual(challenge, challengeOf());
    assert.equal(parseTokenChallenge(challenge).originInfo, "log.example");
    const order = orderToken({ ...tokenKeys[0]!, challenge });
    const answer = await client.request(requestUri, order.request);
    assert.ok(answer.kind === "response");
    const token = order.finish(answer.response);
    assert.ok(await theyAccept(encodeToken(token)));
    assert.ok(weAccept(token));
    const wrong = encodeToken(token);
    wrong[40]! ^= 1;
    assert.ok(!await theyAccept(wrong));
    assert.ok(!weAccept(parseToken(wrong)));
  });
});
