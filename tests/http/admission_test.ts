import assert from "node:assert/strict";
import { join } from "node:path";
import { TokenCheck } from "../../src/gateway/tokens/token_check.ts";
import { TokenIssuers } from "../../src/gateway/tokens/token_issuers.ts";
import type { ErrorCode } from "../../src/base/errors.ts";
import { bytesOfBase64Url } from "../../src/base/bytes.ts";
import {
  challengeDigest,
  encodeToken,
  encodeTokenText,
  parseTokenChallenge,
} from "../../src/proof/format/privacy_pass.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import type { AdmissionRules } from "../../src/http/gateway/request_admission.ts";
import { ADMISSION_OFFER } from "../../src/proof/format/admission_offer.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { TokenSource } from "../gateway/tokens/token_source.ts";
import { FakeClock } from "../fake_clock.ts";
import { memoryStore, TestNetwork } from "../gateway/fixture.ts";
import { AppClient, assertProblem, bodyOf, randomHashes } from "./gateway_server.ts";

const NOW = 1_800_000_000;
const HOUR = 3_600;

const current = await TokenSource.create({ notBefore: NOW, notAfter: NOW + HOUR });
const ended = await TokenSource.create({ notAfter: NOW }, "old.example");
const coming = await TokenSource.create({ notBefore: NOW + 1 }, "new.example");
const stranger = await TokenSource.create({}, "old.example");
const own = await TokenSource.create({}, "own.example:8443");

const { id } = new TestNetwork().network;

/** A gateway and what it has charged. */
interface Site {
  readonly client: AppClient;
  readonly charges: number[];
}

/**
 * Runs `test` on a gateway of `mode` that takes tokens of all issuers but the stranger. Each has a
 * network of its own, whose witnesses remember no other log; a store goes on with that which it had.
 */
async function withAdmission(
  mode: AdmissionRules["mode"],
  test: (site: Site) => Promise<void>,
  { network, store }: { readonly network: TestNetwork; readonly store?: LogStore } = {
    network: new TestNetwork(),
  },
): Promise<void> {
  const clock = new FakeClock(NOW);
  const issuers = [current, ended, coming, own].map(({ issuer }) => issuer);
  const tokens = new TokenCheck(new TokenIssuers(id, issuers, clock), clock);
  const charges: number[] = [];
  const budget = {
    charge: (_: unknown, cost: number) => void charges.push(cost),
    giveBack: (_: unknown, cost: number) => void charges.push(-cost),
  };
  const { gateway } = await network.start(store ?? await memoryStore(), {
    spendsTokens: mode !== "open",
  });
  try {
    const admission = mode === "open" ? { mode, budget } : { mode, tokens, budget };
    await test({ client: new AppClient(gateway, undefined, { admission }), charges });
  } finally {
    await gateway.stop();
  }
}

/** Submits one hash with a token, alone or after another hash with another token. */
type Submit = (site: Site, hash: string, token: string | null) => Promise<Response>;

const single: Submit = ({ client }, hash, token) =>
  client.post("/v1/attestations", { hash, issuer_token: token });

const inBulk: Submit = ({ client }, hash, token) =>
  client.post("/v1/attestations/batch", {
    hashes: [...randomHashes(1), hash],
    issuer_tokens: [current.text(id), token],
  });

const WAYS = { single, inBulk };

function damaged(text: string, at: number): string {
  const bytes = bytesOfBase64Url(text)!;
  bytes[at]! ^= 1;
  return bytes.toBase64({ alphabet: "base64url" });
}

/** Texts that are no good token, and what they are refused as. */
const BAD_TOKENS: Readonly<Record<string, readonly [string, ErrorCode]>> = {
  "no text": ["", "token_invalid"],
  "garbage": ['é"}', "token_invalid"],
  "too short": [current.text(id).slice(0, -4), "token_invalid"],
  "loose": [`${current.text(id)} `, "token_invalid"],
  "in base64": [encodeToken(current.token(id)).toBase64() + "+", "token_invalid"],
  "of another network": [current.text("other.example/log"), "token_invalid"],
  "of an unknown type": [damaged(current.text(id), 1), "token_invalid"],
  "of an unknown key": [stranger.text(id), "token_invalid"],
  "of a key of another issuer": [
    own.text(id, { challengeDigest: current.token(id).challengeDigest }),
    "token_invalid",
  ],
  "of a key that ended": [ended.text(id), "token_expired"],
  "of a key to come": [coming.text(id), "token_invalid"],
  "of a broken authenticator": [damaged(current.text(id), 353), "token_invalid"],
  "of another nonce": [damaged(current.text(id), 2), "token_invalid"],
};

for (const mode of ["token_required", "token_optional"] as const) {
  for (const [way, submit] of Object.entries(WAYS)) {
    Deno.test(`${mode}, ${way}: a token is spent once, and an invalid token is never spent`, async () => {
      await withAdmission(mode, async (site) => {
        for (const [name, [text, code]] of Object.entries(BAD_TOKENS)) {
          const response = await submit(site, randomHashes(1)[0]!, text);
          const { detail } = await response.clone().json();
          assert.match(detail, way === "single" ? /issuer_token:/ : /issuer_tokens\[1\]/, name);
          assert.ok(text.length < 4 || !detail.includes(text.slice(0, 20)), name);
          await assertProblem(response, code);
        }
        const [hash, other, third] = randomHashes(3);
        for (const source of [current, own]) {
          const token = source.text(id);
          const [own] = randomHashes(1);
          assert.ok((await submit(site, own!, token)).ok);
          await assertProblem(await submit(site, other!, token), "token_spent");
          assert.ok((await submit(site, own!, token)).ok, "the same hash with the same token");
        }
        // A repeat needs no token, looks at none and spends none.
        assert.ok((await submit(site, hash!, current.text(id))).ok);
        const fresh = current.text(id);
        for (const text of [null, "", "garbage", ended.text(id), fresh]) {
          assert.ok((await submit(site, hash!, text)).ok, `${text}`);
        }
        assert.ok((await submit(site, third!, fresh)).ok);
        assert.deepEqual(site.charges, []);
        assert.deepEqual(site.client.reported, []);
      });
    });
  }

  Deno.test(`${mode}: of two concurrent requests with the same token, one is accepted`, async () => {
    await withAdmission(mode, async (site) => {
      for (
        const [source, ways] of [[current, [single, single]], [own, [single, inBulk]]] as const
      ) {
        const token = source.text(id);
        const hashes = randomHashes(2);
        const answers = await Promise.all(
          ways.map((submit, i) => submit(site, hashes[i]!, token)),
        );
        assert.equal(answers.filter(({ ok }) => ok).length, 1);
        await assertProblem(answers.find(({ ok }) => !ok)!, "token_spent");
        const known = hashes.map((hash) => site.client.get(`/v1/attestations/${hash}`));
        const statuses = (await Promise.all(known)).map(({ status }) => status);
        assert.deepEqual(statuses, answers.map(({ ok }) => ok ? 200 : 404));
      }
    });
  });

  Deno.test(`${mode}: a bulk request is accepted or refused as a whole`, async () => {
    await withAdmission(mode, async (site) => {
      const bulk = (hashes: readonly string[], tokens: readonly (string | null)[] | null) =>
        site.client.post("/v1/attestations/batch", { hashes, issuer_tokens: tokens });
      const hashes = randomHashes(3);
      const tokens = hashes.map(() => current.text(id));
      const twice = await bulk(hashes, [tokens[0]!, tokens[1]!, tokens[0]!]);
      await assertProblem(twice, "token_spent");
      await assertProblem(await bulk(hashes, [tokens[0]!, tokens[1]!, "x"]), "token_invalid");
      for (const hash of hashes) {
        await assertProblem(await site.client.get(`/v1/attestations/${hash}`), "hash_unknown");
      }
      // A hash twice is one job: its first place alone is asked for a token.
      const [first, second, third] = hashes as [string, string, string];
      const repeated = [first, second, first, third];
      assert.ok((await bulk(repeated, [tokens[0]!, tokens[1]!, "garbage", tokens[2]!])).ok);
      assert.ok((await bulk(repeated, null)).ok);
      // Of two places one is known: the other's token is spent.
      const [more, last] = randomHashes(2) as [string, string];
      assert.ok((await bulk([first, more], [null, current.text(id)])).ok);
      await assertProblem(await bulk([last, first], [tokens[2]!, null]), "token_spent");
    });
  });

  Deno.test(`${mode}: a token that is not a string is malformed, even with a known hash`, async () => {
    await withAdmission(mode, async ({ client }) => {
      const [hash] = randomHashes(1);
      for (const token of [1, [], {}, true]) {
        const one = await client.post("/v1/attestations", { hash, issuer_token: token });
        await assertProblem(one, "malformed_request");
        for (const tokens of [[token], [], [null, null], token === 1 ? "a" : token]) {
          const body = { hashes: [hash], issuer_tokens: tokens };
          const many = await client.post("/v1/attestations/batch", body);
          await assertProblem(many, "malformed_request");
        }
      }
    });
  });
}

Deno.test("token_required: a request without a token gets a challenge", async () => {
  await withAdmission("token_required", async ({ client, charges }) => {
    const [hash, other] = randomHashes(2) as [string, string];
    const answers = [
      await client.post("/v1/attestations", { hash }),
      await client.post("/v1/attestations", { hash, issuer_token: null }),
      await client.post("/v1/attestations", ` {"hash":"${hash}"}`),
      await client.post("/v1/attestations/batch", { hashes: [hash] }),
      await client.post("/v1/attestations/batch", { hashes: [hash], issuer_tokens: [null] }),
    ];
    const mixed = { hashes: [other, hash], issuer_tokens: [current.text(id), null] };
    const named = await client.post("/v1/attestations/batch", mixed);
    assert.match((await named.clone().json()).detail, /issuer_tokens\[1\]/);
    for (const response of [...answers, named]) {
      const header = response.headers.get("WWW-Authenticate") ?? "";
      const exposed = response.headers.get("Access-Control-Expose-Headers") ?? "";
      assert.ok(exposed.split(", ").includes("WWW-Authenticate"));
      await assertProblem(response, "token_required");
      // One challenge for each key whose time it is, as the issuers have them.
      const challenges = [...header.matchAll(
        /PrivateToken challenge="([A-Za-z0-9_=-]+)", token-key="([A-Za-z0-9_=-]+)"(?:, |$)/g,
      )];
      assert.equal(challenges.map(([whole]) => whole).join(""), header);
      const offered = [current, own];
      assert.deepEqual(
        challenges.map(([, , key]) => bytesOfBase64Url(key!)),
        offered.map(({ key }) => key.publicKey),
      );
      challenges.forEach(([, text], i) => {
        const { name } = offered[i]!;
        const bytes = bytesOfBase64Url(text!)!;
        assert.deepEqual(parseTokenChallenge(bytes), {
          issuerName: name,
          redemptionContext: new Uint8Array(),
          originInfo: id,
        });
        assert.deepEqual(challengeDigest(bytes), offered[i]!.token(id).challengeDigest);
      });
    }
    assert.deepEqual(charges, []);
  });
});

Deno.test("token_optional: hashes without tokens are charged, those with tokens are not", async () => {
  await withAdmission("token_optional", async ({ client, charges }) => {
    const [hash, ...more] = randomHashes(6) as [string, ...string[]];
    const tokens = more.map(() => current.text(id));
    const bulk = (hashes: readonly string[], texts: readonly (string | null)[] | null) =>
      client.post("/v1/attestations/batch", { hashes, issuer_tokens: texts });
    assert.ok((await client.post("/v1/attestations", { hash })).ok);
    assert.ok((await client.post("/v1/attestations", { hash })).ok);
    assert.deepEqual(charges.splice(0), [1]);
    assert.ok((await bulk([hash, ...more.slice(0, 2), more[0]!], null)).ok);
    assert.deepEqual(charges.splice(0), [2]);
    // Not one for each that is new: all are charged, none is spent, and a wrong one is refused.
    const [, , third, fourth, fifth] = more as [string, string, string, string, string];
    await assertProblem(
      await bulk([third, fourth], [null, damaged(tokens[0]!, 353)]),
      "token_invalid",
    );
    assert.deepEqual(charges.splice(0), [2]);
    assert.ok((await bulk([third, fourth], [tokens[0]!, null])).ok);
    assert.deepEqual(charges.splice(0), [2]);
    assert.ok((await client.post("/v1/attestations", { hash: fifth, issuer_token: tokens[0] })).ok);
    assert.deepEqual(charges, []);
  });
});

Deno.test("open: tokens are ignored, and new hashes are charged", async () => {
  await withAdmission("open", async ({ client, charges }) => {
    const [hash, ...more] = randomHashes(3);
    for (const token of [null, "garbage", current.text(id)]) {
      assert.ok((await client.post("/v1/attestations", { hash, issuer_token: token })).ok);
    }
    const body = { hashes: [hash, ...more], issuer_tokens: ["a", "b", "b"] };
    assert.ok((await client.post("/v1/attestations/batch", body)).ok);
    assert.ok((await client.post("/v1/attestations/batch", body)).ok);
    assert.deepEqual(charges, [1, 2]);
    const offer = await bodyOf(await client.get("/v1/admission"), ADMISSION_OFFER);
    assert.deepEqual(offer, { mode: "open", issuers: [] });
  });
});

Deno.test("GET /v1/admission lists issuers with unexpired keys", async () => {
  await withAdmission("token_required", async ({ client }) => {
    const response = await client.get("/v1/admission");
    const etag = response.headers.get("ETag")!;
    const { mode, issuers } = await bodyOf(response, ADMISSION_OFFER);
    assert.equal(mode, "token_required");
    const sources = [current, coming, own];
    assert.deepEqual(issuers.map(({ name }) => name), sources.map(({ name }) => name));
    issuers.forEach(({ token_type, challenge, token_keys }, i) => {
      const { key } = sources[i]!;
      assert.equal(token_type, 2);
      const digest = challengeDigest(bytesOfBase64Url(challenge)!);
      assert.deepEqual(digest, sources[i]!.token(id).challengeDigest);
      assert.deepEqual(token_keys, [{
        token_key: key.publicKey.toBase64({ alphabet: "base64url", omitPadding: true }),
        token_key_id: key.id.toHex(),
        ...(key.notBefore !== undefined && { not_before: key.notBefore }),
        ...(key.notAfter !== undefined && { not_after: key.notAfter }),
      }]);
    });
    assert.equal((await client.get("/v1/admission", { "If-None-Match": etag })).status, 304);
    assert.equal((await client.send("HEAD", "/v1/admission")).status, 200);
  });
});

Deno.test("spent tokens and accepted hashes survive a restart", async () => {
  const folder = await Deno.makeTempDir();
  const network = new TestNetwork();
  const stored = async () => ({
    network,
    store: await openKvLogStore(join(folder, "log.kv"), "test"),
  });
  try {
    const [hash, other] = randomHashes(2) as [string, string];
    const token = current.text(id);
    await withAdmission("token_required", async (site) => {
      assert.ok((await single(site, hash, token)).ok);
    }, await stored());
    await withAdmission("token_required", async (site) => {
      await assertProblem(await single(site, other, token), "token_spent");
      await assertProblem(await inBulk(site, other, token), "token_spent");
      assert.ok((await single(site, hash, token)).ok);
      assert.ok((await single(site, hash, null)).ok);
      assert.ok((await single(site, other, current.text(id))).ok);
    }, await stored());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("an escaped JSON string denotes the same token", async () => {
  await withAdmission("token_required", async ({ client }) => {
    const [hash, other] = randomHashes(2);
    const token = own.token(id);
    const spaced = ` { "issuer_token" : "${encodeTokenText(token)}", "hash" : "${hash}" }`;
    assert.ok((await client.post("/v1/attestations", spaced)).ok);
    const body = { hash: other, issuer_token: encodeTokenText(token) };
    await assertProblem(await client.post("/v1/attestations", body), "token_spent");
  });
});

Deno.test("of two bulk requests for one new hash at the same time, one is charged", async () => {
  await withAdmission("token_optional", async ({ client, charges }) => {
    const issuer_tokens = [null, null, null];
    // Not each time is the second there before the first is answered.
    for (let time = 0; time < 5; time++) {
      const hashes = randomHashes(3);
      const submit = async () => {
        const answer = await client.post("/v1/attestations/batch", { hashes, issuer_tokens });
        assert.ok(answer.ok, await answer.text());
      };
      await Promise.all([submit(), submit()]);
      assert.equal(charges.splice(0).reduce((sum, charge) => sum + charge, 0), 3);
    }
  });
});
