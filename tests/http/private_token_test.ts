import assert from "node:assert/strict";
import * as cloudflare from "@cloudflare/privacypass-ts";
import { TokenCheck } from "../../src/gateway/tokens/token_check.ts";
import type { AdmissionMode } from "../../src/proof/format/admission_offer.ts";
import {
  blindRsaTokenKey,
  type TokenIssuer,
  TokenIssuers,
} from "../../src/gateway/tokens/token_issuers.ts";
import { readBlindRsaKey } from "../../src/proof/crypto/blind_rsa.ts";
import { hasCode } from "../../src/base/errors.ts";
import { privateToken } from "../../src/http/gateway/private_token.ts";
import { TokenSource } from "../gateway/tokens/token_source.ts";
import { FakeClock } from "../fake_clock.ts";
import { memoryStore, TestNetwork } from "../gateway/fixture.ts";
import { API_KEY, NAME, serveTokens } from "../gateway/tokens/fixture.ts";
import { AppClient, assertProblem, bodyOf, randomHashes } from "./gateway_server.ts";
import { JOB_SNAPSHOT } from "../../src/proof/format/job_snapshot.ts";
import { list } from "../../src/proof/format/schema.ts";

const SINGLE = "/v1/attestations";
const BULK = "/v1/attestations/batch";

const source = await TokenSource.create();

/** Runs `test` on a gateway of `mode` that takes the tokens of `issuers`. */
async function withTokens(
  mode: AdmissionMode,
  test: (client: AppClient, networkId: string) => Promise<void>,
  { issuers = [source.issuer], clock = new FakeClock() }: {
    readonly issuers?: readonly TokenIssuer[];
    readonly clock?: FakeClock;
  } = {},
): Promise<void> {
  const network = new TestNetwork();
  const { id } = network.network;
  const { gateway } = await network.start(await memoryStore(), { spendsTokens: mode !== "open" });
  const tokens = new TokenCheck(new TokenIssuers(id, issuers, clock), clock);
  try {
    const admission = mode === "open" ? { mode } : { mode, tokens };
    await test(new AppClient(gateway, undefined, { admission }), id);
  } finally {
    await gateway.stop();
  }
}

const tokenIn = (field: string | undefined) =>
  privateToken(new Headers(field === undefined ? {} : { Authorization: field }));

Deno.test("privateToken() reads the token, quoted or not, among other parameters", () => {
  for (
    const field of [
      'PrivateToken token="AA_-=="',
      "PrivateToken token=AA_-==",
      'privatetoken  TOKEN = "AA_-=="',
      'PrivateToken extensions="a,b=\\"c", token="AA_-==", other=1',
      'PrivateToken , token="\\A\\A_-==",',
    ]
  ) assert.equal(tokenIn(field), "AA_-==", field);
  assert.equal(tokenIn('PrivateToken token=""'), "");
});

Deno.test("privateToken() ignores other credentials", () => {
  for (
    const field of [undefined, "Bearer abc", "Basic abc", "PrivateTokens token=a", "token=a"]
  ) assert.equal(tokenIn(field), null, `${field}`);
});

Deno.test("privateToken() refuses parameters without exactly one token", () => {
  const fields = [
    "PrivateToken",
    "PrivateToken ",
    "PrivateToken AAAA",
    "PrivateToken tokens=a",
    "PrivateToken token=a, token=a",
    "PrivateToken token=a b",
    'PrivateToken token="a',
    "PrivateToken token=a, PrivateToken token=b",
    "PrivateToken token=",
    "PrivateToken =",
    `PrivateToken ${"a".repeat(60_000)}`,
    `PrivateToken token="${"\\".repeat(60_000)}`,
  ];
  for (const field of fields) {
    assert.throws(
      () => tokenIn(field),
      (error) => hasCode(error, "malformed_request"),
      field.slice(0, 60),
    );
  }
});

for (const mode of ["token_required", "token_optional"] as const) {
  Deno.test(`${mode}: a token in the header is spent like a token in the body`, async () => {
    await withTokens(mode, async (client, id) => {
      const [hash, other, third] = randomHashes(3) as [string, string, string];
      const token = source.text(id);
      const header = { Authorization: `PrivateToken token="${token}"` };
      assert.ok((await client.post(SINGLE, { hash }, header)).ok);
      assert.ok((await client.post(SINGLE, { hash }, header)).ok, "the same hash and token");
      for (
        const spent of [
          await client.post(SINGLE, { hash: other }, header),
          await client.post(SINGLE, { hash: other, issuer_token: token }, {}),
          await client.post(BULK, { hashes: [other] }, header),
        ]
      ) await assertProblem(spent, "token_spent");

      // Unquoted, without padding, for a request of one hash, together with the same token in the
      // body.
      const next = source.text(id);
      const bare = { Authorization: `PrivateToken token=${next.replaceAll("=", "")}` };
      const body = { hashes: [other], issuer_tokens: [next.replaceAll("=", "")] };
      assert.ok((await client.post(BULK, body, bare)).ok);
      await assertProblem(await client.post(SINGLE, { hash: third }, bare), "token_spent");

      const damaged = { Authorization: `PrivateToken token="${token.slice(4)}"` };
      const invalid = await client.post(SINGLE, { hash: third }, damaged);
      assert.match((await invalid.clone().json()).detail, /Authorization/);
      await assertProblem(invalid, "token_invalid");
    });
  });

  Deno.test(`${mode}: a header that contradicts the body or covers several hashes is refused`, async () => {
    await withTokens(mode, async (client, id) => {
      const [hash, other] = randomHashes(2) as [string, string];
      const [token, second] = [source.text(id), source.text(id)];
      const header = { Authorization: `PrivateToken token="${token}"` };
      for (
        const response of [
          await client.post(SINGLE, { hash, issuer_token: second }, header),
          await client.post(BULK, { hashes: [hash], issuer_tokens: [second] }, header),
          await client.post(BULK, { hashes: [hash, other] }, header),
          await client.post(
            BULK,
            { hashes: [hash, other], issuer_tokens: [token, second] },
            header,
          ),
          await client.post(SINGLE, { hash }, { Authorization: "PrivateToken" }),
        ]
      ) await assertProblem(response, "malformed_request");
      // Nothing was spent for that.
      assert.ok((await client.post(SINGLE, { hash, issuer_token: null }, header)).ok);
    });
  });
}

Deno.test("token_required: other credentials do not count as a token", async () => {
  await withTokens("token_required", async (client, id) => {
    for (const scheme of ["Bearer", "Basic"]) {
      const header = { Authorization: `${scheme} ${source.text(id)}` };
      const response = await client.post(SINGLE, { hash: randomHashes(1)[0]! }, header);
      await assertProblem(response, "token_required");
    }
  });
});

Deno.test("open: the header is ignored", async () => {
  await withTokens("open", async (client) => {
    for (const field of ["PrivateToken", 'PrivateToken token="x"', "Bearer x"]) {
      const header = { Authorization: field };
      assert.ok((await client.post(SINGLE, { hash: randomHashes(1)[0]! }, header)).ok);
      assert.ok((await client.post(BULK, { hashes: randomHashes(2) }, header)).ok);
    }
  });
});

Deno.test("a preflight allows pages of any origin to send the header", async () => {
  await withTokens("token_required", async (client) => {
    for (const path of [SINGLE, BULK]) {
      const preflight = await client.send("OPTIONS", path, {
        headers: {
          "Origin": "https://page.example",
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization,content-type",
        },
      });
      const allowed = preflight.headers.get("Access-Control-Allow-Headers")?.split(", ") ?? [];
      assert.ok(allowed.includes("Authorization"));
      assert.equal(preflight.headers.get("Access-Control-Allow-Origin"), "*");
    }
  });
});

/** The answer of a stock client to the challenge in `field`, with a token that it fetches. */
async function answerTo(
  field: string,
  { request }: ReturnType<typeof serveTokens>,
): Promise<cloudflare.AuthorizationHeader> {
  const [{ challenge, tokenKey }] = cloudflare.WWWAuthenticateHeader.parse(field) as [
    cloudflare.WWWAuthenticateHeader,
  ];
  const client = new cloudflare.publicVerif.Client(cloudflare.publicVerif.BlindRSAMode.PSS);
  const asked = (await client.createTokenRequest(challenge, tokenKey)).serialize();
  const answer = await request(asked.slice(), `Bearer ${API_KEY}`);
  const response = client.deserializeTokenResponse(new Uint8Array(await answer.arrayBuffer()));
  return new cloudflare.AuthorizationHeader(await client.finalize(response));
}

Deno.test("a stock client answers the challenge in the header and gets its attestation", async () => {
  const served = serveTokens();
  const key = blindRsaTokenKey(readBlindRsaKey(served.secret.tokenKey), {});
  await withTokens("token_required", async (client) => {
    for (const isQuoted of [true, false]) {
      const [hash] = randomHashes(1);
      const challenged = await client.post(SINGLE, { hash });
      assert.equal(challenged.status, 401);
      const field = challenged.headers.get("WWW-Authenticate")!;
      await challenged.body?.cancel();
      const authorization = (await answerTo(field, served)).toString(isQuoted);
      const header = { Authorization: authorization, Prefer: "wait=30" };
      const job = await bodyOf(await client.post(SINGLE, { hash }, header), JOB_SNAPSHOT);
      assert.equal(job.status, "confirmed");
      const many = await client.post(BULK, { hashes: [hash] }, header);
      assert.equal((await bodyOf(many, list(JOB_SNAPSHOT)))[0]!.hash, hash);
    }
  }, { issuers: [{ name: NAME, keys: [key] }], clock: served.clock });
});

Deno.test("a header full of white space is read in linear time", () => {
  // Quadratic time would be minutes.
  const space = " ".repeat(500_000);
  assert.equal(privateToken(new Headers({ Authorization: `PrivateToken token=a,${space}` })), "a");
  const malformed = new Headers({ Authorization: `PrivateToken token=a,${space}x y` });
  assert.throws(() => privateToken(malformed), hasMalformedCode);
});

function hasMalformedCode(error: unknown): boolean {
  return hasCode(error, "malformed_request");
}
