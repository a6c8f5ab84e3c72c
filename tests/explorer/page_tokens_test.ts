import assert from "node:assert/strict";
import type { SubmitOptions } from "../../src/client/gateway_client.ts";
import { IssuerRefusal } from "../../src/client/issuer_client.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { ErrorCode } from "../../src/base/errors.ts";
import { failureText } from "../../src/explorer/failure.ts";
import { GatewayLine } from "../../src/explorer/gateway_line.ts";
import { PageTokens } from "../../src/explorer/stamp/page_tokens.ts";
import type { AdmissionOffer } from "../../src/proof/format/admission_offer.ts";
import { GatewayRefusal } from "../../src/proof/format/gateway_refusal.ts";
import { ISSUER_DIRECTORY_PATH } from "../../src/proof/format/issuer_directory.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { parseTokenChallenge } from "../../src/proof/format/privacy_pass.ts";
import { findWork } from "../../src/proof/format/work_proof.ts";
import { TOKEN_REQUEST_PATH } from "../../src/http/issuer/issuer_app.ts";
import { nativeCrypto } from "../schemes.ts";
import { challengeOf, serveTokens } from "../gateway/tokens/fixture.ts";

const HASHES = ["a", "b", "c", "d"].map((digit) => digit.repeat(64));

const refused = (reason: ErrorCode) => new GatewayRefusal("job", { status: 403, reason });

/** A page, the issuer on a socket, and a gateway that takes new hashes with fresh tokens only. */
class TokenSite implements AsyncDisposable {
  readonly issuer = serveTokens();
  readonly page: PageTokens;
  readonly asked: string[] = [];
  /** Tokens that the gateway redeemed, and refusals of the next ones. */
  readonly redeemed: string[] = [];
  readonly refusals: ErrorCode[] = [];
  /** Statuses of the issuer's next answers; 200 is its own answer. */
  readonly statuses: number[] = [];
  /** The key that the gateway takes. */
  tokenKey = this.issuer.secret.tokenKey;
  isNamed = true;
  mode = "token_required";
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor() {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      (request) => {
        this.asked.push(new URL(request.url).pathname);
        const status = this.statuses.shift() ?? 200;
        const headers = { "Retry-After": "20" };
        return status === 200
          ? this.issuer.app(request)
          : new Response(null, { status, ...(status === 429 && { headers }) });
      },
    );
    this.page = new PageTokens({
      api: {
        url: new URL("http://127.0.0.1/"),
        admission: () => Promise.resolve({ text: "", value: this.#offer() }),
        isKnown: () => Promise.resolve(false),
        submit: (hashes, _, options) => this.#submit(hashes, options),
      },
      crypto: { crypto: () => Promise.resolve({ ...nativeCrypto, kernels: portableKernels }) },
      hashing: {
        findWork: (...of) => Promise.resolve(findWork(...of, portableKernels)),
      },
      clock: this.issuer.clock,
    });
  }

  #offer(): AdmissionOffer {
    const challengeBytes = challengeOf();
    const offer = {
      challengeBytes,
      challenge: parseTokenChallenge(challengeBytes),
      keys: [{ tokenKey: this.tokenKey, notAfter: this.issuer.secret.notAfter }],
      ...(this.isNamed && { url: `http://127.0.0.1:${this.#server.addr.port}/` }),
    };
    return { mode: this.mode, issuers: [offer] };
  }

  #submit(
    hashes: readonly string[],
    { tokens = [] }: SubmitOptions = {},
  ): Promise<readonly JobSnapshotMembers[]> {
    if (hashes.some((_, i) => typeof tokens[i] !== "string")) {
      return Promise.reject(refused("token_required"));
    }
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return Promise.reject(refused(refusal));
    this.redeemed.push(...tokens as string[]);
    return Promise.resolve(hashes.map((hash) => ({
      hash,
      attempts: 0,
      created_at: 1,
      updated_at: 1,
      status: "pending",
      progress: "unconfirmed",
    } as const)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

Deno.test("PageTokens gets one token for each hash, and asks for the directory once", async () => {
  await using site = new TokenSite();
  const states: boolean[] = [];
  site.page.subscribe(() => states.push(site.page.state));
  assert.equal(await site.page.maxNew(), HASHES.length);
  assert.equal((await site.page.submit(HASHES, 0)).length, HASHES.length);
  await site.page.submit(["e".repeat(64)], 0);
  assert.equal(new Set(site.redeemed).size, 5);
  assert.deepEqual(states, [true, false, true, false]);
  assert.equal(site.asked.filter((path) => path === ISSUER_DIRECTORY_PATH).length, 1);
  // The first request learns how much work the issuer requires.
  assert.equal(site.asked.filter((path) => path === TOKEN_REQUEST_PATH).length, 6);
});

Deno.test("PageTokens keeps its tokens while the issuer is away or busy", async () => {
  await using site = new TokenSite();
  await site.page.maxNew();
  const pauses: number[] = [];
  const pause = (ms: number) => {
    pauses.push(ms);
    return Promise.resolve();
  };
  const line = new GatewayLine({ wait: pause, sleep: (ms) => pause(-ms), random: () => 0 });
  const titles: string[] = [];
  line.subscribe(() => titles.push(failureText(line.state).title));
  await site.page.submit(HASHES.slice(0, 1), 0);
  // The first token arrives, the second one does not.
  site.statuses.push(200, 429, 503);
  await line.ask(() => site.page.submit(HASHES.slice(1), 0));
  assert.deepEqual(pauses, [-20_000, 1_000]);
  assert.deepEqual([...new Set(titles.slice(0, 2))], ["The issuer of tokens does not answer"]);
  assert.equal(new Set(site.redeemed).size, HASHES.length);
  assert.equal(line.state, undefined);
});

Deno.test("PageTokens asks for the directory again when the issuer refuses its key", async () => {
  await using site = new TokenSite();
  await site.page.maxNew();
  await site.page.submit(HASHES.slice(0, 1), 0);
  site.statuses.push(422);
  await site.page.submit(HASHES.slice(1, 2), 0);
  assert.equal(site.asked.filter((path) => path === ISSUER_DIRECTORY_PATH).length, 2);
  site.statuses.push(422, 200, 422);
  await assert.rejects(
    site.page.submit(HASHES.slice(2, 3), 0),
    (error) => error instanceof IssuerRefusal && error.status === 422,
  );
  await site.page.submit(HASHES.slice(2), 0);
  assert.equal(new Set(site.redeemed).size, HASHES.length);
});

Deno.test("PageTokens works for no key but those that the gateway takes", async () => {
  await using site = new TokenSite();
  await site.page.maxNew();
  site.tokenKey = Uint8Array.of(1, 2, 3);
  await assert.rejects(site.page.submit(HASHES, 0), { code: "issuer_refused" });
  assert.deepEqual(site.asked, [ISSUER_DIRECTORY_PATH]);
  site.isNamed = false;
  await assert.rejects(site.page.submit(HASHES, 0), { code: "tokens_missing" });
  assert.deepEqual(site.asked, [ISSUER_DIRECTORY_PATH]);
});

Deno.test("PageTokens replaces spent and expired tokens, and only a few of them", async () => {
  await using site = new TokenSite();
  await site.page.maxNew();
  site.refusals.push("token_spent", "token_expired");
  assert.equal((await site.page.submit(HASHES, 0)).length, HASHES.length);
  assert.equal(new Set(site.redeemed).size, HASHES.length);
  site.refusals.push(...Array<ErrorCode>(20).fill("token_spent"));
  await assert.rejects(site.page.submit(["e".repeat(64)], 0), /token_spent/);
  assert.ok(site.refusals.length > 10);
});

Deno.test("PageTokens sends no token that has expired", async () => {
  await using site = new TokenSite();
  await site.page.maxNew();
  await site.page.submit(HASHES.slice(0, 1), 0);
  site.statuses.push(200, 422, 200, 422);
  await assert.rejects(site.page.submit(HASHES.slice(1), 0), { code: "issuer_refused" });
  site.issuer.clock.jump(3_600_000);
  await assert.rejects(site.page.submit(HASHES.slice(1, 2), 0), { code: "issuer_refused" });
  assert.equal(site.redeemed.length, 1);
});

Deno.test("PageTokens asks again when its gateway has begun to require tokens", async () => {
  await using site = new TokenSite();
  site.mode = "open";
  assert.equal(await site.page.maxNew(), Infinity);
  site.mode = "token_optional";
  await assert.rejects(site.page.submit(HASHES, 0), { code: "tokens_missing" });
  site.mode = "token_required";
  assert.equal(await site.page.maxNew(), HASHES.length);
  await site.page.submit(HASHES, 0);
  assert.equal(site.redeemed.length, HASHES.length);
});
