import assert from "node:assert/strict";
import { TokenCheck } from "../../src/gateway/tokens/token_check.ts";
import { TokenIssuers } from "../../src/gateway/tokens/token_issuers.ts";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import { encodeTokenText } from "../../src/proof/format/privacy_pass.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { TokenSource } from "../gateway/tokens/token_source.ts";
import { FakeClock } from "../fake_clock.ts";
import { memoryStore, TestNetwork } from "../gateway/fixture.ts";
import { AppClient, assertProblem, randomHashes } from "./gateway_server.ts";

const rsa = await TokenSource.create();
const other = await TokenSource.create({}, "own.example");

const READS = 160;

Deno.test("a submission with refused tokens costs their verification", async () => {
  const network = new TestNetwork();
  const { id } = network.network;
  const clock = new FakeClock();
  const tokens = new TokenCheck(new TokenIssuers(id, [rsa.issuer, other.issuer], clock), clock);
  const { gateway } = await network.start(await memoryStore(), { spendsTokens: true });
  const forged = (source: TokenSource) => {
    const { authenticator } = source.token(id);
    return encodeTokenText({ ...source.token(id), authenticator });
  };
  const readsLeft = async (client: AppClient) => {
    let left = 0;
    while (left < READS && (await client.get("/v1/config")).status === 200) left++;
    return left;
  };
  const limited = () => {
    const reads = { perSecond: 1, burst: READS };
    return new RateLimits({ ...DEFAULT_CLIENT_LIMITS, reads }, clock, () => {});
  };
  /** Reads that are left to a client that has read the document. */
  const documentLeaves = async () => {
    const client = new AppClient(gateway, undefined, { limits: limited() });
    await client.document();
    return await readsLeft(client);
  };
  /** The charge of a new client for `texts`, one token for each new hash. */
  const readsFor = async (texts: readonly string[], code?: "token_invalid" | "token_spent") => {
    const client = new AppClient(gateway, undefined, {
      admission: { mode: "token_required", tokens },
      limits: limited(),
    });
    // Which costs its bytes.
    await client.document();
    const hashes = randomHashes(texts.length);
    const response = await client.post("/v1/attestations/batch", { hashes, issuer_tokens: texts });
    if (code === undefined) assert.ok(response.ok);
    else await assertProblem(response, code);
    return await documentLeaves() - await readsLeft(client);
  };
  try {
    const spent = rsa.text(id);
    assert.equal(await readsFor([spent, rsa.text(id), other.text(id)]), 0);
    assert.equal(await readsFor([rsa.text(id), rsa.text(id), spent], "token_spent"), 3);
    assert.equal(await readsFor([rsa.text(id), forged(rsa)], "token_invalid"), 2);
    assert.equal(await readsFor([forged(other), rsa.text(id)], "token_invalid"), 2);
    // What is refused before anything is verified costs one.
    assert.equal(await readsFor([other.text(id), "garbage"], "token_invalid"), 1);
    // A token is verified no more often than it can be spent: here, not once.
    const twice = other.text(id);
    let verified = 0;
    const { verify } = other.key;
    const counted = {
      ...other.key,
      verify: (...of: Parameters<typeof verify>) => (verified++, verify(...of)),
    };
    const issuers = new TokenIssuers(id, [{ ...other.issuer, keys: [counted] }], clock);
    const client = new AppClient(gateway, undefined, {
      admission: { mode: "token_required", tokens: new TokenCheck(issuers, clock) },
    });
    const body = { hashes: randomHashes(3), issuer_tokens: [other.text(id), twice, twice] };
    const response = await client.post("/v1/attestations/batch", body);
    assert.match((await response.clone().json()).detail, /issuer_tokens\[2\]/);
    await assertProblem(response, "token_spent");
    assert.equal(verified, 0);
  } finally {
    await gateway.stop();
  }
});
