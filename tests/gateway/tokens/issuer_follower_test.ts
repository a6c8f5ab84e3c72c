import assert from "node:assert/strict";
import { join } from "node:path";
import {
  FOLLOW_PERIOD_MS,
  IssuerFollower,
  MAX_FOLLOWED_KEYS,
} from "../../../src/gateway/tokens/issuer_follower.ts";
import { TokenCheck } from "../../../src/gateway/tokens/token_check.ts";
import { TokenIssuers } from "../../../src/gateway/tokens/token_issuers.ts";
import { FollowedDirectory } from "../../../src/server/gateway/admission_rules.ts";
import { CountersignError, type ErrorCode } from "../../../src/base/errors.ts";
import {
  encodeIssuerDirectory,
  ISSUER_DIRECTORY_PATH,
  type IssuerDirectory,
} from "../../../src/proof/format/issuer_directory.ts";
import { TOKEN_MEDIA_TYPE } from "../../../src/proof/format/token_issuance.ts";
import { inFolder } from "../../server/captured_io.ts";
import { FakeClock } from "../../fake_clock.ts";
import { type LogLine, LogLines } from "../../log_lines.ts";
import { until } from "../fixture.ts";
import { served } from "../../http/outgoing/fixture.ts";
import { TokenSource } from "./token_source.ts";

const NETWORK = "log.example";
const NAME = "issuer.example";
const START = 1_800_000_000;
/** Longer than any answer takes, on a machine that is slow or stopped for a while. */
const PATIENCE_MS = 600_000;

const [first, second] = await Promise.all([TokenSource.create(), TokenSource.create()]);

/** Any odd number of 2,048 bits is a key. */
function anyKeys(count: number): Uint8Array<ArrayBuffer>[] {
  return Array.from({ length: count }, (_, i) => {
    const key = first.key.publicKey.slice();
    key[key.length - 10]! ^= i + 1;
    return key;
  });
}

function directory(
  keys: readonly Uint8Array<ArrayBuffer>[],
  { requestUri = "/requests" }: { requestUri?: string } = {},
): IssuerDirectory {
  return { requestUri, tokenKeys: keys.map((tokenKey) => ({ tokenKey })) };
}

function answerOf(body: BodyInit, type: string = TOKEN_MEDIA_TYPE.directory): Response {
  return new Response(body, { headers: { "Content-Type": type } });
}

const showing = (...of: Parameters<typeof directory>) => () =>
  answerOf(encodeIssuerDirectory(directory(...of)));

/** The gateway's part of following an issuer, and its reports. */
class Follower {
  readonly issuers: TokenIssuers;
  readonly check: TokenCheck;
  readonly log = new LogLines();
  readonly #stop = new AbortController();
  readonly #clock: FakeClock;
  /** The number of keys of each accepted directory. */
  readonly accepted: number[] = [];
  readonly #follower: IssuerFollower;
  #running = Promise.resolve();

  constructor(clock: FakeClock, source: ConstructorParameters<typeof IssuerFollower>[0]["source"]) {
    this.#clock = clock;
    const issuer = { name: NAME, keys: [] };
    this.issuers = new TokenIssuers(NETWORK, [issuer], clock);
    this.check = new TokenCheck(this.issuers, clock);
    this.#follower = new IssuerFollower({
      name: NAME,
      source,
      issuers: this.issuers,
      clock,
      random: () => 0,
      accepted: (directory) => this.accepted.push(directory.tokenKeys.length),
      report: this.log.report,
    });
  }

  get failures(): readonly LogLine[] {
    return this.log.lines.filter(({ level }) => level === undefined);
  }

  get failureCodes(): (ErrorCode | undefined)[] {
    return this.failures.map(({ code }) => code);
  }

  get reports(): string[] {
    return this.log.lines.filter(({ level }) => level === "info").map(({ message }) => message);
  }

  get keyIds(): string[] {
    return this.issuers.offers().flatMap((issuer) =>
      issuer.token_keys.map(({ token_key_id }) => token_key_id)
    );
  }

  restore(): Promise<void> {
    return this.#follower.restore();
  }

  follow(): void {
    this.#running = this.#follower.run(this.#stop.signal);
  }

  /** Begins to follow; resolves after the first answer was processed. */
  async start(): Promise<void> {
    this.follow();
    await until(() => this.#clock.sleeping === 1);
  }

  /** Lets an hour pass, and processes the requests in it. */
  async anHourLater(): Promise<void> {
    await this.#clock.advance(FOLLOW_PERIOD_MS);
    await until(() => this.#clock.sleeping === 1);
  }

  /** The error code for a new token of `source`; `undefined` if it is accepted. */
  refusalOf(source: TokenSource): ErrorCode | undefined {
    try {
      this.check.spend(this.check.present(source.text(NETWORK), "issuer_token"));
      return undefined;
    } catch (error) {
      assert.ok(error instanceof CountersignError);
      return error.code;
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}

const idOf = ({ key }: TokenSource) => key.id.toHex();

Deno.test("an invalid directory changes nothing and is reported once", () =>
  inFolder(async (folder) => {
    let answer: (path: string) => Response = showing([first.key.publicKey]);
    let asked = 0;
    const elsewhere = showing([second.key.publicKey]);
    const lie = (path: string) => path === "/elsewhere" ? elsewhere() : answer(path);
    const handler = (request: Request) => (asked++, lie(new URL(request.url).pathname));
    await served(handler, async (url) => {
      const clock = new FakeClock(START);
      const path = join(folder, "issuer.json");
      const follower = new Follower(
        clock,
        new FollowedDirectory({ url: new URL(url), path, timeoutMs: PATIENCE_MS }),
      );
      await follower.start();
      assert.deepEqual(follower.keyIds, [idOf(first)]);
      const kept = await Deno.readTextFile(path);
      const text = encodeIssuerDirectory(directory([second.key.publicKey]));
      const [key] = anyKeys(1) as [Uint8Array<ArrayBuffer>];
      const lies: Record<string, () => Response> = {
        "another type": () => answerOf(text.replaceAll('"token-type":2', '"token-type":1')),
        "no key": showing([]),
        "too many keys": showing(anyKeys(MAX_FOLLOWED_KEYS + 1)),
        "a key twice": showing([key, second.key.publicKey, key]),
        "garbage": () => answerOf("\0{"),
        "other JSON": () => answerOf("[]"),
        "another media type": () => answerOf(text, "application/json"),
        "another status": () => new Response(text, { status: 404 }),
        "a foreign request URI": showing([second.key.publicKey], {
          requestUri: "https://other.example/",
        }),
        "a redirect": () => Response.redirect(`${url}/elsewhere`),
        "too much": () => answerOf(text.padEnd(300_000)),
        "a key of another kind": showing([second.key.publicKey, new Uint8Array(49).fill(2)]),
        "nothing": () => answerOf(""),
      };
      for (const [name, said] of Object.entries(lies)) {
        answer = said;
        const before = asked;
        await follower.anHourLater();
        assert.ok(asked > before, name);
        assert.deepEqual(follower.keyIds, [idOf(first)], name);
        assert.equal(await Deno.readTextFile(path), kept, name);
      }
      assert.deepEqual(follower.failureCodes, ["issuer_refused", "invalid_key", "issuer_refused"]);
      assert.equal(follower.refusalOf(first), undefined);
      assert.equal(follower.refusalOf(second), "token_invalid");
      answer = () => answerOf(text);
      await follower.anHourLater();
      assert.deepEqual(follower.keyIds, [idOf(second)]);
      assert.equal(follower.refusalOf(first), "token_invalid");
      assert.equal(follower.refusalOf(second), undefined);
      const told = [idOf(first), "answers again", idOf(second)];
      assert.equal(follower.reports.length, told.length);
      for (const part of told) assert.ok(follower.reports.some((line) => line.includes(part)));
      await follower.stop();
    });
  }));

Deno.test("the stored directory is used after a restart while the issuer is unreachable", () =>
  inFolder(async (folder) => {
    const path = join(folder, "issuer.json");
    let url = "";
    let answer = showing([first.key.publicKey, second.key.publicKey]);
    await served(() => answer(), async (at) => {
      url = at;
      const follower = new Follower(
        new FakeClock(START),
        new FollowedDirectory({ url: new URL(url), path, timeoutMs: PATIENCE_MS }),
      );
      await follower.restore();
      assert.deepEqual(follower.keyIds, []);
      await follower.start();
      await follower.stop();
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
      assert.deepEqual((await Array.fromAsync(Deno.readDir(folder))).length, 1);
    });
    const held = Promise.withResolvers<Response>();
    await served(() => held.promise, async (at) => {
      // The same issuer according to the file.
      const text = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, text.replaceAll(url, at));
      const source = new FollowedDirectory({ url: new URL(at), path, timeoutMs: 1 });
      const follower = new Follower(new FakeClock(START), source);
      await follower.restore();
      try {
        await follower.start();
        await follower.anHourLater();
        assert.deepEqual(follower.failureCodes, ["issuer_unreachable"]);
        assert.equal(follower.refusalOf(first), undefined);
        assert.equal(follower.refusalOf(second), undefined);
      } finally {
        held.resolve(new Response());
        await follower.stop();
      }
    });
    // Another issuer, and an invalid file.
    const other = async (text: string, code?: ErrorCode) => {
      await Deno.writeTextFile(path, text);
      answer = showing([second.key.publicKey]);
      await served(() => answer(), async (at) => {
        const source = new FollowedDirectory({ url: new URL(at), path, timeoutMs: PATIENCE_MS });
        const follower = new Follower(new FakeClock(START), source);
        await follower.restore();
        assert.deepEqual(follower.keyIds, []);
        await follower.start();
        assert.deepEqual(follower.keyIds, [idOf(second)]);
        assert.deepEqual(follower.failureCodes, code === undefined ? [] : [code]);
        await follower.stop();
      });
    };
    await other((await Deno.readTextFile(path)).replaceAll(url, "https://other.example"));
    await other("{", "issuer_refused");
  }));

Deno.test("a directory with the maximum number of keys is accepted", async () => {
  const clock = new FakeClock(START);
  const keys = [first.key.publicKey, ...anyKeys(MAX_FOLLOWED_KEYS - 2), second.key.publicKey];
  const tokenKeys = keys.map((tokenKey, i) => ({
    tokenKey,
    // The first key signs now, the last one later.
    notBefore: i === 0 ? START : START - 1_000 + i + (i === keys.length - 1 ? 5_000 : 0),
  }));
  const follower = new Follower(clock, {
    ask: () => Promise.resolve({ requestUri: "https://issuer.example/requests", tokenKeys }),
    kept: () => Promise.resolve(undefined),
    keep: () => Promise.resolve(),
  });
  await follower.start();
  assert.deepEqual(follower.failureCodes, []);
  assert.equal(follower.keyIds.length, 64);
  assert.equal(follower.refusalOf(first), undefined);
  assert.equal(follower.refusalOf(second), "token_invalid");
  // The challenges fit a header and are for keys that are valid now, including the latest.
  const challenges = follower.issuers.challenges();
  const encoded = (key: Uint8Array) => key.toBase64({ alphabet: "base64url" });
  assert.equal(challenges.match(/token-key=/g)?.length, 8);
  assert.ok(challenges.includes(encoded(first.key.publicKey)));
  assert.ok(!challenges.includes(encoded(second.key.publicKey)));
  await follower.anHourLater();
  await follower.anHourLater();
  assert.equal(follower.refusalOf(second), undefined);
  assert.ok(follower.issuers.challenges().includes(encoded(second.key.publicKey)));
  await follower.stop();
});

Deno.test("tokens of an issuer that was never reached wait instead of being refused", async () => {
  const clock = new FakeClock(START);
  let isAway = true;
  const follower = new Follower(clock, {
    ask: () =>
      isAway
        ? Promise.reject(new CountersignError("issuer_unreachable", "Cannot ask issuer"))
        : Promise.resolve(directory([first.key.publicKey])),
    kept: () => Promise.resolve(undefined),
    keep: () => Promise.resolve(),
  });
  await follower.start();
  assert.equal(follower.refusalOf(first), "issuer_unreachable");
  assert.deepEqual(follower.issuers.missingIssuers(), [NAME]);
  assert.throws(() => follower.check.requireIssuer(), { code: "issuer_unreachable" });
  // A token of another issuer is still refused.
  assert.throws(
    () => follower.check.present(first.text("other.example"), "issuer_token"),
    { code: "token_invalid" },
  );
  isAway = false;
  await follower.anHourLater();
  assert.equal(follower.refusalOf(first), undefined);
  assert.deepEqual(follower.issuers.missingIssuers(), []);
  follower.check.requireIssuer();
  isAway = true;
  await follower.anHourLater();
  assert.equal(follower.refusalOf(first), undefined);
  await follower.stop();
});

Deno.test("an issuer that does not answer does not block shutdown", () =>
  inFolder(async (folder) => {
    const held = Promise.withResolvers<Response>();
    const asked = Promise.withResolvers<void>();
    const handler = () => (asked.resolve(), held.promise);
    await served(handler, async (url) => {
      const path = join(folder, "issuer.json");
      const source = new FollowedDirectory({ url: new URL(url), path, timeoutMs: PATIENCE_MS });
      const follower = new Follower(new FakeClock(START), source);
      follower.follow();
      await asked.promise;
      // Without its answer.
      await follower.stop();
      assert.deepEqual(follower.failures, []);
      held.resolve(new Response());
    });
  }));

Deno.test("an issuer is polled hourly, and sooner after a failure", async () => {
  const clock = new FakeClock(START);
  const times: number[] = [];
  let fails = false;
  const good = directory([first.key.publicKey], { requestUri: "https://issuer.example/requests" });
  const follower = new Follower(clock, {
    ask: () => {
      times.push(clock.nowMs() - START * 1000);
      return fails
        ? Promise.reject(new CountersignError("issuer_unreachable", "Cannot ask issuer"))
        : Promise.resolve(good);
    },
    kept: () => Promise.resolve(undefined),
    keep: () => Promise.resolve(),
  });
  await follower.start();
  await clock.advance(FOLLOW_PERIOD_MS - 1);
  assert.deepEqual(times, [0]);
  fails = true;
  await clock.advance(1);
  // Half of each pause, with a random number of 0.
  const pauses = [2_500, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 450_000, 450_000];
  await clock.advance(pauses.reduce((sum, ms) => sum + ms));
  let at = FOLLOW_PERIOD_MS;
  assert.deepEqual(times, [0, at, ...pauses.map((ms) => at += ms)]);
  fails = false;
  await clock.advance(450_000);
  await clock.advance(FOLLOW_PERIOD_MS - 1);
  assert.equal(times.length, pauses.length + 3);
  fails = true;
  await clock.advance(1 + 2_500);
  assert.equal(times.length, pauses.length + 5);
  assert.deepEqual(follower.failureCodes, ["issuer_unreachable", "issuer_unreachable"]);
  await follower.stop();
});

Deno.test("keys are used even if they cannot be stored", async () => {
  const clock = new FakeClock(START);
  let full = true;
  const follower = new Follower(clock, {
    ask: () => Promise.resolve(directory([first.key.publicKey])),
    kept: () => Promise.reject(new Error("a fault of the disk")),
    keep: () => full ? Promise.reject(new Error("no space")) : Promise.resolve(),
  });
  await follower.restore();
  await follower.start();
  assert.equal(follower.refusalOf(first), undefined);
  assert.equal(follower.failures.length, 2);
  full = false;
  await follower.anHourLater();
  assert.equal(follower.failures.length, 2);
  assert.match(follower.reports.at(-1) ?? "", /answers again/);
  assert.deepEqual(follower.accepted, [1, 1]);
  await follower.stop();
});

Deno.test("an issuer that publishes another issuer's key does not invalidate its tokens", () => {
  const clock = new FakeClock(START);
  const thief = { ...first.issuer, name: "thief.example" };
  for (const issuers of [[first.issuer, thief], [thief, first.issuer]]) {
    const check = new TokenCheck(new TokenIssuers(NETWORK, issuers, clock), clock);
    assert.ok(check.spend(check.present(first.text(NETWORK), "issuer_token")));
    assert.equal(check.issuers.offers().length, 2);
  }
});

Deno.test("the directory is fetched from its well-known path", () =>
  inFolder(async (folder) => {
    const paths: string[] = [];
    const handler = (request: Request) => {
      paths.push(new URL(request.url).pathname);
      return showing([first.key.publicKey])();
    };
    await served(handler, async (url) => {
      const source = new FollowedDirectory({
        url: new URL(`${url}/below/`),
        path: join(folder, "issuer.json"),
        timeoutMs: PATIENCE_MS,
      });
      await source.ask(new AbortController().signal);
      assert.deepEqual(paths, [ISSUER_DIRECTORY_PATH]);
    });
  }));
