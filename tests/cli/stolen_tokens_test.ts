/**
 * The tokens that a lying gateway can obtain: every token that it receives is counted.
 *
 * @module
 */

import assert from "node:assert/strict";
import { base64UrlOf } from "../../src/base/bytes.ts";
import { MAX_REFUSED } from "../../src/client/token_spender.ts";
import { systemClock } from "../../src/base/clock.ts";
import { encodeTokenText, TOKEN_TYPE, tokenKeyIdOf } from "../../src/proof/format/privacy_pass.ts";
import { challengeOf, NAME } from "../gateway/tokens/fixture.ts";
import { randomHashes } from "../http/gateway_server.ts";
import { makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { problem, StubGateway } from "./stub_gateway.ts";

const VICTIM = "victim.example/log";
const OTHER = "other.example/log";
const SUPPLY = 50;
const HEX_32 = /"([0-9a-f]{64})"/g;

let serial = 0;

/** An unsigned token: these gateways do not verify tokens. */
function newToken(): string {
  const nonce = new Uint8Array(32);
  new DataView(nonce.buffer).setUint32(0, serial++);
  const [challengeDigest, tokenKeyId] = [new Uint8Array(32), new Uint8Array(32)];
  const authenticator = new Uint8Array(256);
  return encodeTokenText({ nonce, challengeDigest, tokenKeyId, authenticator });
}

const newTokens = (count: number) => Array.from({ length: count }, () => ({ token: newToken() }));

/** The answer to `GET /v1/admission` of a gateway that accepts tokens for `origin`. */
function admission(origin: string, mode = "token_required"): unknown {
  const tokenKey = new Uint8Array(294).fill(1);
  return {
    mode,
    issuers: [{
      name: NAME,
      token_type: TOKEN_TYPE,
      url: "http://127.0.0.1:1/",
      challenge: base64UrlOf(challengeOf(origin)),
      token_keys: [{
        token_key: base64UrlOf(tokenKey),
        token_key_id: tokenKeyIdOf(tokenKey).toHex(),
      }],
    }],
  };
}

/** A gateway that collects tokens, and answers submissions with `answer`. */
class Thief extends StubGateway {
  readonly taken = new Set<string>();
  origin = VICTIM;
  mode = "token_required";
  answer: (hashes: readonly string[], tokens: number) => Response | Promise<Response>;

  constructor(answer: Thief["answer"], network = new TestNetwork(VICTIM)) {
    super(makeLog(network), [12]);
    this.answer = answer;
    const submit = async (request: Request) => {
      const text = await request.text();
      const { issuer_token, issuer_tokens = [issuer_token] } = JSON.parse(text);
      const tokens = issuer_tokens.filter((token: unknown) => typeof token === "string");
      for (const token of tokens) this.taken.add(token);
      const hashes = [...text.matchAll(HEX_32)].map(([, hash]) => hash!);
      return await this.answer(hashes, tokens.length);
    };
    this.lies.set("/v1/attestations", submit);
    this.lies.set("/v1/attestations/batch", submit);
    this.lies.set("/v1/admission", () => Response.json(admission(this.origin, this.mode)));
  }
}

/** Demands a token for each hash, and answers `then` to those that come with one. */
function demanding(then: Thief["answer"]): Thief["answer"] {
  return (hashes, tokens) =>
    tokens < hashes.length ? problem(401, "token_required") : then(hashes, tokens);
}

const pending = (hash: string) => ({
  hash,
  status: "pending",
  progress: "unconfirmed",
  attempts: 0,
  created_at: 1_766_275_200,
  updated_at: 1_766_275_200,
  next_attempt_at: 1,
});

/** Jobs that are accepted and never confirmed. */
function accepted(hashes: readonly string[]): Response {
  const jobs = hashes.map(pending);
  return Response.json(jobs.length === 1 ? jobs[0] : jobs, { status: 202 });
}

const asOptions = (hashes: readonly string[]) => hashes.flatMap((hash) => ["--hash", hash]);

/** Runs `use` with a client whose gateway is `thief` and that has a full supply for it. */
async function withSupply(
  thief: Thief,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  await using _ = thief;
  await withClient(async (client) => {
    client.gateway = thief.url;
    // Pauses between questions are skipped, so that a stamp that runs for minutes ends at once.
    let aheadMs = 0;
    client.clock = {
      nowMs: () => systemClock.nowMs() + aheadMs,
      elapsedMs: () => systemClock.elapsedMs(),
      sleep: (ms) => Promise.resolve(void (aheadMs += ms)),
    };
    await client.supply(VICTIM).add(newTokens(SUPPLY));
    await use(client);
  });
}

for (const isPinned of [false, true]) {
  Deno.test(`a gateway gets no token of another gateway, pinned: ${isPinned}`, async () => {
    await withSupply(new Thief(accepted), async (client) => {
      if (isPinned) assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
      const supply = client.supply(VICTIM);
      await using thief = new Thief(demanding(() => problem(403, "token_spent")));
      client.gateway = thief.url;
      for (const count of [1, 12]) {
        const run = await client.runJson(["stamp", ...asOptions(randomHashes(count))]);
        assertFailed(run, "tokens_missing");
      }
      assert.equal(thief.taken.size, 0);
      assert.equal(await supply.count(), SUPPLY);
    });
  });
}

Deno.test("a gateway that changes its network id gets no token", async () => {
  await withSupply(new Thief(demanding(accepted)), async (client) => {
    await client.supply(OTHER).add(newTokens(SUPPLY));
    await client.trust.saveGateway(`${client.gateway}/`, OTHER);
    const run = await client.runJson(["stamp", ...asOptions(randomHashes(3))]);
    assertFailed(run, "pin_differs");
    assert.match(run.json.error.message, /other\.example\/log/);
    assert.equal(await client.supply(VICTIM).count(), SUPPLY);
    assert.equal(await client.supply(OTHER).count(), SUPPLY);
  });
});

for (const code of ["token_spent", "token_invalid", "token_expired"]) {
  for (const count of [1, 12]) {
    Deno.test(`a gateway that refuses every token with ${code} gets ${count} + ${MAX_REFUSED} tokens`, async () => {
      const thief = new Thief(demanding(() => problem(403, code)));
      await withSupply(thief, async (client) => {
        const run = await client.runJson(["stamp", ...asOptions(randomHashes(count))]);
        assertFailed(run, "gateway_refused");
        assert.equal(thief.taken.size, count + MAX_REFUSED);
        // Those that it did not refuse one by one are kept, and not shown for other hashes.
        assert.equal(await client.supply(VICTIM).count(), SUPPLY - (MAX_REFUSED + 1));
      });
    });
  }
}

for (const mode of ["token_required", "token_optional"]) {
  for (const count of [1, 3]) {
    Deno.test(`${mode}: a gateway gets no second token for ${count} accepted hashes`, async () => {
      const code = mode === "token_required" ? "token_required" : "rate_limited";
      let isSecond = false;
      const thief = new Thief((hashes, tokens) => {
        if (tokens === 0 || isSecond) {
          isSecond = false;
          return problem(code === "token_required" ? 401 : 429, code);
        }
        isSecond = true;
        return accepted(hashes);
      });
      thief.mode = mode;
      await withSupply(thief, async (client) => {
        const hashes = asOptions(randomHashes(count));
        const run = await client.run(["stamp", "--timeout", "600", ...hashes]);
        assert.equal(run.code, 1);
        assert.equal(thief.taken.size, count);
        assert.equal(await client.supply(VICTIM).count(), SUPPLY - count);
      });
    });
  }
}

Deno.test("a lost answer costs only the token of its hash", async () => {
  const lost = randomHashes(12);
  let isLosing = true;
  const thief = new Thief(
    demanding((hashes) => isLosing ? problem(500, "internal") : accepted(hashes)),
  );
  await withSupply(thief, async (client) => {
    const supply = client.supply(VICTIM);
    const stamp = async (hashes: readonly string[]) =>
      await client.run(["stamp", "--no-wait", ...asOptions(hashes)]);
    assert.equal((await client.run(["stamp", ...asOptions(lost)])).code, 1);
    isLosing = false;
    // The gateway has spent the tokens of half of them.
    for (const hash of lost.filter((_, i) => i % 2 === 0)) {
      thief.lies.set(`/v1/attestations/${hash}`, () => Response.json(pending(hash)));
    }
    assert.equal(thief.taken.size, 12);
    assert.equal(await supply.count(), SUPPLY);

    // Others get tokens that the gateway has not seen.
    assert.equal((await stamp(randomHashes(SUPPLY - 12))).code, 0);
    assert.equal(thief.taken.size, SUPPLY);
    assert.equal(await supply.count(), 12);
    // The same hash gets the same token.
    assert.equal((await stamp([lost[1]!])).code, 0);
    assert.equal(thief.taken.size, SUPPLY);
    assert.equal(await supply.count(), 11);
    // Unspent tokens can be used for other hashes; spent ones are dropped.
    assert.equal((await stamp(randomHashes(5))).code, 0);
    assert.equal(thief.taken.size, SUPPLY);
    assert.equal(await supply.count(), 0);
    assertFailed(await client.runJson(["stamp", ...asOptions(randomHashes(1))]), "tokens_missing");
  });
});

Deno.test("tokens of a pinned network are fetched for gateways that it is pinned for", async () => {
  await withSupply(new Thief(accepted), async (client) => {
    const network = new TestNetwork(VICTIM);
    await client.trust.savePin(network.configuration);
    assertFailed(await client.runJson(["token"]), "pin_differs");
    assert.equal((await client.run(["network", "--pin", "--yes"])).code, 0);
    // The issuer that it names does not exist.
    assertFailed(await client.runJson(["token"]), "issuer_unreachable");
  });
});
