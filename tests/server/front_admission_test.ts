/** Tokens and their issuers in fronts beside one sequencer. */

import assert from "node:assert/strict";
import type { AdmissionConfiguration } from "../../src/config/admission.ts";
import { systemClock } from "../../src/base/clock.ts";
import type { IssuerDirectory } from "../../src/proof/format/issuer_directory.ts";
import { admissionRules, openFrontIssuers } from "../../src/server/gateway/admission_rules.ts";
import { DirectoryFeed } from "../../src/server/gateway/directory_feed.ts";
import { FOLLOW_PERIOD_MS, IssuerFollower } from "../../src/gateway/tokens/issuer_follower.ts";
import { TokenIssuers } from "../../src/gateway/tokens/token_issuers.ts";
import { FakeClock } from "../fake_clock.ts";
import { until } from "../gateway/fixture.ts";
import { FrontSite } from "../gateway/front_site.ts";
import { AppClient, assertProblem, randomHashes } from "../http/gateway_server.ts";
import { TokenSource } from "../gateway/tokens/token_source.ts";

const first = await TokenSource.create();
const second = await TokenSource.create();
const NAME = first.name;

const ADMISSION: AdmissionConfiguration = {
  mode: "token_required",
  issuers: [{ name: NAME, url: "https://issuer.example", follow: true }],
};

function directoryOf(...sources: readonly TokenSource[]): IssuerDirectory {
  return {
    requestUri: "/token-request",
    tokenKeys: sources.map(({ key }) => ({ tokenKey: key.publicKey })),
  };
}

/** Fronts that get the directories of `feed`. */
class Fronts {
  readonly feed = new DirectoryFeed();
  readonly #site: FrontSite;
  readonly #stop = new AbortController();

  constructor(site: FrontSite) {
    this.#site = site;
  }

  get networkId(): string {
    return this.#site.network.network.id;
  }

  /** Starts one more, and returns a client of it. */
  async start(): Promise<AppClient> {
    const { front } = await this.#site.join();
    const directories = structuredClone(this.feed.current);
    const operator = { network: { id: this.networkId }, admission: ADMISSION };
    const { issuers, useDirectory } = openFrontIssuers(operator, directories);
    const rules = admissionRules(ADMISSION, issuers, undefined);
    this.feed.onAccepted((accepted) => useDirectory(structuredClone(accepted)), this.#stop.signal);
    return new AppClient(front, undefined, { admission: rules! });
  }

  token(source: TokenSource): string {
    return source.text(this.networkId);
  }
}

function withFronts(run: (fronts: Fronts) => Promise<void>): Promise<void> {
  return FrontSite.with({ spendsTokens: true }, (site) => run(new Fronts(site)));
}

function submit(client: AppClient, token: string, hash = randomHashes(1)[0]): Promise<Response> {
  return client.post("/v1/attestations", { hash, issuer_token: token });
}

Deno.test("each directory that the sequencer accepts reaches running and later fronts", () =>
  withFronts(async (fronts) => {
    const clock = new FakeClock();
    const issuers = new TokenIssuers(
      fronts.networkId,
      [{ name: NAME, keys: [] }],
      systemClock,
    );
    let shown = directoryOf(first);
    const follower = new IssuerFollower({
      name: NAME,
      issuers,
      clock,
      random: () => 0,
      report: () => {},
      source: {
        ask: () => Promise.resolve(shown),
        kept: () => Promise.resolve(undefined),
        keep: () => Promise.resolve(),
      },
      accepted: (directory) => fronts.feed.accept(NAME, directory),
    });
    const early = await fronts.start();
    await assertProblem(await submit(early, fronts.token(first)), "issuer_unreachable");
    const stop = new AbortController();
    const running = follower.run(stop.signal);
    await until(() => clock.sleeping === 1);
    const clients = [early, await fronts.start()];
    const asksAgain = async (directory: IssuerDirectory) => {
      shown = directory;
      await clock.advance(FOLLOW_PERIOD_MS);
      await until(() => clock.sleeping === 1);
    };
    /** The same answers from all fronts. */
    const accept = async (...accepted: readonly TokenSource[]) => {
      for (const client of clients) {
        const { issuers: offered } = await (await client.get("/v1/admission")).json();
        assert.deepEqual(offered, [{ ...issuers.offers()[0], url: "https://issuer.example" }]);
        for (const source of [first, second]) {
          const response = await submit(client, fronts.token(source));
          if (accepted.includes(source)) assert.ok(response.ok, await response.text());
          else await assertProblem(response, "token_invalid");
        }
      }
    };
    await accept(first);
    await asksAgain(directoryOf(second, first));
    await accept(first, second);
    // A bad directory changes nothing.
    await asksAgain(directoryOf(first, first));
    await accept(first, second);
    await asksAgain(directoryOf(second));
    clients.push(await fronts.start());
    await accept(second);
    stop.abort();
    await running;
  }));

Deno.test("a token is redeemed once over all fronts", () =>
  withFronts(async (fronts) => {
    fronts.feed.accept(NAME, directoryOf(first));
    const clients = [await fronts.start(), await fronts.start()] as const;
    const token = fronts.token(first);
    const [hash] = randomHashes(1);
    assert.ok((await submit(clients[0], token, hash)).ok);
    for (const client of clients) {
      await assertProblem(await submit(client, token), "token_spent");
      assert.ok((await submit(client, token, hash)).ok, "a known hash needs no token");
    }
    for (let i = 0; i < 8; i++) {
      const raced = fronts.token(first);
      const answers = await Promise.all(clients.map((client) => submit(client, raced)));
      const [accepted, refused] = answers.toSorted((a, b) => a.status - b.status);
      assert.ok(accepted!.ok, await accepted!.text());
      await assertProblem(refused!, "token_spent");
    }
    await assertProblem(await submit(clients[0], fronts.token(second)), "token_invalid");
  }));

Deno.test("DirectoryFeed publishes a directory once, and keeps the latest of each issuer", () => {
  const feed = new DirectoryFeed();
  const seen: string[] = [];
  const stop = new AbortController();
  feed.accept("a.example", directoryOf(first));
  feed.onAccepted(({ issuer }) => seen.push(issuer), stop.signal);
  feed.accept("a.example", directoryOf(first));
  feed.accept("b.example", directoryOf(first));
  feed.accept("a.example", directoryOf(first, second));
  stop.abort();
  feed.accept("b.example", directoryOf(second));
  assert.deepEqual(seen, ["b.example", "a.example"]);
  assert.deepEqual(feed.current.map(({ issuer }) => issuer), ["a.example", "b.example"]);
  assert.equal(new Set(feed.current.map(({ text }) => text)).size, 2);
});

Deno.test("openFrontIssuers() checks directories like the sequencer", () => {
  const operator = { network: { id: "log.example" }, admission: ADMISSION };
  const { issuers, useDirectory } = openFrontIssuers(operator, []);
  const feed = new DirectoryFeed();
  feed.accept(NAME, directoryOf(first));
  useDirectory(feed.current[0]!);
  const keys = () => issuers.offers()[0]!.token_keys.length;
  assert.equal(keys(), 1);
  for (const directory of [directoryOf(), directoryOf(second, second)]) {
    feed.accept(NAME, directory);
    assert.throws(() => useDirectory(feed.current[0]!), { code: "issuer_refused" });
  }
  assert.throws(() => useDirectory({ issuer: NAME, text: "{}" }), { code: "issuer_refused" });
  assert.equal(keys(), 1);
  assert.equal(admissionRules({ mode: "open", issuers: [] }, issuers, undefined), undefined);
});
